"""What every benchmark shares: medians, Markdown tables, texts of a given size, and a server's memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import psutil

ENGLISH = (
    "The keeper of light No. {0} wrote down {1} ships before noon, e.g. a barque with {2} sails. Fog came at four. "
    "Nobody on the pier could say, afterwards, which of the {1} lamps had gone out first; the log says it was the red "
    "one.\n\n"
)
CHINESE = "第{0}号灯塔的看守人在中午以前记下了{1}艘船。四点钟起了雾。码头上没有人能说清，{2}盏灯里哪一盏先熄灭了。\n\n"
MARKDOWN = (
    "## Entry {0}\n\n"
    + ENGLISH
    + "### Lamps of entry {0}\n\n| lamp | ships |\n|---|---|\n| {1} | {2} |\n| red | 3 |\n\n"
    "- The log of day {1}\n  - kept dry\n- Oil for {2} lamps\n\n```\nlamp[{0}] = {1}\n```\n\n"
)
MIXED = (
    "## Entry {0}\n\nالضوء رقم {1} انطفأ. حارس المنارة كتب {2} سطرا.\n\n"
    "ไฟดวงที่ {1} ดับลง เวลา {2} นาฬิกา 🚢🌫️ `lamp[{0}] = {1}`\n\n"
)


def text_of(size: int, *paragraphs: str) -> str:
    """About `size` bytes of UTF-8 of paragraphs that all differ."""
    made: list[str] = []
    length = number = 0
    while length < size:
        made.append(paragraphs[number % len(paragraphs)].format(number, number * 7 % 89, number * 13 % 31))
        length += len(made[-1].encode())
        number += 1
    return "".join(made)


TEXTS: dict[str, Callable[[int], str]] = {
    "English": lambda size: text_of(size, ENGLISH),
    "Chinese": lambda size: text_of(size, CHINESE),
    "Markdown": lambda size: text_of(size, MARKDOWN, ENGLISH, ENGLISH),
    "mixed": lambda size: text_of(size, ENGLISH, CHINESE, MIXED),
}


def timed(run: Callable[[], object], times: int = 5) -> list[float]:
    """The milliseconds that each of several runs took."""
    took = []
    for _ in range(times):
        started = time.perf_counter()
        run()
        took.append(1000 * (time.perf_counter() - started))
    return took


def median(values: Sequence[float]) -> float:
    """The middle of the values."""
    return float(np.median(values))


def p95(values: Sequence[float]) -> float:
    """The value that 95% do not exceed."""
    return float(np.percentile(values, 95))


def table(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a Markdown table."""
    print(f"\n### {title}\n")
    print("| " + " | ".join(heads) + " |")
    print("|" + "|".join([" --- "] + [" ---: "] * (len(heads) - 1)) + "|")
    for row in rows:
        print("| " + " | ".join(f"{cell:,.1f}" if isinstance(cell, float) else str(cell) for cell in row) + " |")


def megabytes(pid: int) -> float:
    """The memory that a process has resident."""
    return float(psutil.Process(pid).memory_info().rss) / 2**20
