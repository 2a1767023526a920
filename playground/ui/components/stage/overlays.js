// What is drawn over the text without changing it: frames around parents, and marks on idle white space.

import { el } from "../shared/base.js";

const IDLE = "idle-space";
const ANSWER = "answer";

/** One highlight of a name for all panes: the ranges of each are put in and taken out. */
function highlight(name) {
  if (!globalThis.Highlight) return null;
  if (!CSS.highlights.has(name)) CSS.highlights.set(name, new Highlight());
  return CSS.highlights.get(name);
}

export class Overlays {
  /** @param {import("./text.js").TextView} view whose text they lie over */
  constructor(view) {
    this.view = view;
    this.layer = el("div", { class: "frames", "aria-hidden": "true" });
    this.ranges = { [IDLE]: [], [ANSWER]: [] };
    this.parents = null;
    this.spaces = null;
    this.answers = null;
  }

  /** What to draw from now on: parents as {first, starts, ends}, white space and answers as [start, length, ...]; or null. */
  show(parents, spaces, answers) {
    this.parents = parents;
    this.spaces = spaces;
    this.answers = answers;
    this.later();
  }

  /** Draw with the next frame: positions are known once the text is laid out. */
  later() {
    const isDrawn = this.ranges[IDLE].length || this.ranges[ANSWER].length || this.layer.childElementCount;
    if (this.frame || (!this.parents && !this.spaces && !this.answers && !isDrawn)) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = undefined;
      this.drawFrames();
      this.mark(IDLE, this.spaces);
      this.mark(ANSWER, this.answers);
    });
  }

  drawFrames() {
    if (!this.parents) return this.layer.replaceChildren();
    const { scroller } = this.view;
    if (this.layer.parentElement !== scroller) scroller.append(this.layer);
    const top = scroller.scrollTop - scroller.getBoundingClientRect().top - scroller.clientTop;
    const pieces = this.view.inView().flatMap(({ node }) => [...node.children]);
    const boxes = this.parents.starts.flatMap((start, index) => {
      const inside = pieces.filter((piece) => piece.at >= start && piece.at < this.parents.ends[index]);
      if (!inside.length) return [];
      const [first] = inside[0].getClientRects();
      const last = [...inside.at(-1).getClientRects()].at(-1);
      if (!first || !last) return [];
      return [{ number: this.parents.first + index + 1, from: first.top + top, to: last.bottom + top, whole: inside[0].at === start }];
    });
    while (this.layer.childElementCount > boxes.length) this.layer.lastChild.remove();
    while (this.layer.childElementCount < boxes.length) this.layer.append(el("div", { class: "parent" }));
    boxes.forEach(({ number, from, to, whole }, index) => {
      const box = this.layer.children[index];
      box.style.top = `${from}px`;
      box.style.height = `${to - from}px`;
      box.className = `parent p${number % 2}`;
      box.dataset.name = whole ? `parent ${number}` : "";
    });
  }

  /** Mark the stretches [start, length, ...], in the order of the text, under a highlight's name; null takes the marks away. */
  mark(name, stretches) {
    const marks = highlight(name);
    if (!marks) return;
    for (const range of this.ranges[name]) marks.delete(range);
    this.ranges[name] = [];
    if (!stretches) return;
    const pieces = this.view.inView().flatMap(({ node }) => [...node.children]);
    let at = 0;
    for (let index = 0; index < stretches.length; index += 2) {
      const start = stretches[index];
      const end = start + stretches[index + 1];
      while (at < pieces.length && pieces[at].at + pieces[at].textContent.length <= start) at += 1;
      for (let piece = at; piece < pieces.length && pieces[piece].at < end; piece += 1) {
        const node = pieces[piece].firstChild;
        const from = Math.max(0, start - pieces[piece].at);
        const to = Math.min(node.length, end - pieces[piece].at);
        if (from >= to) continue;
        const range = new StaticRange({ startContainer: node, startOffset: from, endContainer: node, endOffset: to });
        marks.add(range);
        this.ranges[name].push(range);
      }
    }
  }

  destroy() {
    cancelAnimationFrame(this.frame);
    this.mark(IDLE, null);
    this.mark(ANSWER, null);
  }
}
