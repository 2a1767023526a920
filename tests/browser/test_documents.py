"""One's own documents: several at once, what cannot be read named with its reason, and nobody else's business."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from browser.conftest import Watch
from browser.serving import FLAGS, chromium
from browser.visit import Visit, check_whole, chunked
from playwright.sync_api import FilePayload, Playwright, expect

from playground import Document, describe, read
from playground.live.store import read_sample, sample_names

ROW, SEEN = 35, 15  # pixels of a row; rows that the table shows without scrolling
GOOD, WIDE, OLD = "Fine text. Two sentences.", "Wide text é. 猫と犬。", "Café “naïve” – it costs 5 € today."
FILES: list[FilePayload] = [
    {"name": "good.txt", "mimeType": "text/plain", "buffer": GOOD.encode()},
    {"name": "empty.txt", "mimeType": "text/plain", "buffer": b""},
    {"name": "picture.txt", "mimeType": "text/plain", "buffer": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0"},
    {"name": "wide.txt", "mimeType": "text/plain", "buffer": WIDE.encode("utf-16")},
    {"name": "old.md", "mimeType": "text/markdown", "buffer": OLD.encode("cp1252")},
    {"name": "noise.md", "mimeType": "text/markdown", "buffer": bytes(range(256)) * 8},
]
KEPT = {
    file["name"]: read(file["name"], file["buffer"])
    for file in FILES
    if file["name"] not in ("picture.txt", "noise.md")
}


@pytest.fixture(scope="module")
def _tab(new_visit: Callable[[], Visit]) -> Iterator[Visit]:
    made = new_visit()
    made.page.goto(f"{made.origin}/?page=documents")
    yield made
    made.page.close()


@pytest.fixture
def own(_tab: Visit) -> Visit:
    return _tab.in_front()


def rows(visit: Visit) -> dict[str, dict[str, str]]:
    """The table as a screen reader has it: by document, each number by its column."""
    grid = visit.page.locator("[data-testid=data-grid-canvas]")
    table = grid.evaluate(
        "grid => [...grid.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent))"
    )
    return {row[0]: dict(zip(table[0], row, strict=False)) for row in table[1:]}


def expect_rows(visit: Visit, names: Sequence[str]) -> None:
    """Check which documents the table has (it grows once more after it appears), as far as it is not scrolled."""
    found = list(rows(visit))
    assert found == list(names)[: len(found)]
    assert len(found) >= min(len(names), SEEN)


def expect_row(visit: Visit, document: Document, title: str) -> None:
    """Check a document's numbers in the table."""
    stats, row = describe(chunked(document)), rows(visit).get(title, {})
    expected = {
        "Characters": len(document),
        "Tokens": stats.document_tokens,
        "Chunks": stats.count,
        "Smallest": stats.smallest,
        "Largest": stats.largest,
        "Processed": stats.processed_tokens,
        "Words cut": stats.word_cuts,
        "Sentences cut": stats.sentence_cuts,
    }
    assert {name: row.get(name, "").replace(",", "") for name in expected} == {
        name: str(value) for name, value in expected.items()
    }
    assert float(row["Duplicated"].rstrip("%")) == pytest.approx(stats.duplicated_percent, abs=0.051)


def test_a_row_for_every_bundled_document(own: Visit) -> None:
    own.eventually(lambda: expect_rows(own, sample_names()))
    for name in sample_names():
        expect_row(own, read_sample(name), name)


def test_good_ones_are_kept_and_the_others_are_named_with_the_reason(own: Visit) -> None:
    own.upload(FILES)
    refused = own.page.locator("[data-testid=stAlert]")
    expect(refused.filter(has_text="picture.txt looks like a PNG image, not text.")).to_be_visible()
    expect(refused.filter(has_text="noise.md looks like binary data, not text.")).to_be_visible()
    own.page.keyboard.press("Escape")
    own.eventually(lambda: expect_rows(own, [*KEPT, *sample_names()]))
    for name, document in KEPT.items():
        expect_row(own, document, name)


def test_nobody_else_sees_them(own: Visit, playwright: Playwright, watch: Watch) -> None:
    """`own` holds them now; a visitor with a browser of their own has the bundled ones only."""
    browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
    page = browser.new_page()
    watch.attach(page)
    stranger = Visit(page, own.origin)
    stranger.page.goto(own.page.url)
    stranger.eventually(lambda: expect_rows(stranger, sample_names()))
    browser.close()


def test_a_click_on_a_row_opens_it(own: Visit) -> None:
    # Once on its name and once on the box in front of it.
    for name, text, across in (("wide.txt", WIDE, 120), ("old.md", OLD, 16)):
        _click_row(own, name, across)
        own.painted().shows(text)
        expect(own.chosen).to_have_value(name)
        own.eventually(lambda n=name: check_whole(own.pieces(), chunked(KEPT[n])))
        for notice in KEPT[name].notices:
            expect(own.page.locator("[data-testid=stAlert]").filter(has_text=notice)).to_be_visible()
        assert "doc" not in own.query
        own.page.get_by_role("radio", name="Documents").click()
        own.wait_for_query(page="documents")
    _click_row(own, "empty.txt", 120)
    expect(own.page.locator("[data-testid=stAlert]").filter(has_text="empty.txt is empty.")).to_be_visible()
    expect(own.page.locator(".stage.empty")).to_be_attached()
    assert own.eventually(lambda: _zero(own)) == 0


def _zero(visit: Visit) -> int:
    assert visit.count() == 0
    return visit.count()


def _click_row(visit: Visit, name: str, across: float) -> None:
    """Click in the row of a document, so far from its left end: it is drawn on a canvas, so by its place."""
    expect(visit.page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning")
    visit.eventually(lambda: _has(visit, name))
    index = list(rows(visit)).index(name)

    def click() -> None:
        box = visit.page.locator("[data-testid=data-grid-canvas]").bounding_box()
        assert box
        visit.page.mouse.click(box["x"] + across, box["y"] + ROW * (index + 1.5))
        expect(visit.page.locator(".stage")).to_be_attached(timeout=4000)  # a table that still settles takes no click

    visit.eventually(click)


def _has(visit: Visit, name: str) -> None:
    assert name in rows(visit)
