"""Thirty hands at once on one server: `python -m tests.bench.load [seconds]`."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tests.bench.table import TEXTS, median, megabytes, p95, table
from tests.bench.visiting import bring, visiting
from tests.browser.serving import Server

HANDS, PER_SECOND, SECONDS = 30, 10, 20.0
LENGTH = 100_000
GRACE = 5.0  # seconds after the last request in which its answer may still come


class Hand:
    """One connection that moves a slider at a steady pace and notes when each answer came."""

    def __init__(self, number: int, url: str, document: str, origin: str) -> None:
        self.number, self.url, self.document, self.origin = number, url, document, origin
        self.sent: dict[int, float] = {}
        self.took: list[float] = []
        self.superseded = 0
        self.errors = 0

    @property
    def lost(self) -> int:
        """Requests that nothing was heard of."""
        return len(self.sent)

    async def run(self, seconds: float) -> None:
        """Move for so many seconds, then wait for what is still missing."""
        async with connect(self.url, proxy=None, max_size=2**22, origin=self.origin) as socket:  # type: ignore[arg-type]
            listening = asyncio.create_task(self._listen(socket))
            await self._move(socket, seconds)
            ends = time.perf_counter() + GRACE
            while self.sent and time.perf_counter() < ends:
                await asyncio.sleep(0.02)
            listening.cancel()

    async def _move(self, socket: ClientConnection, seconds: float) -> None:
        await asyncio.sleep(self.number / HANDS / PER_SECOND)  # not all in step
        started = time.perf_counter()
        for sequence in range(int(seconds * PER_SECOND)):
            settings = {"size": 40 + (7 * sequence + self.number) % 400, "mode": ("fixed", "sentence")[self.number % 2]}
            pane = {"settings": settings, "from": 3000, "to": 9000}
            self.sent[sequence] = time.perf_counter()
            await socket.send(json.dumps({"doc": self.document, "seq": sequence, "kind": "chunks", "panes": [pane]}))
            await asyncio.sleep(max(0.0, started + (sequence + 1) / PER_SECOND - time.perf_counter()))

    async def _listen(self, socket: ClientConnection) -> None:
        async for message in socket:
            answer: dict[str, Any] = json.loads(message)
            began = self.sent.pop(answer["seq"])
            if answer.get("superseded"):
                self.superseded += 1
            elif "error" in answer:
                self.errors += 1
            else:
                self.took.append(1000 * (time.perf_counter() - began))


async def all_hands(server: Server, document: str, seconds: float) -> list[Hand]:
    """Let every hand move at the same time."""
    url = server.origin.replace("http", "ws", 1) + "/live/ws"
    hands = [Hand(number, url, document, server.origin) for number in range(HANDS)]
    await asyncio.gather(*(hand.run(seconds) for hand in hands))
    return hands


def main(seconds: float = SECONDS) -> None:
    """Upload a document through the page, then let all hands move its slider at once."""
    with visiting() as (visit, server):
        visit.open().rested()
        bring(visit, "load.txt", TEXTS["English"](LENGTH))
        document = _key(visit.page.evaluate("() => performance.getEntriesByType('resource').map((one) => one.name)"))
        with ThreadPoolExecutor(1) as apart:  # the browser's driver has an event loop of its own
            apart.submit(asyncio.run, all_hands(server, document, 2)).result()
            before = megabytes(server.pid)
            hands = apart.submit(asyncio.run, all_hands(server, document, seconds)).result()
            after = megabytes(server.pid)
    took = [one for hand in hands for one in hand.took]
    requests = len(took) + sum(hand.superseded + hand.errors + hand.lost for hand in hands)
    heads = ("connections", "moves/s each", "requests", "p50 ms", "p95 ms", "max ms", "superseded", "errors", "lost")
    counts = [sum(getattr(hand, name) for hand in hands) for name in ("superseded", "errors", "lost")]
    table(
        f"Load: {LENGTH // 1000} KB, {seconds:g} s, server and load on one machine",
        (*heads, "server MB before", "after"),
        [(HANDS, PER_SECOND, requests, median(took), p95(took), max(took), *counts, before, after)],
    )


def _key(addresses: list[str]) -> str:
    """The key of the document that the page fetched last."""
    return [one for one in addresses if "/live/text/" in one][-1].rsplit("/", 1)[-1]


if __name__ == "__main__":
    main(*(float(argument) for argument in sys.argv[1:2]))
