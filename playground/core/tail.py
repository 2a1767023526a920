"""What happens at the end of a document, other than stopping: naive tails kept, or a short tail merged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from playground.core.places import Packed, Places
from playground.core.plan import Plan


def keep_tail(plan: Plan, packed: Packed) -> Packed:
    """Go on starting chunks every stride up to the end, as the naive loop does."""
    coarse, stride = plan.levels[0], plan.size - plan.overlap
    within = int(packed.starts[-1:].read(plan.places, "within")[0])
    at = int(packed.starts[-1:].read(plan.places, "offsets")[0])
    starts = []
    while True:
        index = coarse.first_within(min(within + stride, coarse.units))
        index = max(index, int(np.searchsorted(coarse.offsets, at, side="right")))
        if index >= coarse.end:
            break
        starts.append(index)
        within, at = int(coarse.within[index]), int(coarse.offsets[index])
    tail = Places.at(0, np.array(starts, dtype=np.intp))
    ends = Places.at(0, np.full(len(tail), coarse.end, dtype=np.intp))
    return replace(packed, starts=Places.join((packed.starts, tail)), cuts=Places.join((packed.cuts, ends)))


def merge_tail(plan: Plan, packed: Packed, smallest: int) -> Packed:
    """Let the last chunk before a wall, or the end, join its predecessor if it has fewer than `smallest` units.

    A predecessor on the other side of a wall is left alone, and what only repeats is no reason to join.
    """
    if len(packed.starts) < 2:
        return packed
    at = packed.cuts.read(plan.places, "offsets")
    small = packed.cuts.read(plan.places, "before") - packed.starts.read(plan.places, "within") < smallest
    last = np.zeros(len(at), dtype=np.bool_)
    last[-1] = True
    if plan.areas is not None:
        reached = plan.areas.highs[plan.areas.at(packed.starts.read(plan.places, "offsets"))]
        last |= at == reached
    joins = small & last
    joins[0] = False
    joins[1:] &= ~last[:-1]
    if not joins.any():
        return packed
    first = np.flatnonzero(joins) - 1
    cuts = Places(packed.cuts.level.copy(), packed.cuts.index.copy())
    cuts.level[first], cuts.index[first] = packed.cuts.level[joins], packed.cuts.index[joins]
    grown = np.zeros(len(at), dtype=np.bool_)
    grown[first] = True
    return Packed(packed.starts[~joins], cuts[~joins], merged=grown[~joins])
