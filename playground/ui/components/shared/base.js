// Small helpers that every component shares: addresses, elements whose text is always text, and number formats.

/** The address of the app with a trailing slash, whatever base path or proxy it lives behind. */
export function baseUrl() {
  const path = location.pathname.endsWith("/") ? location.pathname : `${location.pathname}/`;
  return new URL(path, location.origin);
}

/** An element; `text` and children are only ever set as text or nodes, never parsed. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

export const format = (number) => (Number.isInteger(number) ? whole : tenth).format(number);

/** counted(1, "token") is "1 token", counted(1200, "token") is "1,200 tokens". */
export const counted = (number, noun) => `${format(number)} ${noun}${number === 1 ? "" : "s"}`;

/** Set a node's text only where it changes, so that nothing is laid out again for nothing. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * A paragraph of a fixed height, and where its text goes. What does not fit scrolls, and only then is it a stop of the
 * keyboard; an observer looks once the layout is done, so that no move pays for it.
 */
export function fitted(attributes) {
  const text = el("span", { class: "fitted" });
  const node = el("p", attributes, text);
  new ResizeObserver(() => {
    if (node.scrollHeight > node.clientHeight) node.tabIndex = 0;
    else node.removeAttribute("tabindex");
  }).observe(text);
  return { node, text };
}

/** Listeners by topic: how the stage tells the side panel what it shows. */
const topics = new Map();

export const bus = {
  last: new Map(),
  emit(topic, message) {
    this.last.set(topic, message);
    for (const listener of topics.get(topic) ?? []) listener(message);
  },
  on(topic, listener) {
    if (!topics.has(topic)) topics.set(topic, new Set());
    topics.get(topic).add(listener);
    return () => topics.get(topic).delete(listener);
  },
};
