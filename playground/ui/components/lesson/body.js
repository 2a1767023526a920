// The middle of the card: the text, then the question or the task, and below it what to notice once the goal is reached.

import { el, setText } from "../shared/base.js";
import { prediction } from "./predict.js";
import { Facts, line, prose } from "./prose.js";
import { words } from "./verdict.js";

const SIGNS = { right: "✓", wrong: "→", answer: "→" };

export class Body {
  /**
   * @param {object} data of the step
   * @param {Glossary} glossary
   * @param {number | null | undefined} said what the reader predicted; null if skipped, undefined if never asked
   * @param {(said: number | null) => void} onSaid
   */
  constructor(data, glossary, said, onSaid) {
    this.facts = new Facts();
    this.asked = new Facts(); // those in the question, which stay as they were when it was put
    const ask = data.predict ? line(data.predict.ask, this.asked) : [];
    const context = { facts: this.facts, glossary, seen: new Set() };
    this.text = el("div", { class: "prose" }, ...prose(data.text, context));
    this.nodes = [this.text];
    if (data.phase === "predict") this.nodes.push(prediction(data.predict, ask, onSaid));
    else this.nodes.push(...this.doing(data, ask, context, said));
  }

  doing(data, ask, context, said) {
    const { predict, goal } = data;
    this.verdict = el("p", { class: "verdict", hidden: true });
    const isAtOnce = predict?.reveal === "now";
    const spoken = predict && said !== undefined && this.spoken(predict, said);
    this.before = predict && el("section", { class: "said" }, el("p", { class: "ask" }, ...ask), spoken || null, isAtOnce ? this.verdict : null);
    this.label = el("b", { text: "To do: " });
    this.task = el("div", { class: "task", role: "status", tabindex: -1, hidden: !goal }, el("span", { class: "ring", "aria-hidden": "true" }), el("p", {}, this.label, goal));
    const notice = data.notice.length > 0 && el("div", { class: "prose" }, el("h4", { text: "Notice" }), ...prose(data.notice, context));
    const isLast = data.step + 1 === data.steps.length;
    const remember = isLast && data.remember && el("aside", { class: "remember" }, el("h4", { text: "Remember" }), el("p", { text: data.remember }));
    this.after = el("section", { class: "after", hidden: true }, isAtOnce ? null : this.verdict, notice || null, remember || null);
    return [this.before, this.task, this.after].filter(Boolean);
  }

  spoken(predict, said) {
    if (said === null) return el("p", { text: "You asked to be shown." });
    return el("p", {}, "You said: ", el("strong", { text: words(predict, said) }));
  }

  /** The goal was reached: say so once, and show what to notice. */
  finish() {
    this.isFinished = true;
    this.task.classList.add("done");
    setText(this.label, "Done: ");
    this.after.hidden = false;
  }

  showVerdict(verdict) {
    if (!verdict || !this.verdict.hidden) return;
    this.verdict.classList.add(verdict.kind);
    this.verdict.replaceChildren(el("span", { class: "sign", "aria-hidden": "true", text: SIGNS[verdict.kind] }), el("span", { text: verdict.text }));
    this.verdict.hidden = false;
  }

  reserve() {
    this.facts.reserve(this.text);
  }
}
