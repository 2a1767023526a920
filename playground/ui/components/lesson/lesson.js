// The card of one step of a lesson: the reader predicts, does, and sees. The settled page comes from Streamlit; while the
// hand moves on the stage, the facts in the text and the goal follow its answers over the bus.

import { bus, el } from "../shared/base.js";
import { Glossary } from "../shared/glossary.js";
import { mark, read, visited } from "../shared/progress.js";
import { Body } from "./body.js";
import { tools, ways } from "./foot.js";
import { Head } from "./head.js";
import { judge } from "./verdict.js";

const instances = new WeakMap();

/** By stage, the step that the reader is at: `{lesson, step, phase, said, asked, verdict, done, over}`. It outlives the card's
 * element, which the page may make anew when it changes its layout. */
const visits = new Map();

export function mount({ data, parentElement, setTriggerValue }) {
  let card = instances.get(parentElement);
  if (!card) instances.set(parentElement, (card = new Card(parentElement.querySelector(".lesson"), data.id)));
  card.setTriggerValue = setTriggerValue;
  card.update(data);
  return () => {
    card.destroy();
    instances.delete(parentElement);
  };
}

class Card {
  constructor(root, id) {
    this.root = root;
    this.id = id;
    this.send = this.send.bind(this);
    this.stop = bus.on(id, (answer) => this.hear(answer.lesson));
    this.resized = () => this.body?.reserve();
    window.addEventListener("resize", this.resized);
  }

  update(given) {
    const data = given.phase === "predict" && !given.predict ? { ...given, phase: "do" } : given;
    const before = visits.get(this.id);
    const isSame = before && !before.over && before.lesson === data.lesson && before.step === data.step;
    const isNew = !isSame || (before.phase === "do" && data.phase === "predict");
    if (isNew) this.arrive(data);
    const had = this.root.contains(this.root.getRootNode().activeElement);
    const { told, presenting, ...shown } = data;
    const drawn = JSON.stringify(shown);
    const isOther = isNew || drawn !== this.drawn;
    if (isOther) this.draw(data);
    this.drawn = drawn;
    const isLarger = this.root.classList.contains("presenting") !== Boolean(presenting);
    this.root.classList.toggle("presenting", Boolean(presenting));
    this.tools.present(presenting);
    this.tell(told);
    if (isOther || isLarger) this.body.reserve();
    if (isNew && before) this.head.title.focus();
    else if (isOther && had) this.resume();
  }

  /** A step is entered, for the first time or again. */
  arrive({ lesson, step, phase }) {
    this.visit = { lesson, step, phase, done: false };
    visits.set(this.id, this.visit);
    visited(lesson, step);
  }

  draw(data) {
    this.data = data;
    this.visit = visits.get(this.id);
    this.visit.phase = data.phase;
    const go = (step) => this.send("go", { lesson: data.lesson, step });
    this.head = new Head(data, go);
    this.body = new Body(data, new Glossary(data.glossary), this.visit.said, (said) => this.predict(said));
    const { node, onward } = ways(data, this.send);
    this.onward = onward;
    this.tools = tools(data, this.send);
    this.root.replaceChildren(this.head.node, el("div", { class: "body" }, ...this.body.nodes), el("footer", {}, node, this.tools.node));
    this.check();
  }

  /** What had the focus was drawn anew: it stays in the card, near what comes next. */
  resume() {
    const { task } = this.body;
    (task && !task.hidden ? task : this.head.title).focus({ preventScroll: true });
  }

  check() {
    this.head.check(read()[this.data.lesson]?.done ?? []);
  }

  /** The stage answered; what it tells may still be of the step before. */
  hear(told) {
    if (told && told.lesson === this.data?.lesson && told.step === this.data.step) this.tell(told);
  }

  tell(told) {
    const { body, data, visit } = this;
    body.facts.tell(told.facts);
    if (data.phase === "predict") visit.asked = told.facts;
    body.asked.tell((visit.asked ??= told.facts));
    if (data.phase === "predict") return;
    if (!visit.done && (told.done || !data.goal)) this.reach();
    if (visit.done && !body.isFinished) {
      body.finish();
      this.onward.classList.add("primary");
    }
    // What the page says first is the verdict: later moves are other questions.
    const isDue = data.predict && (data.predict.reveal === "now" || visit.done);
    if (isDue) body.showVerdict((visit.verdict ??= judge(data.predict, told, visit.said)));
  }

  /** The goal is reached, once for this visit. */
  reach() {
    const { lesson, step, steps } = this.data;
    this.visit.done = true;
    mark(lesson, step, steps.length, { done: true });
    this.check();
  }

  predict(said) {
    this.visit.said = said;
    this.send("predicted", { lesson: this.data.lesson, step: this.data.step, said });
  }

  send(name, value) {
    if (name === "go" || name === "list") this.visit.over = true; // who comes back begins the step anew
    this.setTriggerValue(name, value);
  }

  destroy() {
    this.stop();
    window.removeEventListener("resize", this.resized);
  }
}
