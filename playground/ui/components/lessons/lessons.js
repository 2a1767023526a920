// The list of lessons with the reader's progress, which is kept in this browser only.

import { counted, el, setText } from "../shared/base.js";
import { KEY, forget, read } from "../shared/progress.js";
import { link } from "../lesson/links.js";

const instances = new WeakMap();

export function mount({ data, parentElement, setTriggerValue }) {
  let list = instances.get(parentElement);
  if (!list) instances.set(parentElement, (list = new List(parentElement.querySelector(".lessons"))));
  list.onGo = (where) => setTriggerValue("go", where);
  list.update(data);
  return () => {
    list.destroy();
    instances.delete(parentElement);
  };
}

/** One lesson: a link to where the reader stands in it. */
class Entry {
  constructor(lesson, onGo) {
    this.lesson = lesson;
    this.state = el("span", { class: "state" });
    this.fill = el("span", { class: "fill" });
    this.node = link(
      { href: lesson.href, class: "entry", onGo: () => onGo({ lesson: lesson.slug, step: this.step }) },
      el("span", { class: "number", "aria-hidden": "true", text: `${lesson.number}` }),
      el("h2", { text: lesson.title }),
      el("span", { class: "idea", text: lesson.idea }),
      el("span", { class: "foot" }, el("span", { text: `${lesson.minutes} min` }), this.state),
      el("span", { class: "track", "aria-hidden": "true" }, this.fill),
    );
  }

  /** @param {{step: number, done: number[], finished: boolean} | undefined} progress */
  show(progress) {
    const { steps } = this.lesson;
    const isDone = Boolean(progress?.finished);
    const at = Math.min(progress?.step ?? 0, steps - 1);
    this.step = isDone ? 0 : at;
    this.isDone = isDone;
    setText(this.state, isDone ? "✓ done" : progress ? `step ${at + 1} of ${steps}` : "");
    this.node.classList.toggle("done", isDone);
    const share = isDone ? 1 : (progress?.done ?? []).filter((step) => step < steps).length / steps;
    this.fill.style.transform = `scaleX(${share})`;
  }
}

class List {
  constructor(root) {
    this.root = root;
    this.stored = ({ key }) => (key === KEY || key === null) && this.refresh();
    window.addEventListener("storage", this.stored);
  }

  update(data) {
    const key = JSON.stringify(data);
    if (key !== this.key) this.draw(data);
    this.key = key;
    this.refresh();
  }

  draw(data) {
    this.data = data;
    this.entries = data.lessons.map((lesson) => new Entry(lesson, (where) => this.onGo(where)));
    this.summary = el("p", { class: "summary", role: "status", tabindex: -1 });
    this.resume = el("button", { type: "button", class: "primary", onclick: () => this.onGo(this.next.where) });
    this.ending = el("div", { class: "ending" });
    this.root.replaceChildren(
      el("div", { class: "top" }, this.summary, this.resume),
      el("ol", {}, ...this.entries.map(({ node }) => el("li", {}, node))),
      this.ending,
    );
    this.offer();
  }

  refresh() {
    const progress = read(this.data.lessons.map(({ slug }) => slug));
    for (const entry of this.entries) entry.show(progress[entry.lesson.slug]);
    const done = this.entries.filter((entry) => entry.isDone).length;
    const total = this.data.lessons.reduce((sum, { minutes }) => sum + minutes, 0);
    const known = Object.keys(progress).length > 0;
    setText(this.summary, this.summed(done, total, known));
    this.next = this.continues(progress);
    this.resume.hidden = !this.next;
    if (this.next) setText(this.resume, this.next.label);
    this.ending.hidden = !known;
  }

  summed(done, total, known) {
    const { length } = this.entries;
    if (!length) return "There are no lessons here yet.";
    return known ? `${done} of ${length} done` : `${counted(length, "lesson")}, ${counted(total, "minute")} in all`;
  }

  /** Where to go on: the lesson touched last, or the one after it if it is done. */
  continues(progress) {
    const touched = this.entries.filter(({ lesson }) => progress[lesson.slug]);
    if (!touched.length) return null;
    const last = touched.reduce((one, other) => (progress[other.lesson.slug].at > progress[one.lesson.slug].at ? other : one));
    const index = this.entries.indexOf(last);
    const found = [...this.entries.slice(index), ...this.entries.slice(0, index)].find((entry) => !entry.isDone);
    return found ? this.towards(found, found.step) : null;
  }

  towards({ lesson }, step) {
    return { where: { lesson: lesson.slug, step }, label: `Continue: lesson ${lesson.number}, step ${step + 1}` };
  }

  /** Forgetting is asked for once more, in place. */
  offer() {
    const button = (text, onclick) => el("button", { type: "button", class: "plain", text, onclick });
    const ask = button("Forget my progress", () => {
      this.ending.replaceChildren(el("span", { text: "Forget what is done in all lessons?" }), yes, no);
      no.focus();
    });
    const yes = button("Yes, forget it", () => {
      forget();
      this.offer();
      this.refresh();
      this.summary.focus();
    });
    const no = button("Keep it", () => {
      this.offer();
      this.ending.querySelector("button").focus();
    });
    this.ending.replaceChildren(el("span", { text: "Your progress is kept in this browser only." }), ask);
  }

  destroy() {
    window.removeEventListener("storage", this.stored);
  }
}
