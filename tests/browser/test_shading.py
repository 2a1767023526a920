"""The shading against the spans: every character is under the chunks that hold it, on screen as in the core."""

from __future__ import annotations

import pytest
from browser.visit import Visit, check_pieces, check_whole, chunked
from playwright.sync_api import expect

from playground import Document

# Short enough to be drawn as a whole; each with settings of its own.
PLAIN = "One two three four five. Six seven eight nine ten.\n\nEleven twelve, thirteen; fourteen fifteen sixteen. " * 12
EMOJI = "Hi 😀😀😀 there. Second one. 👨‍👩‍👧 x🇫🇷y naïve 猫と犬。\n" * 10
SPACES = "a  b   c\n\n\n   indented\tafter a tab\n" * 16
TWINS = "Same words here. " * 24


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        (PLAIN, {"unit": "token", "size": 30, "overlap": 20}),
        (PLAIN, {"mode": "sentence", "unit": "word", "size": 25, "overlap": 40}),
        (PLAIN, {"unit": "character", "size": 60, "overlap": 75}),
        (EMOJI, {"unit": "character", "size": 20, "overlap": 25}),
        (EMOJI, {"unit": "token", "size": 8, "overlap": 60}),
        (SPACES, {"unit": "character", "size": 22, "overlap": 30}),
        (TWINS, {"unit": "word", "size": 6, "overlap": 0}),
    ],
    ids=("tokens", "sentences", "four deep", "emoji", "emoji in tokens", "spaces", "twins"),
)
def test_every_character_is_under_the_chunks_that_hold_it(
    at_settings: Visit, text: str, settings: dict[str, object]
) -> None:
    at_settings.use(**settings)
    at_settings.paste(text)
    chunking = chunked(Document.from_text(text), **settings)
    at_settings.eventually(lambda: check_whole(at_settings.pieces(), chunking))
    assert at_settings.count() == len(chunking)


def test_identical_chunks_are_all_shown(at_settings: Visit) -> None:
    at_settings.use(unit="word", size=6, overlap=0)
    at_settings.paste(TWINS)
    chunking = chunked(Document.from_text(TWINS), unit="word", size=6, overlap=0)
    assert len({one.text for one in chunking}) < len(chunking) - 1
    marks = at_settings.text().locator(".start[data-n]")
    expect(marks).to_have_count(len(chunking))
    check_pieces(at_settings.pieces(), chunking)


def test_emoji_are_where_they_are(at_settings: Visit) -> None:
    text = "Hi 😀😀😀 there. Second one."
    at_settings.use(mode="sentence", unit="word", size=5, overlap=0)
    at_settings.paste(text)
    expect(at_settings.text().locator(".c")).to_have_text(["Hi 😀😀😀 there. Second one."])
    at_settings.use(mode="fixed", unit="character", size=20, overlap=0)
    expect(at_settings.text().locator(".c")).to_have_text(["Hi 😀😀😀 there. Second", " one."])


def test_white_space_takes_its_room(at_settings: Visit) -> None:
    at_settings.use(unit="character", size=500, overlap=0)
    at_settings.paste("a    b\n\n\nc")
    drawn = at_settings.text().locator(".c").first
    assert drawn.inner_text() == "a    b\n\n\nc"
    box = drawn.bounding_box()
    assert box
    assert box["height"] > 3 * 28
    wide = at_settings.text().evaluate(
        """text => {
          const letters = document.createRange();
          letters.setStart(text.querySelector(".c").firstChild, 1);
          letters.setEnd(text.querySelector(".c").firstChild, 5);
          return letters.getBoundingClientRect().width;
        }"""
    )
    assert wide > 10
