"""Ranks from scores, and one ranking from several by reciprocal rank."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int32]

RRF_K = 60
"""The constant of reciprocal rank fusion, as Cormack, Clarke and Buettcher (2009) chose it."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """Chunk `order[0]` is the best. `scores` belong to the chunks, not to the ranks.

    `ties` counts the ranks whose score is that of the rank before: there, place in the text decided and not score.
    """

    order: Numbers
    scores: npt.NDArray[np.floating]
    ties: int

    @cached_property
    def ranks(self) -> Numbers:
        """The rank of each chunk, from 1."""
        ranks = np.empty_like(self.order)
        ranks[self.order] = np.arange(1, len(self.order) + 1, dtype=np.int32)
        return ranks


def rank(scores: npt.NDArray[np.floating], starts: npt.ArrayLike | None = None) -> Ranking:
    """Rank by score, the highest first; equal scores by `starts` (None: in the order in which they are given).

    >>> rank(np.array([0.5, 0.9, 0.5])).order.tolist()
    [1, 0, 2]
    """
    keys = (-scores,) if starts is None else (np.asarray(starts), -scores)
    order = np.lexsort(keys).astype(np.int32)
    sorted_scores = scores[order]
    return Ranking(order, scores, int((sorted_scores[1:] == sorted_scores[:-1]).sum()))


def fused(*scores: npt.NDArray[np.floating], k: int = RRF_K) -> Scores:
    """Return reciprocal rank fusion of several scores of the same chunks: for each the sum of 1 / (k + rank).

    Ranks count from 1 and equal scores are ranked in the order given. A score of exactly 0 says that a retriever has
    not found the chunk (no term of the question, no token), so it has no rank there and adds nothing; else chunks
    without any word of the question would gain by standing early in the text. Raises ValueError without scores.

    >>> fused(np.array([2.0, 1.0]), np.array([0.1, 0.3])).round(5).tolist()
    [0.03252, 0.03252]
    """
    if not scores:
        raise ValueError("there is nothing to fuse: give at least one array of scores")
    total = np.zeros(len(scores[0]))
    for one in scores:
        total += np.where(one != 0, 1.0 / (k + rank(one).ranks), 0.0)
    return total
