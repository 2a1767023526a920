"""The real page for the benchmarks: a server, a Chromium and uploads through the form."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.serving import FLAGS, Server, chromium, served
from tests.browser.visit import Visit

PATIENCE = 120_000  # milliseconds: a benchmark waits and then says how long it took
PRECISE = "--enable-precise-memory-info"


@contextmanager
def visiting() -> Iterator[tuple[Visit, Server]]:
    """A tab on a page of its own server."""
    with (
        tempfile.TemporaryDirectory() as home,
        tempfile.TemporaryDirectory() as profile,
        served(Path(home)) as server,
        sync_playwright() as playwright,
    ):
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=chromium(), args=[*FLAGS, PRECISE], viewport={"width": 1280, "height": 900}
        )
        context.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        yield Visit(context.new_page(), server.origin), server
        context.close()


def bring(visit: Visit, name: str, text: str) -> None:
    """Upload a text and wait until its chunks are on screen and the page is at rest."""
    visit.upload([{"name": name, "mimeType": "text/plain", "buffer": text.encode()}])
    expect(visit.chosen).to_have_value(name)
    visit.page.keyboard.press("Escape")
    expect(visit.text().locator(".c", has_text=text[:20]).first).to_be_attached()
    visit.rested()


def drag(visit: Visit, number: int = 0, moves: int = 60, pause: float = 30, rest: float = 400) -> float:
    """Drag the size there and back with the mouse, a move every `pause` ms as far as the browser keeps up with it.

    Returns the seconds from the first move to the last answer's paint; `window.__stage.moves` holds the timings.
    """
    page: Page = visit.page
    x, y = visit.press(visit.slider("size", number))
    page.evaluate("() => (window.__stage.moves.length = 0)")
    started = time.perf_counter()
    for move in range(1, moves + 1):
        away = move if move <= moves / 2 else moves - move
        page.mouse.move(x - 2 * away, y)
        time.sleep(max(0.0, started + move * pause / 1000 - time.perf_counter()))
    page.evaluate("() => new Promise((then) => requestAnimationFrame(() => setTimeout(then)))")
    took = time.perf_counter() - started
    page.mouse.up()
    page.wait_for_timeout(rest)
    return took
