// The visitor goes back or forward: the page has to follow the address.

export function mount({ setTriggerValue }) {
  const went = () => setTriggerValue("went", Object.fromEntries(new URLSearchParams(location.search)));
  window.addEventListener("popstate", went);
  return () => window.removeEventListener("popstate", went);
}
