"""Why a chunk ends where it ends, and why an overlap is smaller than asked: numbers put into plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from playground.core.boundaries import Level
from playground.core.overlap import Limit

if TYPE_CHECKING:
    from playground.core.chunking import Chunking


WHOLES = ("section", "question", "page", "class", "function", "topic")
"""What is best left whole."""
EVERYWHERE = ("sentence", "word")
"""The kinds of pieces that every text has."""


def counted(number: int, unit: str) -> str:
    """`counted(1, "token")` is "1 token", `counted(1200, "token")` is "1,200 tokens"."""
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"


def cut_reason(chunking: Chunking, index: int) -> str:
    """Why chunk `index` ends where it does."""
    merged = chunking.packed.merged
    if merged is not None and merged[index]:
        smallest = counted(chunking.config.smallest_tail, chunking.config.unit)
        return f"The tail was smaller than {smallest} and joined this chunk."
    if chunking.ends[index] == len(chunking.document):
        return _at_the_end(chunking, index)
    room, unit, length = int(chunking.rooms[index]), chunking.config.unit, int(chunking.sizes[index])
    if length > room:
        return (
            f"This piece of {counted(length, unit)} is larger than {_room(chunking, index)}: {_whole(chunking, index)}"
        )
    wall = _wall_at(chunking, int(chunking.ends[index]))
    if wall:
        areas = chunking.plan.areas
        assert areas is not None
        start = int(chunking.starts[index])
        area = areas.one_at(start)
        name = areas.names[area]
        parted = areas.parted is not None and areas.parted[area]
        if start == int(areas.lows[area]) and name in WHOLES and not parted:
            return f"The whole {name} fits, and splitting it would only hurt. A new {wall} starts after it."
        return f"A new {wall} starts after it, and no chunk goes from one into the next."
    return _for_want_of_room(chunking, index, room, length)


def _for_want_of_room(chunking: Chunking, index: int, room: int, length: int) -> str:
    """The reason of a chunk that another piece would have made too large."""
    unit = chunking.config.unit
    number, place = int(chunking.packed.cuts.level[index]), int(chunking.packed.cuts.index[index])
    level = chunking.levels[number]
    if number:
        broken = _larger(chunking, number - 1)
        if chunking.plan.strict and length + int(level.before[place + 1] - level.before[place]) <= room:
            return f"The {level.name} ends here; what was cut further down stays in it."
        return f"The {broken.name} is larger than {_limit(chunking, index)}, so it is cut between {plural(level.name)}."
    if level.name == unit:
        if length == room:
            return f"The window of {counted(room, unit)} is full."
        return f"The window stops at {length:,} of {room:,}: one step more would cut a character in two."
    piece = int(level.before[place + 1] - level.within[place])
    if piece > room:
        return f"The next {level.name} ({counted(piece, unit)}) is larger than the size; it is cut on its own."
    if piece <= room - length:
        return f"The {level.name} ends here; what was cut further down stays in it."
    return f"The next {level.name} ({counted(piece, unit)}) does not fit into the {room - length:,} that are left."


def _larger(chunking: Chunking, number: int) -> Level:
    """The level `number`, or one that is coarser where a text without such pieces has the same boundaries."""
    levels = chunking.levels
    while number and levels[number].name not in EVERYWHERE and levels[number].end == levels[number - 1].end:
        number -= 1
    return levels[number]


def plural(name: str) -> str:
    """More than one of what a level is called: "paragraphs"."""
    return f"{name}s"


def oversize_reason(chunking: Chunking, index: int) -> str:
    """Why chunk `index` is larger than the size."""
    merged = chunking.packed.merged
    if merged is not None and merged[index]:
        return "A short tail joined it."
    return _whole(chunking, index).capitalize()


def _limit(chunking: Chunking, index: int) -> str:
    """The size, or what a context leaves of it."""
    room, size, unit = int(chunking.rooms[index]), chunking.config.size, chunking.config.unit
    return counted(room, unit) if room == size else f"the {counted(room, unit)} that the context leaves of {size:,}"


def _room(chunking: Chunking, index: int) -> str:
    """The size as a bare number, or what a context leaves of it."""
    room = int(chunking.rooms[index])
    return f"{room:,}" if room == chunking.config.size else _limit(chunking, index)


def _wall_at(chunking: Chunking, offset: int) -> str:
    """What starts behind the wall at `offset`; "" where there is no wall."""
    areas = chunking.plan.areas
    if areas is None:
        return ""
    area = areas.one_at(offset)
    return areas.names[area] if areas.walls[area] and int(areas.starts[area]) == offset else ""


def _whole(chunking: Chunking, index: int) -> str:
    """Why nothing inside chunk `index` may be cut."""
    start, end = int(chunking.starts[index]), int(chunking.ends[index])
    inside = np.searchsorted(chunking.prepared.forbidden, [start + 1, end])
    if end - start - 1 == int(inside[1] - inside[0]):
        return "it is one character to a reader and cannot be cut."
    return f"its {chunking.config.unit}s part only inside a character, so it cannot be cut."


def _at_the_end(chunking: Chunking, index: int) -> str:
    """The reason of a chunk that reaches the end of the document."""
    unit = chunking.config.unit
    if chunking.prepared.is_blank:
        return "The document holds only white space."
    if chunking.oversized[index]:
        piece = counted(int(chunking.sizes[index]), unit)
        return f"The document ends here; the piece of {piece} is larger than the size: {_whole(chunking, index)}"
    return "The document ends here."


def overlap_reason(chunking: Chunking, boundary: int) -> str:
    """Why the overlap at `boundary` (between chunks `boundary` and `boundary + 1`) is below what was asked."""
    limit = Limit(int(chunking.overlap_limits[boundary]))
    if limit is Limit.NONE:
        return ""
    asked, achieved = chunking.config.overlap, int(chunking.overlaps[boundary])
    level = chunking.levels[chunking.packed.cuts.level[boundary]]
    whole = level if chunking.plan.snap is None else chunking.plan.snap
    wall = _wall_at(chunking, int(chunking.ends[boundary]))
    return f"Asked for {asked:,}, achieved {achieved:,}: {limit_text(limit, level.name, whole.name, wall)}"


def limit_text(limit: Limit, name: str, whole: str = "", wall: str = "") -> str:
    """What a `Limit` means where the cut is between pieces called `name`, and `whole` pieces are repeated."""
    return {
        Limit.NONE: "the overlap is as asked.",
        Limit.WHOLE: f"only whole {plural(whole or name)} are repeated, and one more would be too much.",
        Limit.ROOM: f"repeating more would leave no room for the next {name}.",
        Limit.LARGE: f"the next {name} is larger than the size, so it starts afresh.",
        Limit.END: "the document ends there; this chunk is a naive tail.",
        Limit.WALL: f"nothing from before the start of a {wall or 'section'} is repeated.",
        Limit.BEFORE: "repeating more would start no later than the chunk before.",
    }[limit]
