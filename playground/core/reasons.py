"""Why a chunk ends where it ends, and why an overlap is smaller than asked: numbers put into plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from playground.core.overlap import Limit

if TYPE_CHECKING:
    from playground.core.chunking import Chunking


def counted(number: int, unit: str) -> str:
    """`counted(1, "token")` is "1 token", `counted(1200, "token")` is "1,200 tokens"."""
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"


def cut_reason(chunking: Chunking, index: int) -> str:
    """Why chunk `index` ends where it does."""
    size, unit, length = chunking.config.size, chunking.config.unit, int(chunking.sizes[index])
    if chunking.ends[index] == len(chunking.document):
        return _at_the_end(chunking, index)
    if length > size:
        return f"This piece of {counted(length, unit)} is larger than {size:,}: {_why_whole(chunking, index)}"
    number, place = int(chunking.packed.cuts.level[index]), int(chunking.packed.cuts.index[index])
    level = chunking.levels[number]
    if number:
        broken = chunking.levels[number - 1].name
        return f"The {broken} is larger than {counted(size, unit)}, so it is cut between {level.name}s."
    if level.name == unit:
        if length == size:
            return f"The window of {counted(size, unit)} is full."
        return f"The window stops at {length:,} of {size:,}: one step more would cut a character in two."
    piece = int(level.before[place + 1] - level.within[place])
    if piece > size:
        return f"The next {level.name} ({counted(piece, unit)}) is larger than the size; it is cut on its own."
    return f"The next {level.name} ({counted(piece, unit)}) does not fit into the {size - length:,} that are left."


def _why_whole(chunking: Chunking, index: int) -> str:
    """Why nothing inside chunk `index` may be cut."""
    start, end = int(chunking.starts[index]), int(chunking.ends[index])
    inside = np.searchsorted(chunking.prepared.forbidden, [start + 1, end])
    if end - start - 1 == int(inside[1] - inside[0]):
        return "it is one character to a reader and cannot be cut."
    return f"its {chunking.config.unit}s part only inside a character, so it cannot be cut."


def _at_the_end(chunking: Chunking, index: int) -> str:
    """The reason of a chunk that reaches the end of the document."""
    unit = chunking.config.unit
    if chunking.packed.merged and index == len(chunking) - 1:
        return f"The tail was smaller than {counted(chunking.config.smallest_tail, unit)} and joined this chunk."
    if chunking.prepared.is_blank:
        return "The document holds only white space."
    if chunking.oversized[index]:
        piece = counted(int(chunking.sizes[index]), unit)
        return f"The document ends here; the piece of {piece} is larger than the size: {_why_whole(chunking, index)}"
    return "The document ends here."


def overlap_reason(chunking: Chunking, boundary: int) -> str:
    """Why the overlap at `boundary` (between chunks `boundary` and `boundary + 1`) is below what was asked."""
    limit = Limit(int(chunking.overlap_limits[boundary]))
    if limit is Limit.NONE:
        return ""
    name = chunking.levels[chunking.packed.cuts.level[boundary]].name
    asked, achieved = chunking.config.overlap, int(chunking.overlaps[boundary])
    return f"Asked for {asked:,}, achieved {achieved:,}: {limit_text(limit, name)}"


def limit_text(limit: Limit, name: str) -> str:
    """What a `Limit` means where the cut is between pieces called `name`."""
    return {
        Limit.NONE: "the overlap is as asked.",
        Limit.WHOLE: f"only whole {name}s are repeated, and one more would be too much.",
        Limit.ROOM: f"repeating more would leave no room for the next {name}.",
        Limit.LARGE: f"the next {name} is larger than the size, so it starts afresh.",
        Limit.END: "the document ends there; this chunk is a naive tail.",
    }[limit]
