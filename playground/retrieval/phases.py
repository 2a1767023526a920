"""Fixed windows whose grid is shifted: the same settings, had the text begun a little earlier.

Where the first window starts is chance, yet it decides which sentences are cut. A shift by a part of the stride gives
another grid that is just as good, so a figure of fixed mode is honest as the mean over shifts, or as their range.
"""

from __future__ import annotations

import numpy as np

from playground.core.chunking import Chunking, chunk
from playground.core.config import ChunkingConfig
from playground.core.document import Document
from playground.core.places import Packed, Places
from playground.core.plan import Plan
from playground.core.prepared import Prepared
from playground.core.steps import as_places, step
from playground.core.tail import keep_tail, merge_tail


def can_shift(config: ChunkingConfig) -> bool:
    """Whether there is a grid to shift: fixed mode, more than one place in a stride, and no parents."""
    return config.mode == "fixed" and config.parent_size is None and config.stride > 1


def shifts(config: ChunkingConfig, count: int) -> tuple[int, ...]:
    """`count` shifts in units, spread evenly over a stride, the first one 0; fewer where the stride has fewer places.

    >>> shifts(ChunkingConfig(size=240, overlap=40), 4)
    (0, 50, 100, 150)
    """
    if count < 1:
        raise ValueError(f"the number of phases is {count}; it must be at least 1.")
    if not can_shift(config):
        return (0,)
    return tuple(sorted({number * config.stride // count for number in range(count)}))


def shifted(document: Document | Prepared, config: ChunkingConfig, shift: int) -> Chunking:
    """The chunking whose second window starts `shift` units into the text.

    The first window began before the text and holds what is left of it: overlap + shift units. Raises ValueError where
    there is nothing to shift, or the shift is no part of the stride.
    """
    chunking = chunk(document, config)
    if not shift or not len(chunking):
        return chunking
    if not can_shift(config) or not 0 < shift < config.stride:
        raise ValueError(f"a shift of {shift} is no part of the stride of {config.stride} in mode {config.mode}.")
    plan = chunking.plan
    packed = _windows(plan, shift) if plan.levels[0].is_uniform and plan.snap is None else _walked(plan, shift)
    if config.tail == "keep":
        packed = keep_tail(plan, packed)
    elif config.tail == "merge":
        packed = merge_tail(plan, packed, config.smallest_tail)
    return Chunking(chunking.prepared, config, plan, packed)


def _windows(plan: Plan, shift: int) -> Packed:
    """Every unit may be cut: the arithmetic of the grid."""
    stride, end = plan.size - plan.overlap, plan.levels[0].end
    further = 0 if shift + plan.overlap >= end else max(0, -(-(end - shift - plan.size) // stride)) + 1
    starts = np.concatenate((np.zeros(1, np.intp), shift + stride * np.arange(further)))
    cuts = np.concatenate((np.array([shift + plan.overlap]), starts[1:] + plan.size))
    return Packed(Places.at(0, starts), Places.at(0, np.minimum(cuts, end)))


def _walked(plan: Plan, shift: int) -> Packed:
    """Some units cannot be cut: from the first window on by the rules of packing."""
    level = plan.levels[0]
    cut = (0, max(1, level.last_before(shift + plan.overlap)))
    starts, cuts, at = [(0, 0)], [cut], 0
    while cut[1] != level.end:
        start, cut, at = step(plan, cut, at)
        starts.append(start)
        cuts.append(cut)
    return Packed(as_places(starts), as_places(cuts))
