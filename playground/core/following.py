"""Packing many chunks: what comes after every coarse boundary, for all of them at once.

The same rules as in `steps`, written for arrays; a test holds the two to the same chunks.
"""

from __future__ import annotations

import numpy as np

from playground.core.places import Indices, Packed, Places
from playground.core.plan import Plan
from playground.core.rulers import Offsets
from playground.core.steps import after as next_boundary
from playground.core.steps import as_places, step

FEW = 16
"""Chains up to which walking each is cheaper than following them together."""


def follow(plan: Plan) -> Packed:
    """What comes after every coarse boundary, all at once; then the chain from the first one.

    A state is a cut. States 0 to `end` are the coarse boundaries; cuts inside coarse pieces that are too large get
    the numbers after these, in rounds: each round takes all large pieces one chunk further, until few are left.
    """
    levels = plan.levels
    end = levels[0].end
    frontier = Places.at(0, np.arange(end, dtype=np.intp))
    nowhere = Places.at(0, np.zeros(1, dtype=np.intp))
    starts: list[Places] = []
    cuts: list[Places] = []
    following: list[int] = []
    known = 0
    while len(frontier) > FEW or not known:
        start = back(plan, frontier)
        cut = reach(plan, start, frontier)
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
        steps.append(step(plan, state_cut, -1))
        number, index = steps[-1][1]
        following.append(known + len(inner) if number else index)
        if number:
            inner.append((number, index))
    starts.append(as_places([step[0] for step in steps]))
    cuts.append(as_places([step[1] for step in steps]))
    chain = _chain(following, end)
    return Packed(Places.join(starts)[chain], Places.join(cuts)[chain])


def _chain(following: list[int], end: int) -> Indices:
    """The states from 0 on, without the end."""
    states, state = [], 0
    while state != end:
        states.append(state)
        state = following[state]
    return np.array(states, dtype=np.intp)


def reach(plan: Plan, start: Places, after: Places) -> Places:
    """For each start the boundary where its chunk ends; `after` are the cuts that the chunks come after."""
    levels = plan.levels
    at = start.read(plan.places, "offsets")
    limit = start.read(plan.places, "within") + _rooms(plan, at)
    high = _walls_ahead(plan, at, after)
    cut = Places.at(0, np.zeros(len(start), dtype=np.intp))
    open_ = np.arange(len(start), dtype=np.intp)
    for number, level in enumerate(levels):
        index = np.searchsorted(level.before, limit[open_], side="right") - 1
        if high is not None:
            beyond = np.flatnonzero(level.offsets[index] > high[open_])
            index[beyond] = np.searchsorted(level.offsets, high[open_[beyond]], side="right") - 1
        moves = level.offsets[index] > at[open_]
        cut.level[open_[moves]] = number
        cut.index[open_[moves]] = index[moves]
        open_ = open_[~moves]
        if not len(open_):
            break
    for place in open_:
        cut.level[place], cut.index[place] = next_boundary(levels, int(at[place]))
    return cut


def _rooms(plan: Plan, offsets: Offsets) -> Offsets:
    """The units that fit into a chunk that starts at each of `offsets`."""
    if plan.areas is None:
        return np.full(len(offsets), plan.size, dtype=np.int32)
    return plan.areas.rooms[plan.areas.at(offsets)]


def _least(plan: Plan, offsets: Offsets) -> Offsets:
    if plan.areas is None:
        return np.full(len(offsets), plan.size, dtype=np.int32)
    return plan.areas.least[plan.areas.at(offsets)]


def _walls_ahead(plan: Plan, at: Offsets, after: Places) -> Offsets | None:
    """For each chunk the offset beyond which it must not go; None where nothing holds it."""
    high = None if plan.areas is None else plan.areas.highs[plan.areas.at(at)]
    if not plan.strict or not after.level.any():
        return high
    high = np.full(len(at), np.iinfo(np.int32).max, np.int32) if high is None else high.copy()
    for number in range(1, len(plan.levels)):
        here = np.flatnonzero(after.level == number)
        if not len(here):
            continue
        coarser = plan.levels[number - 1].offsets
        origin = plan.levels[number].offsets[after.index[here]]
        high[here] = np.minimum(high[here], coarser[np.searchsorted(coarser, origin, side="right")])
    return high


def back(plan: Plan, cut: Places) -> Places:
    """For each cut, none of them the end, the boundary where the next chunk starts."""
    if not plan.overlap:
        return cut
    level_, first = cut.level.copy(), cut.index.copy()
    for number, level in enumerate(plan.levels):
        here = np.flatnonzero(cut.level == number)
        if not len(here):
            continue
        index = cut.index[here]
        origin = level.offsets[index]
        need = np.maximum(level.before[index] - np.int32(plan.overlap), level.before[index + 1] - _least(plan, origin))
        on = level if plan.snap is None else plan.snap
        found = np.searchsorted(on.within, need, side="left")
        if plan.areas is not None:
            low = plan.areas.lows[plan.areas.at(origin)]
            found = np.maximum(found, np.searchsorted(on.offsets, low, side="left"))
        if plan.snap is None:
            first[here] = np.minimum(found, index)
            continue
        repeats = on.offsets[found] < origin
        first[here[repeats]] = found[repeats]
        level_[here[repeats]] = plan.snap_number
    return Places(level_, first)
