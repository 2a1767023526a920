// The page's colours for a figure outside a shadow root, where the shared style sheet does not reach: its tokens are set
// on an element of the figure's own, and read from there as plotly takes them.

let loading;

/** The declarations of the shared style sheet's first rule, fetched once. */
export function tokens() {
  return (loading ??= load().catch((error) => {
    loading = undefined; // the next figure tries again
    throw error;
  }));
}

async function load() {
  const answer = await fetch(new URL("../shared/tokens.css", import.meta.url));
  if (!answer.ok) throw new Error("tokens");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(await answer.text());
  return sheet.cssRules[0].style;
}

/** The colours of the moment; `onChange` is called when another scheme changes them. */
export class Colours {
  constructor(parent, style, onChange) {
    this.probe = document.createElement("span");
    this.probe.setAttribute("aria-hidden", "true");
    for (const name of style) if (name.startsWith("--")) this.probe.style.setProperty(name, style.getPropertyValue(name));
    this.swatch = document.createElement("span");
    this.probe.append(this.swatch);
    parent.append(this.probe);
    this.canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    // A colour that changes ends a transition: whoever changed the scheme, and once the new one is there.
    this.probe.style.color = "var(--ink)";
    this.probe.style.transition = "color 1ms";
    this.probe.addEventListener("transitionend", onChange);
  }

  /** A token as "rgba(...)": the browser may spell a mixed colour in ways that plotly does not read. */
  get(name) {
    this.swatch.style.color = `var(${name})`;
    this.canvas.clearRect(0, 0, 1, 1);
    this.canvas.fillStyle = getComputedStyle(this.swatch).color;
    this.canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = this.canvas.getImageData(0, 0, 1, 1).data;
    return `rgba(${red}, ${green}, ${blue}, ${(alpha / 255).toFixed(3)})`;
  }

  remove() {
    this.probe.remove();
  }
}
