// Words of the glossary, explained where they stand: each a button in the text, with a small tooltip on hover, focus and tap.

import { el } from "./base.js";

const OPENS_AFTER = 250; // ms that a mouse has to rest on a word
const CLOSES_AFTER = 150; // ms to go from the word into its tooltip
const ARRIVING = 200; // ms in which the page may still scroll to a word that a key has reached
const MARGIN = 8; // px to the edges of the window
const GAP = 6; // px between word and tooltip

const literal = (form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\s+");
const plain = (form) => form.toLowerCase().replace(/\s+/g, " ");

export class Glossary {
  /** @param {{term: string, also?: string[], says: string}[]} rows the terms; without any, all text stays plain */
  constructor(rows = []) {
    this.entries = new Map();
    for (const row of rows ?? []) for (const form of [row.term, ...(row.also ?? [])]) this.entries.set(plain(form), row);
    const forms = [...this.entries.keys()].sort((a, b) => b.length - a.length).map(literal);
    this.pattern = forms.length ? new RegExp(`(?<![\\p{L}\\p{N}_])(?:${forms.join("|")})(?![\\p{L}\\p{N}_])`, "giu") : null;
  }

  /**
   * `text` as nodes in which the first occurrence of every known term is a button.
   * @param {Set<string>} seen the terms that were explained before; those of this text are added
   */
  explain(text, seen = new Set()) {
    const nodes = [];
    let from = 0;
    for (const match of this.pattern ? text.matchAll(this.pattern) : []) {
      const { term } = this.entries.get(plain(match[0]));
      if (seen.has(term)) continue;
      seen.add(term);
      if (match.index > from) nodes.push(new Text(text.slice(from, match.index)));
      nodes.push(this.term(match[0]));
      from = match.index + match[0].length;
    }
    if (from < text.length) nodes.push(new Text(text.slice(from)));
    return nodes;
  }

  /** A label that explains `name`; plain text if the glossary does not know it. */
  term(name, label = name) {
    const entry = this.entries.get(plain(name));
    return entry ? button(entry.says, label) : new Text(label);
  }
}

function button(says, label) {
  const word = el("button", { type: "button", class: "term", text: label });
  const tip = () => Tip.of(word.getRootNode());
  word.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && tip().soon(word, says));
  word.addEventListener("pointerleave", () => tip().leave(word));
  word.addEventListener("focus", () => word.matches(":focus-visible") && tip().arrive(word, says));
  word.addEventListener("blur", () => tip().hide(word));
  word.addEventListener("click", (event) => {
    event.preventDefault(); // in a label or a summary, the word alone is meant
    tip().toggle(word, says);
  });
  return word;
}

const tips = new WeakMap();
let count = 0;

/** The tooltip of a document or a shadow root: there is one, which goes from word to word. */
class Tip {
  static of(root) {
    if (!tips.has(root)) tips.set(root, new Tip(root));
    return tips.get(root);
  }

  constructor(root) {
    this.root = root;
    this.place = root.body ?? root;
    this.node = el("div", { class: "tip", role: "tooltip", id: `glossary-tip-${(count += 1)}`, hidden: true });
    if ("popover" in this.node) this.node.popover = "manual"; // above everything, and cut off by nothing
    this.node.addEventListener("pointerenter", () => clearTimeout(this.closing));
    this.node.addEventListener("pointerleave", () => this.word && this.leave(this.word));
    this.listeners = [
      [window, "keydown", (event) => this.key(event)],
      [window, "pointerdown", (event) => this.press(event)],
      [window, "scroll", () => this.moved()],
      [window, "resize", () => this.hide()],
      [root, "scroll", () => this.moved()], // what scrolls inside a shadow root tells nobody outside
    ];
  }

  soon(word, says) {
    clearTimeout(this.opening);
    if (word === this.word) clearTimeout(this.closing);
    else this.opening = setTimeout(() => word.isConnected && this.show(word, says, false), OPENS_AFTER);
  }

  leave(word) {
    clearTimeout(this.opening);
    if (word === this.word && !this.stays) this.closing = setTimeout(() => this.hide(word), CLOSES_AFTER);
  }

  toggle(word, says) {
    clearTimeout(this.opening);
    if (word === this.word && this.stays) this.hide();
    else this.show(word, says, true);
  }

  /** A key has reached the word; the page may still have to scroll there. */
  arrive(word, says) {
    this.show(word, says, true);
    this.arriving = performance.now() + ARRIVING;
  }

  /** `stays`: it was asked for by key, click or tap, and does not go when the mouse leaves. */
  show(word, says, stays) {
    if (this.word !== word) this.hide();
    clearTimeout(this.opening);
    clearTimeout(this.closing);
    this.stays = stays;
    if (this.word === word) return;
    this.word = word;
    this.arriving = 0;
    if (this.node.getRootNode() !== this.root) this.place.append(this.node);
    this.node.textContent = says;
    this.node.hidden = false;
    this.node.showPopover?.();
    word.setAttribute("aria-describedby", this.node.id);
    this.put();
    for (const [target, name, listener] of this.listeners) target.addEventListener(name, listener, { capture: true });
  }

  /** Close it, or, with a word, only if it is the one explained. */
  hide(word = this.word) {
    if (word !== this.word) return;
    clearTimeout(this.opening);
    clearTimeout(this.closing);
    if (!word) return;
    this.word = undefined;
    word.removeAttribute("aria-describedby");
    if (this.node.isConnected) this.node.hidePopover?.();
    this.node.hidden = true;
    for (const [target, name, listener] of this.listeners) target.removeEventListener(name, listener, { capture: true });
  }

  /** Below the word, or above it where there is more room; always inside the window. */
  put() {
    const at = (this.at = this.word.getBoundingClientRect());
    const { width, height } = this.node.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const isBelow = at.bottom + GAP + height + MARGIN <= clientHeight || at.top < clientHeight - at.bottom;
    const top = isBelow ? at.bottom + GAP : at.top - GAP - height;
    const inside = (value, length, room) => Math.max(MARGIN, Math.min(value, room - length - MARGIN));
    this.node.style.left = `${inside(at.left, width, clientWidth)}px`;
    this.node.style.top = `${inside(top, height, clientHeight)}px`;
  }

  /** Something scrolled: if the word went with it, the tooltip goes, unless the page was still on its way to the word. */
  moved() {
    if (!this.word.isConnected) return this.hide();
    const now = this.word.getBoundingClientRect();
    if (Math.abs(now.top - this.at.top) + Math.abs(now.left - this.at.left) < 1) return;
    if (performance.now() < this.arriving) this.put();
    else this.hide();
  }

  key(event) {
    if (event.key !== "Escape") return;
    event.stopPropagation(); // what else Escape closes stays for the next one
    this.hide();
  }

  press(event) {
    const path = event.composedPath();
    if (!path.includes(this.word) && !path.includes(this.node)) this.hide();
  }
}
