// The question: one box for the whole stage, and for each pane what its chunks make of it.

import { counted, el, fitted, format, setText } from "../shared/base.js";

const OWN = "own";

/** The form above the panes. */
export class Question {
  /**
   * @param {HTMLElement} root where it goes
   * @param {{retrievers: object[]}} options the retrievers by value and label
   * @param {() => void} onChange told of every change
   * @param {(question: object) => void} onAdd told of a question with its answer: {question, start, end}
   */
  constructor(root, { retrievers }, id, onChange, onAdd) {
    this.onChange = onChange;
    this.onAdd = onAdd;
    this.add = el("button", { type: "button", hidden: true, text: "Add a question for the selected text", onclick: () => this.added() });
    this.known = [];
    const changed = () => this.changed();
    this.pick = el("select", { id: `known-${id}`, title: "Questions of this document whose answers are known", onchange: () => this.choose() });
    this.text = el("input", { type: "search", id: `question-${id}`, maxlength: 600, placeholder: "Ask something of this document", autocomplete: "off", "aria-label": "Question" });
    this.text.addEventListener("input", () => {
      if (this.answer && this.text.value !== this.answer.question) this.pick.value = OWN;
      changed();
    });
    this.retriever = el("select", { id: `retriever-${id}`, onchange: changed });
    this.retriever.append(...retrievers.map(({ value, label }) => el("option", { value, text: label })));
    this.k = el("input", { type: "number", id: `k-${id}`, min: 1, max: 50, value: 5, onchange: changed, oninput: changed });
    this.budget = el("input", { type: "number", id: `budget-${id}`, min: 0, max: 200000, step: 100, value: 0, title: "Read as many chunks as fit into so many tokens (0: the top k)", onchange: changed, oninput: changed });
    this.neighbours = el("input", { type: "number", id: `neighbours-${id}`, min: 0, max: 3, value: 0, onchange: changed, oninput: changed });
    this.scope = el("select", { id: `scope-${id}`, title: "Which documents are searched together", onchange: changed });
    this.parents = el("input", { type: "checkbox", onchange: changed });
    const field = (label, input) => el("div", { class: "field" }, el("label", { for: input.id, text: label }), input);
    this.parts = [
      ["retriever", field("Ranked by", this.retriever)],
      ["scope", field("Searched", this.scope)],
      ["k", field("Top k", this.k)],
      ["budget", field("or tokens", this.budget)],
      ["neighbours", field("Neighbours", this.neighbours)],
      ["reader", el("label", { class: "toggle", title: "What is read are the parents of the chunks that were found" }, this.parents, "Read parents")],
    ]; // how to rank and to read, by the names of the parts of the page
    this.root = root;
    this.box = [
      el("div", { class: "field grow" }, el("label", { for: this.text.id, text: "Would the right passage be found?" }), this.text),
      field("With a known answer", this.pick),
    ];
    this.how = el("div", { class: "how", hidden: true }, ...this.parts.map(([, node]) => node));
    this.fixed = el("p", { class: "fixed" });
    root.replaceChildren(this.fixed, ...this.box, this.add, this.how);
  }

  /** Leave out the parts of these names. */
  hide(names) {
    this.isFixed = names.includes("question");
    for (const node of this.box) node.hidden = this.isFixed;
    for (const [name, node] of this.parts) node.hidden = names.includes(name);
    this.fixed.hidden = !this.isFixed;
  }

  /** Put a question into the box, or none: {question, retriever, k, budget, neighbours, parents}. */
  put(ask) {
    const index = this.known.findIndex(({ question }) => question === ask?.question);
    this.text.value = ask?.question ?? "";
    this.pick.value = index < 0 ? OWN : index;
    this.how.hidden = !ask;
    setText(this.fixed, ask ? `The question: ${ask.question}` : "");
    if (!ask) return;
    for (const name of ["retriever", "k", "budget", "neighbours"]) this[name].value = ask[name];
    this.parents.checked = ask.parents;
  }

  /** Tell of a change; how to rank and to read is shown once there is a question. */
  changed() {
    this.how.hidden = !this.text.value.trim();
    this.onChange();
  }

  /** The questions of another document. */
  offer(known, scopes) {
    this.scopes = scopes;
    const chosen = this.scope.value;
    this.scope.replaceChildren(...scopes.map(({ name, label }) => el("option", { value: name, text: label })));
    this.scope.value = scopes.some(({ name }) => name === chosen) ? chosen : scopes[0].name;
    const key = JSON.stringify(known);
    if (key === this.key) return;
    this.key = key;
    this.known = known;
    this.pick.replaceChildren(
      el("option", { value: OWN, text: known.length ? `choose one of ${known.length}` : "none yet" }),
      ...known.map(({ question, tag }, index) => el("option", { value: index, text: `${question}${tag ? ` (${tag})` : ""}` })),
    );
    this.pick.disabled = !known.length;
    const added = known.findLastIndex(({ question }) => question === this.wanted);
    this.wanted = undefined;
    this.pick.value = added < 0 ? OWN : added;
    this.text.value = known[added]?.question ?? "";
    this.how.hidden = added < 0;
    if (added >= 0) this.onChange();
  }

  /** Text was selected, or is no longer: [start, end] in UTF-16 units, or null. */
  select(span) {
    this.span = span;
    this.add.hidden = !span || this.isFixed;
  }

  added() {
    const question = this.text.value.trim();
    if (!question) {
      this.text.placeholder = "Write the question here, then press the button again";
      this.text.focus();
      return;
    }
    const [start, end] = this.span;
    this.wanted = question;
    this.onAdd({ question, start, end });
    this.select(null);
  }

  choose() {
    if (this.answer) this.text.value = this.answer.question;
    this.changed();
  }

  /** The known answer of the present question. */
  get answer() {
    return this.pick.value === OWN ? undefined : this.known[Number(this.pick.value)];
  }

  /** What the server is asked. */
  request() {
    const question = this.text.value.trim();
    if (!question) return undefined;
    const whole = (input) => Math.min(input.max, Math.max(input.min, Math.round(input.valueAsNumber || 0)));
    return {
      question: [...question].slice(0, 600).join(""),
      retriever: this.retriever.value,
      k: whole(this.k),
      budget: whole(this.budget),
      neighbours: whole(this.neighbours),
      parents: this.parents.checked,
      others: this.scopes.find(({ name }) => name === this.scope.value)?.keys ?? [],
      answers: this.answer?.spans ?? [],
    };
  }
}

const FATES = {
  whole: ({ best }) => `whole in chunk ${format(best)}`,
  rescued: ({ boundaries, best }) => `cut at boundary ${format(boundaries[0])}, but whole in chunk ${format(best)}: the overlap rescues it`,
  split: ({ boundaries }) => `torn at boundary ${boundaries.map(format).join(", ")}: no chunk holds all of it`,
  "left out": () => "in no chunk: it is left out",
};

/** What one pane's chunks make of the question. */
export class Found {
  constructor(root, onOpen) {
    this.root = root;
    this.onOpen = onOpen;
    this.fate = fitted({ class: "fate", role: "status" });
    this.list = el("ol", { class: "ranked", "aria-label": "Chunks by rank" });
    this.read = fitted({ class: "read" });
    root.append(this.fate.node, this.list, this.read.node);
  }

  show(asked) {
    this.root.hidden = !asked;
    if (!asked) return;
    const { answer, shown, blurry, found } = asked;
    const ranked = asked.ranked.filter(({ score }) => score !== 0);
    this.isFound = found > 0;
    this.fate.node.className = `fate ${answer ? worst(answer.parts) : ""}`;
    setText(this.fate.text, answer ? answer.parts.map((part, index) => this.told(part, answer.parts.length > 1 ? `Part ${index + 1} of the answer` : "The answer")).join(" ") : `${counted(found, "chunk")} with a score.`);
    while (this.list.childElementCount > ranked.length) this.list.lastChild.remove();
    while (this.list.childElementCount < ranked.length) {
      const button = el("button", { type: "button" });
      button.addEventListener("click", () => this.onOpen(Number(button.dataset.chunk)));
      this.list.append(el("li", {}, button));
    }
    const holders = new Set(answer?.parts.flatMap((part) => part.holders.map((chunk) => chunk - 1)));
    ranked.forEach(({ chunk, score, title }, index) => {
      const button = this.list.children[index].firstChild;
      const holds = !title && holders.has(chunk);
      button.dataset.chunk = chunk;
      button.disabled = Boolean(title);
      button.className = holds ? "holds" : "";
      setText(button, `${title ? `${title} ` : ""}${format(chunk + 1)} · ${score}`);
      button.title = title ? "A chunk of another document." : holds ? "Holds the answer. Open it." : "Open it.";
    });
    const removed = [
      shown.repeated ? `${counted(shown.repeated, "token")} of overlap` : "",
      shown.copies ? `${counted(shown.copies, "token")} of the same text` : "",
    ].filter(Boolean);
    setText(
      this.read.text,
      `A model would read ${counted(shown.tokens, "token")} from ${counted(shown.chunks, "chunk")}, in ${counted(shown.passages, "passage")}` +
        (removed.length ? `; ${removed.join(" and ")} would be read twice and is removed. ` : ". ") +
        `Similarity of the question to the whole document ${blurry.document}, to its best chunk ${blurry.best}.`,
    );
  }

  told(part, name) {
    const [tokens, of] = part.tokens;
    const share = part.holders.length ? `, ${format(tokens)} of its ${format(of)} tokens (${Math.round(100 * part.share)}%), ${this.isFound ? `found at rank ${format(part.rank)}` : "but nothing in the question leads to it"}` : "";
    return `${name} is ${FATES[part.kind](part)}${share}.`;
  }
}

/** What is worst for a reader among the fates of an answer's parts. */
function worst(parts) {
  const kinds = parts.map(({ kind }) => kind);
  return ["left out", "split", "rescued", "whole"].find((kind) => kinds.includes(kind)).replace(" ", "-");
}
