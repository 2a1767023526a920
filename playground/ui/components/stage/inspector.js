// The inspector: one chunk in full. Its exact text with its tokens coloured one by one, where it is, and why.

import { counted, el, format } from "../shared/base.js";

const VISIBLE = new Map([
  [" ", "·"],
  ["\u00a0", "⍽"],
  ["\t", "→\t"],
  ["\n", "⏎\n"],
  ["\r", "␍"],
  ["\u200b", "[ZWSP]"],
  ["\u3000", "□"],
]);
const HUES = 4;

/** `text` with its white space drawn. */
export const withMarks = (text) => text.replace(/[ \u00a0\t\n\r\u200b\u3000]/g, (space) => VISIBLE.get(space));

export class Inspector {
  /** @param {{onStep: (by: number) => void, onClose: () => void}} handlers */
  constructor(root, handlers) {
    this.root = root;
    this.handlers = handlers;
    this.marks = false;
    this.tokens = true;
    this.title = el("h2", { tabindex: "-1" });
    this.with = true;
    this.body = el("div", { class: "inspected", tabindex: "0", role: "group", "aria-label": "Text of the chunk" });
    this.context = el("div", { class: "before", tabindex: "0", role: "group", "aria-label": "What a model reads before the chunk" });
    this.facts = el("dl", { class: "facts" });
    this.reason = el("p", { class: "reason" });
    this.previous = el("button", { type: "button", text: "← Previous", onclick: () => handlers.onStep(-1) });
    this.next = el("button", { type: "button", text: "Next →", onclick: () => handlers.onStep(1) });
    root.append(
      el(
        "header",
        {},
        this.title,
        el("button", { type: "button", class: "close", "aria-label": "Close the inspector", text: "✕", onclick: () => handlers.onClose() }),
      ),
      el("nav", { "aria-label": "Chunk by chunk" }, this.previous, this.next, this.toggle("tokens", "Tokens"), this.toggle("marks", "White space"), (this.withContext = this.toggle("with", "Context"))),
      this.reason,
      this.context,
      this.body,
      this.facts,
    );
    root.addEventListener("keydown", (event) => this.key(event));
  }

  toggle(name, label) {
    const input = el("input", { type: "checkbox", onchange: () => {
      this[name] = input.checked;
      this.draw();
    } });
    input.checked = this[name];
    return el("label", { class: "toggle" }, input, label);
  }

  key(event) {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (by) {
      event.preventDefault();
      this.handlers.onStep(by);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      this.handlers.onClose();
    }
  }

  get isOpen() {
    return !this.root.hidden;
  }

  show(answer, text) {
    const first = this.root.hidden;
    this.root.hidden = false;
    this.answer = answer;
    this.text = text;
    this.title.textContent = `Chunk ${format(answer.index + 1)} of ${format(answer.total)}`;
    this.previous.disabled = answer.index === 0;
    this.next.disabled = answer.index + 1 === answer.total;
    this.reason.textContent = answer.reason;
    this.draw();
    this.drawFacts(answer);
    if (first) this.title.focus({ preventScroll: true });
  }

  close() {
    this.root.hidden = true;
  }

  draw() {
    const { context } = this.answer;
    this.withContext.hidden = !context;
    this.context.hidden = !context || !this.with;
    this.context.textContent = context;
    if (context) this.drawFacts(this.answer);
    const shown = this.marks ? withMarks : (text) => text;
    if (!this.tokens || !this.answer.tokens) {
      this.body.replaceChildren(shown(this.text));
      return;
    }
    const { lengths, counts, rest } = this.answer.tokens;
    let at = 0;
    const pieces = lengths.map((length, index) => {
      const piece = el("span", { class: `t t${index % HUES}`, text: shown(this.text.slice(at, at + length)) });
      if (counts[index] > 1) piece.title = `${counts[index]} tokens share this character`;
      at += length;
      return piece;
    });
    if (rest) pieces.push(el("span", { text: shown(this.text.slice(at)) }), el("em", { text: ` (${counted(rest, "more token")}, not coloured)` }));
    this.body.replaceChildren(...pieces);
  }

  drawFacts(answer) {
    const [start, end] = answer.offsets;
    const context = answer.context && this.with;
    const rows = {
      ...(context ? { "a model reads": `${counted(answer.embedded_tokens, "token")}: the context (${format(answer.embedded_tokens - answer.sizes.token)}) and the text` } : {}),
      holds: `${counted(answer.sizes.token, "token")}, ${counted(answer.sizes.word, "word")}, ${counted(answer.sizes.character, "character")}`,
      offsets: `[${format(start)}, ${format(end)}) in characters`,
      "overlap before": `${counted(answer.overlap_before, answer.unit)}${answer.overlap_reason ? `. ${answer.overlap_reason}` : ""}`,
      "overlap after": counted(answer.overlap_after, answer.unit),
      ...(answer.oversized ? { flag: `larger than the size of ${counted(answer.limit, answer.unit)}: ${answer.oversized_reason}` } : {}),
      ...(answer.context_shortened ? { context: "shortened: all of it would take more than half of the size" } : {}),
      ...(answer.parent === null ? {} : { parent: `parent ${format(answer.parent + 1)}` }),
      ...answer.metadata,
    };
    this.facts.replaceChildren(
      ...Object.entries(rows).flatMap(([name, value]) => [el("dt", { text: name.replaceAll("_", " ") }), el("dd", { text: value })]),
    );
  }
}
