"""The map of settings: drawn on a click, a way into the playground; and a question asked for selected text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from browser.visit import Visit, check_pieces, chunked
from playwright.sync_api import Locator, expect

from playground.live.store import read_sample, sample_questions
from playground.retrieval.fate import fates
from playground.ui.screens.evaluate import OVERLAPS, sizes

DOCUMENT = read_sample("company-handbook.md")
SIZES = sizes("token")


@pytest.fixture(scope="module")
def _tab(new_visit: Callable[[], Visit]) -> Iterator[Visit]:
    made = new_visit()
    yield made
    made.page.close()


@pytest.fixture
def tab(_tab: Visit) -> Visit:
    return _tab.in_front()


def chart(visit: Visit) -> Locator:
    return visit.page.locator(".js-plotly-plot:has(.heatmaplayer)")


def place(visit: Visit, size: int, overlap: int) -> tuple[float, float]:
    """A place in the cell of these settings, somewhat beside its number."""
    across, down = chart(visit).locator(".annotation text"), len(SIZES)
    expect(across).to_have_count(len(SIZES) * len(OVERLAPS))
    frame = chart(visit).locator(".nsewdrag").bounding_box()
    assert frame
    column, row = OVERLAPS.index(overlap), down - 1 - SIZES.index(size)
    return (
        frame["x"] + frame["width"] * (column + 0.7) / len(OVERLAPS),
        frame["y"] + frame["height"] * (row + 0.4) / down,
    )


def test_a_click_on_a_cell_opens_the_playground_with_its_settings(tab: Visit) -> None:
    tab.page.goto(f"{tab.origin}/?page=evaluate")
    tab.page.get_by_role("button", name="Draw the map").click()
    expect(tab.page.get_by_text("Best here:")).to_be_visible()
    expect(tab.page.get_by_text("cannot tell it from")).to_be_visible()
    tab.rested()
    size, overlap = SIZES[2], OVERLAPS[3]
    tab.page.mouse.click(*place(tab, size, overlap))
    tab.wait_for_query(page="playground", size=size, overlap=overlap)
    tab.painted()
    chunking = chunked(DOCUMENT, size=size, overlap=overlap)
    tab.eventually(lambda: check_pieces(tab.pieces(visible=True), chunking))
    assert tab.entry("size").input_value() == str(size)
    assert tab.entry("overlap").input_value() == str(overlap)


def test_a_question_for_selected_text_is_among_the_known_ones_and_its_fate_is_shown(tab: Visit) -> None:
    tab.open(size=60, overlap=0)
    tab.rested()
    button = tab.page.get_by_role("button", name="Add a question for the selected text")
    expect(button).to_be_hidden()
    start, end = select(tab)
    expect(button).to_be_visible()
    box = tab.page.get_by_role("searchbox", name="Question")
    box.fill("What is this <b>about</b>?")
    button.click()
    known = tab.page.get_by_label("With a known answer")
    own = known.locator("option", has_text="What is this <b>about</b>? (own)")
    expect(own).to_have_count(1)
    expect(known.locator("option")).to_have_count(2 + len(sample_questions(DOCUMENT)))
    expect(known.locator("option:checked")).to_have_text("What is this <b>about</b>? (own)")
    expect(box).to_have_value("What is this <b>about</b>?")
    chunking = chunked(DOCUMENT, size=60, overlap=0)
    found = fates(chunking, [start], [end])[0]
    fate = tab.pane().locator(".fate")
    words = f"torn at boundary {found.boundaries[0] + 1}" if found.kind == "split" else "whole in chunk"
    expect(fate).to_contain_text(words)
    assert found.kind == "split"


def test_a_selection_is_forgotten_with_its_document(tab: Visit) -> None:
    """Else the question would be kept with what stands at the same place of the next document."""
    tab.open(size=60, overlap=0)
    tab.rested()
    select(tab)
    button = tab.page.get_by_role("button", name="Add a question for the selected text")
    expect(button).to_be_visible()
    tab.chosen.click()
    tab.page.get_by_role("option", name="faq.md").click()
    tab.eventually(lambda: _starts(tab, read_sample("faq.md").text[:20]))
    expect(button).to_be_hidden()


def _starts(visit: Visit, text: str) -> None:
    assert visit.text_shown().startswith(text)


def select(visit: Visit) -> tuple[int, int]:
    """Drag over the end of a chunk and the start of the next; returns the span that is selected, trimmed."""
    mark = visit.mark(3)
    mark.scroll_into_view_if_needed()
    box = visit.eventually(lambda: _still(mark))
    x, y = box
    visit.page.mouse.move(x - 60, y)
    visit.page.mouse.down()
    visit.page.mouse.move(x + 10, y, steps=4)
    visit.page.mouse.move(x + 60, y, steps=4)
    visit.page.mouse.up()
    selected = visit.text().evaluate("text => text.getRootNode().getSelection().toString()")
    boundary = int(chunked(DOCUMENT, size=60, overlap=0).starts[2])
    start = DOCUMENT.text.index(selected.strip(), boundary - 100)
    assert start < boundary < start + len(selected.strip())
    return start, start + len(selected.strip())


def _still(mark: Locator) -> tuple[float, float]:
    """Where a piece of text begins, once it no longer moves."""
    where = "node => { const line = node.getClientRects()[0]; return [line.x, line.y + line.height / 2]; }"
    before, after = mark.evaluate(where), mark.evaluate(where)
    assert before == after
    return float(after[0]), float(after[1])
