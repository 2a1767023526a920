// Similarity along the document, drawn by plotly. While the hand moves, the threshold and the cuts follow over the bus;
// pointing at the curve shows the place in the text, and pointing at a chunk shows its stretch of the curve.

import { baseUrl, bus } from "../shared/base.js";
import { Colours, tokens } from "./colours.js";

const instances = new WeakMap();
const PAUSE = 120; // milliseconds between drawings while the hand moves
let loading;

/** Plotly is three megabytes of script: it is fetched when the first curve is drawn, from this server. */
function plotly() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL("live/plotly.js", baseUrl()).href;
    script.onload = () => resolve(globalThis.Plotly);
    script.onerror = () => reject(new Error("plotly"));
    document.head.append(script);
  });
  return loading;
}

export function mount({ data, parentElement }) {
  let view = instances.get(parentElement);
  if (!view) instances.set(parentElement, (view = new Curve(parentElement.querySelector(".curve"), data.id)));
  view.update(data);
  return () => {
    view.destroy();
    instances.delete(parentElement);
  };
}

class Curve {
  constructor(root, id) {
    this.root = root;
    this.id = id;
    this.root.style.minHeight = "260px";
    this.stops = [
      bus.on(id, (answer) => this.follow(answer.panes[0].topics)),
      bus.on(`${id}:pointed`, (span) => this.mark(span)),
    ];
  }

  async update(data) {
    this.data = data;
    this.live = { threshold: data.threshold, cuts: data.cuts };
    const loaded = await Promise.all([plotly(), tokens()]).catch(() => null);
    if (this.gone) return;
    if (!loaded) {
      this.root.textContent = "The figure could not be loaded. Reload the page.";
      return;
    }
    this.colours ??= new Colours(this.root.parentElement, loaded[1], () => this.draw());
    this.plotly = loaded[0];
    await this.draw();
    if (this.gone) return;
    if (!this.bound) {
      this.bound = true;
      this.root.on("plotly_hover", ({ points }) => this.point(points[0]));
      this.root.on("plotly_unhover", () => bus.emit(`${this.id}:place`, null));
      this.root.on("plotly_click", ({ points }) => this.point(points[0], true));
    }
  }

  /** All of it, in the colours of the moment. */
  draw() {
    return this.plotly.react(this.root, this.traces(), this.layout(), { displayModeBar: false, responsive: true });
  }

  traces() {
    const { similarity } = this.data;
    const { cuts } = this.live;
    const [line, marker] = [this.colours.get("--mark-a"), this.colours.get("--cut")];
    return [
      {
        type: "scatter", mode: "lines", name: "similarity", y: similarity, x: similarity.map((_, index) => index + 1),
        line: { color: line, width: 1.5 }, hovertemplate: "after sentence %{x}: %{y:.2f}<extra></extra>",
      },
      {
        type: "scatter", mode: "markers", name: "cut", x: cuts.map((index) => index + 1), y: cuts.map((index) => similarity[index]),
        marker: { color: marker, size: 8 }, hovertemplate: "the subject seems to change here: %{y:.2f}<extra></extra>",
      },
    ];
  }

  /** The same type, margins and colours as the figures that `charts.py` makes. */
  layout() {
    const [ink, quiet, line, raised] = ["--ink", "--quiet", "--line", "--raised"].map((name) => this.colours.get(name));
    const family = getComputedStyle(this.root).fontFamily;
    const axis = (text) => ({
      title: { text, font: { size: 13, color: ink }, standoff: 8 }, tickfont: { size: 12, color: quiet },
      gridcolor: line, zeroline: false, automargin: true,
    });
    return {
      height: 260, margin: { l: 8, r: 8, t: 28, b: 8 }, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: ink, family, size: 12 }, hovermode: "closest", showlegend: false, dragmode: "pan",
      hoverlabel: { bgcolor: raised, bordercolor: quiet, font: { color: ink, family, size: 12 } },
      xaxis: axis("sentence"), yaxis: { ...axis("similarity"), fixedrange: true }, shapes: this.shapes(),
    };
  }

  shapes() {
    const y = this.live.threshold;
    const color = this.colours.get("--mark-b");
    const line = { type: "line", xref: "paper", x0: 0, x1: 1, y0: y, y1: y, line: { color, width: 2, dash: "dash" } };
    if (!this.stretch) return [line];
    const [x0, x1] = this.stretch;
    const fillcolor = this.colours.get("--tint-a");
    return [line, { type: "rect", yref: "paper", x0, x1, y0: 0, y1: 1, fillcolor, line: { width: 0 } }];
  }

  /** The threshold and the cuts of the moment; another window is another curve, which comes when the hand lets go. */
  follow(topics) {
    if (!topics || !this.plotly || topics.window !== this.data.window) return;
    const key = JSON.stringify([topics.threshold, topics.cuts]);
    if (key === this.key) return; // a size or an overlap changes nothing here
    this.key = key;
    const isWhole = topics.cuts.length === topics.count; // else only the first of very many
    this.live = { threshold: topics.threshold, cuts: isWhole ? topics.cuts : this.live.cuts };
    this.soon ??= setTimeout(() => this.redraw(), PAUSE);
  }

  /** Plotly takes as long as several moves of the hand, so it draws the newest of them. */
  redraw() {
    this.soon = undefined;
    if (this.gone) return;
    const [, cuts] = this.traces();
    this.plotly.update(this.root, { x: [cuts.x], y: [cuts.y] }, { shapes: this.shapes() }, [1]);
  }

  /** The stretch of the curve that belongs to a span of the text, or none. */
  mark(span) {
    if (!this.plotly) return;
    const { offsets } = this.data;
    const [from, to] = span ? [offsets.findIndex((one) => one > span[0]), offsets.findIndex((one) => one >= span[1])] : [];
    this.stretch = span && [from < 0 ? this.data.offsets.length : from, to < 0 ? this.data.offsets.length + 1 : to + 1];
    this.plotly.relayout(this.root, { shapes: this.shapes() });
  }

  /** Show in the text what is under the pointer. */
  point(found, goes = false) {
    const offset = this.data.offsets[Math.round(found.x) - 1];
    if (offset !== undefined) bus.emit(`${this.id}:place`, { offset, goes });
  }

  destroy() {
    this.gone = true;
    clearTimeout(this.soon);
    for (const stop of this.stops) stop();
    this.colours?.remove();
    this.plotly?.purge(this.root);
  }
}
