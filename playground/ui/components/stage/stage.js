// The stage: panes over one document, live over the channel, settled through Streamlit.
// A slider move goes to the core over the WebSocket and comes back as spans and numbers; on release the settings are
// committed to the page, which updates the address, the figures and the tables.

import { baseUrl, bus, counted, el, setText } from "../shared/base.js";
import { Channel } from "../shared/channel.js";
import { Numbers } from "../shared/numbers.js";
import { Question } from "./asking.js";
import { Pane } from "./pane.js";

const PAUSE = 220; // milliseconds without a move after which the settings count as settled

const instances = new WeakMap(); // one stage for each element that Streamlit gives us

export function mount({ data, parentElement, setStateValue, setTriggerValue }) {
  let stage = instances.get(parentElement);
  if (!stage) instances.set(parentElement, (stage = new Stage(parentElement, data)));
  stage.setStateValue = setStateValue;
  stage.setTriggerValue = setTriggerValue;
  stage.update(data);
  return () => {
    stage.destroy();
    instances.delete(parentElement);
  };
}

class Stage {
  constructor(parent, data) {
    this.id = data.id;
    this.host = parent.querySelector(".stage");
    this.panes = [];
    this.commits = 0;
    this.texts = new Map();
    this.lines = this.host.querySelector(".lines");
    this.connection = this.host.querySelector(".connection");
    this.row = this.host.querySelector(".panes");
    window.__stage = this.measure = { moves: [] }; // timings for tests/bench
    this.stopPlaces = bus.on(`${this.id}:place`, (found) => this.panes[0]?.place(found));
    this.channel = new Channel(socketUrl(), (status) => this.connected(status));
  }

  update(data) {
    const isNew = data.doc !== this.doc;
    const isOther = data.limit !== this.data?.limit || data.shown !== this.data?.shown;
    const isReset = data.revision !== this.revision || data.panes.length !== this.panes.length;
    this.question ??= new Question(this.host.querySelector(".question"), data, this.id, () => this.onQuestion(), (found) =>
      this.setTriggerValue("question", { ...found, doc: this.doc }),
    );
    if (isNew) this.question.select(null);
    this.question.offer(data.questions, data.scopes);
    this.question.hide(data.hidden);
    if (data.asked !== (this.data?.asked ?? 0)) this.begin(data);
    this.doc = data.doc;
    this.revision = data.revision;
    this.data = data;
    while (this.panes.length > data.panes.length) this.panes.pop().root.remove();
    while (this.panes.length < data.panes.length) this.addPane(data);
    this.host.classList.toggle("several", this.panes.length > 1);
    this.dress(data);
    if (isNew || isReset) data.panes.forEach((settings, index) => this.panes[index].adopt(settings));
    if (isReset && data.lesson) for (const pane of this.panes) pane.shut();
    if (isNew) this.load(data);
    else if (isReset || this.channel.status !== "live") this.receive(data.answer, true);
    if ((isReset || isOther) && !isNew) this.ask();
    if (isOther && data.shown) this.showChunk(data.shown);
  }

  /** A step of a lesson begins: its question stands in the box, and its place comes into view. */
  begin({ ask, at }) {
    this.question.put(ask);
    this.answer = this.question.answer;
    this.coming = at ?? this.answer?.spans[0][0];
  }

  /** Leave out what this page or lesson does without. */
  dress({ hidden, presenting, lesson }) {
    this.host.classList.toggle("presenting", presenting);
    this.host.classList.toggle("taught", Boolean(lesson));
    this.host.classList.toggle("curved", Boolean(lesson) && !hidden.includes("curve")); // room for the curve below
    this.lines.hidden = hidden.includes("lines");
    this.host.querySelector(".legend").hidden = hidden.includes("legend");
    for (const pane of this.panes) pane.hide(hidden);
  }

  /** Open the chunk that was chosen elsewhere on the page: {chunk, turn}. */
  showChunk(shown) {
    const { chunk } = JSON.parse(shown);
    this.panes[0].open(chunk);
  }

  addPane({ table, title }) {
    const number = this.panes.length;
    const pane = new Pane({ number, table, title }, this);
    this.panes.push(pane);
    this.row.append(pane.root);
    if (this.text !== undefined) pane.view.setText(this.text);
    if (this.data.panes.length > 1) {
      pane.root.setAttribute("role", "group"); // its controls have the names of those beside it
      pane.root.setAttribute("aria-label", `Pane ${number + 1}`);
      pane.compared = el("div", { class: "numbers" });
      pane.breaks = el("div", { class: "breaks" });
      pane.root.append(pane.breaks, pane.compared);
      pane.numbersView = new Numbers(pane.compared);
    }
  }

  /** Fetch the text of a new document, then draw what came with the page and ask for more. */
  async load(data) {
    const { doc } = data;
    this.text = undefined;
    this.host.classList.add("loading");
    const response = await fetch(new URL(`live/text/${encodeURIComponent(doc)}`, baseUrl())).catch(() => null);
    if (doc !== this.doc) return;
    if (!response?.ok) return this.fail();
    const bytes = await response.arrayBuffer();
    if (doc !== this.doc) return;
    this.text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    for (const pane of this.panes) {
      pane.shut();
      pane.asked = undefined;
      pane.last = undefined; // the arrows start anew in another document
      pane.scroller.setAttribute("aria-label", `${data.title}. Arrow keys walk through the chunks.`);
      pane.view.setText(this.text);
    }
    this.host.classList.remove("loading");
    this.host.classList.toggle("empty", !this.text);
    this.receive(this.data.answer, false);
    this.ask();
  }

  fail() {
    setText(this.connection, "The document could not be loaded. Asking the page for it again…");
    this.connection.hidden = false;
    this.doc = undefined; // or what comes again would be taken for what is here
    this.setTriggerValue("lost", Date.now());
  }

  // --- the live loop -------------------------------------------------------------------------------------------

  onSettings(pane, { settled, name, fromUnit }) {
    if (fromUnit) this.fromUnit = { pane, unit: fromUnit };
    else if (name === "size") this.fromUnit = undefined; // a size that was set by hand is already in the new unit
    this.ask(performance.now());
    clearTimeout(this.pause);
    if (settled) this.commitSoon(0);
    else this.commitSoon(PAUSE);
  }

  /** A chunk was opened or closed: a lesson may wait for it. */
  onOpened() {
    if (this.data.lesson) this.ask();
  }

  /** Tell whoever draws along the document which span is under the pointer. */
  onPointed(span) {
    bus.emit(`${this.id}:pointed`, span);
  }

  /** Another question, or another way to ask it; a known answer that was just chosen comes into view. */
  onQuestion() {
    const { answer } = this.question;
    if (answer !== this.answer) this.coming = answer?.spans[0][0]; // into view, once its ranks stand above the text
    this.answer = answer;
    this.ask();
  }

  /** Something else of the same chunks is to be seen. */
  onView(pane) {
    for (const other of this.panes) other.spaces.checked = pane.wantsSpaces;
    this.ask();
  }

  /** Text in view lacks its chunks: ask, but never twice for the same view. */
  onNeed(pane) {
    const need = JSON.stringify([pane.settings, pane.view.range(), this.doc]);
    if (need === pane.needed || !this.channel.isIdle("chunks")) return;
    pane.needed = need;
    this.ask();
  }

  ask(moved) {
    if (this.text === undefined) return;
    const { revision } = this;
    const extras = {
      ask: this.question.request(),
      limit: this.data.limit,
      spaces: this.panes.some((pane) => pane.wantsSpaces),
      lesson: this.data.lesson && { ...this.data.lesson, opened: this.panes[0].inspected ?? null },
    };
    this.channel.ask("chunks", { doc: this.doc, panes: this.requests(), ...extras }, (answer, timing) => {
      if (answer.error) return this.refused(answer.error);
      if (revision !== this.revision) answer.lesson = null; // of settings before the step began: they reach no goal
      this.connection.hidden = true; // what was refused before is no longer so
      const isNewest = this.channel.isIdle("chunks");
      if (isNewest) this.fromUnit = undefined;
      const started = performance.now();
      this.receive(answer, isNewest);
      if (moved) this.timed(moved, timing, started, answer.core_ms);
      if (isNewest && this.committing) this.commit();
    });
  }

  /** What each pane shows and is set to; a size still in the old unit says so, and the server converts it. */
  requests() {
    return this.panes.map((pane) => ({
      ...pane.request(),
      ...(this.fromUnit?.pane === pane ? { from_unit: this.fromUnit.unit } : {}),
    }));
  }

  refused(error) {
    setText(this.connection, error);
    this.connection.hidden = false;
    this.setTriggerValue("lost", Date.now());
  }

  receive(answer, isNewest) {
    if (this.text === undefined || !answer) return;
    this.host.classList.toggle("asking", Boolean(this.question.request()));
    answer.panes.forEach((one, index) => this.panes[index]?.show(one, isNewest));
    if (this.panes.length > 1) this.showCompared(answer);
    else this.showLines(answer.panes[0]);
    bus.emit(this.id, answer);
    if (isNewest && this.coming !== undefined) {
      for (const pane of this.panes) pane.view.reveal(this.coming);
      this.coming = undefined;
    }
    if (!this.ready) requestAnimationFrame(() => setTimeout(() => this.setTriggerValue("ready", true)));
    this.ready = true;
  }

  /** From the event to the paint, for the benchmark. */
  timed(moved, timing, started, core) {
    const drawn = performance.now();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        const painted = performance.now();
        const { moves } = this.measure;
        moves.push({
          total: painted - moved,
          wait: timing.sent - moved,
          trip: started - timing.sent,
          core,
          script: drawn - started,
          paint: painted - drawn,
        });
        if (moves.length > 2000) moves.splice(0, 1000);
      };
      port2.postMessage(0);
    });
  }

  askChunk(pane, index, tokens, then) {
    const request = { doc: this.doc, pane: { settings: pane.settings }, index, tokens };
    this.channel.ask("chunk", request, (answer) => !answer.error && then(answer));
  }

  // --- the settled loop ----------------------------------------------------------------------------------------

  commitSoon(delay) {
    this.pause = setTimeout(() => {
      this.committing = true;
      if (this.channel.status !== "live" || this.channel.isIdle("chunks")) this.commit();
    }, delay);
  }

  commit() {
    this.committing = false;
    this.setStateValue("commit", { number: ++this.commits, doc: this.doc, revision: this.revision, panes: this.requests() });
    this.fromUnit = undefined;
  }

  connected(status) {
    this.host.dataset.connection = status;
    if (status === "down") setText(this.connection, "The live connection is down: the view follows when you let go. Reconnecting…");
    if (status !== "connecting") this.connection.hidden = status === "live"; // no flicker at every retry
    if (status === "live" && this.text !== undefined) this.ask();
  }

  // --- what is seen --------------------------------------------------------------------------------------------

  /** Three lines that say what to notice, with the numbers of the moment in them. */
  showLines({ numbers, settings }) {
    const [shade, cost, cut] = this.lines.children;
    if (numbers.deepest_cover > 1) {
      setText(shade, "Darker bands are shaded twice: they are the overlap, and stand in two chunks.");
      setText(cost, `That overlap is read twice: ${numbers.duplicated_percent}% more tokens to embed and to store.`);
    } else {
      setText(shade, "Two tints take turns: each band is one chunk, and the number is at its start.");
      setText(cost, "Nothing is repeated here. Raise the overlap and watch bands darken and the cost rise.");
    }
    const broken = `${numbers.sentence_cuts} of ${counted(numbers.boundaries, "cut")}`;
    setText(
      cut,
      numbers.sentence_cuts
        ? `Red edges are sentences cut in half: ${broken}.${settings.mode === "fixed" ? " Try sentence-aware." : ""}`
        : "No sentence is cut in half at these settings.",
    );
  }

  showCompared(answer) {
    answer.panes.forEach((one, index) => {
      const other = answer.panes[index === 0 ? 1 : 0];
      const pane = this.panes[index];
      pane.numbersView.show(one.numbers, one.settings, index === 0 ? undefined : other.numbers);
      this.showBreaks(pane, one.breaks);
    });
  }

  /** "Boundary 7 cuts a sentence here; the other pane does not", a button for each. */
  showBreaks(pane, { count, near }) {
    const key = JSON.stringify(near) + count;
    if (pane.breaksKey === key) return;
    pane.breaksKey = key;
    const buttons = near.slice(0, 6).map(({ boundary, at }) =>
      el("button", { type: "button", text: `Boundary ${boundary}`, title: "Go there in every pane", onclick: () => this.go(pane, at) }),
    );
    pane.breaks.replaceChildren(
      el("p", { text: count ? `${counted(count, "cut")} through a sentence that the other pane leaves whole:` : "No sentence is cut here that the other pane leaves whole." }),
      ...buttons,
    );
  }

  /** Panes scroll together: the same part of the text is at the top of each. */
  onScroll(pane) {
    if (this.panes.length < 2 || (this.leader && this.leader !== pane)) return;
    this.lead(pane);
    for (const other of this.panes) if (other !== pane) other.scroller.scrollTop = pane.scroller.scrollTop;
  }

  /** For a moment, the scrolling of the other panes is only an echo of this one's. */
  lead(pane) {
    this.leader = pane;
    clearTimeout(this.leading);
    this.leading = setTimeout(() => (this.leader = undefined), 120);
  }

  /** Bring an offset into view in one pane; the others follow. */
  go(pane, offset) {
    this.lead(pane);
    pane.view.reveal(offset);
  }

  destroy() {
    this.stopPlaces();
    clearTimeout(this.pause);
    clearTimeout(this.leading);
    this.channel.close();
    for (const pane of this.panes) pane.view.destroy();
  }
}

function socketUrl() {
  const url = new URL("live/ws", baseUrl());
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url;
}
