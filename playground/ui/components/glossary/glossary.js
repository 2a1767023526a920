// The whole glossary, in the order of the alphabet, with a field that leaves only what has the words typed into it.

import { counted, el, setText } from "../shared/base.js";

const instances = new WeakMap();
const plain = (text) => text.toLowerCase().normalize("NFKC");

export function mount({ data, parentElement }) {
  const root = parentElement.querySelector(".glossary");
  const rows = JSON.stringify(data.rows);
  if (instances.get(root) === rows) return; // drawn already: what was typed stays
  instances.set(root, rows);
  draw(root, data.rows);
}

function draw(root, rows) {
  const sorted = [...rows].sort((a, b) => a.term.localeCompare(b.term, "en", { sensitivity: "base" }));
  const entries = sorted.map(({ term, also, says }) => ({
    words: plain([term, ...also, says].join("\n")),
    node: el("div", {}, el("dt", { text: term }), el("dd", { text: says })),
  }));
  const field = el("input", { type: "search", placeholder: "Find a term", "aria-label": "Find a term", autocomplete: "off" });
  const found = el("span", { class: "found", role: "status" });
  const nothing = el("p", { class: "nothing", hidden: true });
  const narrow = () => {
    const wanted = plain(field.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { words, node } of entries) {
      node.hidden = !wanted.every((word) => words.includes(word));
      count += !node.hidden;
    }
    setText(found, wanted.length ? `${count} of ${counted(entries.length, "term")}` : counted(entries.length, "term"));
    nothing.hidden = count > 0;
    setText(nothing, count ? "" : `Nothing here has “${field.value.trim()}” in it. Try a shorter part of the word.`);
  };
  field.addEventListener("input", narrow);
  root.replaceChildren(el("p", { class: "find" }, field, found), el("dl", {}, ...entries.map(({ node }) => node)), nothing);
  narrow();
}
