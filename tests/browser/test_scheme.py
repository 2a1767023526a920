"""Figures follow the page when it turns dark or light: those drawn in Python, and the one drawn in the browser."""

from __future__ import annotations

from browser.visit import Visit
from playwright.sync_api import expect

from playground.ui.palette import DARK, LIGHT, Palette

# The colours of the axis title and of the line or the first bar.
_COLOURS = """
(figure) => [".xtitle", ".point path, .js-line"].map((part) => {
  const node = figure.querySelector(part); // none before it is drawn
  if (!node) return "";
  const { fill, stroke } = getComputedStyle(node);
  return fill === "none" ? stroke : fill;
})
"""


def spelled(colour: str) -> str:
    red, green, blue = bytes.fromhex(colour[1:])
    return f"rgb({red}, {green}, {blue})"


def test_figures_change_their_colours_with_the_page(visit: Visit) -> None:
    visit.page.emulate_media(color_scheme="light")
    visit.open(mode="semantic").rested()
    sizes = visit.page.locator(".st-key-figure .js-plotly-plot")
    curve = visit.page.locator(".curve.js-plotly-plot")
    expect(sizes).to_have_count(1)
    expect(curve).to_have_count(1)
    schemes: tuple[tuple[str, Palette], ...] = (("light", LIGHT), ("dark", DARK), ("light", LIGHT))
    for scheme, colours in schemes:
        visit.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        wanted = [spelled(colours.ink), spelled(colours.mark_a)]
        for figure in (sizes, curve):
            visit.eventually(lambda one=figure.last, these=wanted: _same(one.evaluate(_COLOURS), these))


def _same(found: list[str], wanted: list[str]) -> None:
    assert found == wanted
