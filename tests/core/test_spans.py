"""Interval algebra against plain sets of positions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.core.spans import covered, deepest, union

SPANS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12)).map(lambda span: (span[0], sum(span))), max_size=14)


def arrays(spans: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    pairs = np.array(spans, dtype=np.int32).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def positions(spans: list[tuple[int, int]]) -> Counter[int]:
    """How many of `spans` cover each place."""
    return Counter(place for start, end in spans for place in range(start, end))


@given(SPANS)
def test_union_covers_the_same_places_with_the_fewest_spans(spans):
    start, end = union(*arrays(spans))
    places = {place for low, high in zip(start, end, strict=True) for place in range(low, high)}
    assert places == set(positions(spans))
    assert (start < end).all()
    assert (start[1:] > end[:-1]).all()


@given(SPANS)
def test_covered_counts_places(spans):
    assert covered(*arrays(spans)) == len(positions(spans))


@given(SPANS)
def test_deepest_is_the_largest_count(spans):
    filled = [span for span in spans if span[0] < span[1]]
    assert deepest(*arrays(filled)) == max(positions(filled).values(), default=0)


@pytest.mark.parametrize(
    ("spans", "joined", "depth"),
    [
        ([], [], 0),
        ([(0, 5)], [(0, 5)], 1),
        ([(0, 5), (5, 9)], [(0, 9)], 1),
        ([(0, 5), (6, 9)], [(0, 5), (6, 9)], 1),
        ([(6, 9), (0, 7)], [(0, 9)], 2),
        ([(0, 9), (2, 4), (3, 5)], [(0, 9)], 3),
        ([(0, 5), (0, 5)], [(0, 5)], 2),
        ([(0, 240), (200, 440), (400, 640), (600, 840), (800, 1000)], [(0, 1000)], 2),
    ],
)
def test_written_out(spans, joined, depth):
    start, end = union(*arrays(spans))
    assert list(zip(start.tolist(), end.tolist(), strict=True)) == joined
    assert deepest(*arrays(spans)) == depth


def test_large_offsets_do_not_overflow():
    top = 2**31 - 1
    assert covered(*arrays([(0, top), (5, top)])) == top
    many = np.zeros(4, np.int32), np.full(4, top, np.int32)
    assert covered(*many) == top
