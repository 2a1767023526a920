// The question before anything is touched: one of a few choices, or a number.

import { el } from "../shared/base.js";
import { many } from "./verdict.js";

/**
 * A form that asks; `onSaid` gets the index of the choice, the number, or null for "Show me". It cannot be sent empty.
 *
 * @param {{choices: string[], unit: string}} predict
 * @param {(Node | string)[]} ask the question
 */
export function prediction(predict, ask, onSaid) {
  const send = el("button", { type: "submit", class: "primary", disabled: true, text: "That is my prediction" });
  const skip = el("button", { type: "button", class: "plain", text: "Show me", onclick: () => onSaid(null) });
  const { node, read } = (predict.choices.length ? choices : number)(predict, ask);
  const form = el("form", { class: "predict", novalidate: true }, node, el("div", { class: "row" }, send, skip));
  form.addEventListener("input", () => (send.disabled = read() === null));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (read() !== null) onSaid(read());
  });
  return form;
}

function choices({ choices: offered }, ask) {
  const inputs = offered.map((_, index) => el("input", { type: "radio", name: "prediction", value: index }));
  const labels = offered.map((text, index) => el("label", { class: "choice" }, inputs[index], el("span", { text })));
  const read = () => {
    const found = inputs.findIndex((input) => input.checked);
    return found < 0 ? null : found;
  };
  return { node: el("fieldset", {}, el("legend", {}, ...ask), ...labels), read };
}

function number({ unit }, ask) {
  const attributes = { type: "number", id: "prediction", min: 0, step: "any", inputmode: "decimal", autocomplete: "off" };
  const input = el("input", { ...attributes, "aria-describedby": "prediction-unit" });
  const beside = el("span", { id: "prediction-unit", class: "unit", text: many(unit) });
  const read = () => (Number.isFinite(input.valueAsNumber) ? input.valueAsNumber : null);
  const node = el("div", { class: "asked" }, el("label", { for: "prediction" }, ...ask), el("div", { class: "entry" }, input, beside));
  return { node, read };
}
