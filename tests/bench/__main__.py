"""All benchmarks, one after the other, as Markdown: `python -m tests.bench [name ...]`."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable

import psutil

from tests.bench import drag, load, memory, opening, peers, prepare, retrieval

ALL: dict[str, Callable[[], None]] = {
    "prepare": prepare.main,
    "peers": peers.main,
    "retrieval": retrieval.main,
    "drag": drag.main,
    "load": load.main,
    "memory": memory.main,
    "opening": opening.main,
}

if __name__ == "__main__":
    at_start = psutil.getloadavg()[0]
    print(f"Python {platform.python_version()}, {psutil.cpu_count()} cores, load {at_start:.1f} at the start")
    for name in sys.argv[1:] or ALL:
        ALL[name]()
