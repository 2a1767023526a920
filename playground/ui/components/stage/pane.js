// One pane of the stage: its controls, its shaded text, and a line about the chunk under the hand.

import { counted, el, fitted, format, setText } from "../shared/base.js";
import { Found } from "./asking.js";
import { Controls } from "./controls.js";
import { Inspector } from "./inspector.js";
import { decodeSpans, sums, TextView } from "./text.js";

export class Pane {
  /**
   * @param {object} options number of the pane, table of settings, title for screen readers
   * @param {object} stage told of changes: onSettings(pane, what), onNeed(pane), askChunk(pane, index, tokens, then)
   */
  constructor({ number, table, title }, stage) {
    this.stage = stage;
    this.pointed = null;
    this.focused = null;
    const id = `${stage.id}-${number}`;
    const controls = el("div", { class: "controls" });
    this.notices = el("p", { class: "notices", role: "status", hidden: true });
    this.scroller = el("div", { class: "text", tabindex: "0", role: "group", "aria-label": `${title}. Arrow keys walk through the chunks.` });
    this.status = el("p", { class: "status" });
    this.said = el("p", { class: "visually-hidden", "aria-live": "polite" });
    this.foundRoot = el("div", { class: "found-list", hidden: true });
    this.found = new Found(this.foundRoot, (chunk) => this.open(chunk));
    const remark = fitted({ class: "remark", role: "status" });
    this.remark = remark.text;
    this.saved = el("output", { class: "saved" });
    this.spaces = el("input", { type: "checkbox", onchange: () => stage.onView(this) });
    const drawer = el("aside", { class: "inspector", hidden: true, "aria-label": "Inspector" });
    this.root = el(
      "div",
      { class: "pane" },
      controls,
      this.notices,
      el("div", { class: "viewbar" }, remark.node, el("label", { class: "toggle", title: "Mark what a normaliser would take out. The text itself stays as it is." }, this.spaces, "Idle white space", this.saved)),
      this.foundRoot,
      el("div", { class: "frame" }, this.scroller, drawer),
      this.status,
      this.said,
    );
    this.controls = new Controls(controls, table, id, (settings, what) => {
      this.settings = settings;
      stage.onSettings(this, what);
    });
    this.view = new TextView(this.scroller, {
      onNeed: () => stage.onNeed(this),
      onPoint: (chunk) => this.point(chunk),
      onOpen: (chunk) => this.open(chunk),
    });
    this.inspector = new Inspector(drawer, { onStep: (by) => this.open(this.inspected + by), onClose: () => this.close() });
    this.scroller.addEventListener("keydown", (event) => this.key(event));
    for (const event of ["pointerup", "keyup"]) {
      this.scroller.addEventListener(event, () => setTimeout(() => stage.question.select(this.view.selected())));
    }
    this.scroller.addEventListener("scroll", () => stage.onScroll(this), { passive: true });
    this.say(null);
  }

  /** Leave out the controls and parts of these names. */
  hide(names) {
    this.controls.hide(names);
    this.spaces.parentElement.hidden = names.includes("spaces");
    this.isGuess = names.includes("found"); // a prediction is due: what was found would give it away
    this.foundRoot.classList.toggle("left-out", this.isGuess);
    if (!this.compared) return;
    this.compared.hidden = names.includes("numbers");
    this.breaks.hidden = this.isGuess;
  }

  adopt(settings) {
    this.settings = { ...settings };
    this.controls.show(settings, true);
  }

  /** What this pane asks the server for. */
  request() {
    const [from, to] = this.view.range();
    return { settings: this.settings, from, to };
  }

  /** Whether idle white space is to be marked. */
  get wantsSpaces() {
    return this.spaces.checked;
  }

  show(answer, isNewest) {
    if (isNewest) {
      this.settings = { ...answer.settings };
      this.controls.show(answer.settings);
      this.notices.textContent = answer.notices.join(" ");
      this.notices.hidden = !answer.notices.length;
    }
    this.controls.showOverlap(answer.numbers.overlap_asked);
    this.numbers = answer.numbers;
    const { over, spaces, spans } = answer;
    const stale = this.isGuess ? null : answer.stale;
    const asked = answer.asked ?? (this.stage.question?.request() ? this.asked : null); // the page itself asks no question
    this.asked = asked;
    const shown = asked?.ranked.filter(({ score }) => score !== 0).slice(0, this.stage.question?.request()?.k ?? 5) ?? [];
    const ranks = shown.flatMap(({ chunk, title }, index) => (title ? [] : [[chunk, index + 1]]));
    this.found.show(asked);
    this.view.setSpans(decodeSpans(spans), {
      over: new Set([over, stale].flatMap((flags) => marked(flags, spans.first))),
      naming: answer.settings.mode === "recursive",
      ranks: new Map(this.isGuess ? [] : ranks),
      answers: asked && this.stage.question?.answer ? this.stage.question.answer.spans.toSorted(([one], [other]) => one - other).flatMap(([start, end]) => [start, end - start]) : null,
      spaces: spaces && sums(spaces.near),
    });
    setText(this.remark, this.isGuess ? "" : this.remarks(answer));
    setText(this.saved, spaces ? `${counted(spaces.characters, "character")}, ${counted(spaces.tokens, "token")}` : "");
    if (isNewest && this.inspector.isOpen && this.inspected < answer.numbers.count) this.open(this.inspected, false);
    else if (isNewest && this.current !== null) this.describe();
  }

  /** What is worth saying about this chunking, on one line. */
  remarks({ numbers, over, stale, remarks, settings }) {
    const said = [...remarks];
    if (stale) said.unshift(`${counted(stale.count, "outlined chunk")} would not be in the new version.`);
    if (numbers.fits && !this.stage.data.lesson) said.unshift("The whole document fits into one chunk of this size: splitting it would only hurt.");
    if (over?.count) said.unshift(`${counted(over.count, "chunk")} longer than the ${format(over.limit)} tokens that the model reads.`);
    if (numbers.parents) said.push(`${counted(numbers.parents, "parent")}, drawn as frames: a chunk is found, its parent is read.`);
    if (numbers.context_tokens) said.push(`The headings before the chunks take ${counted(numbers.context_tokens, "token")} more.`);
    if (settings.mode === "recursive") said.push(`Cut at: ${numbers.cut_levels.map(({ name, count }) => `${name} ${format(count)}`).join(", ")}.`);
    return said.join(" ");
  }

  /** The chunk under the pointer, or else the one that the keyboard is on. */
  get current() {
    return this.pointed ?? this.focused;
  }

  point(chunk) {
    this.pointed = chunk;
    this.describe();
    this.stage.onPointed(this.view.spanOf(chunk));
  }

  /** A place that was pointed at elsewhere: its chunk lights up, and comes into view if it was chosen. */
  place(found) {
    const chunk = found && this.view.chunkOf(found.offset);
    if (chunk !== null && chunk !== undefined) {
      this.pointed = chunk;
      this.describe();
    } else if (!found) this.leave();
    if (found?.goes) this.view.reveal(found.offset);
  }

  describe() {
    const chunk = this.current;
    this.view.light(chunk);
    if (chunk === null) return this.say(null);
    if (chunk >= this.numbers.count) return this.leave();
    this.stage.askChunk(this, chunk, false, (answer) => this.current === answer.index && this.say(answer));
  }

  leave() {
    this.pointed = this.focused = null;
    this.describe();
  }

  say(answer) {
    if (answer === null) {
      this.status.textContent = "Point at a chunk to see where it ends and why; click it to look inside.";
      return;
    }
    const { sizes, unit } = answer;
    const text =
      `Chunk ${format(answer.index + 1)} of ${format(answer.total)}: ${counted(sizes.token, "token")}, ` +
      `${counted(sizes.word, "word")}, ${counted(sizes.character, "character")}. ` +
      `Overlap ${format(answer.overlap_before)} before, ${format(answer.overlap_after)} after (${unit}s). ${answer.reason}` +
      (answer.overlap_reason ? ` ${answer.overlap_reason}` : "");
    this.status.textContent = text;
    if (this.focused !== null) this.said.textContent = text;
  }

  key(event) {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (by && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.walk(by);
    } else if (event.key === "Enter" && this.current !== null) {
      this.open(this.current);
    } else if (event.key === "Escape") {
      if (this.inspector.isOpen) this.close();
      else this.leave();
    }
  }

  walk(by) {
    if (!this.numbers?.count) return;
    const from = this.focused ?? this.last ?? this.firstInView() - (by > 0 ? 1 : 0);
    this.focused = Math.min(this.numbers.count - 1, Math.max(0, from + by));
    this.last = undefined;
    this.pointed = null;
    this.view.light(this.focused);
    this.stage.askChunk(this, this.focused, false, (answer) => {
      this.view.reveal(answer.start);
      this.say(answer);
    });
  }

  firstInView() {
    const top = this.scroller.getBoundingClientRect().top;
    for (const block of this.view.inView()) {
      for (const node of block.node.children) {
        if (node.high !== undefined && node.getBoundingClientRect().bottom > top) return node.high;
      }
    }
    return 0;
  }

  /** Open the inspector on a chunk, and bring the chunk into view unless told not to. */
  open(chunk, reveal = true) {
    if (!this.numbers || chunk < 0 || chunk >= this.numbers.count) return;
    const isOther = chunk !== this.inspected;
    this.inspected = chunk;
    this.focused = chunk;
    if (isOther) this.stage.onOpened();
    this.view.light(chunk);
    this.stage.askChunk(this, chunk, true, (answer) => {
      if (answer.index !== this.inspected) return;
      this.inspector.show(answer, this.view.text.slice(answer.start, answer.end));
      if (reveal) this.view.reveal(answer.start);
      this.say(answer);
    });
  }

  /** Close the inspector; the arrows go on from the chunk it showed. */
  close() {
    this.shut();
    this.stage.onOpened();
    this.scroller.focus({ preventScroll: true });
  }

  /** The same where something else is begun: nobody is told, and the focus stays where it is. */
  shut() {
    this.inspector.close();
    this.last = this.inspected;
    this.inspected = null;
    this.leave();
  }
}

/** The numbers of the chunks that a row of flags marks, the first of which belongs to chunk `first`. */
const marked = (flags, first) => [...(flags?.near ?? "")].flatMap((one, index) => (one === "1" ? [first + index] : []));
