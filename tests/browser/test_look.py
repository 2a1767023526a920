"""Readable, narrow, by keyboard, and without motion for who wants none."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from browser.visit import Visit
from playwright.sync_api import expect

# The contrast of text over whatever lies under it: every layer is painted onto one pixel, the way the browser would.
_CONTRAST = """
(node) => {
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const paint = (color) => { pixel.fillStyle = "#000"; pixel.fillStyle = color; pixel.fillRect(0, 0, 1, 1); };
  const ancestors = [];
  for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) ancestors.unshift(at);
  const background = () => {
    paint("white");
    for (const one of ancestors) {
      const style = getComputedStyle(one);
      paint(style.backgroundColor);
      const layers = style.backgroundImage.split(/linear-gradient\\(/).slice(1).reverse();
      for (const layer of layers) paint(layer.match(/(?:rgba?|color|oklab|oklch|lab)\\([^)]*\\)/)[0]);
    }
    return [...pixel.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => ((part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const under = background();
  paint(getComputedStyle(node).color);
  const over = [...pixel.getImageData(0, 0, 1, 1).data];
  const [light, dark] = [luminance(under), luminance(over)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
"""
SHADES = ("d1 p0", "d1 p1", "d2 p0", "d3 p0", "d3 p1", "d4 p0")
# A piece of text of the given shade, measured among the real ones.
_SHADE = f"""
(text, shade) => {{
  const piece = document.createElement("span");
  piece.className = `c ${{shade}}`;
  piece.textContent = "shaded";
  text.querySelector(".block").append(piece);
  const contrast = ({_CONTRAST})(piece);
  piece.remove();
  return contrast;
}}
"""
WORDS = (
    ".status",
    ".lines li",
    ".legend .c",
    ".radios input:checked + span",
    ".radios legend",
    ".beside",
    ".text .start",
)

_FOCUS = """
() => {
  let active = document.activeElement;
  while (active.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  const shown = active.type === "radio" ? active.nextElementSibling : active;
  const { outlineStyle, outlineWidth } = getComputedStyle(shown);
  return { name: active.className || active.name || active.id || active.type || active.tagName,
           type: active.type, inStage: Boolean(active.closest?.(".stage")),
           outline: outlineStyle === "none" ? 0 : parseFloat(outlineWidth) };
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_on_every_tint(visit: Visit, scheme: Literal["light", "dark"]) -> None:
    visit.page.emulate_media(color_scheme=scheme)
    visit.open()
    assert visit.page.locator(".stApp").evaluate("app => getComputedStyle(app).colorScheme") == scheme
    found = {shade: visit.text().evaluate(_SHADE, shade) for shade in SHADES}
    assert len({round(ratio, 3) for ratio in found.values()}) == len(SHADES)  # no two shades look the same
    for word in WORDS:
        found[word] = visit.page.locator(f".stage {word}").first.evaluate(_CONTRAST)
    found["numbers"] = visit.numbers.locator(".big b").first.evaluate(_CONTRAST)
    found["labels"] = visit.numbers.locator("dt").first.evaluate(_CONTRAST)
    visit.open_inspector(1)
    for token in range(4):
        found[f"token {token}"] = visit.inspector.locator(f".t{token}").first.evaluate(_CONTRAST)
    assert {name: round(ratio, 2) for name, ratio in found.items() if ratio < 4.5} == {}


def test_a_narrow_window_needs_no_sideways_scrolling(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 420, "height": 900})
    visit.open()
    assert _sideways(visit) == []
    _go(visit, "Compare")
    expect(visit.page.locator(".pane")).to_have_count(2)
    assert _sideways(visit) == []
    _go(visit, "Documents")
    expect(visit.page.locator("[data-testid=data-grid-canvas]")).to_be_visible()
    assert _sideways(visit) == []


def _go(visit: Visit, page: str) -> None:
    visit.page.get_by_role("radio", name=page).click()
    visit.wait_for_query(page=page.lower())


def _sideways(visit: Visit) -> list[str]:
    """What is wider than the window: containers that would scroll, and controls that stick out."""
    found: list[str] = visit.page.evaluate(
        """() => [...document.querySelectorAll("html, body, .stApp, .stMain, .stMainBlockContainer")]
             .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.className)"""
    )
    out = "nodes => nodes.filter((n) => n.getBoundingClientRect().right > innerWidth).map((n) => n.className || n.type)"
    return found + list(visit.page.locator(".stage *:not(.text *)").evaluate_all(out))


def test_the_keyboard_reaches_every_control_and_shows_where_it_is(shared: Visit) -> None:
    shared.open()
    shared.pane().locator("input[type=radio]:checked").first.focus()
    shared.page.keyboard.press("Tab")
    reached = []
    for _ in range(10):
        focus = shared.page.evaluate(_FOCUS)
        assert focus["inStage"], focus
        assert focus["outline"] >= 2 or (focus["type"] in ("select-one", "number") and focus["outline"] >= 1), focus
        reached.append(re.sub(r"-stage-0$", "", focus["name"]))
        if focus["name"] == "text":
            break
        shared.page.keyboard.press("Tab")
    assert [name for name in reached if name != "number"] == [
        "unit",
        "size",
        "overlap",
        "SUMMARY",
        "checkbox",
        "text",
    ]


def test_no_motion_for_who_wants_none(shared: Visit) -> None:
    shared.page.evaluate(
        """() => {
          window.__behaviours = [];
          const scrollBy = Element.prototype.scrollBy;
          Element.prototype.scrollBy = function (how) {
            window.__behaviours.push(how.behavior);
            scrollBy.call(this, how);
          };
        }"""
    )
    for motion, wanted in (("reduce", "instant"), ("no-preference", "smooth")):
        shared.page.emulate_media(reduced_motion=motion)
        shared.text().press("Escape")
        shared.scroll_to(0)
        shared.page.evaluate("() => (window.__behaviours.length = 0)")
        for _ in range(14):
            shared.text().press("ArrowRight")
        shared.page.wait_for_function("() => window.__behaviours.length > 0")
        assert set(shared.page.evaluate("window.__behaviours")) == {wanted}
