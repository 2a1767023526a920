// The side panel beside a stage: it listens to what the stage shows and formats its numbers.

import { bus } from "../shared/base.js";
import { Glossary } from "../shared/glossary.js";
import { Numbers } from "../shared/numbers.js";

const instances = new WeakMap();

export function mount({ data, parentElement }) {
  let panel = instances.get(parentElement);
  if (!panel) {
    const numbers = new Numbers(parentElement.querySelector(".numbers"), new Glossary(data.glossary));
    const show = (answer) => numbers.show(answer.panes[0].numbers, answer.panes[0].settings);
    panel = { show, stop: bus.on(data.id, show) };
    instances.set(parentElement, panel);
  }
  panel.show(bus.last.get(data.id) ?? data.answer);
  return () => {
    panel.stop();
    instances.delete(parentElement);
  };
}
