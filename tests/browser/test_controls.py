"""Arrow keys, typed numbers, units and tokenizers: each live, each kept in the address."""

from __future__ import annotations

from functools import partial

import pytest
from browser.visit import Visit, check_whole, chunked
from playwright.sync_api import expect

from playground import Document, prepare
from playground.live.store import read_sample
from playground.settings import Values, changed, parse

NAME = "thousand-tokens.txt"
DOCUMENT = read_sample(NAME)


@pytest.fixture(autouse=True)
def _on_the_document(shared: Visit) -> None:
    if shared.query.get("doc") != NAME:
        shared.open(doc=NAME)


def holds(visit: Visit, document: Document = DOCUMENT, **settings: object) -> None:
    """Wait for these settings in the address, and check the picture that they give."""
    visit.wait_for_query(**changed(parse(settings)[0]))
    chunking = chunked(document, **settings)
    visit.eventually(lambda: check_whole(visit.pieces(), chunking))
    assert visit.count() == len(chunking)


def test_arrow_keys_move_by_one_and_by_ten(shared: Visit) -> None:
    slider = shared.slider()
    slider.focus()
    for key, size in (("ArrowRight", 121), ("ArrowUp", 122), ("ArrowLeft", 121), ("Shift+ArrowRight", 131)):
        slider.press(key)
        expect(shared.entry()).to_have_value(str(size))
        expect(slider).to_have_attribute("aria-valuetext", f"{size} tokens")
    holds(shared, size=131)
    shared.slider("overlap").press("ArrowLeft")
    holds(shared, size=131, overlap=14)


@pytest.mark.parametrize(("typed", "kept"), [("240", 240), ("0", 8), ("999999", 2048), ("64", 64)])
def test_a_typed_number_counts_and_an_impossible_one_becomes_the_nearest(shared: Visit, typed: str, kept: int) -> None:
    shared.entry("overlap").fill("15")
    shared.entry().fill(typed)
    shared.entry().press("Enter")
    expect(shared.entry()).to_have_value(str(kept))
    holds(shared, size=kept, overlap=15)
    notices = shared.pane().locator(".notices")
    if str(kept) == typed:
        expect(notices).to_be_hidden()
    else:
        expect(notices).to_have_text(f"Size: “{typed}” is outside 8 to 2,048; {kept:,} is used.")


def test_another_unit_keeps_about_the_same_amount_of_text(shared: Visit) -> None:
    shared.open(doc=NAME, size=100, overlap=20)
    prepared = prepare(DOCUMENT)
    count = {unit: prepared.ruler(unit, "cl100k_base").count for unit in ("character", "word", "token")}
    size, unit = 100, "token"
    for label, wanted in (("Characters", "character"), ("Words", "word"), ("Tokens", "token")):
        shared.pane().get_by_role("radio", name=label).check()
        shared.wait_for_query(unit=wanted)
        converted = shared.eventually(partial(_changed, shared, wanted))
        assert converted == pytest.approx(size * count[wanted] / count[unit], rel=0.06)
        holds(shared, unit=wanted, size=converted, overlap=20)
        size, unit = converted, wanted


def _changed(visit: Visit, unit: str) -> int:
    size = int(visit.entry().input_value())
    assert visit.query["unit"] == unit
    assert visit.query["size"] == str(size)
    expect(visit.slider()).to_have_attribute("aria-valuetext", f"{size:,} {unit}s")
    return size


def test_mode_tokenizer_and_tail(shared: Visit) -> None:
    shared.open(doc="multilingual.md")
    settings: Values = {}
    document = read_sample("multilingual.md")
    tokenizer = shared.more().get_by_label("Tokenizer")
    for name in ("r50k_base", "o200k_base"):
        tokenizer.select_option(name)
        settings["tokenizer"] = name
        shared.wait_for_query(**settings)
        shared.eventually(lambda: _counts(shared, len(chunked(document, **settings))))
    shared.pane().get_by_role("radio", name="Sentence-aware").check()
    settings["mode"] = "sentence"
    shared.wait_for_query(**settings)
    shared.eventually(lambda: _counts(shared, len(chunked(document, **settings))))
    shared.pane().get_by_role("radio", name="Fixed size").check()
    shared.pane().get_by_label("Tail").select_option("keep")
    settings |= {"mode": "fixed", "tail": "keep"}
    shared.wait_for_query(**settings)
    shared.eventually(lambda: _counts(shared, len(chunked(document, **settings))))


def _counts(visit: Visit, count: int) -> None:
    assert visit.count() == count
