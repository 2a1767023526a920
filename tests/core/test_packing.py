"""The packing: its three ways agree with each other and with the rules as they read, and the work is linear."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Ground, few, grounds, windows

from playground.core import following, packing, steps
from playground.core.boundaries import Level
from playground.core.following import follow
from playground.core.overlap import Limit, why_less
from playground.core.packing import pack
from playground.core.places import Packed
from playground.core.plan import Plan
from playground.core.rulers import Ruler
from playground.core.steps import walk
from playground.core.tail import keep_tail, merge_tail

# --- grounds ---------------------------------------------------------------------------------------------------


def even(pieces: int, each: int, coarse: int = 1) -> Ground:
    """`pieces` fine pieces of `each` units, `coarse` of them to a coarse piece, on a ruler of characters."""
    length = pieces * each
    fine = list(range(0, length + 1, each))
    return Ground(list(range(length)), length, [sorted({*fine[::coarse], length}), fine, list(range(length + 1))])


def planned(ground: Ground, window: tuple[int, int]) -> Plan:
    """The plan of nothing but boundaries, for a size and an overlap."""
    return Plan(ground.levels, *window)


# --- the rules once more, on sets of offsets -------------------------------------------------------------------


def by_the_rules(ground: Ground, size: int, overlap: int) -> list[tuple[int, int, int]]:
    """(start, end, level of the end) of every chunk, from the two rules as the module states them."""
    chunks = []
    cut, level = 0, 0
    while cut != ground.length:
        start = furthest_back(ground, cut, level, size, overlap)
        cut, level = furthest_on(ground, start, size)
        chunks.append((start, cut, level))
    return chunks


def furthest_back(ground: Ground, cut: int, level: int, size: int, overlap: int) -> int:
    following = min(at for at in ground.bounds[level] if at > cut)
    wall = max(at for at in ground.bounds[level - 1] if at <= cut) if level else 0
    fitting = [
        at
        for at in ground.bounds[level]
        if wall <= at < cut and ground.touched(at, cut) <= overlap and ground.touched(at, following) <= size
    ]
    return min(fitting, default=cut)


def furthest_on(ground: Ground, start: int, size: int) -> tuple[int, int]:
    for level, offsets in enumerate(ground.bounds):
        fitting = [at for at in offsets if at > start and ground.touched(start, at) <= size]
        if fitting:
            return max(fitting), level
    nearest = min(at for at in ground.bounds[-1] if at > start)
    return nearest, next(level for level, offsets in enumerate(ground.bounds) if nearest in offsets)


def spans(ground: Ground, packed: Packed) -> list[tuple[int, int, int]]:
    starts = packed.starts.read(ground.levels, "offsets").tolist()
    ends = packed.cuts.read(ground.levels, "offsets").tolist()
    return list(zip(starts, ends, packed.cuts.level.tolist(), strict=True))


# --- the three ways --------------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(ground=grounds(), window=windows(20))
def test_walking_and_following_keep_the_rules(ground, window):
    expected = by_the_rules(ground, *window)
    assert spans(ground, walk(planned(ground, window))) == expected
    assert spans(ground, pack(planned(ground, window))) == expected
    for chains in (0, 1, 16):
        with few(chains):
            assert spans(ground, follow(planned(ground, window))) == expected


@given(total=st.integers(1, 80), window=windows(30))
def test_the_closed_form_agrees_where_every_unit_may_be_cut(total, window):
    size, overlap = window
    ground = Ground(list(range(total)), total, [list(range(total + 1))])
    ground.levels = [Level.of_units(Ruler("token", np.arange(total, dtype=np.int32), total), np.zeros(0, np.int32))]
    assert ground.levels[0].is_uniform
    expected = by_the_rules(ground, *window)
    assert spans(ground, packing._windows(np.array([0, total]), size, size - overlap)) == expected
    assert spans(ground, walk(planned(ground, window))) == expected
    assert spans(ground, follow(planned(ground, window))) == expected
    assert spans(ground, pack(planned(ground, window))) == expected


@given(ground=grounds(longest=120), window=windows(12), dense=st.sampled_from((0, 1, 16, 10**6)))
def test_tables_and_searches_find_the_same_boundaries(ground, window, dense):
    expected = spans(ground, walk(planned(ground, window)))
    again = Ground(ground.units, ground.length, ground.bounds)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("playground.core.boundaries.DENSE", dense)
        assert spans(again, walk(planned(again, window))) == expected


def test_no_text_has_no_chunks():
    empty = Level.on(Ruler("token", np.zeros(0, np.int32), 0), "unit", np.zeros(1, np.int32))
    assert len(pack(Plan([empty], 5, 2)).starts) == 0


def test_each_way_is_taken_where_it_pays():
    taken = []
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_windows", "walk", "follow"):
            way = getattr(packing, name)
            patch.setattr(packing, name, lambda *args, name=name, way=way: taken.append(name) or way(*args))
        every = [Level.of_units(Ruler("token", np.arange(99, dtype=np.int32), 99), np.zeros(0, np.int32))]
        pack(Plan(every, 10, 2))
        pack(planned(even(400, 2), (100, 10)))  # 400 pieces, 9 chunks
        pack(planned(even(400, 20), (100, 10)))  # 400 pieces, 89 chunks
    assert taken == ["_windows", "walk", "follow"]


# --- written out -----------------------------------------------------------------------------------------------


def test_a_piece_too_large_is_cut_on_the_next_level_and_neighbours_stay_whole():
    #                pieces of 3, 10, 3 units; the large one can be cut after 4 and 8 of its units
    ground = Ground(list(range(16)), 16, [[0, 3, 13, 16], [0, 3, 7, 11, 13, 16], list(range(17))])
    assert by_the_rules(ground, 5, 0) == [(0, 3, 0), (3, 7, 1), (7, 11, 1), (11, 16, 0)]
    assert spans(ground, pack(planned(ground, (5, 0)))) == [(0, 3, 0), (3, 7, 1), (7, 11, 1), (11, 16, 0)]


def test_overlap_is_of_whole_pieces_as_coarse_as_the_cut():
    ground = Ground(list(range(12)), 12, [[0, 2, 4, 6, 8, 10, 12], list(range(13))])
    assert spans(ground, pack(planned(ground, (6, 3)))) == [(0, 6, 0), (4, 10, 0), (8, 12, 0)]
    assert why_less(planned(ground, (6, 3)), pack(planned(ground, (6, 3)))).tolist() == [Limit.WHOLE, Limit.WHOLE]
    assert why_less(planned(ground, (6, 2)), pack(planned(ground, (6, 2)))).tolist() == [Limit.NONE, Limit.NONE]


def test_the_overlap_gives_way_to_the_next_piece():
    # After 2 + 2 comes 5: with a size of 6, nothing of what is before can be repeated.
    ground = Ground(list(range(9)), 9, [[0, 2, 4, 9], list(range(10))])
    packed = pack(planned(ground, (6, 3)))
    assert spans(ground, packed) == [(0, 4, 0), (4, 9, 0)]
    assert why_less(planned(ground, (6, 3)), packed).tolist() == [Limit.ROOM]


def test_a_piece_larger_than_the_size_starts_afresh():
    ground = Ground(list(range(9)), 9, [[0, 2, 9], list(range(10))])
    packed = pack(planned(ground, (4, 2)))
    assert spans(ground, packed) == [(0, 2, 0), (2, 6, 1), (4, 8, 1), (6, 9, 0)]
    assert why_less(planned(ground, (4, 2)), packed).tolist() == [Limit.LARGE, Limit.NONE, Limit.NONE]


def test_what_cannot_be_cut_is_a_chunk_of_its_own():
    ground = Ground(list(range(9)), 9, [[0, 2, 7, 9]])
    assert spans(ground, pack(planned(ground, (3, 1)))) == [(0, 2, 0), (2, 7, 0), (7, 9, 0)]


def test_a_cut_inside_a_unit_counts_it_on_both_sides():
    ground = Ground([0, 3, 6], 9, [[0, 4, 9]])
    assert [ground.touched(0, 4), ground.touched(4, 9)] == [2, 2]
    assert spans(ground, pack(planned(ground, (2, 0)))) == [(0, 4, 0), (4, 9, 0)]
    assert spans(ground, pack(planned(ground, (3, 0)))) == [(0, 9, 0)]


# --- why an overlap is smaller ---------------------------------------------------------------------------------


@settings(max_examples=300)
@given(ground=grounds(), window=windows(20))
def test_the_limit_named_is_the_one_that_held(ground, window):
    size, overlap = window
    packed = pack(planned(ground, (size, overlap)))
    chunks = spans(ground, packed)
    for (_, cut, level), (start, _, _), limit in zip(
        chunks, chunks[1:], why_less(planned(ground, (size, overlap)), packed), strict=False
    ):
        achieved = ground.touched(start, cut) if start < cut else 0
        following = min(at for at in ground.bounds[level] if at > cut)
        further = max((at for at in ground.bounds[level] if at < start), default=None)
        assert (limit == Limit.NONE) == (achieved >= overlap)
        assert (limit == Limit.LARGE) == (achieved < overlap and ground.touched(cut, following) > size)
        if limit == Limit.WHOLE:
            assert ground.touched(further, cut) > overlap
        if limit == Limit.ROOM:
            assert ground.touched(further, following) > size
        assert limit in (Limit.NONE, Limit.WHOLE, Limit.ROOM, Limit.LARGE)


# --- the tail --------------------------------------------------------------------------------------------------


@given(total=st.integers(1, 80), window=windows(30))
def test_a_kept_tail_is_the_naive_loop(total, window):
    size, overlap = window
    ground = Ground(list(range(total)), total, [list(range(total + 1))])
    kept = keep_tail(planned(ground, (size, overlap)), pack(planned(ground, (size, overlap))))
    naive = [(start, min(start + size, total), 0) for start in range(0, total, size - overlap)]
    assert spans(ground, kept) == naive


@given(total=st.integers(1, 80), window=windows(30))
def test_a_kept_tail_names_no_limit_that_did_not_hold(total, window):
    size, overlap = window
    ground = Ground(list(range(total)), total, [list(range(total + 1))])
    kept = keep_tail(planned(ground, (size, overlap)), pack(planned(ground, (size, overlap))))
    chunks = spans(ground, kept)
    limits = why_less(planned(ground, (size, overlap)), kept).tolist()
    assert len(limits) == len(chunks) - 1
    for (_, cut, _), (start, _, _), limit in zip(chunks, chunks[1:], limits, strict=False):
        assert (limit == Limit.NONE) == (cut - start >= overlap)
        assert limit != Limit.WHOLE, "one unit more would not have been too much: the document ended"


@given(ground=grounds(), window=windows(20), smallest=st.integers(0, 25))
def test_a_merged_tail_joins_the_chunk_before(ground, window, smallest):
    packed = pack(planned(ground, window))
    plain, merged = spans(ground, packed), merge_tail(planned(ground, window), packed, smallest)
    start, end, level = plain[-1]
    if len(plain) > 1 and ground.touched(start, end) < smallest:
        assert merged.merged is not None
        assert np.flatnonzero(merged.merged).tolist() == [len(plain) - 2]
        assert spans(ground, merged) == [*plain[:-2], (plain[-2][0], end, level)]
    else:
        assert merged.merged is None
        assert spans(ground, merged) == plain


# --- the amount of work ----------------------------------------------------------------------------------------


@contextmanager
def counting():
    """Count boundaries looked at: each look-up of a walk, and each place that a step for many takes in."""
    counts = {"look-ups": 0, "places": 0}

    def counted(owner, name, what, amount):
        real = getattr(owner, name)

        def wrapper(*args):
            counts[what] += amount(args)
            return real(*args)

        patch.setattr(owner, name, wrapper)

    with pytest.MonkeyPatch.context() as patch:
        counted(Level, "last_before", "look-ups", lambda args: 1)
        counted(Level, "first_within", "look-ups", lambda args: 1)
        counted(steps, "after", "look-ups", lambda args: len(args[0]))
        counted(following, "back", "places", lambda args: len(args[1]))
        counted(following, "reach", "places", lambda args: len(args[1]))
        yield counts


WORST = (
    ("no overlap", 50, 0),
    ("half", 50, 25),
    ("all but one", 50, 49),
    ("a single unit", 1, 0),
    ("larger than the text", 10**6, 10**6 - 1),
)
SHAPES = (
    ("short pieces", lambda n: even(n, 3)),
    ("long pieces", lambda n: even(n, 7, coarse=10)),
    ("one piece", lambda n: even(n, 3, coarse=n)),
    ("every unit", lambda n: even(n, 1)),
    (
        "uneven",
        lambda n: Ground(list(range(4 * n)), 4 * n, [[0, *accumulate([1, 7] * (n // 2))], list(range(4 * n + 1))]),
    ),
)


@pytest.mark.parametrize(("name", "size", "overlap"), WORST, ids=[worst[0] for worst in WORST])
@pytest.mark.parametrize(("shape", "ground"), SHAPES, ids=[shape[0] for shape in SHAPES])
def test_work_is_in_proportion_to_chunks_and_pieces(name, size, overlap, shape, ground):
    for n in (200, 2000):
        levels = ground(n).levels
        with counting() as counts:
            chunks = len(walk(Plan(levels, size, overlap)).starts)
        assert counts == {"look-ups": counts["look-ups"], "places": 0}
        assert counts["look-ups"] <= (2 * len(levels) + 1) * chunks
        with counting() as counts:
            chunks = len(follow(Plan(levels, size, overlap)).starts)
        windows_in_text = levels[0].units / (size - overlap)
        assert counts["places"] <= 4 * (levels[0].end + windows_in_text)
        assert counts["look-ups"] <= (2 * len(levels) + 1) * (levels[0].end + windows_in_text)
