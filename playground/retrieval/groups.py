"""Values in groups, without a loop over the groups: sums, smallest values, runs of numbers, unions of spans."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from playground.core.spans import union

Numbers = npt.NDArray[np.int64]


def sums(group: Numbers, values: Numbers, count: int) -> Numbers:
    """The sum of `values` in each of `count` groups."""
    return np.bincount(group, weights=values, minlength=count).astype(np.int64)


def spread(first: Numbers, counts: Numbers) -> tuple[Numbers, Numbers]:
    """For each i the numbers `first[i]`, `first[i] + 1`, ... (`counts[i]` of them), and the i of each.

    >>> [part.tolist() for part in spread(np.array([5, 0, 8]), np.array([2, 0, 3]))]
    [[0, 0, 2, 2, 2], [5, 6, 8, 9, 10]]
    """
    group = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    number = np.arange(len(group), dtype=np.int64) - (np.cumsum(counts) - counts)[group]
    return group, number + first[group]


def union_by(group: Numbers, starts: Numbers, ends: Numbers, length: int) -> tuple[Numbers, Numbers, Numbers]:
    """The union of spans within each group: its groups, starts and ends, sorted. Places lie below `length`."""
    apart = group * (length + 1)  # one more than the axis, or the end of one group would touch the start of the next
    low, high = union(starts + apart, ends + apart)
    found: Numbers = low.astype(np.int64) // (length + 1)
    return found, low - found * (length + 1), high - found * (length + 1)


def first_places(count: int, group: Numbers, places: Numbers, none: int) -> Numbers:
    """The smallest of `places` in each of `count` groups; `none` where there is none, or none below it."""
    found = np.full(count, none, dtype=np.int64)
    np.minimum.at(found, group, places)
    return found
