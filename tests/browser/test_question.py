"""A question on the page: its answer marked and its fate told while the hand moves, its chunks a click away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser.visit import Visit, chunked, utf16
from playwright.sync_api import Locator, expect

from playground import Chunking
from playground.live.asking import LISTED
from playground.live.store import read_sample, sample_questions
from playground.retrieval.fate import fate
from playground.retrieval.ranking import RETRIEVERS

DOCUMENT = read_sample("company-handbook.md")
DEMO = next(one for one in sample_questions(DOCUMENT) if one.demo)
(ANSWER,) = DEMO.references
SETTINGS: dict[str, object] = {"unit": "character", "size": 500}
TORN = "The answer is torn at boundary 1: no chunk holds all of it."
ATTACK = "<img src=x onerror=alert(1)><script>alert(2)</script> & <b>bold</b> working days"

# The offsets of all characters of a pane's text that are marked as the answer.
_MARKED = """
(text) => {
  const offsets = [];
  for (const { startContainer, startOffset, endContainer, endOffset } of CSS.highlights.get("answer") ?? []) {
    if (startContainer !== endContainer) return null;
    if (!text.contains(startContainer)) continue;
    for (let at = startOffset; at < endOffset; at += 1) offsets.push(startContainer.parentElement.at + at);
  }
  return offsets;
}
"""
# The numbers of the chunks that start in view, with their ranks.
_MARKS = """
(text) => {
  const { top, bottom } = text.getBoundingClientRect();
  const inView = (box) => box && box.bottom > top && box.top < bottom;
  return [...text.querySelectorAll(".start[data-n]")].filter((node) => inView(node.getClientRects()[0]))
    .map((node) => node.dataset.n);
}
"""
# In every frame: where each text is and how far it is scrolled, and what is said of the answer above it.
_RECORD = """
(panes) => {
  const record = (window.__places = { samples: [] });
  const sample = () => {
    record.samples.push(panes.map((pane) => {
      const text = pane.querySelector(".text");
      const found = pane.querySelector(".found-list");
      return [text.getBoundingClientRect().top, text.scrollTop, found.hidden ? null : found.firstChild.textContent];
    }));
    record.frame = requestAnimationFrame(sample);
  };
  sample();
}
"""
_STOP = """
async () => {
  const { samples } = window.__places;
  while (samples.length < 4) await new Promise(requestAnimationFrame);
  cancelAnimationFrame(window.__places.frame);
  return samples;
}
"""


@pytest.fixture(scope="module")
def _tab(new_visit: Callable[[], Visit]) -> Iterator[Visit]:
    made = new_visit().open(**SETTINGS, overlap=0).rested()
    yield made
    made.page.close()


@pytest.fixture
def asking(_tab: Visit) -> Visit:
    """A shared tab whose demonstration is asked."""
    choose(_tab.in_front())
    return _tab


def box(visit: Visit) -> Locator:
    return visit.page.locator(".question").get_by_role("searchbox", name="Question")


def choose(visit: Visit) -> None:
    """Choose the demonstration among the known questions."""
    known = visit.page.locator(".question").get_by_label("With a known answer")
    known.select_option(label=f"{DEMO.question} ({DEMO.tag})")
    expect(box(visit)).to_have_value(DEMO.question)


def fate_of(visit: Visit, number: int = 0) -> Locator:
    return visit.pane(number).locator(".found-list .fate")


def record(visit: Visit) -> None:
    visit.page.evaluate(_RECORD, [pane.element_handle() for pane in visit.page.locator(".pane").all()])


def recorded(visit: Visit) -> list[list[list[Any]]]:
    samples: list[list[list[Any]]] = visit.page.evaluate(_STOP)
    return samples


def told(chunking: Chunking) -> str:
    """What should be said of the demonstration's answer where a chunk holds it."""
    found = fate(chunking, ANSWER.start, ANSWER.end)
    ranks = RETRIEVERS["bm25"].ranking(chunking, DEMO.question, True).ranks[found.holders]
    (cut,), holder = found.boundaries.tolist(), int(found.holders[0])
    assert found.kind == "rescued"
    return (
        f"The answer is cut at boundary {cut + 1}, but whole in chunk {holder + 1}: the overlap rescues it, "
        f"{found.answer_tokens} of its {found.holder_tokens} tokens ({round(100 * found.share)}%), "
        f"found at rank {ranks.min()}."
    )


def check_marked(visit: Visit, number: int = 0) -> None:
    """Exactly the characters of the answer are marked."""
    offsets = utf16(DOCUMENT.text)
    wanted = list(range(offsets[ANSWER.start], offsets[ANSWER.end]))
    assert visit.text(number).evaluate(_MARKED) == wanted


def check_ranks(visit: Visit, chunking: Chunking, question: str = DEMO.question) -> None:
    """The buttons are the ranking as far as there are scores; the first five show their rank where they are in view."""
    ranking = RETRIEVERS["bm25"].ranking(chunking, question, True)
    top = [chunk for chunk in ranking.order[:LISTED].tolist() if ranking.scores[chunk]]
    buttons = visit.pane().locator(".ranked button").all_inner_texts()
    assert [int(one.split(" · ")[0]) for one in buttons] == [chunk + 1 for chunk in top]
    scores = [float(one.split(" · ")[1]) for one in buttons]
    assert scores == pytest.approx([float(ranking.scores[chunk]) for chunk in top], abs=6e-4)
    marks = visit.text().evaluate(_MARKS)
    assert marks
    for mark in marks:
        number, _, rank = mark.partition(" ★")
        assert rank == (str(top.index(int(number) - 1) + 1) if int(number) - 1 in top[:5] else "")


def test_a_torn_answer_is_marked_to_the_character(asking: Visit) -> None:
    expect(fate_of(asking)).to_have_text(TORN)
    expect(fate_of(asking)).to_have_class(re.compile(r"\bsplit\b"))
    asking.eventually(lambda: check_marked(asking))
    colour = "node => getComputedStyle(node, '::highlight(answer)').backgroundColor"
    assert asking.text().locator(".c").first.evaluate(colour) not in ("", "rgba(0, 0, 0, 0)")
    asking.eventually(lambda: check_ranks(asking, chunked(DOCUMENT, **SETTINGS, overlap=0)))
    assert asking.pane().locator(".ranked .holds").count() == 0
    expect(asking.pane().locator(".read")).to_contain_text("A model would read")


def test_a_rank_opens_its_chunk(asking: Visit) -> None:
    asking.eventually(lambda: check_ranks(asking, chunked(DOCUMENT, **SETTINGS, overlap=0)))
    for rank in (0, 5):
        button = asking.pane().locator(".ranked button").nth(rank)
        number = int(button.inner_text().split(" · ")[0])
        button.click()
        expect(asking.inspector.locator("h2")).to_contain_text(f"Chunk {number} of")
        piece = asking.text().locator(f".start[data-n='{number}'], .start[data-n^='{number} ']")
        expect(piece).to_be_in_viewport()
        expect(piece).to_have_class(re.compile(r"\blit\b"))
    asking.inspector.get_by_role("button", name="Close the inspector").click()
    asking.scroll_to(0)


def test_another_question_is_asked_as_it_is_typed_and_loses_the_answer(asking: Visit) -> None:
    expect(fate_of(asking)).to_have_text(TORN)
    for question in (ATTACK, "zzz qqq"):
        box(asking).fill(question)
        chunking = chunked(DOCUMENT, **SETTINGS, overlap=0)
        asking.eventually(lambda q=question, c=chunking: check_ranks(asking, c, q))
        count = int((RETRIEVERS["bm25"].scores(chunking, question, True) > 0).sum())
        expect(fate_of(asking)).to_have_text(f"{count} chunk{'s' * (count != 1)} with a score.")
        asking.eventually(lambda: _unmarked(asking))
        expect(box(asking)).to_have_value(question)
    for selector in ("img[src='x']", "script:has-text('alert(2)')", ".stage b:has-text('bold')"):
        expect(asking.page.locator(selector)).to_have_count(0)
    assert "alert" not in asking.page.url
    box(asking).fill("")
    expect(asking.pane().locator(".found-list")).to_be_hidden()
    asking.eventually(lambda: _without_ranks(asking))


def _without_ranks(visit: Visit) -> None:
    marks = visit.text().evaluate(_MARKS)
    assert marks
    assert not [mark for mark in marks if "★" in mark]


def _unmarked(visit: Visit) -> None:
    assert visit.text().evaluate(_MARKED) == []


def test_the_overlap_rescues_the_answer_while_the_hand_moves(asking: Visit) -> None:
    expect(fate_of(asking)).to_have_text(TORN)
    slider = asking.slider("overlap")
    record(asking)
    x, y = asking.press(slider)
    place = slider.bounding_box()
    assert place
    asking.page.mouse.move(x + 10 * (place["width"] - 20) / 90, y, steps=8)
    while int(slider.input_value()) < 15:
        x += 0.5
        asking.page.mouse.move(x + 10 * (place["width"] - 20) / 90, y)
    assert slider.input_value() == "15"
    chunking = chunked(DOCUMENT, **SETTINGS, overlap=15)
    expect(fate_of(asking)).to_have_text(told(chunking))  # the button is still down
    expect(fate_of(asking)).to_have_class(re.compile(r"\brescued\b"))
    asking.eventually(lambda: check_marked(asking))
    asking.eventually(lambda: check_ranks(asking, chunking))
    held = recorded(asking)
    record(asking)
    assert asking.let_go("overlap") == 15
    settled = recorded(asking)
    assert held[0][0][2] == TORN
    assert held[-1][0][2] == told(chunking)
    assert {said for ((_, _, said),) in settled} == {told(chunking)}
    # Whatever is said above it, the text itself stays where it is.
    assert {tuple(sample[0][:2]) for sample in held + settled} == {tuple(held[0][0][:2])}
    expect(fate_of(asking)).to_have_text(told(chunking))
    check_marked(asking)


def test_each_pane_tells_its_own_fate_and_all_stay_in_place(asking: Visit) -> None:
    other = {"b_unit": "character", "b_size": 500, "b_overlap": 15, "b_mode": "fixed"}
    asking.open(page="compare", **SETTINGS, overlap=0, **other)
    expect(asking.page.locator(".pane")).to_have_count(2)
    choose(asking)
    rescued = told(chunked(DOCUMENT, **SETTINGS, overlap=15))
    expect(fate_of(asking, 0)).to_have_text(TORN)
    expect(fate_of(asking, 1)).to_have_text(rescued)
    for number in (0, 1):
        asking.eventually(lambda n=number: check_marked(asking, n))
    record(asking)
    x, y = asking.press(asking.slider("overlap", 1))
    asking.page.mouse.move(x - 60, y, steps=12)
    expect(asking.entry("overlap", 1)).to_have_value("0")
    expect(fate_of(asking, 1)).to_have_text(TORN)
    asking.let_go("overlap", 1)
    samples = recorded(asking)
    assert {one[0][2] for one in samples} == {TORN}
    assert samples[0][1][2] == rescued
    tops = {tuple(pane[0] for pane in one) for one in samples}
    assert tops == {(samples[0][0][0],) * 2}


def test_a_third_pane_tells_its_fate_and_the_others_never_lose_theirs(asking: Visit) -> None:
    """Goes on in the comparison; the page draws anew, but the question stays asked."""
    expect(asking.page.locator(".pane")).to_have_count(2)
    expect(fate_of(asking, 0)).to_have_text(TORN)
    record(asking)
    asking.page.get_by_role("button", name="Add a third pane").click()
    expect(asking.page.locator(".pane")).to_have_count(3)
    expect(fate_of(asking, 2)).to_contain_text("The answer is")
    assert [pane[2] is None for one in recorded(asking) for pane in one].count(True) == 0
    for number in range(3):
        asking.eventually(lambda n=number: check_marked(asking, n))
