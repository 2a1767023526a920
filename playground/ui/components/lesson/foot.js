// The foot of the card: the way on and back, and the quiet tools of a teacher.

import { baseUrl, el, setText } from "../shared/base.js";
import { link } from "./links.js";

const COPIED_FOR = 2500; // milliseconds in which the button says so

/** What comes after this step: `{label, title, href, lesson, step}`, or null where all is done. */
function following({ lesson, step, steps, next }) {
  if (step + 1 < steps.length) return { label: "Next step", ...steps[step + 1], lesson, step: step + 1 };
  return next && { label: "Next lesson", title: next.title, href: next.href, lesson: next.slug, step: 0 };
}

/** Back and next; the way on is `onward`, for the card to mark once the goal is reached. */
export function ways(data, send) {
  const go = ({ lesson, step }) => send("go", { lesson, step });
  const { lesson, step, steps } = data;
  const on = following(data);
  const back = step > 0 && link({ href: steps[step - 1].href, class: "back", onGo: () => go({ lesson, step: step - 1 }) }, "Back");
  const onward = on
    ? link({ href: on.href, class: "onward", onGo: () => go(on) }, el("span", { class: "label", text: on.label }), el("span", { class: "where", text: on.title }))
    : link({ href: data.list_href, class: "onward", onGo: () => send("list", true) }, el("span", { class: "label", text: "All lessons" }), el("span", { class: "where", text: "This was the last one" }));
  return { node: el("nav", { class: "ways", "aria-label": "Through the lesson" }, back || el("span"), onward), onward };
}

/** Put `text` on the clipboard; false where the browser does not let us. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** "Copy link": where there is no clipboard, the address itself, selected. */
function copying(href) {
  const address = new URL(href, baseUrl()).href;
  const said = el("span", { class: "visually-hidden", role: "status" });
  const button = el("button", { type: "button", class: "plain", text: "Copy link" });
  const showing = () => {
    const field = button.parentElement.querySelector(".address") ?? el("input", { class: "address", readonly: true, "aria-label": "Link of this step", value: address });
    button.parentElement.append(field);
    field.focus();
    field.select();
  };
  const telling = (text, label) => {
    said.textContent = text;
    button.textContent = label;
  };
  button.addEventListener("click", async () => {
    if (!(await copied(address))) return showing();
    telling("Copied", "Copied");
    setTimeout(() => telling("", "Copy link"), COPIED_FOR);
  });
  return [button, said];
}

/** The tools that are always there: the list, free play, the link of this step, and the large view, whose button
 * `present` names anew when it is switched. */
export function tools(data, send) {
  const plain = (text, onclick) => el("button", { type: "button", class: "plain", text, onclick });
  let presenting = false;
  const large = plain("", () => send("present", !presenting));
  const present = (on) => {
    presenting = on;
    setText(large, on ? "Leave presentation" : "Present");
  };
  const [copy, said] = copying(data.steps[data.step].href);
  const node = el(
    "div",
    { class: "tools" },
    link({ href: data.list_href, class: "plain", onGo: () => send("list", true) }, "All lessons"),
    plain("Leave for free play", () => send("leave", { lesson: data.lesson, step: data.step })),
    copy,
    said,
    large,
  );
  return { node, present };
}
