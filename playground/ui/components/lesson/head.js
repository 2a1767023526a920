// The head of the card: which lesson this is, what it teaches, and its steps as links.

import { el } from "../shared/base.js";
import { link } from "./links.js";

export class Head {
  /** @param {(step: number) => void} onStep when another step of this lesson was chosen */
  constructor(data, onStep) {
    this.data = data;
    this.title = el("h2", { tabindex: -1, "aria-describedby": "step-title", text: data.title });
    this.links = data.steps.map((step, index) =>
      link({ href: step.href, onGo: () => onStep(index), "aria-current": index === data.step && "step", title: step.title }),
    );
    this.node = el(
      "header",
      {},
      el(
        "div",
        { class: "place" },
        el("p", { class: "count" }, `Lesson ${data.number} of ${data.of} · ${data.minutes} min`),
        el("nav", { "aria-label": "Steps of this lesson" }, el("ol", { class: "steps" }, ...this.links.map((one) => el("li", {}, one)))),
      ),
      this.title,
      el("p", { class: "idea", hidden: data.step > 0, text: data.idea }), // later steps need the room
      el("h3", { id: "step-title", text: data.steps[data.step].title }),
    );
  }

  /** Check the steps whose goals were reached at some time. */
  check(done) {
    this.links.forEach((node, index) => {
      const isDone = done.includes(index);
      node.classList.toggle("done", isDone);
      node.textContent = isDone ? "✓" : `${index + 1}`;
      node.setAttribute("aria-label", `Step ${index + 1} of ${this.links.length}: ${this.data.steps[index].title}${isDone ? ", done" : ""}`);
    });
  }
}
