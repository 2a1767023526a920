"""The best chunks of many rankings at once, without sorting what is not among them.

Chunks are ranked by (score, place): of equal scores the one that comes first in the pool is first. How many places
were decided so is counted, since a figure that rests on ties rests on the order of the text.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]
Order = npt.NDArray[np.int64]


def leading(scores: Scores, count: int) -> tuple[Order, npt.NDArray[np.bool_]]:
    """The `count` best columns of each row of `scores`, the best first, and after which of them an equal score follows.

    Both are [rows, min(count, columns)]. Where an equal score follows, the place in the pool decided.

    >>> [part.tolist() for part in leading(np.array([[1.0, 3.0, 1.0, 2.0]]), 3)]
    [[[1, 3, 0]], [[False, False, True]]]
    """
    rows, columns = scores.shape
    kept = min(count, columns)
    if not kept or not rows:
        return np.zeros((rows, kept), np.int64), np.zeros((rows, kept), np.bool_)
    least = np.partition(scores, columns - kept, axis=1)[:, columns - kept, None]
    chosen = scores >= least
    crowded = np.flatnonzero(np.count_nonzero(chosen, axis=1) > kept)
    if len(crowded):
        above = scores[crowded] > least[crowded]
        equal = chosen[crowded] & ~above
        free = kept - np.count_nonzero(above, axis=1)
        chosen[crowded] = above | (equal & (np.cumsum(equal, axis=1, dtype=np.int32) <= free[:, None]))
    found = np.flatnonzero(chosen).reshape(rows, kept) - columns * np.arange(rows)[:, None]
    values = np.take_along_axis(scores, found, axis=1)
    order = np.argsort(-values, axis=1, kind="stable")
    values = np.take_along_axis(values, order, axis=1)
    follows = np.zeros(values.shape, dtype=np.bool_)
    follows[:, :-1] = values[:, 1:] == values[:, :-1]
    follows[crowded, -1] = True
    return np.take_along_axis(found, order, axis=1).astype(np.int64), follows


def ranks_of(scores: Scores, row: Order, column: Order) -> Order:
    """The place, from 1, of each pair's column in the ranking of its row.

    >>> ranks_of(np.array([[1.0, 3.0, 1.0, 2.0]]), np.array([0, 0]), np.array([0, 2])).tolist()
    [3, 4]
    """
    ranks = np.empty(len(row), dtype=np.int64)
    for number, (at, place) in enumerate(zip(row.tolist(), column.tolist(), strict=True)):
        mine = scores[at]
        better = np.count_nonzero(mine > mine[place])
        ranks[number] = better + np.count_nonzero(mine[:place] == mine[place]) + 1
    return ranks
