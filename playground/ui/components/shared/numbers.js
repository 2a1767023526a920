// The side panel: every number of one chunking. It only formats; each number was computed by the core.

import { counted, el, format, setText } from "./base.js";
import { Glossary } from "./glossary.js";

const LIMITS = {
  whole: (name) => `only whole ${name}s are repeated`,
  room: () => "the next piece needs the room",
  large: (name) => `the next ${name} is larger than the size`,
  end: () => "the document ends there",
  wall: () => "a new section, topic or parent starts",
  before: () => "it would start no later than the chunk before",
};
/** What a mode repeats whole. */
const PIECES = { sentence: "sentence", paragraph: "paragraph", recursive: "piece", structure: "block", semantic: "sentence" };
const CHECKS = [
  ["in_document", "every offset lies in the document"],
  ["in_order", "starts and ends only move forward"],
  ["no_gap", "no character is missing"],
  ["no_split_character", "no character is cut in two"],
];

/** A signed difference: "+3", "−2", or "" for none. */
const signed = (number) => (number > 0 ? `+${format(number)}` : number < 0 ? `−${format(-number)}` : "same");

export class Numbers {
  /** @param {Glossary} [glossary] explains the labels; they are made here, once, and no move touches them */
  constructor(root, glossary = new Glossary()) {
    this.parts = {};
    this.glossary = glossary;
    const tokens = { document: "", processed: "tokens processed", context: "context" };
    const overlaps = { asked: "overlap asked", achieved: "overlap achieved" };
    root.replaceChildren(
      this.group("Chunks", this.big("count"), this.row(["smallest", "median", "mean", "largest"]), this.bars()),
      this.group("Tokens", this.big("duplicated", "duplicated"), this.list(tokens)),
      this.group(
        "Cuts",
        this.meter("words", glossary.term("boundary", "boundaries"), "cut a word"),
        this.meter("sentences", new Text(), "cut a sentence"),
      ),
      this.group("Overlap", this.list(overlaps), this.note("why")),
      this.badge(),
      this.arithmetic(),
    );
  }

  group(title, ...children) {
    return el("section", { class: "group" }, el("h2", {}, this.glossary.term(title)), ...children);
  }

  part(name, tag, attributes = {}) {
    return (this.parts[name] = el(tag, attributes));
  }

  big(name, term) {
    const note = [term && this.glossary.term(term), this.part(`${name}-note`, "span")];
    return el("p", { class: "big" }, this.part(name, "b"), " ", ...note, this.part(`${name}-difference`, "i"));
  }

  row(labels) {
    const cells = labels.map((label) => el("div", {}, el("dt", { text: label }), this.part(label, "dd")));
    return el("dl", { class: "row" }, ...cells);
  }

  /** @param {Object<string, string>} terms for each label the term that explains it */
  list(terms) {
    const rows = Object.entries(terms).flatMap(([label, term]) => [
      el("dt", {}, this.glossary.term(term, label)),
      this.part(label, "dd"),
    ]);
    return el("dl", { class: "list" }, ...rows);
  }

  /** @param {Node} noun the word for boundaries: one node for all moves */
  meter(name, noun, verb) {
    this.parts[`${name}-noun`] = noun;
    const note = [this.part(`${name}-note`, "span"), noun, ` ${verb}`];
    return el(
      "div",
      { class: `meter ${name}` },
      el("p", {}, this.part(name, "b"), " ", ...note, this.part(`${name}-difference`, "i")),
      el("div", { class: "track" }, this.part(`${name}-fill`, "div")),
    );
  }

  note(name) {
    return this.part(name, "p", { class: "note" });
  }

  /** The distribution as bars that follow the hand; the figure with axes follows on release. */
  bars() {
    return this.part("bars", "div", { class: "bars", "aria-hidden": "true" });
  }

  badge() {
    const items = CHECKS.map(([name]) => this.part(name, "li"));
    const coverage = [this.part("covered", "span"), this.glossary.term("coverage"), " ", this.part("coverage", "span")];
    return el("details", { class: "badge" }, this.part("badge", "summary"), el("ul", {}, ...items, el("li", {}, ...coverage)));
  }

  arithmetic() {
    const stride = el("li", {}, this.glossary.term("stride"), this.part("stride", "span"));
    const sums = this.part("sums", "ol");
    sums.append(stride);
    const details = el("details", { class: "arithmetic" }, el("summary", { text: "The arithmetic" }), sums);
    details.addEventListener("toggle", () => details.open && this.shown && this.showSums(...this.shown));
    return details;
  }

  /**
   * @param {object} numbers what the server computed
   * @param {object} settings the settings it was computed for
   * @param {object} [other] the numbers of the pane to compare with
   */
  show(numbers, settings, other) {
    const unit = settings.unit;
    this.set("count", format(numbers.count));
    this.set("count-note", numbers.count === 1 ? "chunk" : "chunks");
    for (const name of ["smallest", "median", "mean", "largest"]) this.set(name, format(numbers[name]));
    this.showBars(numbers.histogram);
    this.set("duplicated", `${format(numbers.duplicated_percent)}%`);
    this.set(
      "duplicated-note",
      `: ${format(numbers.duplicated_tokens)} of ${format(numbers.processed_tokens - numbers.duplicated_tokens)}`,
    );
    this.set("document", format(numbers.document_tokens));
    this.set("processed", format(numbers.processed_tokens));
    this.set("context", numbers.context_tokens ? `+ ${format(numbers.context_tokens)}` : "none");
    this.showMeter("words", numbers.word_cuts, numbers.boundaries);
    this.showMeter("sentences", numbers.sentence_cuts, numbers.boundaries);
    this.set("asked", counted(numbers.overlap_asked, unit));
    this.set("achieved", this.achieved(numbers, unit));
    this.set("why", this.why(numbers, { word: "word", sentence: "sentence", unit }[settings.snap] ?? PIECES[settings.mode] ?? unit));
    this.showCheck(numbers.check, numbers.oversized, unit);
    this.shown = [numbers, settings];
    if (this.parts.sums.parentElement.open) this.showSums(numbers, settings);
    this.showDifferences(numbers, other);
  }

  set(name, text) {
    setText(this.parts[name], text);
  }

  showMeter(name, number, boundaries) {
    this.set(name, format(number));
    this.set(`${name}-note`, `of ${format(boundaries)} `);
    this.set(`${name}-noun`, boundaries === 1 ? "boundary" : "boundaries");
    this.parts[`${name}-fill`].style.transform = `scaleX(${boundaries ? number / boundaries : 0})`;
  }

  achieved(numbers, unit) {
    if (!numbers.boundaries) return "no boundary";
    const { overlap_least: least, overlap_mean: mean } = numbers;
    return least === mean ? counted(mean, unit) : `${format(mean)} on average, ${format(least)} at least`;
  }

  why(numbers, name) {
    const entries = Object.entries(numbers.overlap_limits);
    if (!numbers.overlap_asked || !entries.length) return "";
    return `In full at ${format(numbers.overlap_full)} of ${format(numbers.boundaries)}. Less where ${entries
      .map(([limit, count]) => `${LIMITS[limit](name)} (${format(count)})`)
      .join(", ")}.`;
  }

  showBars({ counts, width, limit }) {
    const { bars } = this.parts;
    const most = Math.max(1, ...counts);
    while (bars.childElementCount < counts.length + 1) bars.append(el("div", {}));
    counts.forEach((count, index) => {
      const bar = bars.children[index];
      bar.style.transform = `scaleY(${count ? Math.max(0.04, count / most) : 0})`; // a transform moves no neighbour
    });
    const line = bars.children[counts.length];
    line.className = "limit";
    line.style.left = `${Math.min(100, (100 * limit) / (width * counts.length))}%`;
  }

  showCheck(check, oversized, unit) {
    const { badge } = this.parts;
    badge.parentElement.classList.toggle("failed", !check.passed);
    const large = oversized ? ` ${counted(oversized, "chunk")} over the size.` : "";
    this.set("badge", (check.passed ? "Every offset verified, coverage 100%, no gap." : "A check failed.") + large);
    for (const [name, text] of CHECKS) this.set(name, `${check[name] ? "✓" : "✗"} ${text}`);
    this.set("covered", check.coverage_percent === 100 ? "✓ " : "✗ ");
    this.set("coverage", `${check.coverage_percent}%`);
  }

  showSums(numbers, settings) {
    const unit = settings.unit;
    const { size, overlap, stride, total, starts, sizes } = numbers.arithmetic;
    const more = numbers.count > starts.length ? ", …" : "";
    this.set("stride", ` = size − overlap = ${format(size)} − ${format(overlap)} = ${format(stride)}`);
    const lines = [
      `the document has ${counted(total, unit)}`,
      `chunks start at ${unit} ${starts.map(format).join(", ")}${more}`,
      `their sizes: ${sizes.map(format).join(", ")}${more}`,
      `tokens processed: ${format(numbers.processed_tokens)}; covered at least once: ${format(
        numbers.processed_tokens - numbers.duplicated_tokens,
      )}`,
      `duplicated = ${format(numbers.duplicated_tokens)} ÷ ${format(
        numbers.processed_tokens - numbers.duplicated_tokens,
      )} = ${format(numbers.duplicated_percent)}%`,
    ];
    // Tails, parents, snapped overlaps and characters of several tokens make other counts than the plain division.
    if (settings.mode === "fixed" && numbers.count > 1 && Math.ceil((total - overlap) / stride) === numbers.count) {
      lines.splice(1, 0, `chunks = ⌈(${format(total)} − ${format(overlap)}) ÷ ${format(stride)}⌉ = ${format(numbers.count)}`);
    }
    const { sums } = this.parts;
    while (sums.childElementCount > lines.length + 1) sums.lastChild.remove();
    while (sums.childElementCount < lines.length + 1) sums.append(el("li", {}));
    lines.forEach((line, index) => setText(sums.children[index + 1], line)); // the stride is the first
  }

  showDifferences(numbers, other) {
    const show = (name, mine, theirs) => this.set(`${name}-difference`, other ? signed(mine - theirs) : "");
    show("count", numbers.count, other?.count);
    show("duplicated", numbers.duplicated_tokens, other?.duplicated_tokens);
    show("words", numbers.word_cuts, other?.word_cuts);
    show("sentences", numbers.sentence_cuts, other?.sentence_cuts);
  }
}
