// The text of a step: blocks of parts become paragraphs and lists, and the facts among them follow the page's numbers.

import { counted, el, format, setText } from "../shared/base.js";

const UNKNOWN = "–";
const SPARE = "00"; // digits that a number may gain while the hand moves

/** "boundarys" and the like, as English has them. */
export const plural = (text) => text.replace(/([^aeiou])ys$/, "$1ies");

const hundredth = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** Shares and scores lie below one, where a single decimal would hide what changes. */
const amount = (value) => (Math.abs(value) < 1 ? hundredth.format(value) : format(value));

/** A fact as it is written: written(1200, "chunk") is "1,200 chunks", written(null) is a dash. */
export function written(value, noun) {
  if (typeof value === "number" && Number.isFinite(value)) return noun ? plural(counted(value, noun)) : amount(value);
  const text = typeof value === "string" && value ? value : UNKNOWN;
  return noun ? `${text} ${plural(`${noun}s`)}` : text;
}

/** The places in the text where facts stand; telling them anew only changes the texts that differ. */
export class Facts {
  constructor() {
    this.places = [];
  }

  place({ fact, noun, strong, em }) {
    const node = el(strong ? "strong" : em ? "em" : "span", { class: "fact" });
    this.places.push({ node, fact, noun });
    return node;
  }

  tell(facts) {
    for (const { node, fact, noun } of this.places) setText(node, written(facts?.[fact], noun));
  }

  /** Hold the height that `root` needs with somewhat longer numbers, so that nothing below moves when they grow. */
  reserve(root) {
    const inside = this.places.filter(({ node }) => root.contains(node));
    root.style.minHeight = "";
    if (!inside.length) return;
    const texts = inside.map(({ node }) => node.textContent);
    for (const { node } of inside) node.textContent += SPARE;
    const { height } = root.getBoundingClientRect();
    inside.forEach(({ node }, index) => (node.textContent = texts[index]));
    root.style.minHeight = `${height}px`;
  }
}

const MARKS = { code: "code", strong: "strong", em: "em" };

/** One part; words of the glossary are explained where they first appear, but never inside code. */
function nodesOf(part, { facts, glossary, seen }) {
  if (part.fact !== undefined) return [facts.place(part)];
  const nodes = part.code ? [part.text] : glossary.explain(part.text, seen);
  return Object.keys(MARKS).reduce((inner, mark) => (part[mark] ? [el(MARKS[mark], {}, ...inner)] : inner), nodes);
}

/** The blocks as one line without explanations, for a label; a plain text is one too. */
export function line(blocks, facts) {
  if (typeof blocks === "string") return [blocks];
  const plain = { facts, glossary: { explain: (text) => [text] } };
  return blocks.flatMap(({ parts }, index) => [...(index ? [" "] : []), ...parts.flatMap((part) => nodesOf(part, plain))]);
}

/** The blocks as elements; neighbouring items make one list. `context` is `{facts, glossary, seen}`. */
export function prose(blocks, context) {
  const nodes = [];
  for (const { kind, parts } of blocks) {
    const block = el(kind === "li" ? "li" : "p", {}, ...parts.flatMap((part) => nodesOf(part, context)));
    if (kind !== "li") nodes.push(block);
    else if (nodes.at(-1)?.tagName === "UL") nodes.at(-1).append(block);
    else nodes.push(el("ul", {}, block));
  }
  return nodes;
}
