"""The one packing loop: from levels of boundaries, a size and an overlap to chunks.

Two rules make every chunking. `reach`: a chunk ends at the coarsest kind of boundary that lies within the size, and
at the furthest of these. `back`: after a cut the next chunk starts as far back as the overlap allows, at a boundary as
coarse as the cut, yet so that the next piece still fits. What made a chunk stop moves the next start on, and a piece
that fits moves the next end on: the loop cannot stall.

The rules are followed in three ways that agree to the letter: in closed form where every unit may be cut
(`_windows`), chunk by chunk (`_walk`, `_walk_units`), and for all coarse boundaries at once (`_follow`), where chunks
are many.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from playground.core.boundaries import Level
from playground.core.places import Indices, Packed, Place, Places

SPARSE = 8
"""Coarse boundaries for each expected chunk from which walking is cheaper than following them all."""
FEW = 16
"""Chains up to which walking each is cheaper than following them together."""


def pack(levels: Sequence[Level], size: int, overlap: int) -> Packed:
    """Chunks of at most `size` units with at most `overlap` repeated; stops at the first that reaches the end."""
    coarse = levels[0]
    if coarse.end == 0:
        nothing = Places.at(0, np.zeros(0, np.intp))
        return Packed(nothing, nothing)
    stride = size - overlap
    if len(levels) == 1 and coarse.is_uniform:
        return _windows(coarse.end, size, stride)
    if len(levels) == 1 and coarse.is_dense:
        return _walk_units(coarse, size, overlap)
    if len(levels) == 1 or coarse.end > SPARSE * (coarse.units / stride):
        return _walk(levels, size, overlap)
    return _follow(levels, size, overlap)


def _windows(total: int, size: int, stride: int) -> Packed:
    """The textbook: start every `stride` units, stop with the first window that reaches the end."""
    windows = max(0, -(-(total - size) // stride)) + 1
    first = np.arange(windows, dtype=np.intp) * stride
    return Packed(Places.at(0, first), Places.at(0, np.minimum(first + size, total)))


def _walk_units(level: Level, size: int, overlap: int) -> Packed:
    """`_walk` for one dense level: the same two rules, with nothing between them and the tables."""
    before, within, floor, ceiling = level.rows.before, level.rows.within, level.floor, level.ceiling
    total, end = level.units, level.end
    starts, cuts = [], []
    first, last = 0, -1
    while last != end:
        last = floor[min(within[first] + size, total)]
        if last <= first:
            last = first + 1
        starts.append(first)
        cuts.append(last)
        if last != end:
            first = min(ceiling[max(before[last] - overlap, before[last + 1] - size, 0)], last)
    return Packed(Places.at(0, np.array(starts, np.intp)), Places.at(0, np.array(cuts, np.intp)))


def _walk(levels: Sequence[Level], size: int, overlap: int) -> Packed:
    """Chunk by chunk, a few look-ups each."""
    starts, cuts = [], []
    cut, end = (0, 0), (0, levels[0].end)
    while cut != end:
        start, cut = _step(levels, cut, size, overlap)
        starts.append(start)
        cuts.append(cut)
    return Packed(_places(starts), _places(cuts))


def _step(levels: Sequence[Level], cut: Place, size: int, overlap: int) -> tuple[Place, Place]:
    """The chunk that comes after `cut`: the rules `back` and `reach` for one."""
    number, index = cut
    rows = levels[number].rows
    if overlap:
        need = max(rows.before[index] - overlap, rows.before[index + 1] - size)
        index = min(levels[number].first_within(need), index)
    at, limit = rows.offsets[index], rows.within[index] + size
    for target, level in enumerate(levels):
        last = level.last_before(limit)
        if level.rows.offsets[last] > at:
            return (number, index), (target, last)
    return (number, index), _after(levels, at)


def _after(levels: Sequence[Level], offset: int) -> Place:
    """The next boundary after `offset`, on the coarsest level that has it: where nothing smaller can be cut."""
    finest = levels[-1].rows.offsets
    target = finest[bisect_right(finest, offset)]
    for number, level in enumerate(levels[:-1]):
        index = bisect_left(level.rows.offsets, target)
        if level.rows.offsets[index] == target:
            return number, index
    return len(levels) - 1, bisect_left(finest, target)


def _places(pairs: Sequence[Place]) -> Places:
    array = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return Places(array[:, 0].astype(np.int8), array[:, 1])


def _follow(levels: Sequence[Level], size: int, overlap: int) -> Packed:
    """What comes after every coarse boundary, all at once; then the chain from the first one.

    A state is a cut. States 0 to `end` are the coarse boundaries; cuts inside coarse pieces that are too large get
    the numbers after these, in rounds: each round takes all large pieces one chunk further, until few are left.
    """
    end = levels[0].end
    frontier = Places.at(0, np.arange(end, dtype=np.intp))
    nowhere = Places.at(0, np.zeros(1, dtype=np.intp))
    starts: list[Places] = []
    cuts: list[Places] = []
    following: list[int] = []
    known = 0
    while len(frontier) > FEW or not known:
        start = back(levels, frontier, size, overlap)
        cut = reach(levels, start, size)
        starts.append(start)
        cuts.append(cut)
        known += len(frontier)
        if not following:  # the end is a state, too, with nothing after it
            starts.append(nowhere)
            cuts.append(nowhere)
            known += 1
        inside = cut.level > 0
        state = cut.index.copy()
        state[inside] = known + np.arange(int(inside.sum()))
        following += state.tolist() if following else [*state.tolist(), end]
        frontier = cut[inside]
    inner = list(zip(frontier.level.tolist(), frontier.index.tolist(), strict=True))
    steps = []
    for state_cut in inner:  # grows while it is walked
        steps.append(_step(levels, state_cut, size, overlap))
        number, index = steps[-1][1]
        following.append(known + len(inner) if number else index)
        if number:
            inner.append((number, index))
    starts.append(_places([step[0] for step in steps]))
    cuts.append(_places([step[1] for step in steps]))
    chain = _chain(following, end)
    return Packed(Places.join(starts)[chain], Places.join(cuts)[chain])


def _chain(following: list[int], end: int) -> Indices:
    """The states from 0 on, without the end."""
    states, state = [], 0
    while state != end:
        states.append(state)
        state = following[state]
    return np.array(states, dtype=np.intp)


def reach(levels: Sequence[Level], start: Places, size: int) -> Places:
    """For each start the boundary where its chunk ends."""
    at = start.read(levels, "offsets")
    limit = start.read(levels, "within") + np.int32(size)
    cut = Places.at(0, np.zeros(len(start), dtype=np.intp))
    open_ = np.arange(len(start), dtype=np.intp)
    for number, level in enumerate(levels):
        index = np.searchsorted(level.before, limit[open_], side="right") - 1
        moves = level.offsets[index] > at[open_]
        cut.level[open_[moves]] = number
        cut.index[open_[moves]] = index[moves]
        open_ = open_[~moves]
        if not len(open_):
            break
    for place in open_:
        cut.level[place], cut.index[place] = _after(levels, int(at[place]))
    return cut


def back(levels: Sequence[Level], cut: Places, size: int, overlap: int) -> Places:
    """For each cut, none of them the end, the boundary where the next chunk starts."""
    if not overlap:
        return cut
    first = cut.index.copy()
    for number, level in enumerate(levels):
        here = np.flatnonzero(cut.level == number)
        index = cut.index[here]
        need = np.maximum(level.before[index] - np.int32(overlap), level.before[index + 1] - np.int32(size))
        first[here] = np.minimum(np.searchsorted(level.within, need, side="left"), index)
    return Places(cut.level, first)
