"""Packing with walls, rooms, `strict` and `snap`: every way keeps the rules as they read, and names what held it.

`strategies.by_the_rules` has the rules once more, on lists of offsets. Walls are where a mode has them: at a coarse
boundary, or inside a coarse piece with no coarser boundary before it (a parent that ends inside a long sentence).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Ground, Span, by_the_rules, few, grounds, merged_by_the_rules, windows

from playground.core.boundaries import Level
from playground.core.following import follow
from playground.core.overlap import Limit, overlaps, why_less
from playground.core.packing import pack
from playground.core.places import Packed
from playground.core.plan import Areas, Plan
from playground.core.rulers import Ruler
from playground.core.steps import walk
from playground.core.tail import merge_tail


@dataclass(frozen=True)
class Area:
    """One area as a mode would list it."""

    start: int
    wall: bool
    room: int


@dataclass(frozen=True)
class Case:
    """Everything that packing is given, as plain values."""

    ground: Ground
    size: int
    overlap: int
    areas: tuple[Area, ...] = ()
    strict: bool = False
    snap: int | None = None
    """The number of a level, or -1 for the offsets `own`."""
    own: tuple[int, ...] = ()

    @property
    def plan(self) -> Plan:
        levels = self.ground.levels
        snap = None if self.snap is None else self.own_level if self.snap < 0 else levels[self.snap]
        return Plan(levels, self.size, self.overlap, self.made_areas, self.strict, snap)

    @property
    def own_level(self) -> Level:
        ruler = Ruler("token", np.array(self.ground.units, np.int32), self.ground.length)
        return Level.on(ruler, "own", np.array(self.own, np.int32))

    @property
    def made_areas(self) -> Areas | None:
        if not self.areas:
            return None
        starts, rooms = [area.start for area in self.areas], [area.room for area in self.areas]
        return Areas(
            np.array(starts, np.int32),
            np.array([area.wall for area in self.areas], np.bool_),
            np.array(rooms, np.int32),
            np.int32(self.size) - np.array(rooms, np.int32),
            [str(start) for start in starts],
            names=["section"] * len(starts),
        )

    @property
    def bounds(self) -> list[list[int]]:
        return self.ground.bounds

    @property
    def snaps(self) -> list[int] | None:
        if self.snap is None:
            return None
        return list(self.own) if self.snap < 0 else self.ground.bounds[self.snap]

    @property
    def walls(self) -> list[int]:
        return [area.start for area in self.areas if area.wall]

    def touched(self, start: int, end: int) -> int:
        return self.ground.touched(start, end)

    def room(self, at: int) -> int:
        return next((area.room for area in reversed(self.areas) if area.start <= at), self.size)

    def wall_before(self, at: int) -> int:
        return max((wall for wall in self.walls if wall <= at), default=0)

    def wall_after(self, at: int) -> int:
        return min((wall for wall in self.walls if wall > at), default=self.ground.length)


# --- cases -----------------------------------------------------------------------------------------------------


@st.composite
def areas_on(draw: st.DrawFn, ground: Ground, size: int) -> tuple[Area, ...]:
    """Areas with rooms that never grow from one to the next but at a wall, as contexts grow inside a section."""
    places = [at for at in ground.bounds[-1] if 0 < at < ground.length]
    starts = sorted({0, *draw(st.sets(st.sampled_from(places), max_size=6))}) if places else [0]
    found: list[Area] = []
    last_wall = 0
    for start in starts:
        wall = start == 0 or draw(st.booleans())
        if wall and start:
            own = next(level for level, bounds in enumerate(ground.bounds) if start in bounds)
            wall = not any(last_wall < at < start for bounds in ground.bounds[:own] for at in bounds)
        least = (size + 1) // 2
        room = draw(st.integers(least, size if wall or not found else max(found[-1].room, least)))
        found.append(Area(start, wall, room))
        last_wall = start if wall else last_wall
    return tuple(found)


@st.composite
def cases(draw: st.DrawFn, largest: int = 16) -> Case:
    ground = draw(grounds())
    size, overlap = draw(windows(largest))
    areas = draw(st.one_of(st.just(()), areas_on(ground, size), areas_on(ground, size)))
    levels = [*range(len(ground.bounds)), -1]
    snap = draw(st.one_of(st.none(), st.sampled_from(levels)))
    own = {0, ground.length, *draw(st.sets(st.integers(0, ground.length), max_size=12))}
    return Case(ground, size, overlap, areas, draw(st.booleans()), snap, tuple(sorted(own)))


def spans(plan: Plan, packed: Packed) -> list[Span]:
    starts = packed.starts.read(plan.places, "offsets").tolist()
    ends = packed.cuts.read(plan.places, "offsets").tolist()
    return list(zip(starts, ends, packed.cuts.level.tolist(), strict=True))


# --- the ways of packing ---------------------------------------------------------------------------------------


@settings(max_examples=250)
@given(case=cases())
def test_walking_following_and_packing_keep_the_rules(case):
    expected = by_the_rules(case)
    plan = case.plan
    assert spans(plan, walk(plan)) == expected
    assert spans(plan, pack(plan)) == expected
    if plan.is_memoryless:
        for chains in (0, 1, 16):
            with few(chains):
                assert spans(plan, follow(plan)) == expected


@settings(max_examples=100)
@given(case=cases())
def test_chunks_move_on_cover_everything_and_cross_no_wall(case):
    chunks = spans(case.plan, pack(case.plan))
    assert chunks[0][0] == 0
    assert chunks[-1][1] == case.ground.length
    for (start, end, _), (next_start, next_end, _) in pairwise(chunks):
        assert start < next_start <= end < next_end
    for start, end, _ in chunks:
        assert not any(start < wall < end for wall in case.walls)


@settings(max_examples=100)
@given(case=cases())
def test_a_chunk_is_larger_than_its_room_only_where_nothing_in_it_can_be_cut(case):
    for start, end, _ in spans(case.plan, pack(case.plan)):
        if case.touched(start, end) > case.room(start):
            assert not any(start < at < end for at in case.ground.bounds[-1])


@settings(max_examples=100)
@given(case=cases())
def test_overlaps_are_what_is_shared_and_never_more_than_asked(case):
    packed = pack(case.plan)
    chunks = spans(case.plan, packed)
    shared = [case.touched(start, cut) if start < cut else 0 for (_, cut, _), (start, _, _) in pairwise(chunks)]
    assert overlaps(case.plan, packed).tolist() == shared
    assert max(shared, default=0) <= case.overlap


@settings(max_examples=250)
@given(case=cases())
def test_the_limit_named_is_one_that_held(case):
    packed, touched = pack(case.plan), case.touched
    chunks = spans(case.plan, packed)
    for (before, cut, level), (start, _, _), limit in zip(
        chunks, chunks[1:], why_less(case.plan, packed).tolist(), strict=False
    ):
        achieved = touched(start, cut) if start < cut else 0
        following = min(at for at in case.ground.bounds[level] if at > cut)
        places = case.ground.bounds[level] if case.snap is None else case.snaps
        further = max((at for at in places if at < start), default=None)
        assert (limit == Limit.NONE) == (achieved >= case.overlap)
        match limit:
            case Limit.NONE:
                assert achieved == case.overlap
            case Limit.WALL:
                low = max(wall for wall in case.walls if wall <= cut)
                assert cut == low or (further is not None and further < low)
                assert start == cut
            case Limit.LARGE:
                assert touched(cut, following) > case.room(cut)
            case Limit.ROOM:
                assert touched(further, following) > case.room(cut)
            case Limit.WHOLE:
                assert touched(further, cut) > case.overlap
            case Limit.BEFORE:
                assert further <= before
            case _:
                raise AssertionError(f"{Limit(limit)!r} before the end of the document")


@settings(max_examples=150)
@given(case=cases(), smallest=st.integers(0, 12))
def test_a_tail_merges_only_with_what_is_before_it_behind_the_same_wall(case, smallest):
    packed = pack(case.plan)
    expected = merged_by_the_rules(case, spans(case.plan, packed), smallest)
    assert spans(case.plan, merge_tail(case.plan, packed, smallest)) == expected


# --- written out -----------------------------------------------------------------------------------------------


def every_unit(length: int, *coarser: list[int]) -> Ground:
    return Ground(list(range(length)), length, [*coarser, list(range(length + 1))])


def packed_spans(case: Case) -> list[tuple[int, int]]:
    return [(start, end) for start, end, _ in spans(case.plan, pack(case.plan))]


def test_nothing_is_repeated_across_a_wall():
    case = Case(every_unit(20), 6, 2, (Area(0, True, 6), Area(8, True, 6)))
    assert packed_spans(case) == [(0, 6), (4, 8), (8, 14), (12, 18), (16, 20)]
    limits = why_less(case.plan, pack(case.plan)).tolist()
    assert limits == [Limit.NONE, Limit.WALL, Limit.NONE, Limit.NONE]


def test_a_context_leaves_less_room():
    case = Case(every_unit(16), 6, 0, (Area(0, True, 6), Area(6, False, 4), Area(14, True, 3)))
    assert packed_spans(case) == [(0, 6), (6, 10), (10, 14), (14, 16)]


def test_strict_keeps_what_was_cut_inside_a_piece_inside_it():
    case = Case(every_unit(12, [0, 7, 9, 12]), 5, 0)
    assert packed_spans(case) == [(0, 5), (5, 9), (9, 12)]
    assert packed_spans(replace(case, strict=True)) == [(0, 5), (5, 7), (7, 12)]


def test_an_overlap_may_start_on_a_finer_level_than_the_cut():
    case = Case(every_unit(12, [0, 5, 8, 12]), 7, 2)
    assert packed_spans(case) == [(0, 5), (5, 12)]
    assert packed_spans(replace(case, snap=1)) == [(0, 5), (3, 8), (6, 12)]
    assert packed_spans(replace(case, snap=-1, own=(0, 4, 7, 12))) == [(0, 5), (4, 8), (7, 12)]


def test_areas_divided_by_parents_keep_their_rooms_and_their_walls():
    areas = Case(every_unit(12), 6, 0, (Area(0, True, 6), Area(4, False, 4), Area(8, True, 5))).made_areas
    divided = areas.divided(np.array([0, 2, 6, 8], np.int32), "parent")
    assert divided.starts.tolist() == [0, 2, 4, 6, 8]
    assert divided.walls.tolist() == [True, True, False, True, True]
    assert divided.rooms.tolist() == [6, 6, 4, 4, 5]
    assert divided.contexts == ["0", "0", "4", "4", "8"]
    assert divided.names == ["parent", "parent", "section", "parent", "parent"]


@pytest.mark.parametrize("offset", range(12))
def test_walls_around_an_offset(offset):
    case = Case(every_unit(12), 6, 0, (Area(0, True, 6), Area(3, False, 5), Area(7, True, 6)))
    areas = case.made_areas
    area = areas.one_at(offset)
    assert area == areas.at(np.array([offset], np.int32))[0]
    assert areas.lows[area] == case.wall_before(offset)
    assert min(int(areas.highs[area]), 12) == case.wall_after(offset)
