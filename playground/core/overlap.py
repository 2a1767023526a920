"""How much neighbouring chunks share, and why it is less than what was asked for."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from playground.core.boundaries import contains
from playground.core.places import Packed, Places
from playground.core.plan import Plan
from playground.core.rulers import Offsets


class Limit(IntEnum):
    """Why an overlap is smaller than what was asked for."""

    NONE = 0
    WHOLE = 1
    """Only whole pieces are repeated, and one more would be too much."""
    ROOM = 2
    """More would leave no room for the piece that comes next."""
    LARGE = 3
    """The next piece is larger than the size, so it starts afresh."""
    END = 4
    """The document ends there: only with `tail="keep"` does another chunk follow."""
    WALL = 5
    """A section, a parent or a topic ends there, and nothing of it is repeated in the next."""
    BEFORE = 6
    """More would start no later than the chunk before."""


def overlaps(plan: Plan, packed: Packed) -> Offsets:
    """The units that each chunk but the first repeats; a unit that a cut without overlap splits is not repeated."""
    cut, start = packed.cuts[:-1], packed.starts[1:]
    repeats = start.read(plan.places, "offsets") < cut.read(plan.places, "offsets")
    shared = cut.read(plan.places, "before") - start.read(plan.places, "within")
    return np.where(repeats, shared, np.int32(0))


def why_less(plan: Plan, packed: Packed) -> npt.NDArray[np.int8]:
    """For each pair of neighbours the `Limit` that kept their overlap below the plan's (NONE: it is in full)."""
    cut, start = packed.cuts[:-1], packed.starts[1:]
    why = np.full(len(cut), Limit.WHOLE, dtype=np.int8)
    at = cut.read(plan.places, "offsets")
    room = np.full(len(cut), plan.size, np.int32) if plan.areas is None else plan.areas.rooms[plan.areas.at(at)]
    least = room if plan.areas is None else plan.areas.least[plan.areas.at(at)]
    for number, level in enumerate(plan.levels):
        here = np.flatnonzero(cut.level == number)
        if not len(here):
            continue
        index = cut.index[here]
        following = np.minimum(index + 1, level.end)
        tight = level.before[following] - least[here] > level.before[index] - plan.overlap
        why[here[tight]] = Limit.ROOM
        why[here[level.before[following] - level.within[index] > room[here]]] = Limit.LARGE
    if plan.areas is not None:
        held = _earlier(plan, cut, start) < plan.areas.lows[plan.areas.at(at)]
        why[held & ((why == Limit.WHOLE) | (why == Limit.ROOM))] = Limit.WALL
        why[contains(plan.areas.starts[plan.areas.walls], at)] = Limit.WALL
    if not plan.is_memoryless:
        finest = plan.places[-1]
        earlier = np.maximum(np.searchsorted(finest.offsets, start.read(plan.places, "offsets")) - 1, 0)
        held = finest.offsets[earlier] <= packed.starts[:-1].read(plan.places, "offsets")
        held &= cut.read(plan.places, "before") - finest.within[earlier] <= plan.overlap
        why[held & (why == Limit.WHOLE)] = Limit.BEFORE
    why[at == plan.levels[0].offsets[-1]] = Limit.END
    why[overlaps(plan, packed) >= plan.overlap] = Limit.NONE
    return why


def _earlier(plan: Plan, cut: Places, start: Places) -> Offsets:
    """The boundary before each start, among those at which its overlap could have started."""
    found = np.zeros(len(cut), dtype=np.int32)
    at = start.read(plan.places, "offsets")
    for number, level in enumerate(plan.levels):
        here = np.flatnonzero(cut.level == number)
        if not len(here):
            continue
        on = level if plan.snap is None else plan.snap
        index = np.searchsorted(on.offsets, at[here], side="left") - 1
        found[here] = on.offsets[np.maximum(index, 0)]
    return found
