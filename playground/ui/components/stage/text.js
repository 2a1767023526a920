// The document, shaded: blocks of about a thousand characters in groups of some forty. Only groups near the viewport
// hold blocks at all, so that five megabytes cost the browser no more than a few screens.
// Everything is written through textContent; offsets are UTF-16 units, as the server sends them.

import { el } from "../shared/base.js";
import { Overlays } from "./overlays.js";

const BLOCK = 1000;
const GROUP = 40; // blocks
const REST = 120; // milliseconds without a new answer before what is out of view is drawn
const DEEPEST = 4; // covers beyond this many look the same
const LINE = 28; // the line height in pixels, to guess the height of what was never laid out

/** The first index in the sorted array whose value is greater than x. */
function after(array, x) {
  let low = 0;
  let high = array.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (array[middle] > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const STRONG = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\p{L}]/u;

/** Where to cut the text into blocks: after a newline if there is one near, never inside a surrogate pair. */
function* blockEnds(text) {
  let at = 0;
  while (at < text.length) {
    let end = Math.min(at + BLOCK, text.length);
    const newline = text.lastIndexOf("\n", end - 1);
    if (end < text.length && newline > at + BLOCK / 4) end = newline + 1;
    else if (end < text.length && /[\udc00-\udfff]/.test(text[end])) end += 1;
    yield* turns(text, at, end);
    yield end;
    at = end;
  }
}

/** Where lines within [from, to) change their direction, so that a block has one and its marks know their side. */
function* turns(text, from, to) {
  if (!RIGHT_TO_LEFT.test(text.slice(from, to))) return;
  let direction = null;
  for (let at = from; at < to; ) {
    const newline = text.indexOf("\n", at);
    const next = newline < 0 || newline >= to ? to : newline + 1;
    const strong = STRONG.exec(text.slice(at, next));
    const turn = strong && RIGHT_TO_LEFT.test(strong[0]);
    if (strong && direction !== null && turn !== direction) yield at;
    if (strong) direction = turn;
    at = next;
  }
}

/** Undo the differences of an answer: starts and ends of the chunks it holds. */
export function decodeSpans(spans) {
  const sum = (deltas) => {
    let total = 0;
    return Int32Array.from(deltas, (delta) => (total += delta));
  };
  const parents = spans.parents && { ...spans.parents, starts: [...sum(spans.parents.starts)], ends: [...sum(spans.parents.ends)] };
  return { ...spans, starts: sum(spans.starts), ends: sum(spans.ends), parents };
}

/** Undo the differences of [start, length, ...], each start counted from the one before. */
export function sums(pairs) {
  let at = 0;
  return pairs.map((value, index) => (index % 2 ? value : (at += value)));
}

/** Where a character of a text node is on the screen. */
function rectAt(node, index) {
  const range = document.createRange();
  const at = Math.min(index, node.length - 1);
  range.setStart(node, at);
  range.setEnd(node, at + 1);
  return range.getBoundingClientRect();
}

export class TextView {
  /**
   * @param {HTMLElement} scroller the element that scrolls
   * @param {{onNeed: Function, onPoint: Function, onOpen: Function}} handlers told of text that lacks its chunks,
   *   of the chunk under the pointer (or null), and of the chunk that was clicked
   */
  constructor(scroller, handlers) {
    this.scroller = scroller;
    this.handlers = handlers;
    this.groups = [];
    this.text = "";
    this.version = 0;
    this.spans = null;
    this.lit = null;
    this.over = new Set(); // chunks that are too long for the model
    this.ranks = new Map(); // of the chunks that a question found
    this.naming = false; // whether the kind of each cut stands beside the number
    this.visible = new Set();
    this.overlays = new Overlays(this);
    this.seeing = this.observe("80px", ({ target, isIntersecting }) => {
      if (isIntersecting) this.visible.add(target.block);
      else this.visible.delete(target.block);
    });
    this.nearing = this.observe("1600px", ({ target, isIntersecting }) => {
      if (isIntersecting) this.fill(target.group);
      else this.empty(target.group);
    });
    scroller.addEventListener("pointermove", (event) => this.point(event));
    scroller.addEventListener("pointerleave", () => this.handlers.onPoint((this.pointed = null)));
    scroller.addEventListener("click", (event) => {
      const chunk = this.chunkAt(event);
      if (chunk !== null && !String(getSelection())) this.handlers.onOpen(chunk);
    });
  }

  observe(rootMargin, each) {
    const then = (entries) => {
      entries.forEach(each);
      this.draw();
    };
    return new IntersectionObserver(then, { root: this.scroller, rootMargin });
  }

  setText(text) {
    this.seeing.disconnect();
    this.nearing.disconnect();
    this.visible.clear();
    this.text = text.replace(/\r(?!\n)/g, "\n"); // a lone carriage return ends a line on screen, too
    this.spans = null;
    this.version += 1;
    this.groups = [];
    const columns = Math.max(20, this.scroller.clientWidth / 8.5);
    let start = 0;
    let group = null;
    for (const end of blockEnds(this.text)) {
      if (group === null || group.plan.length === GROUP) {
        group = { node: el("div", { class: "group" }), plan: [], blocks: [], start, height: 0 };
        group.node.group = group;
        this.groups.push(group);
      }
      const lines = this.text.slice(start, end).split("\n").reduce((n, line) => n + Math.ceil((line.length + 1) / columns), 0);
      group.plan.push({ start, end, height: lines * LINE });
      group.height += lines * LINE;
      group.end = end;
      start = end;
    }
    for (const { node, height } of this.groups) node.style.height = `${height}px`;
    this.scroller.replaceChildren(...this.groups.map(({ node }) => node));
    this.scroller.scrollTop = 0;
    if (this.groups.length) this.fill(this.groups[0]);
    for (const block of this.filled().slice(0, 4)) this.visible.add(block);
    for (const { node } of this.groups) this.nearing.observe(node);
  }

  /** Give a group its blocks. */
  fill(group) {
    if (group.blocks.length) return;
    group.blocks = group.plan.map(({ start, end, height }) => {
      const node = el("div", { class: "block", dir: "auto" });
      node.style.containIntrinsicSize = `auto ${height}px`;
      node.block = { node, start, end, drawn: -1 };
      this.seeing.observe(node);
      return node.block;
    });
    group.node.replaceChildren(...group.blocks.map(({ node }) => node));
    group.node.style.height = "";
    for (const block of group.blocks) this.drawBlock(block);
  }

  /** Take a group's blocks away and keep its height. */
  empty(group) {
    if (!group.blocks.length) return;
    group.node.style.height = `${group.node.offsetHeight}px`;
    for (const block of group.blocks) {
      this.seeing.unobserve(block.node);
      this.visible.delete(block);
    }
    group.node.replaceChildren();
    group.blocks = [];
  }

  /** Every block that exists, in order. */
  filled() {
    return this.groups.flatMap(({ blocks }) => blocks);
  }

  /** The blocks in view, in order. */
  inView() {
    return [...this.visible].sort((one, other) => one.start - other.start);
  }

  /**
   * Show these chunks (a decoded answer); draws what is visible at once and the rest of the neighbourhood soon.
   * `over` are the chunks too long for the model, `naming` whether to name the kind of each cut, `ranks` the rank of each
   * chunk that was found; `spaces` and `answers` are stretches to mark, as [start, length, ...].
   */
  setSpans(spans, { over, naming, ranks, spaces, answers }) {
    this.spans = spans;
    this.over = over;
    this.naming = naming;
    this.ranks = ranks;
    this.overlays.show(spans.parents, spaces, answers);
    this.version += 1;
    this.draw();
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.drawLater(), REST);
  }

  /** The range of text in view. */
  range() {
    let from = Infinity;
    let to = 0;
    for (const block of this.visible) {
      from = Math.min(from, block.start);
      to = Math.max(to, block.end);
    }
    return from === Infinity ? [0, BLOCK * 3] : [from, to];
  }

  draw() {
    let lacking = false;
    for (const block of this.visible) lacking = !this.drawBlock(block) || lacking;
    if (lacking) this.handlers.onNeed();
    this.overlays.later();
  }

  drawLater() {
    cancelIdleCallback?.(this.idle);
    this.idle = requestIdleCallback(() => {
      for (const block of this.filled()) this.drawBlock(block);
    });
  }

  /** Whether the chunks of this block are known; without them it shows its bare text. */
  drawBlock(block) {
    const { spans } = this;
    const known = spans !== null && spans.from <= block.start && block.end <= spans.to;
    if (block.drawn === this.version) return known || spans === null;
    if (spans === null || spans.to <= block.start || block.end <= spans.from) {
      if (block.drawn === -1) block.node.textContent = this.text.slice(block.start, block.end);
      block.drawn = -2; // text, but of no version
      return spans === null;
    }
    block.drawn = this.version;
    block.node.replaceChildren(...this.pieces(block));
    return known;
  }

  /** The spans of a block: a new one wherever a chunk starts or ends. */
  pieces(block) {
    const { starts, ends, first, flags } = this.spans;
    const pieces = [];
    let at = Math.max(block.start, this.spans.from); // where there are very many chunks, not all of the block is known
    const stop = Math.min(block.end, this.spans.to);
    if (at > block.start) pieces.push(this.bare(block.start, at));
    let low = after(ends, at); // the first chunk that is still open
    let high = after(starts, at) - 1; // the last chunk that has started
    while (at < stop) {
      const nextStart = high + 1 < starts.length ? starts[high + 1] : Infinity;
      const nextEnd = low <= high ? ends[low] : Infinity;
      const to = Math.min(stop, nextStart, nextEnd);
      if (to > at) pieces.push(this.piece(at, to, first + low, first + high, starts, ends, flags));
      at = to;
      while (low < ends.length && ends[low] <= at) low += 1;
      while (high + 1 < starts.length && starts[high + 1] <= at) high += 1;
    }
    if (stop < block.end) pieces.push(this.bare(stop, block.end));
    return pieces;
  }

  bare(from, to) {
    const node = el("span", { class: "bare", text: this.text.slice(from, to) });
    node.at = from;
    return node;
  }

  piece(from, to, low, high, starts, ends, flags) {
    const node = document.createElement("span");
    node.textContent = this.text.slice(from, to);
    node.at = from;
    node.low = low;
    node.high = high;
    const depth = high - low + 1;
    let kind = depth < 1 ? "bare" : `c d${Math.min(depth, DEEPEST)} p${low % 2}`;
    const { first } = this.spans;
    if (depth >= 1 && starts[high - first] === from) {
      kind += high % 2 ? " start odd" : " start";
      node.dataset.n = (this.naming ? this.named(high) : high + 1) + (this.ranks.has(high) ? ` ★${this.ranks.get(high)}` : "");
    }
    if (this.ranks.size && depth >= 1 && (this.ranks.has(high) || this.ranks.has(low))) kind += " found";
    if (this.over.size && this.isOver(low, high)) kind += " over";
    if (depth >= 1 && ends[low - first] === to && flags[low - first] !== "-") kind += ` cut-${flags[low - first]}`;
    if (this.lit !== null && low <= this.lit && this.lit <= high) kind += " lit";
    node.className = kind;
    return node;
  }

  /** Whether one of these chunks is too long for the model. */
  isOver(low, high) {
    for (let chunk = low; chunk <= high; chunk += 1) if (this.over.has(chunk)) return true;
    return false;
  }

  /** The number of a chunk, with the kind of cut that it starts at. */
  named(chunk) {
    const { first, levels, names } = this.spans;
    const level = chunk > first ? names[parseInt(levels[chunk - 1 - first], 36)] : undefined;
    return level === undefined ? chunk + 1 : `${chunk + 1} · ${level}`;
  }

  /** The span of a chunk as far as it is known, or null. */
  spanOf(chunk) {
    if (chunk === null || !this.spans) return null;
    const { first, starts, ends } = this.spans;
    const index = chunk - first;
    return index in starts ? [starts[index], ends[index]] : null;
  }

  /** The chunk that starts last at or before an offset, if it is known. */
  chunkOf(offset) {
    if (!this.spans || offset < this.spans.from || offset >= this.spans.to) return null;
    const index = after(this.spans.starts, offset) - 1;
    return index < 0 ? null : this.spans.first + index;
  }

  chunkAt(event) {
    const node = event.target;
    return node.high === undefined || node.high < node.low ? null : node.high;
  }

  point(event) {
    const chunk = this.chunkAt(event);
    if (chunk !== this.pointed) this.handlers.onPoint((this.pointed = chunk));
  }

  /** Dim all but one chunk (null: none). */
  light(chunk) {
    this.lit = chunk;
    this.scroller.classList.toggle("dim", chunk !== null);
    for (const block of this.filled()) {
      for (const node of block.node.children) {
        node.classList.toggle("lit", chunk !== null && node.low <= chunk && chunk <= node.high);
      }
    }
  }

  /** The span that is selected in this text, without white space around it, or null. */
  selected() {
    const root = this.scroller.getRootNode();
    const selection = root.getSelection ? root.getSelection() : getSelection();
    if (!selection?.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    const at = (node, offset) => (node.parentElement?.at === undefined ? null : node.parentElement.at + offset);
    let start = at(range.startContainer, range.startOffset);
    let end = at(range.endContainer, range.endOffset);
    if (start === null || end === null || !this.scroller.contains(range.startContainer)) return null;
    while (start < end && /\s/.test(this.text[start])) start += 1;
    while (end > start && /\s/.test(this.text[end - 1])) end -= 1;
    return start < end ? [start, end] : null;
  }

  /** Scroll to an offset, a third from the top, unless it is well in view. */
  reveal(offset) {
    const group = this.groups.find((candidate) => candidate.end > offset) ?? this.groups.at(-1);
    if (!group) return;
    this.fill(group);
    const block = group.blocks.find((candidate) => candidate.end > offset) ?? group.blocks.at(-1);
    const smooth = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    if (!this.visible.has(block)) {
      scrollWithin(this.scroller, block.node);
      this.visible.add(block);
      this.draw();
    }
    const node = [...block.node.children].findLast((child) => child.high !== undefined && child.at <= offset);
    const box = node ? rectAt(node.firstChild, offset - node.at) : block.node.getBoundingClientRect();
    const frame = this.scroller.getBoundingClientRect();
    if (box.top < frame.top + 20 || box.top > frame.bottom - 80) {
      this.scroller.scrollBy({ top: box.top - frame.top - frame.height / 3, behavior: smooth });
    }
  }

  destroy() {
    this.overlays.destroy();
    this.seeing.disconnect();
    this.nearing.disconnect();
    clearTimeout(this.pause);
    cancelIdleCallback?.(this.idle);
  }
}

/** Bring a node to the top of its scroller; all that scrolls around the scroller stays where it is. */
function scrollWithin(scroller, node) {
  const around = [];
  for (let up = scroller.parentNode; up; up = up.parentNode ?? up.host) if ("scrollTop" in up) around.push([up, up.scrollTop]);
  node.scrollIntoView({ block: "start", behavior: "instant" });
  for (const [one, top] of around) if (one.scrollTop !== top) one.scrollTop = top;
}
