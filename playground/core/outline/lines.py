"""Text of which nothing better is known, as blocks of lines; and how many blocks a text may have at all."""

from __future__ import annotations

import re

from playground.core.document import Block

_FEWEST, _SIZE = 2_000, 50
_LINE = re.compile(r"[^\r\n]+(?:\r\n?|\n)?|\r\n?|\n")


def most_blocks(text: str) -> int:
    """The most blocks of `text`: one per 50 characters, or 2,000 if that is more."""
    return max(_FEWEST, len(text) // _SIZE)


def line_blocks(text: str) -> tuple[Block, ...]:
    """A block for each run of lines without a blank one; where they are many, the small ones join the next."""
    runs: list[tuple[int, int]] = []
    at, blank = 0, True
    for line in _LINE.findall(text):
        ink = line.rstrip()
        if ink:
            start = at if blank else runs.pop()[0]
            runs.append((start, at + len(ink)))
        blank = not ink
        at += len(line)
    if len(runs) > most_blocks(text):
        joined = runs[:1]
        for start, end in runs[1:]:
            if joined[-1][1] - joined[-1][0] < _SIZE:
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        runs = joined
    return tuple(Block(start, end, "line") for start, end in runs)
