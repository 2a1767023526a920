// Links that stay within the page: a plain click is answered by the server at once, any other opens the address.

import { el } from "../shared/base.js";

const isPlain = (event) => event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

/** An anchor to `href`; a click without a modifier calls `onGo` instead of loading the page anew. */
export function link({ href, onGo, ...attributes }, ...children) {
  const onclick = (event) => {
    if (!isPlain(event)) return;
    event.preventDefault();
    onGo();
  };
  return el("a", { href, onclick, ...attributes }, ...children);
}
