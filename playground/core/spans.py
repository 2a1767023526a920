"""Interval algebra on spans `[start, end)`: unions, and how many spans cover one place.

Every function takes arrays of starts and ends of equal length, in any order and overlapping as they like, and works
in whatever the offsets count (characters, or units of a ruler).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.integer]


def union(starts: Values, ends: Values) -> tuple[Values, Values]:
    """The smallest list of disjoint spans that covers the same places; spans that touch are joined.

    >>> [part.tolist() for part in union(np.array([0, 200, 500]), np.array([240, 440, 600]))]
    [[0, 500], [440, 600]]
    """
    filled = ends > starts
    start, end = (starts, ends) if filled.all() else (starts[filled], ends[filled])
    if (start[1:] < start[:-1]).any():
        order = np.argsort(start, kind="stable")
        start, end = start[order], end[order]
    if not len(start):
        return start, end
    reached = np.maximum.accumulate(end)
    opens = np.concatenate(([True], start[1:] > reached[:-1]))
    closes = np.concatenate((opens[1:], [True]))
    return start[opens], reached[closes]


def covered(starts: Values, ends: Values) -> int:
    """How many places lie in at least one span."""
    start, end = union(starts, ends)
    return int((end.astype(np.int64) - start).sum())


def deepest(starts: Values, ends: Values) -> int:
    """The largest number of spans that cover one place: found at the start of some span."""
    if not len(starts):
        return 0
    opened = np.arange(1, len(starts) + 1)
    closed = np.searchsorted(np.sort(ends), np.sort(starts), side="right")
    return int((opened - closed).max())
