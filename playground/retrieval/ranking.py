"""The retrievers by name, and everything that goes into a ranking in one place.

A retriever scores the chunks of a chunking, or of a pool of several documents, for one question or for many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from playground.core.chunking import Chunking
from playground.retrieval.bm25 import bm25, each_bm25
from playground.retrieval.fusion import RRF_K, Ranking, fused, rank
from playground.retrieval.pool import Part, Pool
from playground.retrieval.vectors import each_vectors, vector_scores

__all__ = ["RETRIEVERS", "RRF_K", "Part", "Pool", "Ranking", "Retriever", "bm25", "fused", "rank", "vector_scores"]

Scores = npt.NDArray[np.float64]
Chunks = Chunking | Pool


@dataclass(frozen=True)
class Retriever:
    """A way to score chunks: `score_each(pool, questions, with_context)` gives a row of scores for each question."""

    name: str
    label: str
    score_each: Callable[[Pool, Sequence[str], bool], Iterator[Scores]]

    def each(self, chunks: Chunks, queries: Sequence[str], with_context: bool = False) -> Iterator[Scores]:
        """The scores of all chunks, float64 [chunks], for each question in turn: cheaper than one call for each.

        With context, what is read before a chunk counts as if it were part of it.
        """
        return self.score_each(Pool.of(chunks), queries, with_context)

    def scores(self, chunks: Chunks, query: str, with_context: bool = False) -> Scores:
        """The scores of all chunks for one question: float64 [chunks]. A pool keeps what it prepares for the next."""
        return next(self.each(chunks, [query], with_context))

    def ranking(self, chunks: Chunks, query: str, with_context: bool = False) -> Ranking:
        """The chunks in the order of their scores; equal ones by document and start."""
        return rank(self.scores(chunks, query, with_context))


def _each_fused(pool: Pool, queries: Sequence[str], with_context: bool) -> Iterator[Scores]:
    both = (each_bm25(pool, queries, with_context), each_vectors(pool, queries, with_context))
    return (fused(words, vectors) for words, vectors in zip(*both, strict=True))


RETRIEVERS: Mapping[str, Retriever] = MappingProxyType(
    {
        one.name: one
        for one in (
            Retriever("bm25", "BM25", each_bm25),
            Retriever("vectors", "Static vectors", each_vectors),
            Retriever("fused", "Both, by reciprocal rank", _each_fused),
        )
    }
)
"""The retrievers by name."""
