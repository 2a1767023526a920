"""Packing chunk by chunk: the rules `reach` and `back` for one cut at a time, a few look-ups each."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from playground.core.boundaries import Level
from playground.core.places import Packed, Place, Places
from playground.core.plan import Plan


def walk(plan: Plan) -> Packed:
    """Chunk by chunk, a few look-ups each."""
    starts, cuts = [], []
    cut, end, at = (0, 0), (0, plan.levels[0].end), -1
    while cut != end:
        start, cut, at = step(plan, cut, at)
        starts.append(start)
        cuts.append(cut)
    return Packed(as_places(starts), as_places(cuts))


def step(plan: Plan, cut: Place, previous: int) -> tuple[Place, Place, int]:
    """The chunk that comes after `cut` and the offset where it starts: the rules `back` and `reach` for one.

    `previous` is the offset where the chunk before starts: this one starts later.
    """
    levels, areas = plan.levels, plan.areas
    origin = levels[cut[0]].rows.offsets[cut[1]]
    room, least, low, high = plan.size, plan.size, 0, None
    if areas is not None:
        rooms, leasts, lows, highs = areas.rows
        area = areas.one_at(origin)
        room, least, low, high = rooms[area], leasts[area], lows[area], highs[area]
    start = _back_one(plan, cut, least, max(low, previous + 1)) if plan.overlap and low < origin else cut
    rows = plan.places[start[0]].rows
    at = rows.offsets[start[1]]
    if areas is not None and at != origin:
        room = areas.rows[0][areas.one_at(at)]
    if plan.strict and cut[0]:
        coarser = levels[cut[0] - 1].rows.offsets
        ahead = coarser[bisect_right(coarser, origin)]
        high = ahead if high is None else min(ahead, high)
    limit = rows.within[start[1]] + room
    for target, level in enumerate(levels):
        last = level.last_before(limit)
        if high is not None and level.rows.offsets[last] > high:
            last = bisect_right(level.rows.offsets, high) - 1
        if level.rows.offsets[last] > at:
            return start, (target, last), at
    return start, after(levels, at), at


def _back_one(plan: Plan, cut: Place, room: int, low: int) -> Place:
    """The rule `back` for one cut; the start is not before the offset `low`."""
    number, index = cut
    rows = plan.levels[number].rows
    need = max(rows.before[index] - plan.overlap, rows.before[index + 1] - room)
    if plan.snap is None:
        first = plan.levels[number].first_within(need)
        if rows.offsets[min(first, index)] < low:
            first = bisect_left(rows.offsets, low)
        return number, min(first, index)
    snap = plan.snap
    first = snap.first_within(need)
    if snap.rows.offsets[first] < low:
        first = bisect_left(snap.rows.offsets, low)
    return (plan.snap_number, first) if snap.rows.offsets[first] < rows.offsets[index] else cut


def after(levels: Sequence[Level], offset: int) -> Place:
    """The next boundary after `offset`, on the coarsest level that has it: where nothing smaller can be cut."""
    finest = levels[-1].rows.offsets
    target = finest[bisect_right(finest, offset)]
    for number, level in enumerate(levels[:-1]):
        index = bisect_left(level.rows.offsets, target)
        if level.rows.offsets[index] == target:
            return number, index
    return len(levels) - 1, bisect_left(finest, target)


def as_places(pairs: Sequence[Place]) -> Places:
    """The boundaries, given as numbers of level and index, as arrays."""
    array = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return Places(array[:, 0].astype(np.int8), array[:, 1])
