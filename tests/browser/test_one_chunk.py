"""One chunk under the hand: the line that says why it ends there, the inspector, and the keyboard's way to both."""

from __future__ import annotations

import re

import pytest
import tiktoken
from browser.visit import Visit, check_pieces, chunked
from playwright.sync_api import expect

from playground import Chunk
from playground.live.store import read_sample
from playground.ui.address import Picture, write_address

CHUNKS = chunked(read_sample("company-handbook.md"))
MARKS = str.maketrans({" ": "·", "\t": "→\t", "\n": "⏎\n", "\u00a0": "⍽", "\u3000": "□"})

_FOCUSED = (
    "() => { let a = document.activeElement; while (a.shadowRoot) a = a.shadowRoot.activeElement; return a.className; }"
)


@pytest.fixture(autouse=True)
def _at_rest(shared: Visit) -> None:
    if shared.query != write_address(Picture()):
        shared.open()
    if shared.inspector.is_visible():
        shared.inspector.get_by_role("button", name="Close the inspector").click()
    shared.page.mouse.move(1270, 890)
    shared.scroll_to(0)
    shared.text().press("Escape")
    expect(shared.text()).not_to_have_class(re.compile("dim"))


def status_line(chunk: Chunk) -> str:
    """What the page says of a chunk (without what follows the reason)."""
    following = chunk.chunking[chunk.index + 1].overlap_before
    ruler = chunk.chunking.prepared.ruler
    words = int(ruler("word", "").measure(chunk.start, chunk.end))
    return (
        f"Chunk {chunk.index + 1} of {len(chunk.chunking)}: {chunk.tokens} tokens, {words} words, "
        f"{len(chunk.text)} characters. "
        f"Overlap {chunk.overlap_before} before, {following} after (tokens). {chunk.reason}"
    )


def test_pointing_dims_the_rest_and_says_why(shared: Visit) -> None:
    mark = shared.text().locator(".start[data-n='2']")
    shared.point(mark)
    expect(shared.text()).to_have_class(re.compile("dim"))
    expect(shared.status).to_contain_text(status_line(CHUNKS[1]))
    assert lit(shared) == CHUNKS[1].text
    rest = shared.text().locator(".block > span:not(.lit)").first
    assert float(rest.evaluate("node => getComputedStyle(node).opacity")) < 0.6
    assert mark.evaluate("node => getComputedStyle(node).opacity") == "1"
    shared.page.mouse.move(1270, 890)
    expect(shared.text()).not_to_have_class(re.compile("dim"))
    expect(shared.status).to_contain_text("Point at a chunk")
    shared.point(mark)  # and the same chunk again
    expect(shared.text()).to_have_class(re.compile("dim"))


def lit(visit: Visit) -> str:
    """The text that is not dimmed."""
    return "".join(piece.text for piece in visit.pieces() if "lit" in piece.classes)


def test_no_light_is_left_behind_out_of_sight(shared: Visit) -> None:
    shared.open_inspector(2)
    shared.inspector.get_by_role("button", name="Close the inspector").click()
    shared.text().press("ArrowRight")
    expect(shared.status).to_contain_text("Chunk 3 of")
    shared.scroll_to(100_000)
    shared.text().press("Escape")
    shared.scroll_to(0)
    shared.point(shared.text().locator(".start[data-n='2']"))
    expect(shared.text()).to_have_class(re.compile("dim"))
    assert lit(shared) == CHUNKS[1].text
    shared.page.mouse.move(1270, 890)


def inspected(visit: Visit, chunk: Chunk) -> None:
    """Check that the inspector shows this chunk, character by character and token by token."""
    inspector = visit.inspector
    expect(inspector.locator("h2")).to_have_text(f"Chunk {chunk.index + 1} of {len(chunk.chunking)}")
    expect(inspector.locator(".reason")).to_have_text(chunk.reason)
    assert inspector.locator(".inspected").evaluate("node => node.textContent") == chunk.text
    tokens = inspector.locator(".inspected .t").all_text_contents()
    assert "".join(tokens) == chunk.text
    encoding = tiktoken.get_encoding("cl100k_base")
    assert tokens == [encoding.decode([token]) for token in encoding.encode_ordinary(chunk.text)]
    facts = inspector.locator(".facts")
    expect(facts).to_contain_text(f"[{chunk.start:,}, {chunk.end:,}) in characters")
    expect(facts).to_contain_text(f"{chunk.tokens} tokens")
    expect(facts).to_contain_text("company-handbook.md")


def test_a_click_opens_the_exact_chunk_and_the_keys_walk(shared: Visit) -> None:
    shared.open_inspector(2)
    inspected(shared, CHUNKS[1])
    shared.inspector.get_by_role("button", name="Next").click()
    inspected(shared, CHUNKS[2])
    shared.inspector.get_by_role("button", name="Previous").click()
    inspected(shared, CHUNKS[1])
    shared.page.keyboard.press("ArrowLeft")
    inspected(shared, CHUNKS[0])
    expect(shared.inspector.get_by_role("button", name="Previous")).to_be_disabled()
    shared.inspector.locator("h2").focus()
    shared.page.keyboard.press("ArrowDown")
    inspected(shared, CHUNKS[1])
    shared.page.keyboard.press("Escape")
    expect(shared.inspector).to_be_hidden()
    assert shared.page.evaluate(_FOCUSED).startswith("text")


def test_white_space_and_tokens_can_be_switched(shared: Visit) -> None:
    shared.open_inspector(2)
    inspected(shared, CHUNKS[1])
    body = shared.inspector.locator(".inspected")
    shared.inspector.get_by_label("White space").check()
    expect(body.locator(".t").first).to_be_attached()
    assert body.evaluate("node => node.textContent") == CHUNKS[1].text.translate(MARKS)
    shared.inspector.get_by_label("Tokens").uncheck()
    expect(body.locator(".t")).to_have_count(0)
    assert body.evaluate("node => node.textContent") == CHUNKS[1].text.translate(MARKS)
    shared.inspector.get_by_label("White space").uncheck()
    shared.inspector.get_by_label("Tokens").check()
    inspected(shared, CHUNKS[1])


def test_the_keyboard_walks_through_the_text(shared: Visit) -> None:
    shared.open()
    text = shared.text()
    for place in (1500, 0):  # there and back: the first chunk in view is the first again
        shared.scroll_to(place)
        shared.eventually(lambda: check_pieces(shared.pieces(visible=True), CHUNKS))
    text.focus()
    for key, number in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowDown", 3), ("ArrowLeft", 2)):
        text.press(key)
        expect(shared.status).to_contain_text(status_line(CHUNKS[number - 1]))
        expect(shared.pane().locator("[aria-live]")).to_contain_text(f"Chunk {number} of {len(CHUNKS)}")
    for _ in range(12):
        text.press("ArrowDown")
    expect(shared.status).to_contain_text("Chunk 14 of")
    expect(text.locator(".start[data-n='14']")).to_be_in_viewport()
    text.press("Enter")
    inspected(shared, CHUNKS[13])
    shared.page.keyboard.press("Escape")
    expect(shared.inspector).to_be_hidden()
    assert shared.page.evaluate(_FOCUSED).startswith("text")


def test_the_inspector_follows_the_slider(shared: Visit) -> None:
    shared.open_inspector(2)
    inspected(shared, CHUNKS[1])
    shared.slider().press("ArrowRight")
    inspected(shared, chunked(read_sample("company-handbook.md"), size=121)[1])
    shared.slider().press("ArrowLeft")
    inspected(shared, CHUNKS[1])
    shared.wait_for_query(size=120)
