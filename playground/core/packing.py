"""The one packing loop: from a plan to chunks.

Two rules make every chunking. `reach`: a chunk ends at the coarsest kind of boundary that lies within the room, and
at the furthest of these, but never beyond a wall. `back`: after a cut the next chunk starts as far back as the overlap
allows, at a boundary as coarse as the cut (or on the plan's `snap` level), yet so that the next piece still fits, and
never before a wall. What made a chunk stop moves the next start on, and a piece that fits moves the next end on: the
loop cannot stall.

The rules are followed in three ways that agree to the letter: in closed form where every unit may be cut
(`_windows`), chunk by chunk (`steps.walk`, `_walk_units`), and for all coarse boundaries at once
(`following.follow`), where chunks are many.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from playground.core.following import follow
from playground.core.places import Indices, Packed, Places
from playground.core.plan import Plan
from playground.core.steps import as_places, walk

SPARSE = 24
"""Coarse boundaries for each expected chunk from which walking is cheaper than following them all."""


def pack(plan: Plan) -> Packed:
    """Chunks of at most `plan.size` units, at most `plan.overlap` repeated, up to the first that reaches the end."""
    levels, coarse, areas = plan.levels, plan.levels[0], plan.areas
    if coarse.end == 0:
        nothing = Places.at(0, np.zeros(0, np.intp))
        return Packed(nothing, nothing)
    if len(levels) == 1 and coarse.is_uniform and plan.snap is None and (areas is None or areas.is_plain):
        walls = np.zeros(1, np.intp) if areas is None else np.searchsorted(coarse.offsets, areas.starts)
        return _windows(np.append(walls, coarse.end), plan.size, plan.size - plan.overlap)
    if len(levels) == 1 and coarse.is_dense and areas is None:
        return _walk_units(plan)
    walled = 0 if areas is None else int(areas.walls.sum())
    expected = max(coarse.units / (plan.size - plan.overlap), walled)
    if len(levels) == 1 or not plan.is_memoryless or coarse.end > SPARSE * expected:
        return walk(plan)
    return follow(plan)


def _windows(walls: Indices, size: int, stride: int) -> Packed:
    """The textbook: start every `stride` units, stop with the first window that reaches the next of `walls`."""
    counts = np.maximum(0, -(-(np.diff(walls) - size) // stride)) + 1
    until = np.repeat(walls[1:], counts)
    number = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    first = np.repeat(walls[:-1], counts) + number * stride
    return Packed(Places.at(0, first), Places.at(0, np.minimum(first + size, until)))


def _walk_units(plan: Plan) -> Packed:
    """`walk` for one dense level: the same two rules, with nothing between them and the tables."""
    level, size, overlap, snap = plan.levels[0], plan.size, plan.overlap, plan.snap or plan.levels[0]
    before, offsets, floor = level.rows.before, level.rows.offsets, level.floor
    within, starts_at, total, end = snap.rows.within, snap.rows.offsets, level.units, level.end
    snapped, cut, starts, cuts = snap is not level, 0, [], []
    place, unit, at = (0, 0), level.rows.within[0], 0
    while cut != end:
        cut = floor[min(unit + size, total)]
        if offsets[cut] <= at:
            cut = bisect_right(offsets, at)
        starts.append(place)
        cuts.append(cut)
        if cut == end:
            break
        first = snap.first_within(max(before[cut] - overlap, before[cut + 1] - size, 0))
        if overlap and starts_at[first] < offsets[cut]:
            place, unit, at = (int(snapped), first), within[first], starts_at[first]
        else:
            place, unit, at = (0, cut), level.rows.within[cut], offsets[cut]
    return Packed(as_places(starts), Places.at(0, np.array(cuts, np.intp)))
