"""The lesson card and the list of lessons by themselves: their modules in a bare page, told what a server tells."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from browser.serving import ROOT
from browser.test_look import _CONTRAST as CONTRAST
from playwright.sync_api import BrowserContext, Locator, Page, expect

COMPONENTS = ROOT / "playground" / "ui" / "components"
SHEETS = {
    "lesson": ("shared/tokens.css", "lesson/lesson.css", "shared/glossary.css"),
    "lessons": ("shared/tokens.css", "lessons/lessons.css"),
}
KEY = "chunking-playground:lessons"
ATTACK = "<img src=x onerror=alert(1)><b>bold</b><script>alert(2)</script>"

# What Streamlit does for a component: a shadow root with its styles and its HTML, and `mount` at every rerun.
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A component</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; --st-primary-color: light-dark(#1f5fae, #8fbcff);
    --st-background-color: light-dark(#fbfaf7, #171b22); --st-text-color: light-dark(#1d2733, #e8e5de); }
  body { margin: 24px; background: var(--st-background-color); }
</style></head><body><div id="place"></div><script type="module">
  import { bus } from "./shared/base.js";
  const parts = __PARTS__;
  const root = document.getElementById("place").attachShadow({ mode: "open" });
  window.bus = bus;
  window.calls = [];
  window.place = async (name, data) => {
    const { mount } = await import(`./${name}/${name}.js`);
    if (window.placed !== name) {
      root.innerHTML = `<style>${parts[name].css}</style><div class="parent">${parts[name].html}</div>`;
    }
    window.placed = name;
    const setTriggerValue = (trigger, value) => window.calls.push([trigger, value]);
    window.unmount = mount({ data, parentElement: root.querySelector(".parent"), setTriggerValue });
  };
</script></body></html>"""


class Handler(SimpleHTTPRequestHandler):
    """The folder of components, and one page that mounts them."""

    def do_GET(self) -> None:
        if self.path.split("?")[0] != "/":
            return super().do_GET()
        parts = {name: _part(name) for name in SHEETS}
        page = _PAGE.replace("__PARTS__", json.dumps(parts).replace("<", "\\u003c")).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)
        return None

    def log_message(self, *_: object) -> None:
        """Say nothing: requests are no news."""


def _part(name: str) -> dict[str, str]:
    css = "\n".join((COMPONENTS / sheet).read_text("utf-8") for sheet in SHEETS[name])
    return {"css": css, "html": (COMPONENTS / name / f"{name}.html").read_text("utf-8")}


def serve(folder: Path = COMPONENTS) -> ThreadingHTTPServer:
    """A server of the components, in a thread of its own."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    """Where the bare page is."""
    server = serve()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def _nothing_bad(page: Page) -> Iterator[None]:
    """In place of the check for the whole app: no error in the bare page."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    yield
    assert faults == []


@pytest.fixture
def page(browser: BrowserContext, origin: str) -> Iterator[Page]:
    """A tab on the bare page, with nothing stored."""
    tab = browser.new_page()
    tab.goto(origin)
    tab.evaluate("localStorage.clear()")
    yield tab
    tab.close()


def text(words: str) -> list[dict[str, Any]]:
    """One paragraph of plain words."""
    return [{"kind": "p", "parts": [{"text": words}]}]


CHOICES = {
    "ask": "Where does it end?",
    "choices": ["In a word", "Between two"],
    "fact": "",
    "unit": "",
    "reveal": "now",
}
NUMBER = {"ask": "How many?", "choices": [], "fact": "count", "unit": "chunks", "reveal": "done"}


def step(number: int = 0, **other: Any) -> dict[str, Any]:
    """What the card of one step is given."""
    href = "?page=learn&lesson=overlap&step="
    base: dict[str, Any] = {
        "id": "lesson-stage",
        "lesson": "overlap",
        "number": 3,
        "of": 13,
        "title": "Overlap is insurance",
        "idea": "What a boundary tears, an overlap keeps.",
        "minutes": 4,
        "remember": "An overlap of the answer's length, less one, is enough.",
        "step": number,
        "steps": [{"title": name, "href": f"{href}{at + 1}"} for at, name in enumerate(("A torn fact", "The rescue"))],
        "next": {"slug": "price", "title": "Insurance has a price", "href": "?page=learn&lesson=price"},
        "list_href": "?page=learn",
        "phase": "do",
        "text": text("Look at the boundary."),
        "notice": [
            {"kind": "p", "parts": [{"text": "Now there are "}, {"fact": "count", "noun": "chunk"}, {"text": "."}]},
            {"kind": "li", "parts": [{"fact": "share", "strong": True}, {"text": " of it"}]},
            {"kind": "li", "parts": [{"text": "and "}, {"fact": "cut"}, {"text": " cut"}]},
        ],
        "goal": "Raise the overlap until the answer is whole.",
        "predict": None,
        "told": told(number),
        "glossary": [{"term": "boundary", "says": "Where a chunk ends."}],
        "presenting": False,
    }
    return {**base, **other}


def told(number: int = 0, *, done: bool = False, right: tuple[bool, ...] = (), **facts: Any) -> dict[str, Any]:
    """What the page knows of a step."""
    return {
        "lesson": "overlap",
        "step": number,
        "facts": {"count": 5, "share": 33.333, "cut": None, **facts},
        "done": done,
        "right": list(right),
    }


def place(page: Page, data: dict[str, Any], name: str = "lesson") -> Locator:
    """Mount the component, or give it what a rerun brings; returns its root."""
    page.wait_for_function("() => window.place")
    page.evaluate("([name, data]) => window.place(name, data)", [name, data])
    return page.locator(f".{name}")


def say(page: Page, what: dict[str, Any] | None) -> None:
    """The stage answers."""
    page.evaluate("(lesson) => window.bus.emit('lesson-stage', { lesson })", what)


def calls(page: Page) -> list[Any]:
    """The triggers that were set since the last look."""
    found: list[Any] = page.evaluate("window.calls.splice(0)")
    return found


def stored(page: Page) -> Any:
    """The progress as it is stored."""
    return page.evaluate("(key) => JSON.parse(localStorage.getItem(key))", KEY)


class TestPrediction:
    def test_a_choice_is_made_by_keyboard_and_judged_at_once(self, page: Page) -> None:
        card = place(page, step(phase="predict", predict=CHOICES))
        send = card.get_by_role("button", name="That is my prediction")
        expect(card.get_by_role("group", name="Where does it end?")).to_be_visible()
        expect(send).to_be_disabled()
        expect(card.locator(".task")).to_have_count(0)
        card.get_by_role("radio", name="In a word").focus()
        page.keyboard.press("ArrowDown")
        expect(card.get_by_role("radio", name="Between two")).to_be_checked()
        expect(send).to_be_enabled()
        page.keyboard.press("Enter")
        assert calls(page) == [["predicted", {"lesson": "overlap", "step": 0, "said": 1}]]
        place(page, step(predict=CHOICES, told=told(right=(True, False))))
        expect(card.locator(".said")).to_contain_text("You said: Between two")
        expect(card.locator(".verdict")).to_have_text("→Not quite. The answer: In a word")
        expect(card.locator(".verdict")).to_have_class("verdict wrong")
        expect(card.locator(".task")).to_be_focused()  # the button that had the focus is gone

    def test_the_verdict_is_of_the_first_moment(self, page: Page) -> None:
        card = place(page, step(phase="predict", predict=CHOICES))
        card.get_by_text("In a word").click()
        card.get_by_role("button", name="That is my prediction").click()
        place(page, step(predict=CHOICES, told=told(right=(True, False))))
        expect(card.locator(".verdict.right")).to_have_text("✓Right.")
        say(page, told(right=(False, True)))
        place(page, step(predict=CHOICES, told=told(right=(False, True))))
        expect(card.locator(".verdict.right")).to_have_text("✓Right.")

    def test_a_number_is_judged_when_the_goal_is_reached(self, page: Page) -> None:
        card = place(page, step(phase="predict", predict=NUMBER))
        field = card.get_by_role("spinbutton", name="How many?")
        send = card.get_by_role("button", name="That is my prediction")
        expect(card.locator(".unit")).to_have_text("chunks")
        field.fill("7")
        expect(send).to_be_enabled()
        field.fill("")
        expect(send).to_be_disabled()
        field.press("Enter")
        assert calls(page) == []
        field.fill("6")
        field.press("Enter")
        assert calls(page) == [["predicted", {"lesson": "overlap", "step": 0, "said": 6}]]
        place(page, step(predict=NUMBER))
        expect(card.locator(".said")).to_contain_text("You said: 6 chunks")
        say(page, told(count=6))
        expect(card.locator(".verdict")).to_be_hidden()
        say(page, told(count=1, done=True))
        expect(card.locator(".verdict.wrong")).to_have_text("→Not quite: it is 1 chunk.")
        say(page, told(count=6, done=True))
        expect(card.locator(".verdict.wrong")).to_have_text("→Not quite: it is 1 chunk.")

    @pytest.mark.parametrize(
        ("unit", "said", "value", "verdict"),
        [
            ("chunks", 33, 33.333, "✓Right: it is 33.3 chunks."),
            ("chunk", 1, 1, "✓Right: it is 1 chunk."),
            ("boundaries", 1, 1200, "→Not quite: it is 1,200 boundaries."),
            ("%", 20, 20, "✓Right: it is 20%."),
            ("percent", 20, 1, "→Not quite: it is 1 percent."),
            ("", 0, 0, "✓Right: it is 0."),
            ("", 1, 0.276, "→Not quite: it is 0.28."),
        ],
    )
    def test_numbers_are_written_with_their_unit(
        self, page: Page, unit: str, said: int, value: float, verdict: str
    ) -> None:
        predict = {**NUMBER, "unit": unit, "reveal": "now"}
        card = place(page, step(phase="predict", predict=predict))
        card.get_by_role("spinbutton").fill(str(said))
        card.get_by_role("button", name="That is my prediction").click()
        place(page, step(predict=predict, told=told(count=value)))
        expect(card.locator(".verdict")).to_have_text(verdict)

    @pytest.mark.parametrize("predict", [CHOICES, NUMBER], ids=("choice", "number"))
    def test_a_prediction_can_be_skipped(self, page: Page, predict: dict[str, Any]) -> None:
        card = place(page, step(phase="predict", predict=predict))
        card.get_by_role("button", name="Show me").click()
        assert calls(page) == [["predicted", {"lesson": "overlap", "step": 0, "said": None}]]
        place(page, step(predict=predict, told=told(right=(False, True), done=True)))
        expect(card.locator(".said")).not_to_contain_text("You said")
        expect(card.locator(".verdict.answer")).to_contain_text(
            "it is 5 chunks." if predict["fact"] else "The answer: Between two"
        )

    def test_the_question_keeps_the_numbers_with_which_it_was_put(self, page: Page) -> None:
        ask = [{"kind": "p", "parts": [{"text": "Of "}, {"fact": "count", "noun": "boundary"}, {"text": "?"}]}]
        predict = {**NUMBER, "ask": ask}
        card = place(page, step(phase="predict", predict=predict))
        expect(card.get_by_label("Of 5 boundaries?")).to_be_visible()
        say(page, told(count=6))
        expect(card.get_by_label("Of 6 boundaries?")).to_be_visible()
        card.get_by_role("button", name="Show me").click()
        place(page, step(predict=predict, told=told(count=90)))
        say(page, told(count=91))
        expect(card.locator(".ask")).to_have_text("Of 6 boundaries?")

    def test_a_verdict_waits_until_the_page_can_tell(self, page: Page) -> None:
        predict = {**NUMBER, "reveal": "now"}
        card = place(page, step(predict=predict, told=told(count=None)))
        expect(card.locator(".verdict")).to_be_hidden()
        say(page, told(count=4))
        expect(card.locator(".verdict")).to_contain_text("So it is 4 chunks.")

    def test_a_rerun_keeps_what_was_chosen_so_far(self, page: Page) -> None:
        card = place(page, step(phase="predict", predict=CHOICES))
        card.get_by_text("Between two").click()
        place(page, step(phase="predict", predict=CHOICES, told=told(count=8)))
        expect(card.get_by_role("radio", name="Between two")).to_be_checked()

    def test_it_outlives_the_element_but_not_the_step(self, page: Page) -> None:
        card = place(page, step(phase="predict", predict=CHOICES))
        card.get_by_text("Between two").click()
        card.get_by_role("button", name="That is my prediction").click()
        page.evaluate("() => { window.unmount(); window.placed = undefined; }")
        place(page, step(predict=CHOICES))
        expect(card.locator(".said")).to_contain_text("You said: Between two")
        place(page, step(1))
        place(page, step(predict=CHOICES))
        expect(card.locator(".said")).not_to_contain_text("You said")


class TestGoal:
    def test_it_is_done_once_and_stays_done(self, page: Page) -> None:
        card = place(page, step())
        task, notice = card.get_by_role("status").first, card.get_by_role("heading", name="Notice")
        expect(task).to_have_text("To do: Raise the overlap until the answer is whole.")
        expect(notice).to_be_hidden()
        expect(card.locator(".onward")).not_to_have_class("onward primary")
        say(page, told(done=True))
        expect(task).to_have_text("Done: Raise the overlap until the answer is whole.")
        expect(notice).to_be_visible()
        expect(card.locator(".onward")).to_have_class("onward primary")
        assert self.changes(page, told(done=True)) == 0  # so it is announced once
        say(page, told(done=False))
        place(page, step(told=told(done=False)))
        expect(notice).to_be_visible()
        expect(task).to_contain_text("Done:")

    @pytest.mark.parametrize(
        "other",
        [None, {**told(done=True), "step": 1}, {**told(done=True), "lesson": "price"}],
        ids=("no lesson", "step", "lesson"),
    )
    def test_what_is_told_of_another_step_is_not_ours(self, page: Page, other: dict[str, Any] | None) -> None:
        card = place(page, step())
        say(page, other)
        expect(card.locator(".task")).to_contain_text("To do:")
        expect(card.locator(".after")).to_be_hidden()

    def test_a_step_without_a_goal_is_done_when_read(self, page: Page) -> None:
        card = place(page, step(goal=""))
        expect(card.locator(".task")).to_be_hidden()
        expect(card.get_by_role("heading", name="Notice")).to_be_visible()

    def test_entering_the_step_again_begins_it_anew(self, page: Page) -> None:
        card = place(page, step(told=told(done=True)))
        expect(card.locator(".after")).to_be_visible()
        card.get_by_role("link", name="All lessons").click()
        place(page, step())
        expect(card.locator(".after")).to_be_hidden()

    @staticmethod
    def changes(page: Page, what: dict[str, Any]) -> int:
        """How many changes of the card an answer of the stage makes."""
        script = """([root, lesson]) => {
          const observer = new MutationObserver(() => {});
          const everything = { subtree: true, childList: true, characterData: true, attributes: true };
          observer.observe(root, everything);
          window.bus.emit("lesson-stage", { lesson });
          return observer.takeRecords().length;
        }"""
        made: int = page.evaluate(script, [page.locator(".lesson").element_handle(), what])
        return made


class TestFacts:
    def test_they_follow_in_the_same_nodes(self, page: Page) -> None:
        card = place(page, step(told=told(done=True)))
        notice = card.locator(".after .prose")
        expect(notice.locator("p")).to_have_text("Now there are 5 chunks.")
        expect(notice.locator("li")).to_have_text(["33.3 of it", "and – cut"])
        expect(notice.locator("ul")).to_have_count(1)
        card.locator(".fact").evaluate_all("nodes => nodes.forEach((node) => (node.kept = true))")
        say(page, told(done=True, share=0.276))
        expect(notice.locator("li").first).to_have_text("0.28 of it")
        say(page, told(done=True, count=1, share=1200, cut="a word"))
        expect(notice.locator("p")).to_have_text("Now there are 1 chunk.")
        expect(notice.locator("li")).to_have_text(["1,200 of it", "and a word cut"])
        place(page, step(told=told(done=True, count=2)))
        expect(notice.locator("p")).to_have_text("Now there are 2 chunks.")
        assert card.locator(".fact").evaluate_all("nodes => nodes.every((node) => node.kept)")
        assert TestGoal.changes(page, told(done=True, count=2)) == 0

    def test_nothing_above_the_notice_moves(self, page: Page) -> None:
        parts = [{"text": "Overlap is "}, *[{"fact": "count", "noun": "chunk"}, {"text": " and "}] * 9]
        card = place(page, step(text=[{"kind": "p", "parts": parts}], predict={**NUMBER, "reveal": "done"}))
        where = [card.locator(part).bounding_box() for part in ("h2", "h3", ".said", ".task")]
        for count in (7, 12, 240, 9):
            say(page, told(count=count, done=count == 240))
            assert [card.locator(part).bounding_box() for part in ("h2", "h3", ".said", ".task")] == where


class TestWays:
    def test_focus_goes_to_the_heading_of_another_step(self, page: Page) -> None:
        card = place(page, step())
        expect(card.locator("h2")).not_to_be_focused()
        place(page, step(told=told(count=9)))
        expect(card.locator("h2")).not_to_be_focused()
        place(page, step(1))
        expect(card.get_by_role("heading", name="Overlap is insurance")).to_be_focused()
        expect(card.locator("[aria-current=step]")).to_have_attribute("aria-label", "Step 2 of 2: The rescue")

    @pytest.mark.parametrize(
        ("name", "trigger"),
        [
            ("Step 1 of 2: A torn fact", ["go", {"lesson": "overlap", "step": 0}]),
            ("Back", ["go", {"lesson": "overlap", "step": 0}]),
            ("Next lesson", ["go", {"lesson": "price", "step": 0}]),
            ("All lessons", ["list", True]),
        ],
    )
    def test_a_plain_click_stays_on_the_page(self, page: Page, origin: str, name: str, trigger: list[Any]) -> None:
        card = place(page, step(1))
        card.get_by_role("link", name=name).click()
        assert calls(page) == [trigger]
        assert page.url == f"{origin}/"

    def test_a_click_with_a_modifier_opens_a_tab(self, page: Page, origin: str, browser: BrowserContext) -> None:
        card = place(page, step())
        with browser.expect_page() as opened:
            card.get_by_role("link", name="Next step").click(modifiers=["ControlOrMeta"])
        assert opened.value.url == f"{origin}/?page=learn&lesson=overlap&step=2"
        opened.value.close()
        assert calls(page) == []

    def test_the_way_on_is_never_closed(self, page: Page) -> None:
        card = place(page, step(phase="predict", predict=CHOICES))
        expect(card.get_by_role("link", name="Next step")).to_be_visible()
        expect(card.get_by_role("link", name="Back")).to_have_count(0)
        place(page, step(1, next=None))
        card.locator(".onward", has_text="All lessons").click()
        card.get_by_role("button", name="Leave for free play").click()
        assert calls(page) == [["list", True], ["leave", {"lesson": "overlap", "step": 1}]]

    def test_what_to_remember_stands_in_the_last_step(self, page: Page) -> None:
        card = place(page, step(told=told(done=True)))
        expect(card.locator(".remember")).to_have_count(0)
        place(page, step(1, told=told(1, done=True)))
        expect(card.locator(".remember")).to_contain_text("An overlap of the answer's length, less one, is enough.")
        expect(card.locator(".onward")).to_contain_text("Insurance has a price")

    def test_the_large_view_is_switched_in_place(self, page: Page) -> None:
        card = place(page, step())
        card.get_by_role("button", name="Present", exact=True).click()
        assert calls(page) == [["present", True]]
        place(page, step(presenting=True))
        leave = card.get_by_role("button", name="Leave presentation")
        expect(leave).to_be_focused()
        for words in (".prose p", ".task p"):
            assert card.locator(words).first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 20
        leave.click()
        assert calls(page) == [["present", False]]

    def test_the_link_of_the_step_is_copied(self, page: Page, origin: str, browser: BrowserContext) -> None:
        card = place(page, step(1))
        browser.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
        page.bring_to_front()
        card.get_by_role("button", name="Copy link").click()
        expect(card.get_by_role("button", name="Copied")).to_be_visible()
        copied = page.evaluate("navigator.clipboard.readText()")
        browser.clear_permissions()
        assert copied == f"{origin}/?page=learn&lesson=overlap&step=2"

    def test_without_a_clipboard_the_link_is_selected(self, page: Page, origin: str) -> None:
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        card = place(page, step())
        card.get_by_role("button", name="Copy link").click()
        field = card.get_by_role("textbox", name="Link of this step")
        expect(field).to_be_focused()
        expect(field).to_have_value(f"{origin}/?page=learn&lesson=overlap&step=1")
        assert field.evaluate("field => field.selectionEnd - field.selectionStart === field.value.length")


LESSONS = {
    "lessons": [
        {
            "slug": slug,
            "number": at + 1,
            "title": slug.title(),
            "idea": f"The idea of {slug}.",
            "minutes": 4,
            "steps": 2,
            "href": f"?page=learn&lesson={slug}",
        }
        for at, slug in enumerate(("cuts", "overlap", "price"))
    ],
}
GARBLED = [
    "{",
    "null",
    "[1]",
    '"text"',
    '{"overlap": null, "cuts": 7}',
    '{"overlap": {"step": "x"}, "cuts": {"step": -1}}',
    '{"__proto__": {"step": 1}, "constructor": {"step": 1e99}}',
    '{"overlap": {"step": 0.5, "done": "all"}}',
    "[" * 200_000,
]


class TestProgress:
    def test_it_is_written_as_the_lesson_goes(self, page: Page) -> None:
        card = place(page, step())
        assert stored(page)["overlap"] | {"at": ""} == {"step": 0, "done": [], "finished": False, "at": ""}
        say(page, told(done=True))
        expect(card.locator(".steps a.done")).to_have_text("✓")
        assert stored(page)["overlap"] | {"at": ""} == {"step": 0, "done": [0], "finished": False, "at": ""}
        place(page, step(1))
        assert stored(page)["overlap"] | {"at": ""} == {"step": 1, "done": [0], "finished": False, "at": ""}
        say(page, told(1, done=True))
        assert stored(page)["overlap"] | {"at": ""} == {"step": 1, "done": [0, 1], "finished": True, "at": ""}
        assert page.evaluate("(at) => new Date(at).toISOString() === at", stored(page)["overlap"]["at"])
        entries = place(page, LESSONS, "lessons").get_by_role("listitem")
        expect(entries.nth(1)).to_contain_text("✓ done")
        expect(page.locator(".summary")).to_have_text("1 of 3 done")

    @pytest.mark.parametrize("value", GARBLED, ids=[value[:40] for value in GARBLED])
    def test_what_we_never_wrote_is_no_progress(self, page: Page, value: str) -> None:
        page.evaluate("([key, value]) => localStorage.setItem(key, value)", [KEY, value])
        root = place(page, LESSONS, "lessons")
        expect(root.locator(".summary")).to_have_text("3 lessons, 12 minutes in all")
        expect(root.get_by_role("button", name="Continue")).to_have_count(0)
        card = place(page, step(told=told(done=True)))
        expect(card.locator(".steps a.done")).to_have_count(1)
        assert set(stored(page)) == {"overlap"}

    def test_odd_values_inside_are_left_out(self, page: Page) -> None:
        entry = {"step": 9, "done": [0, 0, "1", -1, 1e9, None], "finished": "yes", "at": "<b>", "more": "x" * 99}
        self.store(page, {"overlap": entry})
        root = place(page, LESSONS, "lessons")
        expect(root.get_by_role("listitem").nth(1)).to_contain_text("step 2 of 2")
        read = "async () => ({ ...(await import('./shared/progress.js')).read() })"
        assert page.evaluate(read) == {"overlap": {"step": 9, "done": [0], "finished": False, "at": ""}}

    @pytest.mark.parametrize("missing", ["access", "room"])
    def test_a_browser_that_keeps_nothing_shows_the_lessons(self, page: Page, missing: str) -> None:
        broken = {
            "access": "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })",
            "room": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
        }
        page.add_init_script(broken[missing])
        page.reload()
        card = place(page, step(told=told(done=True)))
        expect(card.locator(".task")).to_contain_text("Done:")
        expect(place(page, LESSONS, "lessons").get_by_role("link")).to_have_count(3)

    def test_lessons_that_are_gone_are_forgotten(self, page: Page) -> None:
        entry = {"step": 0, "done": [], "finished": False, "at": "2026-01-01T00:00:00.000Z"}
        self.store(page, {f"old-{number}": entry for number in range(150)} | {"price": entry})
        root = place(page, LESSONS, "lessons")
        expect(root.get_by_role("button", name="Continue: lesson 3, step 1")).to_be_visible()
        assert set(stored(page)) == {"price"}

    def test_forgetting_is_asked_for_once_more(self, page: Page) -> None:
        self.store(page, {"cuts": {"step": 1, "done": [0, 1], "finished": True, "at": "2026-01-01T00:00:00.000Z"}})
        root = place(page, LESSONS, "lessons")
        root.get_by_role("button", name="Forget my progress").click()
        root.get_by_role("button", name="Keep it").click()
        expect(root.get_by_role("button", name="Forget my progress")).to_be_focused()
        expect(root.locator(".summary")).to_have_text("1 of 3 done")
        root.get_by_role("button", name="Forget my progress").click()
        root.get_by_role("button", name="Yes, forget it").click()
        expect(root.locator(".summary")).to_have_text("3 lessons, 12 minutes in all")
        expect(root.get_by_role("button")).to_have_count(0)
        assert stored(page) is None

    @staticmethod
    def store(page: Page, lessons: dict[str, Any]) -> None:
        page.evaluate("([key, value]) => localStorage.setItem(key, JSON.stringify(value))", [KEY, lessons])


class TestList:
    def test_every_lesson_is_a_link_to_where_one_stands(self, page: Page) -> None:
        at = "2026-01-01T00:00:00.000Z"
        TestProgress.store(page, {"overlap": {"step": 1, "done": [0], "finished": False, "at": at}})
        root = place(page, LESSONS, "lessons")
        entry = root.get_by_role("link", name="Overlap")
        expect(entry).to_have_attribute("href", "?page=learn&lesson=overlap")
        expect(entry).to_contain_text("step 2 of 2")
        entry.click()
        root.get_by_role("link", name="Price").click()
        root.get_by_role("button", name="Continue: lesson 2, step 2").click()
        went = [
            ["go", {"lesson": slug, "step": number}] for slug, number in (("overlap", 1), ("price", 0), ("overlap", 1))
        ]
        assert calls(page) == went

    def test_a_click_with_a_modifier_opens_a_tab(self, page: Page, origin: str, browser: BrowserContext) -> None:
        root = place(page, LESSONS, "lessons")
        with browser.expect_page() as opened:
            root.get_by_role("link", name="Price").click(modifiers=["ControlOrMeta"])
        assert opened.value.url == f"{origin}/?page=learn&lesson=price"
        opened.value.close()
        assert calls(page) == []

    def test_it_goes_on_after_what_is_done(self, page: Page) -> None:
        done = {"step": 1, "done": [0, 1], "finished": True}
        dates = {"cuts": "2026-01-01T00:00:00.000Z", "price": "2026-01-02T00:00:00.000Z"}
        TestProgress.store(page, {slug: {**done, "at": at} for slug, at in dates.items()})
        root = place(page, LESSONS, "lessons")
        root.get_by_role("button", name="Continue: lesson 2, step 1").click()
        assert calls(page) == [["go", {"lesson": "overlap", "step": 0}]]

    def test_another_tab_is_followed(self, page: Page, origin: str, browser: BrowserContext) -> None:
        root = place(page, LESSONS, "lessons")
        expect(root.locator(".summary")).to_have_text("3 lessons, 12 minutes in all")
        other = browser.new_page()
        other.goto(origin)
        place(other, step(told=told(done=True)))
        expect(root.locator(".summary")).to_have_text("0 of 3 done")
        expect(root.get_by_role("listitem").nth(1)).to_contain_text("step 1 of 2")
        other.evaluate("localStorage.clear()")
        expect(root.locator(".summary")).to_have_text("3 lessons, 12 minutes in all")
        other.close()

    def test_no_lessons(self, page: Page) -> None:
        root = place(page, {"lessons": []}, "lessons")
        expect(root.locator(".summary")).to_have_text("There are no lessons here yet.")


def _hostile(value: Any) -> Any:
    """The same data with markup in every text that is shown."""
    if isinstance(value, dict):
        kept = {"id", "lesson", "slug", "href", "list_href", "phase", "kind", "fact", "reveal", "at"}
        return {key: one if key in kept else _hostile(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_hostile(one) for one in value]
    return value + ATTACK if isinstance(value, str) else value


class TestLook:
    @pytest.mark.parametrize("predict", [CHOICES, NUMBER], ids=("choice", "number"))
    def test_markup_is_text(self, page: Page, predict: dict[str, Any]) -> None:
        card = place(page, _hostile(step(phase="predict", predict=predict)))
        self.harmless(card)
        card.get_by_role("button", name="Show me").click()
        place(page, _hostile(step(predict=predict)))
        say(page, told(done=True, count=ATTACK, right=(True,)))
        expect(card.locator(".after .prose p")).to_contain_text("<script>alert(2)</script>")
        self.harmless(card)
        self.harmless(place(page, _hostile(LESSONS), "lessons"))

    @staticmethod
    def harmless(root: Locator) -> None:
        expect(root).to_contain_text("<b>bold</b>")
        expect(root.locator("img, script")).to_have_count(0)
        expect(root.locator("b", has_text="bold")).to_have_count(0)

    def test_words_of_the_glossary_are_explained_where_they_first_stand(self, page: Page) -> None:
        parts = [
            {"text": "boundary", "code": True},
            {"text": " A boundary and a "},
            {"text": "boundary", "strong": True},
        ]
        card = place(page, step(text=[{"kind": "p", "parts": parts}]))
        expect(card.get_by_role("button", name="boundary")).to_have_count(1)
        expect(card.locator("code .term, strong .term")).to_have_count(0)
        card.get_by_role("button", name="boundary").click()
        expect(page.get_by_role("tooltip")).to_have_text("Where a chunk ends.")

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("show", ["predict", "do", "done", "lessons"])
    def test_every_text_can_be_read(
        self, page: Page, scheme: Any, show: str, contrasts: Callable[[Locator], dict[str, float]]
    ) -> None:
        page.emulate_media(color_scheme=scheme)
        if show == "lessons":
            done = {"step": 1, "done": [0, 1], "finished": True, "at": "2026-01-01T00:00:00.000Z"}
            TestProgress.store(page, {"cuts": done, "price": {**done, "finished": False}})
            root = place(page, LESSONS, "lessons")
        elif show == "predict":
            root = place(page, step(phase="predict", predict=CHOICES))
        else:
            root = place(page, step(1, predict={**NUMBER, "reveal": "now"}, told=told(1, done=show == "done")))
        found = contrasts(root)
        assert len(found) > 8
        assert {text: round(ratio, 2) for text, ratio in found.items() if ratio < 4.5} == {}

    @pytest.mark.parametrize("width", [320, 420])
    def test_a_narrow_window_needs_no_sideways_scrolling(self, page: Page, width: int) -> None:
        page.set_viewport_size({"width": width, "height": 900})
        title = "Unbreakably" * 9
        place(page, step(title=title, phase="predict", predict={**CHOICES, "choices": [title, "b"]}))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        place(page, step(1, told=told(1, done=True), remember=title, goal=title, presenting=True))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        place(page, _hostile(LESSONS), "lessons")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.fixture
def contrasts() -> Callable[[Locator], dict[str, float]]:
    """Measure every text of a component against what lies under it."""

    def measure(root: Locator) -> dict[str, float]:
        leaves = root.locator(":scope *:not(:has(*)):visible").all()
        return {leaf.inner_text(): leaf.evaluate(CONTRAST) for leaf in leaves if leaf.inner_text().strip()}

    return measure
