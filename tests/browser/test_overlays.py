"""What lies over the text: frames around parents, marks on idle white space, outlines of what a model cannot take."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from browser.visit import Visit, check_whole, chunked, utf16
from playwright.sync_api import expect

from playground import Chunking, Document, prepare, read
from playground.core.whitespace import savings, superfluous
from playground.live.store import read_sample

NAME = "thousand-tokens.txt"
SHORT = read_sample(NAME)
BLANKS = "One  two   three \nfour. \t\n\n\n\n  An indented line.  😀  \r\n\r\n \r\n\r\nFive.\n" * 5

# The frames, and for every piece in view its chunks and its first and last line.
_FRAMES = """
(text) => {
  const box = (rect) => [rect.top, rect.bottom];
  const frames = [...text.querySelectorAll(".parent")]
    .map((node) => [node.dataset.name, ...box(node.getBoundingClientRect())]);
  const pieces = [...text.querySelectorAll(".block > span.c")].filter((node) => node.getClientRects().length)
    .map((node) => [node.low, node.high, node.getClientRects()[0].top, [...node.getClientRects()].at(-1).bottom]);
  return { frames, pieces, view: box(text.getBoundingClientRect()) };
}
"""
# The offsets of all marked characters, as the text has them.
_MARKED = """
(text) => {
  const offsets = [];
  for (const { startContainer, startOffset, endContainer, endOffset } of CSS.highlights.get("idle-space") ?? []) {
    if (startContainer !== endContainer || !text.contains(startContainer)) return null;
    for (let at = startOffset; at < endOffset; at += 1) offsets.push(startContainer.parentElement.at + at);
  }
  return offsets;
}
"""


def check_frames(visit: Visit, chunking: Chunking) -> set[int]:
    """Every parent in view has one frame, from the first line of its first chunk to the last line of its last.

    An edge out of view need only be out of view. Returns the parents both of whose edges are in view.
    """
    found: dict[str, Any] = visit.text().evaluate(_FRAMES)
    above, below = found["view"]
    frames = {number: box for number, *box in numbered(found["frames"])}
    children = chunking.parent_numbers
    whole = set()
    for parent in sorted(set(children.tolist())):
        inside = [box for low, high, *box in found["pieces"] if children[low] == parent == children[high]]
        assert inside  # the document is short: all of it is drawn, in view or not
        top, bottom = min(box[0] for box in inside), max(box[1] for box in inside)
        if bottom <= above or top >= below:
            continue
        frame = frames[parent + 1]
        assert frame[0] == pytest.approx(top, abs=1) or max(frame[0], top) < above
        assert frame[1] == pytest.approx(bottom, abs=1) or min(frame[1], bottom) > below
        if above <= top and bottom <= below:
            whole.add(parent)
    return whole


def numbered(frames: list[list[Any]]) -> list[list[Any]]:
    """The frames with their parents' numbers; only the first may have lost its name, with its start out of sight."""
    names = [name for name, *_ in frames]
    assert frames
    assert "" not in names[1:]
    numbers = [int(name.removeprefix("parent ")) for name in names if name]
    if names[0] == "":
        numbers.insert(0, numbers[0] - 1)
    assert numbers == list(range(numbers[0], numbers[0] + len(frames)))
    return [[number, *box] for number, (_, *box) in zip(numbers, frames, strict=True)]


def test_frames_surround_the_children_of_each_parent_and_go_with_them(shared: Visit) -> None:
    settings: dict[str, object] = {"mode": "sentence", "size": 60, "parents": 3, "snap": "unit"}
    shared.open(doc=NAME, **settings)
    chunking = chunked(SHORT, **settings)
    assert chunking.parents is not None
    assert len(chunking.parents) > 3
    whole = shared.eventually(lambda: check_frames(shared, chunking))
    for place in (350, 100_000):
        shared.scroll_to(place)
        whole |= shared.eventually(lambda: check_frames(shared, chunking))
    assert whole == set(range(len(chunking.parents)))
    shared.scroll_to(0)
    expect(shared.pane().locator(".remark")).to_contain_text(f"{len(chunking.parents)} parents")
    check_whole(shared.pieces(), chunking)
    entry = shared.more().locator(".slider.parents input[type=number]")
    entry.fill("5")
    other = chunked(SHORT, **{**settings, "parents": 5})
    assert shared.eventually(lambda: check_frames(shared, other))
    entry.fill("0")
    expect(shared.text().locator(".parent")).to_have_count(0)
    expect(shared.pane().locator(".remark")).not_to_contain_text("parents")
    entry.press("Enter")
    shared.eventually(lambda: _has_no(shared, "parents"))


def _has_no(visit: Visit, name: str) -> None:
    assert name not in visit.query


def check_marks(visit: Visit, document: Document) -> None:
    """Exactly the characters that a normaliser would take out are marked, in UTF-16 offsets."""
    offsets = utf16(document.text)
    idle = np.flatnonzero(superfluous(prepare(document)))
    wanted = [at for one in idle.tolist() for at in range(offsets[one], offsets[one + 1])]
    assert visit.text().evaluate(_MARKED) == wanted


def test_idle_white_space_is_marked_to_the_character(at_settings: Visit) -> None:
    settings: dict[str, object] = {"unit": "character", "size": 40, "overlap": 20}
    document = read("blanks.txt", BLANKS.encode())
    at_settings.use(**settings)
    at_settings.upload([{"name": "blanks.txt", "mimeType": "text/plain", "buffer": BLANKS.encode()}])
    at_settings.eventually(lambda: check_whole(at_settings.pieces(), chunked(document, **settings)))
    at_settings.page.keyboard.press("Escape")
    toggle = at_settings.pane().get_by_label("Idle white space")
    assert not at_settings.text().evaluate(_MARKED)
    toggle.check()
    at_settings.eventually(lambda: check_marks(at_settings, document))
    characters, tokens = savings(prepare(document), "cl100k_base")
    expect(at_settings.pane().locator(".saved")).to_have_text(f"{characters} characters, {tokens} tokens")
    colour = "node => getComputedStyle(node, '::highlight(idle-space)').backgroundColor"
    assert at_settings.text().locator(".c").first.evaluate(colour) not in ("", "rgba(0, 0, 0, 0)")
    at_settings.entry().fill("77")  # other chunks are other pieces of text: the marks are on them
    settings["size"] = 77
    at_settings.eventually(lambda: check_whole(at_settings.pieces(), chunked(document, **settings)))
    at_settings.eventually(lambda: check_marks(at_settings, document))
    at_settings.entry().press("Enter")
    at_settings.wait_for_query(size=77)
    check_marks(at_settings, document)
    toggle.uncheck()
    at_settings.eventually(lambda: _unmarked(at_settings))
    expect(at_settings.pane().locator(".saved")).to_have_text("")


def _unmarked(visit: Visit) -> None:
    assert visit.text().evaluate(_MARKED) == []
