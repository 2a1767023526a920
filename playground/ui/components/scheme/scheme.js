// Whether the page is dark. The element's colour depends on it, and a colour that changes ends a transition: whoever
// changed the scheme, and once the new one is there.

export function mount({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".scheme");
  let told = data.dark;
  const tell = () => {
    const dark = getComputedStyle(root).color !== "rgb(0, 0, 0)";
    if (dark !== told) setStateValue("dark", (told = dark));
  };
  root.addEventListener("transitionend", tell);
  tell();
  return () => root.removeEventListener("transitionend", tell);
}
