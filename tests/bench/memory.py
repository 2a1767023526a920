"""What hundreds of drags leave behind, in the browser and in the server: `python -m tests.bench.memory [drags]`."""

from __future__ import annotations

import sys

from playwright.sync_api import CDPSession

from tests.bench.table import TEXTS, megabytes, table
from tests.bench.visiting import bring, drag, visiting

DRAGS, MOVES, STAGES = 500, 6, 4


def heap(session: CDPSession) -> float:
    """The megabytes that scripts of the page hold, after collecting garbage."""
    session.send("HeapProfiler.collectGarbage")
    found = session.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in found if one["name"] == "JSHeapUsedSize")) / 2**20


def main(drags: int = DRAGS) -> None:
    """Drag there and back, with a look at both memories after each quarter."""
    rows = []
    with visiting() as (visit, server):
        visit.open().rested()
        bring(visit, "memory.txt", TEXTS["English"](100_000))
        session = visit.page.context.new_cdp_session(visit.page)
        session.send("Performance.enable")
        for _ in range(10):
            drag(visit, moves=MOVES, pause=8, rest=40)
        first = (heap(session), megabytes(server.pid))
        rows.append((0, *first, 0.0, 0.0))
        for stage in range(1, STAGES + 1):
            for _ in range(drags // STAGES):
                drag(visit, moves=MOVES, pause=8, rest=40)
            now = (heap(session), megabytes(server.pid))
            rows.append((stage * (drags // STAGES), *now, now[0] - first[0], now[1] - first[1]))
    table("Memory, 100 KB", ("drags", "page MB", "server MB", "page growth MB", "server growth MB"), rows)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
