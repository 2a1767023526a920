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
    this.onChange = onChange;
    this.settings = {};
    this.table = new Map(table.map((row) => [row.name, row]));
    this.inputs = {};
    root.replaceChildren(
      el(
        "div",
        { class: "choices" },
        this.radios("mode", id),
        this.radios("unit", id),
        this.select("tokenizer", id),
        this.select("tail", id),
      ),
      el("div", { class: "sliders" }, this.slider("size", id), this.slider("overlap", id)),
    );
  }

  /** Show valid settings; a field that is being typed into is left alone unless `force`. */
  show(settings, force = false) {
    this.settings = { ...settings };
    for (const input of this.inputs.mode) input.checked = input.value === settings.mode;
    for (const input of this.inputs.unit) input.checked = input.value === settings.unit;
    this.inputs.tokenizer.value = settings.tokenizer;
    this.inputs.tail.value = settings.tail;
    for (const name of ["size", "overlap"]) this.showNumber(name, force);
  }

  showNumber(name, force) {
    const { range, number, beside } = this.inputs[name];
    const bounds = this.bounds(name);
    const value = this.settings[name];
    if (name === "overlap") {
      range.min = bounds[0];
      range.max = bounds[1];
    }
    const shown = name === "size" ? toValue(Number(range.value), bounds) : Number(range.value);
    if (shown !== value) range.value = name === "size" ? toStep(value, bounds) : value;
    const typing = number.getRootNode().activeElement === number;
    if (force || !typing) number.value = value;
    [number.min, number.max] = bounds;
    const unit = this.unitName(this.settings.size === 1 ? 1 : 2);
    range.setAttribute("aria-valuetext", name === "size" ? `${format(value)} ${unit}` : `${value} percent, ${beside.textContent}`);
    range.style.setProperty("--fill", `${(100 * (range.value - range.min)) / (range.max - range.min)}%`);
  }

  /** The overlap in units, which the server computed. */
  showOverlap(units) {
    const { beside } = this.inputs.overlap;
    beside.textContent = `= ${format(units)} ${this.unitName(units)}`;
    this.inputs.size.beside.textContent = this.unitName(2);
  }

  unitName(number) {
    const { unit } = this.settings;
    return number === 1 ? unit : `${unit}s`;
  }

  bounds(name) {
    return this.table.get(name).bounds[this.settings.unit];
  }

  change(name, value, settled) {
    const fromUnit = name === "unit" && value !== this.settings.unit ? this.settings.unit : undefined;
    this.settings = { ...this.settings, [name]: value };
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

  slider(name, id) {
    const row = this.table.get(name);
    const isSize = name === "size";
    const read = () => (isSize ? toValue(Number(range.value), this.bounds(name)) : Number(range.value));
    const range = el("input", { type: "range", id: `${name}-${id}`, min: 0, max: isSize ? STEPS : 90, step: 1, title: row.help });
    range.addEventListener("input", () => {
      const value = read();
      if (value === this.settings[name]) return;
      this.change(name, value, false); // the number beside it follows with the answer, in the same frame as the text
    });
    range.addEventListener("change", () => this.change(name, read(), true));
    range.addEventListener("keydown", (event) => this.key(event, name));
    const number = el("input", { type: "number", step: 1, inputmode: "numeric", "aria-label": `${row.label}${isSize ? "" : " in percent"}` });
    number.addEventListener("input", () => {
      const [low, high] = this.bounds(name);
      const value = number.valueAsNumber;
      if (Number.isInteger(value) && low <= value && value <= high) this.change(name, value, false);
    });
    number.addEventListener("change", () => {
      this.change(name, Number.isNaN(number.valueAsNumber) ? this.settings[name] : number.valueAsNumber, true);
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
      el("span", { class: "entry" }, number, isSize ? null : el("span", { class: "percent", text: "%" })),
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
