"""What happens at the end of a document, other than stopping: naive tails kept, or a short tail merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from playground.core.boundaries import Level
from playground.core.places import Packed, Places


def keep_tail(levels: Sequence[Level], packed: Packed, stride: int) -> Packed:
    """Go on starting chunks every `stride` units up to the end, as the naive loop does."""
    coarse = levels[0]
    within = int(packed.starts[-1:].read(levels, "within")[0])
    at = int(packed.starts[-1:].read(levels, "offsets")[0])
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


def merge_tail(levels: Sequence[Level], packed: Packed, smallest: int) -> Packed:
    """Let the last chunk join its predecessor if it has fewer than `smallest` units."""
    if len(packed.starts) < 2:
        return packed
    size = levels[0].units - int(packed.starts[-1:].read(levels, "within")[0])
    if size >= smallest:
        return packed
    cuts = Places.join((packed.cuts[:-2], packed.cuts[-1:]))
    return Packed(packed.starts[:-1], cuts, merged=True)
