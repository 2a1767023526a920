// The controls of one pane, made from the settings table: they report what the hand does and show what is valid.

import { el, format } from "../shared/base.js";

const STEPS = 1000;

/** A slider position for a size, and back: equal steps of the hand are equal ratios. */
const toStep = (value, [low, high]) => Math.round((STEPS * Math.log(value / low)) / Math.log(high / low));
const toValue = (step, [low, high]) => Math.round(low * Math.pow(high / low, step / STEPS));

export class Controls {
  /**
   * @param {HTMLElement} root where they go
   * @param {object[]} table the settings table
   * @param {(settings: object, what: {settled: boolean, fromUnit?: string}) => void} onChange
   */
  constructor(root, table, id, onChange) {
    this.root = root;
    this.onChange = onChange;
    this.settings = {};
    this.table = new Map(table.map((row) => [row.name, row]));
    this.inputs = {};
    this.placed = []; // every control with its row: some are shown only with some settings, or left out of the page
    this.hidden = new Set();
    this.more = el("details", { class: "more" }, el("summary", { text: "More settings" }), this.group("more", id));
    root.replaceChildren(
      el("div", { class: "choices" }, ...["mode", "unit"].map((name) => this.put(name, this.radios(name, id)))),
      this.group("mode", id),
      el("div", { class: "sliders" }, ...["size", "overlap"].map((name) => this.put(name, this.slider(name, id)))),
      this.more,
    );
  }

  /** The controls of one place in the table. */
  group(place, id) {
    const kinds = { choice: this.select, whole: this.slider, ladder: this.ladder };
    const nodes = [...this.table.values()]
      .filter((row) => row.place === place)
      .map((row) => this.put(row.name, kinds[row.kind].call(this, row.name, id)));
    return el("div", { class: `finer ${place}` }, ...nodes);
  }

  /** Note where a control stands. */
  put(name, node) {
    this.placed.push({ row: this.table.get(name), node });
    return node;
  }

  /** Leave out the controls of these names; what is left of the finer settings needs no fold. */
  hide(names) {
    this.hidden = new Set(names);
    this.place();
    this.more.hidden = this.more.lastChild.hidden;
    this.root.hidden = this.placed.every(({ row }) => this.hidden.has(row.name));
    this.more.open ||= [...this.table.values()].some(({ place, name }) => place === "more" && this.hidden.has(name));
  }

  /** Show valid settings; a field that is being typed into is left alone unless `force`. */
  show(settings, force = false) {
    const switched = settings.mode !== this.settings.mode;
    this.settings = { ...settings };
    for (const row of this.table.values()) {
      const input = this.inputs[row.name];
      if (Array.isArray(input)) for (const one of input) one.checked = one.value === settings[row.name];
      else if (row.kind === "choice") input.value = settings[row.name];
      else if (row.kind === "ladder") this.showLadder(row, force);
      else this.showNumber(row.name, force);
    }
    if (switched || force) this.place();
  }

  /** Hide what has no effect with the present settings. */
  place() {
    for (const { row, node } of this.placed) {
      const hasEffect = Object.entries(row.only).every(([name, values]) => values.includes(this.settings[name]));
      node.hidden = this.hidden.has(row.name) || !hasEffect;
    }
    for (const group of new Set(this.placed.map(({ node }) => node.parentElement))) {
      group.hidden = [...group.children].every((node) => node.hidden);
    }
  }

  showNumber(name, force) {
    const { range, number, beside } = this.inputs[name];
    const row = this.table.get(name);
    const bounds = this.bounds(name);
    const value = this.settings[name];
    const scale = row.scales[this.settings[row.by]];
    if (name !== "size") [range.min, range.max] = bounds;
    const shown = name === "size" ? toValue(Number(range.value), bounds) : Number(range.value);
    if (shown !== value) range.value = name === "size" ? toStep(value, bounds) : value;
    const typing = number.getRootNode().activeElement === number;
    if (force || !typing) number.value = value / scale;
    [number.min, number.max] = bounds.map((bound) => bound / scale);
    number.step = 1 / scale;
    range.setAttribute("aria-valuetext", this.spoken(name, value / scale, beside.textContent));
    range.style.setProperty("--fill", `${(100 * (range.value - range.min)) / (range.max - range.min)}%`);
  }

  spoken(name, value, beside) {
    if (name === "size") return `${format(value)} ${this.unitName(value)}`;
    return name === "overlap" ? `${value} percent, ${beside}` : `${value}${this.table.get(name).suffix}`;
  }

  /** What the server computed: the overlap in units. */
  showOverlap(units) {
    const { beside } = this.inputs.overlap;
    beside.textContent = `= ${format(units)} ${this.unitName(units)}`;
    this.inputs.size.beside.textContent = this.unitName(2);
    const { size, parents } = this.settings;
    this.inputs.parents.beside.textContent = parents ? `= ${format(parents * size)} ${this.unitName(2)}` : "none";
  }

  unitName(number) {
    const { unit } = this.settings;
    return number === 1 ? unit : `${unit}s`;
  }

  bounds(name) {
    const row = this.table.get(name);
    return row.bounds[this.settings[row.by]];
  }

  change(name, value, settled) {
    const fromUnit = name === "unit" && value !== this.settings.unit ? this.settings.unit : undefined;
    this.settings = { ...this.settings, [name]: value };
    for (const row of this.table.values()) {
      if (row.by === name && name !== "unit") this.settings[row.name] = row.defaults[value]; // another scale altogether
    }
    if (name === "mode") this.place();
    this.onChange({ ...this.settings }, { settled, name, fromUnit });
  }

  radios(name, id) {
    const row = this.table.get(name);
    this.inputs[name] = [];
    const options = row.choices.map(({ value, label }) => {
      const input = el("input", { type: "radio", name: `${name}-${id}`, value, onchange: () => this.change(name, value, true) });
      this.inputs[name].push(input);
      return el("label", {}, input, el("span", { text: label }));
    });
    return el("fieldset", { class: "radios", title: row.help }, el("legend", { text: row.label }), ...options);
  }

  select(name, id) {
    const row = this.table.get(name);
    const input = el("select", { id: `${name}-${id}`, title: row.help, onchange: () => this.change(name, input.value, true) });
    input.append(...row.choices.map(({ value, label }) => el("option", { value, text: label })));
    this.inputs[name] = input;
    return el("div", { class: `field ${name}` }, el("label", { for: `${name}-${id}`, text: row.label }), input);
  }

  /** A ready-made ladder of separators, or one's own, one a line. */
  ladder(name, id) {
    const row = this.table.get(name);
    const pick = el("select", { id: `${name}-${id}`, title: row.help, onchange: () => this.change(name, pick.value === "own" ? this.inputs[name].rungs.value : pick.value, true) });
    pick.append(...Object.keys(row.presets).map((value) => el("option", { value, text: value })), el("option", { value: "own", text: "my own" }));
    const rungs = el("textarea", { rows: 4, spellcheck: "false", autocapitalize: "off", "aria-label": "Separators, one a line; \\n is a line break, \\s a space" });
    rungs.addEventListener("input", () => this.change(name, rungs.value, false));
    rungs.addEventListener("change", () => this.change(name, rungs.value, true));
    this.inputs[name] = { pick, rungs };
    return el(
      "div",
      { class: "ladder" },
      el("div", { class: "field" }, el("label", { for: `${name}-${id}`, text: row.label }), pick),
      rungs,
      el("p", { class: "hint", text: "One a line, the coarsest first: \\n a line break, \\s a space, {sentence} a sentence end, {clause} a comma or colon." }),
    );
  }

  showLadder(row, force) {
    const { pick, rungs } = this.inputs[row.name];
    const value = this.settings[row.name];
    const named = value in row.presets;
    pick.value = named ? value : "own";
    if (force || rungs.getRootNode().activeElement !== rungs) rungs.value = named ? row.presets[value] : value;
  }

  slider(name, id) {
    const row = this.table.get(name);
    const isSize = name === "size";
    const read = () => (isSize ? toValue(Number(range.value), this.bounds(name)) : Number(range.value));
    const typed = () => Math.round(number.valueAsNumber * row.scales[this.settings[row.by]]);
    const range = el("input", { type: "range", id: `${name}-${id}`, min: 0, max: STEPS, step: 1, title: row.help });
    range.addEventListener("input", () => {
      const value = read();
      if (value === this.settings[name]) return;
      this.change(name, value, false); // the number beside it follows with the answer, in the same frame as the text
    });
    range.addEventListener("change", () => this.change(name, read(), true));
    range.addEventListener("keydown", (event) => this.key(event, name));
    const number = el("input", { type: "number", step: 1, inputmode: "numeric", "aria-label": `${row.label}${row.suffix === "%" ? " in percent" : ""}` });
    number.addEventListener("input", () => {
      const [low, high] = this.bounds(name);
      const value = typed();
      if (Number.isInteger(value) && low <= value && value <= high) this.change(name, value, false);
    });
    number.addEventListener("change", () => {
      this.change(name, Number.isNaN(number.valueAsNumber) ? this.settings[name] : typed(), true);
      number.blur();
    });
    number.addEventListener("keydown", (event) => event.key === "Enter" && number.blur());
    const beside = el("output", { class: "beside", for: `${name}-${id}` });
    this.inputs[name] = { range, number, beside };
    return el(
      "div",
      { class: `slider ${name}` },
      el("label", { for: `${name}-${id}`, text: row.label }),
      range,
      el("span", { class: "entry" }, number, row.suffix ? el("span", { class: "percent", text: row.suffix }) : null),
      beside,
    );
  }

  /** Arrow keys move by one unit, with Shift by ten, whatever the slider's scale. */
  key(event, name) {
    const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (!way) return;
    event.preventDefault();
    const [low, high] = this.bounds(name);
    const value = Math.min(high, Math.max(low, this.settings[name] + way * (event.shiftKey ? 10 : 1)));
    this.change(name, value, false);
    this.showNumber(name, true);
  }
}
