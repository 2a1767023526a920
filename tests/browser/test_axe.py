"""Every page for everyone: axe-core finds nothing in either scheme, text can be read over every mark, and the keyboard
shows where it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from typing import Any, Literal

import pytest
from browser.visit import Visit
from playwright.sync_api import ElementHandle, Locator, expect

from playground.ui.palette import DARK, LIGHT, Palette

Scheme = Literal["light", "dark"]
Way = Iterator[tuple[str, ...]]
"""The states of pages, one after another, each with the part of it that is new where the rest was seen before."""
PALETTES: Mapping[Scheme, Palette] = {"light": LIGHT, "dark": DARK}
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice")
EXCUSED = (
    # The chunk under the hand or in the inspector stands out because the rest of the text is dimmed for the moment.
    ("color-contrast", ".text.dim .block > span:not(.lit)"),
    # Streamlit calls the frame around the button of its file uploader a presentation and names it all the same.
    ("presentation-role-conflict", "[data-testid=stFileUploaderDropzone]"),
    # Streamlit lets the keyboard onto the frame of a code block; onto the lines that scroll in it, the browser does.
    ("scrollable-region-focusable", ".stCode[tabindex='0'] > pre"),
)
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 420, "height": 900}
DONE_WITHIN = 60_000
SMALL = "thousand-tokens.txt"
"""Axe looks at every span of the text on screen, and all spans are alike."""
SHADES = ("d1 p0", "d1 p1", "d2 p0", "d3 p0", "d3 p1", "d4 p0")
POPOVER = "[data-testid=stPopoverBody]"
MARKS = {
    "": ".text .c",
    "page=learn&lesson=overlap": ".lesson .ways",
}
"""By address what is there last."""

_AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
# What axe finds, a line each: the element is needed, because its path leads through Streamlit's generated names.
_SCAN = """
async ([within, only, excused]) => {
  const options = { runOnly: only, resultTypes: ["violations"], elementRef: true, preload: false };
  const { violations } = await axe.run(within || document, options);
  return violations.flatMap(({ id, impact, nodes }) => nodes
    .filter(({ element }) => !excused.some(([rule, selector]) => rule === id && element.matches(selector)))
    .map(({ element, failureSummary }) => {
      const html = element.cloneNode(false).outerHTML.slice(0, 160);
      const words = element.textContent.trim().slice(0, 40);
      return `${impact} ${id}: ${html} “${words}”. ${failureSummary.replace(/\\s+/g, " ")}`;
    }));
}
"""
# Whether all that is drawn has the colours of a scheme, nothing is on its way to others, and the server is done.
_SETTLED = """
([scheme, ink]) => {
  const app = document.querySelector(".stApp");
  const roots = [document, ...[...document.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean)];
  const moving = roots.flatMap((root) => root.getAnimations()).filter((one) => one instanceof CSSTransition);
  const titles = [...document.querySelectorAll(".js-plotly-plot .xtitle")];
  return app.dataset.testScriptState === "notRunning" && getComputedStyle(app).colorScheme === scheme
    && !document.querySelector("[data-stale=true]") && !moving.length
    && titles.every((title) => getComputedStyle(title).fill === ink);
}
"""
# The contrast of a piece of text, given its classes, with a mark over its shades; and of what stands beside it: of the
# outline around it and of its number.
_MARKED = """
([text, classes, mark]) => {
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const paint = (color) => { pixel.fillStyle = color; pixel.fillRect(0, 0, 1, 1); };
  const luminance = (...layers) => {
    for (const layer of layers) paint(layer);
    const [r, g, b] = [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3)
      .map((part) => ((part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const piece = document.createElement("span");
  piece.className = `c ${classes} start over`;
  piece.dataset.n = "7";
  piece.textContent = "marked";
  const frame = document.createElement("div");
  frame.className = "parent";
  frame.dataset.name = "parent 7";
  text.querySelector(".block").append(piece, frame);
  const style = getComputedStyle(piece);
  const layers = style.backgroundImage.split(/linear-gradient\\(/).slice(1).reverse();
  const shades = layers.map((layer) => layer.match(/rgba?\\([^)]*\\)/)[0]);
  const under = ["white", getComputedStyle(text).backgroundColor, style.backgroundColor, ...shades];
  if (mark) under.push(getComputedStyle(piece, `::highlight(${mark})`).backgroundColor);
  const [number, name] = [getComputedStyle(piece, "::before"), getComputedStyle(frame, "::after")];
  const found = {
    layers: under,
    text: contrast(luminance(...under), luminance(style.color)),
    outline: contrast(luminance(...under), luminance(style.outlineColor)),
    number: contrast(luminance(number.backgroundColor), luminance(number.color)),
    parent: contrast(luminance(name.backgroundColor), luminance(name.color)),
  };
  piece.remove();
  frame.remove();
  return found;
}
"""
# What has the focus, and whether a ring is drawn around it, or around what the eye takes for it.
_FOCUS = """
() => {
  let active = document.activeElement;
  while (active.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (active === document.body || active.matches(".stMain")) return null;
  const shown = [active, active.nextElementSibling];
  for (let at = active.parentElement; at && shown.length < 7; at = at.parentElement) shown.push(at);
  const ringed = shown.filter(Boolean).some((node) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(node);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });
  const part = active.closest("[class^=st]")?.className.split(" ")[0] ?? "";
  const own = active.getRootNode() === document ? "" : active.className;
  const kind = [part, active.tagName.toLowerCase(), active.type, own].filter(Boolean).join(" ");
  return { kind, ringed };
}
"""


class Checked:
    """A tab, and what axe found on it so far, by state and scheme."""

    def __init__(self, visit: Visit, schemes: tuple[Scheme, ...]) -> None:
        self.visit, self.page, self.schemes = visit, visit.page, schemes
        self.found: list[str] = []
        self.is_first = True

    def scan(self, state: str, within: str = "") -> None:
        """Run all rules in one scheme, in turn; for the first state in the other one, too, where only colours can
        differ. `within` is what is new."""
        for number, scheme in enumerate(self.schemes if self.is_first else self.schemes[:1]):
            self.page.emulate_media(color_scheme=scheme)
            settled(self.visit, scheme)
            if not self.page.evaluate("() => 'axe' in window"):
                self.page.evaluate(_AXE)
            only = {"type": "rule", "values": ["color-contrast"]} if number else {"type": "tag", "values": TAGS}
            lines = self.page.evaluate(_SCAN, [within, only, EXCUSED])
            self.found += [f"{state}, {scheme}: {line}" for line in lines]
        self.schemes, self.is_first = self.schemes[::-1], False


def settled(visit: Visit, scheme: Scheme) -> None:
    red, green, blue = bytes.fromhex(PALETTES[scheme].ink[1:])
    visit.page.wait_for_function(_SETTLED, arg=[scheme, f"rgb({red}, {green}, {blue})"])


# --- the ways through the pages ------------------------------------------------------------------------------------


def playground(visit: Visit) -> Way:
    visit.open(doc=SMALL).rested()
    visit.more()
    yield ("at first, with more settings",)
    visit.open_inspector(2)
    yield ("the inspector",)
    visit.inspector.get_by_role("button", name="Close the inspector").click()
    visit.page.get_by_label("With a known answer").select_option(index=1)
    expect(visit.pane().locator(".fate")).to_contain_text("The answer is")
    yield ("a question",)
    popover(visit, "Starting points", visit.page.get_by_role("button", name="Use:").last)
    yield "starting points", POPOVER
    popover(visit, "Add documents", visit.page.locator(".stTextArea textarea"))
    yield "own documents", POPOVER


def modes(visit: Visit) -> Way:
    visit.open(doc=SMALL, mode="structure", parents=3, size="none").rested()
    expect(visit.text().locator(".parent").first).to_be_visible()
    visit.page.get_by_label("Idle white space").check()
    bench(visit, "Model and cost", visit.page.get_by_label("Embedding model"))
    visit.page.locator(".stExpander summary").click()
    expect(visit.page.locator("[data-testid=data-grid-canvas]")).to_be_visible()
    yield ("structure with parents, a notice, costs",)
    bench(visit, "Export and code", visit.page.locator(".stCode .token").first)
    yield "export", ".stHorizontalBlock:has(.stCode)"
    visit.open(doc=SMALL, mode="semantic").rested()
    expect(visit.page.locator(".curve.js-plotly-plot")).to_have_count(1)
    yield ("semantic with its curve",)
    visit.open(doc=SMALL, present=1).painted()
    yield ("presentation",)


def compare(visit: Visit) -> Way:
    visit.open(page="compare", doc=SMALL)
    yield ("two panes",)
    visit.page.get_by_role("button", name="Add a third pane").click()
    expect(visit.page.locator(".pane .numbers")).to_have_count(3)
    yield ("three panes",)


def evaluate(visit: Visit) -> Way:
    visit.page.goto(f"{visit.origin}/?page=evaluate")
    visit.page.locator(".stExpander summary").click()
    expect(visit.page.get_by_role("button", name="Questions as CSV")).to_be_visible()
    yield ("before the map",)
    visit.page.get_by_role("button", name="Draw the map").click()
    expect(visit.page.get_by_role("button", name="Run as CSV")).to_be_visible(timeout=DONE_WITHIN)
    yield ("the map",)


def overviews(visit: Visit) -> Way:
    visit.page.goto(f"{visit.origin}/?page=documents")
    expect(visit.page.locator("[data-testid=data-grid-canvas]")).to_be_visible()
    yield ("documents",)
    visit.page.goto(f"{visit.origin}/?page=learn")
    for name in ("For teachers", "Glossary"):
        visit.page.locator(".stExpander summary", has_text=name).click()
    expect(visit.page.locator(".lessons .entry").last).to_be_visible()
    expect(visit.page.get_by_label("Find a term")).to_be_visible()
    yield ("lessons, teachers, glossary",)


def lesson(visit: Visit, slug: str, reach: Callable[[], None], **query: object) -> Way:
    """A lesson's first step before the prediction, after it, and at its goal."""
    words = "&".join(f"{name}={value}" for name, value in {"page": "learn", "lesson": slug, **query}.items())
    visit.page.goto(f"{visit.origin}/?{words}")
    show = visit.page.locator(".lesson").get_by_role("button", name="Show me")
    expect(show).to_be_visible()
    yield (f"{slug}: the prediction",)
    show.click()
    expect(visit.page.locator(".lesson .task")).to_be_visible()
    yield (f"{slug}: the task",)
    reach()
    expect(visit.page.locator(".lesson .task")).to_have_class(re.compile(r"\bdone\b"), timeout=DONE_WITHIN)
    yield f"{slug}: done", ".st-key-lesson-card"


def lessons(visit: Visit) -> Way:
    yield from lesson(visit, "overlap", lambda: enough(visit))
    yield from lesson(visit, "sentence-aware", lambda: mode(visit, "Sentence-aware"))
    yield next(lesson(visit, "overlap", lambda: enough(visit), present=1))


def narrow(visit: Visit) -> Way:
    visit.page.set_viewport_size(NARROW)
    yield next(playground(visit))
    visit.open(page="compare", doc=SMALL)
    yield ("two panes",)
    yield next(lesson(visit, "overlap", lambda: enough(visit)))


def enough(visit: Visit) -> None:
    """The overlap that the first step of its lesson asks for."""
    visit.entry("overlap").fill("6")
    visit.entry("overlap").press("Enter")


def mode(visit: Visit, label: str) -> None:
    visit.pane().get_by_role("radio", name=label).check()


def popover(visit: Visit, name: str, inside: Locator) -> None:
    visit.page.keyboard.press("Escape")
    visit.page.get_by_role("button", name=name).click()
    expect(inside).to_be_visible()


def bench(visit: Visit, name: str, inside: Locator) -> None:
    visit.page.get_by_role("radio", name=name).click()
    expect(inside).to_be_visible()


# --- the tests -----------------------------------------------------------------------------------------------------


@pytest.fixture
def tab(visit: Visit) -> Visit:
    visit.page.set_viewport_size(WIDE)
    return visit


@pytest.mark.parametrize("way", [playground, evaluate], ids=lambda way: way.__name__)
def test_axe_finds_nothing_in_either_scheme(tab: Visit, way: Callable[[Visit], Way]) -> None:
    assert walked(tab, way, ("light", "dark")) == []


@pytest.mark.parametrize(
    ("way", "scheme"),
    [(modes, "dark"), (compare, "light"), (overviews, "light"), (lessons, "dark")],
    ids=lambda given: getattr(given, "__name__", given),
)
def test_axe_finds_nothing(tab: Visit, way: Callable[[Visit], Way], scheme: Scheme) -> None:
    assert walked(tab, way, (scheme,)) == []


def test_axe_finds_nothing_in_a_narrow_window(tab: Visit) -> None:
    assert walked(tab, narrow, ("light",)) == []


def walked(visit: Visit, way: Callable[[Visit], Way], schemes: tuple[Scheme, ...]) -> list[str]:
    checked = Checked(visit, schemes)
    for state in way(visit):
        checked.scan(*state)
    print("\n".join(checked.found))
    return checked.found


def test_axe_would_find_what_is_wrong_inside_the_stage(tab: Visit) -> None:
    tab.open()
    tab.pane().evaluate(
        """pane => {
          const button = document.createElement("button");
          const faint = document.createElement("p");
          faint.textContent = "faint words";
          faint.style.color = "#bbb";
          pane.prepend(button, faint);
        }"""
    )
    checked = Checked(tab, ("light", "dark"))
    checked.scan("spoilt")
    rules = {" ".join(re.split(r"[ :]+", line.removeprefix("spoilt, "))[:3]) for line in checked.found}
    assert rules >= {"light critical button-name", "light serious color-contrast"}


def test_text_can_be_read_under_every_mark(tab: Visit) -> None:
    text = tab.open(doc=SMALL).text().element_handle()
    for scheme in PALETTES:
        tab.page.emulate_media(color_scheme=scheme)
        settled(tab, scheme)
        check_marks(tab, text)


def check_marks(tab: Visit, text: ElementHandle) -> None:
    """Text on every shade under every mark, numbers and names of parents can be read."""
    ratios: dict[str, float] = {}
    layers = set()
    for piece in (f"{shade}{odd}" for shade in SHADES for odd in ("", " odd")):
        for mark in ("", "answer", "idle-space"):
            found: dict[str, Any] = tab.page.evaluate(_MARKED, [text, piece, mark])
            layers.add(tuple(found.pop("layers")))
            outline = found.pop("outline")
            ratios |= {f"{name}: {piece} {mark}": ratio for name, ratio in found.items()}
            assert mark or outline >= 3, piece  # no text: it is enough that it stands out from the shade
    assert {name: round(ratio, 2) for name, ratio in ratios.items() if ratio < 4.5} == {}
    assert len(layers) == 3 * len(SHADES)


@pytest.mark.parametrize("query", ["", "page=learn&lesson=overlap"])
def test_the_keyboard_shows_where_it_is(tab: Visit, query: str) -> None:
    tab.page.goto(f"{tab.origin}/?{query}")
    kinds: dict[str, bool] = {}
    expect(tab.page.locator(MARKS[query]).last).to_be_visible()
    tab.rested()
    if not query:
        bench(tab, "Model and cost", tab.page.get_by_label("Embedding model"))
    tab.page.locator("h1").click()
    tab.page.keyboard.press("Tab")
    while (focus := tab.page.evaluate(_FOCUS)) is not None:
        kinds[focus["kind"]] = kinds.get(focus["kind"], True) and focus["ringed"]
        tab.page.keyboard.press("Tab")
    assert [kind for kind, ringed in kinds.items() if not ringed] == []
    assert len(kinds) > 3
