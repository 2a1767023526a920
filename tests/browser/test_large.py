"""Five megabytes: it opens, it scrolls to the end, and the shading there is as right as at the start."""

from __future__ import annotations

from browser.visit import Visit, check_pieces, chunked
from playwright.sync_api import expect

from playground import Document

SETTINGS: dict[str, object] = {"unit": "character", "size": 700, "overlap": 15}
LINE = "Line {0}: the keeper counted {0} gulls, a 😀 and {1} lamps. Then {2} boats came.\n"


def text_of(size: int) -> str:
    """About `size` bytes of lines that all differ."""
    lines: list[str] = []
    length = 0
    while length < size:
        number = len(lines)
        lines.append(LINE.format(number, number % 97, number % 13) + "\n" * (number % 5 == 0))
        length += len(lines[-1]) + 3
    return "".join(lines)


def test_five_megabytes_scroll_to_the_end(visit: Visit) -> None:
    text = text_of(5_000_000)
    visit.open(**SETTINGS)
    visit.upload([{"name": "large.txt", "mimeType": "text/plain", "buffer": text.encode()}])
    expect(visit.text().locator(".c", has_text="Line 0:").first).to_be_attached(timeout=60_000)
    visit.page.keyboard.press("Escape")
    chunking = chunked(Document.from_text(text), **SETTINGS)
    visit.eventually(lambda: check_pieces(visit.pieces(visible=True), chunking))
    assert visit.count() == len(chunking)
    visit.eventually(lambda: _at_the_end(visit, text))
    visit.eventually(lambda: check_pieces(visit.pieces(visible=True), chunking))
    x, y = visit.press(visit.slider())
    visit.page.mouse.move(x - 30, y, steps=5)
    size = visit.let_go()
    assert size < 700
    smaller = chunked(Document.from_text(text), **{**SETTINGS, "size": size})
    visit.eventually(lambda: check_pieces(visit.pieces(visible=True), smaller))
    assert visit.pieces(visible=True)[-1].high == len(smaller) - 1


def _at_the_end(visit: Visit, text: str) -> None:
    visit.text().evaluate("node => (node.scrollTop = node.scrollHeight)")
    shown = visit.pieces(visible=True)
    assert shown
    assert shown[-1].text
    assert text.endswith(shown[-1].text)
