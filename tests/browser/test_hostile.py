"""Documents that attack, or that nobody foresaw: shown as the text they are."""

from __future__ import annotations

import pytest
from browser.conftest import Watch
from browser.visit import Visit, check_whole, chunked
from playwright.sync_api import expect

from playground import Document, read

SETTINGS: dict[str, object] = {"unit": "character", "size": 24, "overlap": 20}
ATTACK = "<img src=x onerror=alert(1)><script>alert(2)</script> & <b>bold</b> ![x](http://127.0.0.1:1/x.png) $x$ "
NAME = "<img src=x onerror=alert(1)>.md"


@pytest.fixture(autouse=True)
def _settings(at_settings: Visit) -> None:
    at_settings.use(**SETTINGS)


def harmless(visit: Visit) -> None:
    """Nothing of the document became an element."""
    for selector in ("img[src='x']", "script:has-text('alert(2)')", ".stage b:has-text('bold')", "img[src*='x.png']"):
        expect(visit.page.locator(selector)).to_have_count(0)


def test_markup_in_a_pasted_text_is_text(at_settings: Visit) -> None:
    at_settings.paste(ATTACK * 4)
    chunking = chunked(Document.from_text(ATTACK * 4), **SETTINGS)
    at_settings.eventually(lambda: check_whole(at_settings.pieces(), chunking))
    harmless(at_settings)
    at_settings.open_inspector(2)
    expect(at_settings.inspector.locator("h2")).to_contain_text("Chunk 2")
    at_settings.inspector.get_by_label("White space").check()
    harmless(at_settings)
    at_settings.inspector.get_by_label("White space").uncheck()
    at_settings.inspector.get_by_role("button", name="Close the inspector").click()
    assert "alert" not in at_settings.page.url
    assert "doc" not in at_settings.query


def test_markup_in_a_file_name_is_text(at_settings: Visit) -> None:
    data = ATTACK.encode()
    at_settings.upload([{"name": NAME, "mimeType": "text/markdown", "buffer": data}])
    at_settings.shows(ATTACK)
    expect(at_settings.chosen).to_have_value(NAME)
    expect(at_settings.text()).to_have_attribute("aria-label", f"{NAME}. Arrow keys walk through the chunks.")
    at_settings.open_inspector(1)
    expect(at_settings.inspector.locator(".facts")).to_contain_text(NAME)
    harmless(at_settings)
    at_settings.inspector.get_by_role("button", name="Close the inspector").click()


@pytest.mark.parametrize(
    "data",
    [
        b"First line.\r\nSecond line.\r\n\r\nA lone\rreturn. " * 6,
        "مرحبا بالعالم. هذا نص عربي؟ نعم! שלום עולם. abc 123. ".encode() * 6,
        b"a NUL \x00 inside, and \x0c a form feed, \xe2\x80\x8b zero width, \xe2\x80\xa8 a separator. " * 5,
        "<|endoftext|> e\u0301\u0323 👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ﷽ \U0001f9d1🏽‍🚀 ".encode() * 8,
    ],
    ids=("carriage returns", "right to left", "controls", "clusters"),
)
def test_bytes_come_through(at_settings: Visit, data: bytes) -> None:
    document = read("odd.txt", data)
    at_settings.upload([{"name": "odd.txt", "mimeType": "text/plain", "buffer": data}])
    chunking = chunked(document, **SETTINGS)
    at_settings.eventually(lambda: check_whole(at_settings.pieces(), chunking))
    at_settings.page.keyboard.press("Escape")
    for notice in document.notices:
        expect(at_settings.page.locator("[data-testid=stAlert]").filter(has_text=notice)).to_be_visible()


def test_markup_in_a_ladder_is_text(at_settings: Visit) -> None:
    settings: dict[str, object] = {"mode": "recursive", "unit": "character", "size": 30, "overlap": 0}
    at_settings.use(**settings)
    at_settings.paste(ATTACK * 4)
    settings["separators"] = "<img src=x onerror=alert(1)>\n<script>alert(2)</script>\n\\s"
    rungs = at_settings.pane().locator(".ladder textarea")
    rungs.fill(str(settings["separators"]))
    chunking = chunked(Document.from_text(ATTACK * 4), **settings)
    at_settings.eventually(lambda: check_whole(at_settings.pieces(), chunking))
    name = next(level.name for level in chunking.levels if "<img" in level.name)
    assert name in {piece.level for piece in at_settings.pieces()}
    expect(at_settings.pane().locator(".remark")).to_contain_text(name)
    at_settings.wait_for_query(**settings)
    harmless(at_settings)
    at_settings.open_inspector(2)
    expect(at_settings.inspector.locator(".reason")).to_have_text(chunking[1].reason)
    harmless(at_settings)
    at_settings.inspector.get_by_role("button", name="Close the inspector").click()
    at_settings.pane().locator(".ladder select").select_option("prose")
    at_settings.eventually(lambda: _no_ladder(at_settings))


def _no_ladder(visit: Visit) -> None:
    assert "separators" not in visit.query


def test_a_request_to_another_host_would_be_noticed(at_settings: Visit, watch: Watch) -> None:
    at_settings.page.evaluate(
        """() => new Promise((then) => {
          const picture = new Image();
          picture.onerror = then;
          picture.src = "http://elsewhere.invalid/picture.png";
        })"""
    )
    at_settings.eventually(lambda: _noticed(watch))
    watch.faults.clear()


def _noticed(watch: Watch) -> None:
    assert [fault for fault in watch.faults if fault.startswith("a request left the host: http://elsewhere.invalid/")]
    assert len(watch.faults) == 2  # and the console says so


def test_right_to_left_lines_run_from_the_right(at_settings: Visit) -> None:
    at_settings.paste("مرحبا بالعالم. هذا نص عربي.")
    side = (
        at_settings.text()
        .locator(".c")
        .first.evaluate(
            "node => [node.getBoundingClientRect().right, node.parentElement.getBoundingClientRect().right]"
        )
    )
    assert side[1] - side[0] < 20
