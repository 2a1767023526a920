"""Below the stage: a row opens its chunk, the curve and the text point at each other, a model's limit, the way out."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from browser.visit import Visit, check_whole, chunked
from playwright.sync_api import Locator, expect

from playground import Chunking
from playground.core.costs import costs
from playground.core.models import MODELS
from playground.core.modes.semantic import topics
from playground.live.store import read_sample

NAME = "thousand-tokens.txt"
SHORT = read_sample(NAME)
HOSTILE = "<img src=x onerror=alert(7)>"

# Where a point of the curve is on the screen.
_POINT = """
(curve, [x, y]) => {
  const { xaxis, yaxis, _size } = curve._fullLayout;
  const { left, top } = curve.getBoundingClientRect();
  return [left + _size.l + xaxis.d2p(x), top + _size.t + yaxis.d2p(y)];
}
"""


def bench(visit: Visit, label: str) -> None:
    """Show one of the benches below the stage, and wait until the page is at rest."""
    visit.page.get_by_role("radio", name=label).click()
    expect(visit.page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning")


def click_row(visit: Visit, number: int) -> None:
    """Click in a row of the table of chunks: it is drawn on a canvas, so by its place."""
    expect(visit.page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning")
    table = visit.page.locator("[data-testid=stDataFrame]")
    table.scroll_into_view_if_needed()
    box = visit.eventually(lambda: _box(table))
    visit.page.mouse.click(box["x"] + 60, box["y"] + 35 * (number + 0.5))


def _box(found: Locator) -> Any:
    boxes = [found.bounding_box()]
    found.page.wait_for_timeout(150)  # what unfolds moves it
    boxes.append(found.bounding_box())
    assert boxes[0]
    assert boxes[0] == boxes[1]
    return boxes[0]


def opens(visit: Visit, chunking: Chunking, number: int) -> None:
    """The inspector shows this chunk."""
    expect(visit.inspector).to_be_visible()
    expect(visit.inspector.locator("h2")).to_have_text(f"Chunk {number} of {len(chunking)}")
    expect(visit.inspector.locator(".inspected")).to_have_text(chunking[number - 1].text, use_inner_text=False)


def test_a_click_on_a_row_opens_its_chunk(shared: Visit) -> None:
    shared.open(doc=NAME).rested()
    chunking = chunked(SHORT)
    for number in (3, 5):
        click_row(shared, number)
        opens(shared, chunking, number)
    shared.inspector.get_by_role("button", name="Close the inspector").click()
    shared.chosen.click()  # the same row of another document is another chunk
    shared.page.get_by_role("option", name="faq.md").click()
    shared.wait_for_query(doc="faq.md")
    expect(shared.inspector).to_be_hidden()
    shared.rested()
    click_row(shared, 5)
    opens(shared, chunked(read_sample("faq.md")), 5)
    shared.inspector.get_by_role("button", name="Close the inspector").click()


def curve_of(visit: Visit) -> Locator:
    """The similarity curve, drawn."""
    found = visit.page.locator(".curve.js-plotly-plot")
    expect(found).to_have_count(1)
    expect(found.locator(".main-svg").first).to_be_visible()
    return found


def test_the_curve_and_the_text_point_at_each_other(shared: Visit) -> None:
    settings: dict[str, object] = {"mode": "semantic", "overlap": 0}
    shared.page.set_viewport_size({"width": 1280, "height": 1700})  # both are in view
    shared.open(doc=NAME, **settings).rested()
    chunking = chunked(SHORT, **settings)
    found = topics(chunking.prepared, chunking.config)
    curve = curve_of(shared)
    curve.scroll_into_view_if_needed()
    for index in (int(found.cuts[0]), int(found.cuts[1]) + 1):
        place = [index + 1, float(found.curve[index])]
        shared.page.mouse.move(*shared.eventually(lambda p=place: _still(curve, p)))
        chunk = int(np.searchsorted(chunking.starts, found.offsets[index], side="right")) - 1
        shared.eventually(lambda c=chunk: _lit(shared, chunking, c))
        expect(shared.status).to_contain_text(f"Chunk {chunk + 1} of {len(chunking)}")
    shared.page.mouse.move(4, 4)
    shared.eventually(lambda: _none_lit(shared))
    sentences = chunking.prepared.sentences
    for number in (1, 2, len(chunking)):
        one = chunking[number - 1]
        shared.point(shared.mark(number))
        first = int(np.searchsorted(sentences, one.start, side="right")) - 1
        last = int(np.searchsorted(sentences, one.end, side="left"))
        shared.eventually(lambda a=first, b=last: _marked(curve, a, b))
    shared.page.mouse.move(4, 4)
    shared.eventually(lambda: _unmarked(curve))
    shared.page.set_viewport_size({"width": 1280, "height": 1200})


def _still(curve: Locator, place: list[float]) -> list[float]:
    found = [curve.evaluate(_POINT, place) for _ in range(2)]
    assert found[0] == found[1]
    return list(found[0])


def _lit(visit: Visit, chunking: Chunking, chunk: int) -> None:
    lit = [piece for piece in visit.pieces() if "lit" in piece.classes]
    assert {piece.low for piece in lit} == {piece.high for piece in lit} == {chunk}
    assert "".join(piece.text for piece in lit) == chunking[chunk].text


def _none_lit(visit: Visit) -> None:
    assert not [piece for piece in visit.pieces() if "lit" in piece.classes]


def _marked(curve: Locator, first: int, last: int) -> None:
    """The stretch goes from the end of the sentence before `first` to the end of the one before `last`."""
    shapes = curve.evaluate("curve => curve.layout.shapes.map(({ type, x0, x1 }) => [type, x0, x1])")
    assert shapes[1:] == [["rect", first, last]]


def _unmarked(curve: Locator) -> None:
    assert curve.evaluate("curve => curve.layout.shapes.length") == 1


def test_the_threshold_follows_the_hand(shared: Visit) -> None:
    shared.open(doc=NAME, mode="semantic").rested()
    curve = curve_of(shared)
    level = "curve => [curve.layout.shapes[0].y0, curve.data[1].x.length]"
    before, height = curve.evaluate(level), curve.bounding_box()
    x, y = shared.press(shared.slider("amount"))
    shared.page.mouse.move(x + 60, y, steps=6)
    shared.eventually(lambda: _above(curve.evaluate(level)[0], before[0]))
    shared.eventually(lambda: _above(curve.evaluate(level)[1], before[1]))
    shared.page.mouse.up()
    amount = shared.eventually(lambda: _amount(shared))
    chunking = chunked(SHORT, mode="semantic", amount=amount)
    shared.eventually(lambda: check_whole(shared.pieces(), chunking))
    found = topics(chunking.prepared, chunking.config)
    assert curve.evaluate(level) == [round(found.threshold, 4), len(found.cuts)]
    assert curve.bounding_box() == height


def _above(found: float, limit: float) -> None:
    assert found > limit


def _amount(visit: Visit) -> int:
    assert visit.query.get("amount") == visit.entry("amount").input_value()
    return int(visit.query["amount"])


def choose_model(visit: Visit, name: str) -> None:
    """Choose an embedding model by its name."""
    field, option = (
        visit.page.get_by_role("combobox", name="Embedding model"),
        visit.page.get_by_role("option", name=name),
    )

    def offered() -> None:
        field.fill("")  # a run of the page closes the list
        field.fill(name)
        expect(option).to_be_visible(timeout=3000)

    visit.eventually(offered)
    option.click()
    expect(field).to_have_value(name)


def over(visit: Visit, chunking: Chunking, limit: int) -> None:
    """Outlined are the pieces of the chunks that are longer than the model reads, and no others."""
    check_whole(visit.pieces(), chunking)
    long = {one.index for one in chunking if one.tokens > limit}
    assert 0 < len(long) < len(chunking)
    for piece in visit.pieces():
        assert ("over" in piece.classes) == bool(long & set(range(piece.low, piece.high + 1))), piece


def test_what_a_model_cannot_take_is_outlined(shared: Visit) -> None:
    settings: dict[str, object] = {"mode": "paragraph", "size": 300, "overlap": 0, "tail": "keep"}
    shared.open(doc=NAME, **settings).rested()
    expect(shared.text().locator(".over")).to_have_count(0)
    bench(shared, "Model and cost")
    choose_model(shared, "all-MiniLM-L6-v2")
    chunking = chunked(SHORT, **settings)
    model = MODELS["all-MiniLM-L6-v2"]
    shared.eventually(lambda: over(shared, chunking, model.max_tokens))
    count = costs(chunking, model, 1).over_limit_count
    expect(shared.page.get_by_text(f"{count} of {len(chunking)} chunks")).to_be_visible()
    expect(shared.pane().locator(".remark")).to_contain_text(
        f"longer than the {model.max_tokens} tokens that the model"
    )
    shared.slider().press("Shift+ArrowLeft")
    smaller = chunked(SHORT, **{**settings, "size": 290})
    shared.eventually(lambda: over(shared, smaller, model.max_tokens))


def test_markup_in_the_name_of_a_model_is_text(shared: Visit) -> None:
    shared.open(doc=NAME).rested()
    bench(shared, "Model and cost")
    shared.page.get_by_text("Edit the models").click()
    table = shared.page.locator("[data-testid=stDataFrame]")
    table.scroll_into_view_if_needed()
    box = shared.eventually(lambda: _box(table))
    field = shared.page.locator(".gdg-input")

    def opened() -> None:
        shared.page.mouse.click(box["x"] + 80, box["y"] + 35 * 1.5)
        shared.page.keyboard.press("Enter")
        expect(field).to_be_visible(timeout=2000)

    shared.eventually(opened)  # the table listens only a moment after it is drawn
    field.fill(HOSTILE)
    field.press("Enter")
    expect(field).to_have_count(0)
    expect(shared.page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(shared.page.get_by_role("combobox", name="Embedding model")).to_have_value(HOSTILE)  # it was the chosen one
    expect(shared.page.get_by_text(f"tokens that {HOSTILE} reads")).to_be_visible()
    expect(shared.page.locator("img[src='x']")).to_have_count(0)


def test_a_download_holds_every_chunk_exactly(shared: Visit) -> None:
    settings: dict[str, object] = {"mode": "structure", "size": 80}
    shared.open(doc="multilingual.md", **settings).rested()
    bench(shared, "Export and code")
    expect(shared.page.get_by_text("The same spans, to the character.")).to_be_visible()
    with shared.page.expect_download() as downloading:
        shared.page.get_by_role("button", name="Download", exact=True).click()
    download = downloading.value
    assert download.suggested_filename == "multilingual.jsonl"
    lines = download.path().read_text("utf-8").split("\n")
    chunking = chunked(read_sample("multilingual.md"), **settings)
    assert lines.pop() == ""
    assert [json.loads(line)["text"] for line in lines] == [one.text for one in chunking]
    assert [json.loads(line)["context"] for line in lines] == [one.context for one in chunking]
