"""Two panes on one document: fixed against sentence-aware, scrolled together, their differences a click away."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from browser.visit import Visit, check_pieces, chunked
from playwright.sync_api import expect

from playground.live.store import read_sample

DOCUMENT = read_sample("company-handbook.md")
FIXED, SENTENCES = chunked(DOCUMENT), chunked(DOCUMENT, mode="sentence")


@pytest.fixture(scope="module")
def _tab(new_visit: Callable[[], Visit]) -> Iterator[Visit]:
    made = new_visit().open(page="compare")
    yield made
    made.page.close()


@pytest.fixture
def comparing(_tab: Visit) -> Visit:
    return _tab.in_front()


def top(visit: Visit, number: int) -> float:
    """How far a pane is scrolled."""
    return float(visit.text(number).evaluate("text => text.scrollTop"))


def scrolled_together(visit: Visit) -> None:
    assert top(visit, 0) == top(visit, 1)


def test_it_opens_with_fixed_against_sentence_aware(comparing: Visit) -> None:
    expect(comparing.page.locator(".pane")).to_have_count(2)
    comparing.wait_for_query(page="compare", mode="fixed", b_mode="sentence", size=120, b_size=120)
    for number, chunking in enumerate((FIXED, SENTENCES)):
        comparing.eventually(lambda n=number, c=chunking: check_pieces(comparing.pieces(n, visible=True), c))
        assert comparing.count(number) == len(chunking)
    difference = len(SENTENCES) - len(FIXED)
    sign = "+" if difference > 0 else "−"
    expect(comparing.page.locator(".numbers").nth(1).locator(".big i").first).to_have_text(f"{sign}{abs(difference)}")


def test_the_panes_scroll_together(comparing: Visit) -> None:
    comparing.text(0).hover()
    comparing.page.mouse.wheel(0, 900)
    comparing.page.wait_for_function("text => text.scrollTop > 500", arg=comparing.text(1).element_handle())
    comparing.eventually(lambda: scrolled_together(comparing))
    comparing.page.wait_for_timeout(150)  # the first pane leads until it has been still for a moment
    comparing.text(1).hover()
    comparing.page.mouse.wheel(0, -2000)
    comparing.page.wait_for_function("text => text.scrollTop === 0", arg=comparing.text(0).element_handle())
    comparing.eventually(lambda: scrolled_together(comparing))


def test_a_boundary_that_breaks_a_sentence_is_a_click_away(comparing: Visit) -> None:
    buttons = comparing.pane(0).get_by_role("button", name="Boundary")
    expect(buttons.first).to_be_visible()
    expect(comparing.pane(0).locator(".breaks")).to_contain_text("the other pane leaves whole")
    expect(comparing.pane(1).locator(".breaks")).to_contain_text("No sentence is cut here")
    last = buttons.last
    boundary = int(last.inner_text().split()[-1])
    last.click()
    comparing.page.wait_for_function("text => text.scrollTop > 0", arg=comparing.text(0).element_handle())
    comparing.eventually(lambda: _ends_in_view(comparing, boundary))
    comparing.eventually(lambda: scrolled_together(comparing))
    for number, chunking in enumerate((FIXED, SENTENCES)):
        comparing.eventually(lambda n=number, c=chunking: check_pieces(comparing.pieces(n, visible=True), c))


def _ends_in_view(visit: Visit, boundary: int) -> None:
    """The end of chunk `boundary` in the first pane is within the frame, marked as a cut through a sentence."""
    ends = [piece for piece in visit.pieces(0, visible=True) if piece.low == boundary - 1 and "cut" in piece.kind]
    assert ends
    frame = visit.text(0).bounding_box()
    box = (
        visit.text(0)
        .locator(".cut-s, .cut-w")
        .evaluate_all(
            "(nodes, low) => { const node = nodes.find((one) => one.low === low); "
            "const box = [...node.getClientRects()].at(-1); return [box.top, box.bottom]; }",
            boundary - 1,
        )
    )
    assert frame
    assert frame["y"] <= box[0] <= box[1] <= frame["y"] + frame["height"]


def test_a_drag_in_one_pane_changes_its_numbers_alone(comparing: Visit) -> None:
    x, y = comparing.press(comparing.slider("size", 1))
    comparing.page.mouse.move(x + 60, y, steps=10)
    comparing.eventually(lambda: _is_below(comparing.count(1), len(SENTENCES)))
    assert comparing.count(0) == len(FIXED)
    size = comparing.let_go("size", 1)
    comparing.wait_for_query(size=120, b_size=size)
    chunking = chunked(DOCUMENT, mode="sentence", size=size)
    comparing.eventually(lambda: check_pieces(comparing.pieces(1, visible=True), chunking))
    assert comparing.count(1) == len(chunking)


def _is_below(found: int, limit: int) -> None:
    assert found < limit


def test_a_third_pane_comes_and_goes(comparing: Visit) -> None:
    comparing.page.get_by_role("button", name="Add a third pane").click()
    expect(comparing.page.locator(".pane")).to_have_count(3)
    comparing.wait_for_query(c_mode="sentence", c_overlap=0)
    size = int(comparing.query["c_size"])
    chunking = chunked(DOCUMENT, mode="sentence", size=size, overlap=0)
    comparing.eventually(lambda: check_pieces(comparing.pieces(2, visible=True), chunking))
    assert comparing.count(2) == len(chunking)
    comparing.page.get_by_role("button", name="Remove the third pane").click()
    expect(comparing.page.locator(".pane")).to_have_count(2)
    comparing.eventually(lambda: _has_no(comparing, "c_mode"))


def _has_no(visit: Visit, name: str) -> None:
    assert name not in visit.query
