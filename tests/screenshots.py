"""Take the README's pictures of the real page anew: `python -m tests.screenshots`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.bench.visiting import visiting

FOLDER = Path(__file__).parents[1] / "playground" / "ui" / "screenshots"
SIZE = {"width": 1440, "height": 900}


def painted(page: Page) -> None:
    """The chunks are there, and the figure, where there is one."""
    page.locator(".stage .text .c").first.wait_for()
    page.wait_for_timeout(2500)


def asked(page: Page) -> None:
    """The lesson after its prediction."""
    painted(page)
    page.get_by_role("button", name="Show me").click()
    page.locator(".task").wait_for()
    painted(page)


def mapped(page: Page) -> None:
    """The map, drawn."""
    page.get_by_role("button", name="Draw the map").click()
    expect(page.get_by_text("Best here").first).to_be_visible(timeout=60_000)
    page.wait_for_timeout(1500)


def tabled(page: Page) -> None:
    """The table of documents."""
    page.get_by_test_id("stDataFrame").wait_for()
    page.wait_for_timeout(1500)


PICTURES: Mapping[str, tuple[str, Callable[[Page], None]]] = {
    "playground": ("?mode=sentence&size=120&overlap=25", painted),
    "lesson": ("?page=learn&lesson=overlap&step=1", asked),
    "compare": ("?page=compare&mode=fixed&size=120&b_mode=sentence&b_size=120", painted),
    "evaluate": ("?page=evaluate", mapped),
    "documents": ("?page=documents", tabled),
}


def main() -> None:
    """One picture after the other."""
    FOLDER.mkdir(exist_ok=True)
    with visiting() as (visit, _):
        page = visit.page
        page.set_viewport_size(SIZE)
        for name, (query, ready) in PICTURES.items():
            page.goto(visit.origin + query)
            ready(page)
            page.screenshot(path=FOLDER / f"{name}.png")
            print(FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()
