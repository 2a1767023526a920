"""From the mouse to painted chunks and numbers, in a real browser: `python -m tests.bench.drag`."""

from __future__ import annotations

from playground.core.modes import MODES
from tests.bench.table import TEXTS, median, p95, table
from tests.bench.visiting import bring, drag, visiting
from tests.browser.visit import Visit

SIZES = {"10 KB": 10_000, "100 KB": 100_000, "1 MB": 1_000_000, "5 MB": 5_000_000}
MOVES = 60
PARTS = ("wait", "trip", "core", "script", "paint")
HEADS = ("document", "median ms", "p95 ms", "updates/s", "of moves/s", *(f"{part} ms" for part in PARTS))


def measure(visit: Visit, name: str) -> tuple[object, ...]:
    """A row: one drag to warm up and one that counts."""
    drag(visit, moves=20)
    took = drag(visit, moves=MOVES)
    moves = visit.page.evaluate("() => window.__stage.moves")
    total = [move["total"] for move in moves]
    parts = [median([move[part] for move in moves]) for part in PARTS]
    return (name, median(total), p95(total), len(moves) / took, MOVES / took, *parts)


def main() -> None:
    """The tables of the playground, of every mode, and of the comparison."""
    rows = []
    with visiting() as (visit, _):
        visit.open().rested()
        for name, size in SIZES.items():
            bring(visit, f"{name}.txt", TEXTS["English"](size))
            visit.scroll_to(3000)
            rows.append(measure(visit, name))
        table("Drag, from the input event to painted chunks and numbers", HEADS, rows)
        print(
            "\nwait: until the answer to the move before is there. trip: to the server and back, the core's part in it."
        )
        print("A page that is busy painting reads its answer late: that, too, is in the trip.")
        visit.open().rested()
        bring(visit, "modes.md", TEXTS["Markdown"](100_000))
        visit.scroll_to(3000)
        rows = []
        for mode in MODES.values():
            visit.page.locator(".radios label").filter(has_text=mode.label).first.click()
            visit.painted().rested()
            rows.append(measure(visit, f"100 KB of Markdown, {mode.name}"))
        table("Drag in every mode", HEADS, rows)
        visit.open().rested()
        bring(visit, "compared.txt", TEXTS["English"](100_000))
        visit.page.get_by_role("radio", name="Compare").click()
        visit.page.locator(".pane").nth(1).wait_for()
        visit.painted().rested()
        table("Drag in the comparison, two panes", HEADS, [measure(visit, "100 KB, two panes")])


if __name__ == "__main__":
    main()
