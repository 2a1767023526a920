"""The one packing loop: from levels of boundaries, a size and an overlap to chunks.

Two rules make every chunking. `reach`: a chunk ends at the coarsest kind of boundary that lies within the size, and
at the furthest of these. `back`: after a cut the next chunk starts as far back as the overlap allows, at a boundary as
coarse as the cut, yet so that the next piece still fits, and never behind a coarser boundary than the cut. What made
a chunk stop moves the next start on, and a piece that fits moves the next end on: the loop cannot stall.

The rules are followed in three ways that agree to the letter: in closed form where every unit may be cut
(`_windows`), chunk by chunk (`_walk`), and for all coarse boundaries at once (`_follow`), where chunks are many.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from playground.core.boundaries import Level
from playground.core.rulers import Offsets

Indices = npt.NDArray[np.intp]
Place = tuple[int, int]
SPARSE = 8
"""Coarse boundaries for each expected chunk from which walking is cheaper than following them all."""
FEW = 16
"""Chains up to which walking each is cheaper than following them together."""


class Limit(IntEnum):
    """Why an overlap is smaller than what was asked for."""

    NONE = 0
    WHOLE = 1
    """Only whole pieces are repeated, and one more would be too much."""
    ROOM = 2
    """More would leave no room for the piece that comes next."""
    LARGE = 3
    """The next piece is larger than the size, so it starts afresh."""
    BROKEN = 4
    """The cut is inside a piece that was too large; what came before that piece is not repeated."""
    END = 5
    """The document ends there: only with `tail="keep"` does another chunk follow."""


@dataclass(frozen=True, eq=False)
class Places:
    """Boundaries, each given by the level it belongs to and its index there."""

    level: npt.NDArray[np.int8]
    index: Indices

    @classmethod
    def at(cls, level: int, index: Indices) -> Places:
        """All of them on one level."""
        return cls(np.full(len(index), level, dtype=np.int8), index)

    @classmethod
    def join(cls, parts: Sequence[Places]) -> Places:
        """One after the other."""
        return cls(np.concatenate([p.level for p in parts]), np.concatenate([p.index for p in parts]))

    def __getitem__(self, chosen: Indices | npt.NDArray[np.bool_] | slice) -> Places:
        return Places(self.level[chosen], self.index[chosen])

    def __len__(self) -> int:
        return len(self.index)

    def read(self, levels: Sequence[Level], field: str) -> Offsets:
        """Their `offsets`, `before` or `within`."""
        if len(levels) == 1:
            return getattr(levels[0], field)[self.index]  # type: ignore[no-any-return]
        values = np.empty(len(self), dtype=np.int32)
        for number, level in enumerate(levels):
            here = np.flatnonzero(self.level == number)
            values[here] = getattr(level, field)[self.index[here]]
        return values


@dataclass(frozen=True, eq=False)
class Packed:
    """Chunk k goes from the boundary `starts[k]` to the boundary `cuts[k]`. `merged`: a tail joined the last."""

    starts: Places
    cuts: Places
    merged: bool = False


def pack(levels: Sequence[Level], size: int, overlap: int) -> Packed:
    """Chunks of at most `size` units with at most `overlap` repeated; stops at the first that reaches the end."""
    coarse = levels[0]
    if coarse.end == 0:
        nothing = Places.at(0, np.zeros(0, np.intp))
        return Packed(nothing, nothing)
    stride = size - overlap
    if len(levels) == 1 and coarse.is_uniform:
        return _windows(coarse.end, size, stride)
    if len(levels) == 1 or coarse.end > SPARSE * (coarse.units / stride):
        return _walk(levels, size, overlap)
    return _follow(levels, size, overlap)


def _windows(total: int, size: int, stride: int) -> Packed:
    """The textbook: start every `stride` units, stop with the first window that reaches the end."""
    windows = max(0, -(-(total - size) // stride)) + 1
    first = np.arange(windows, dtype=np.intp) * stride
    return Packed(Places.at(0, first), Places.at(0, np.minimum(first + size, total)))


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
        first = min(levels[number].first_within(need), index)
        index = max(first, rows.behind[index]) if number else first
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
        start = np.minimum(np.searchsorted(level.within, need, side="left"), index)
        if level.behind is not None:
            start = np.maximum(start, level.behind[index])
        first[here] = start
    return Places(cut.level, first)


def why_less(levels: Sequence[Level], packed: Packed, size: int, overlap: int) -> npt.NDArray[np.int8]:
    """For each pair of neighbours the `Limit` that kept their overlap below `overlap` (NONE: it is in full)."""
    cut, start = packed.cuts[:-1], packed.starts[1:]
    why = np.full(len(cut), Limit.WHOLE, dtype=np.int8)
    for number, level in enumerate(levels):
        here = np.flatnonzero(cut.level == number)
        index = cut.index[here]
        following = np.minimum(index + 1, level.end)
        if level.behind is not None:
            why[here[start.index[here] == level.behind[index]]] = Limit.BROKEN
        room = level.before[following] - size > level.before[index] - overlap
        why[here[room]] = Limit.ROOM
        why[here[level.before[following] - level.within[index] > size]] = Limit.LARGE
    why[cut.read(levels, "offsets") == levels[0].offsets[-1]] = Limit.END
    why[overlaps(levels, packed) >= overlap] = Limit.NONE
    return why


def overlaps(levels: Sequence[Level], packed: Packed) -> Offsets:
    """The units that each chunk but the first repeats; a unit that a cut without overlap splits is not repeated."""
    cut, start = packed.cuts[:-1], packed.starts[1:]
    repeats = start.read(levels, "offsets") < cut.read(levels, "offsets")
    shared = cut.read(levels, "before") - start.read(levels, "within")
    return np.where(repeats, shared, np.int32(0))


# --- the tail --------------------------------------------------------------------------------------------------


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
