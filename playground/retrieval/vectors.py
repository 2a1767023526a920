"""Similarity of a question to any span: the cosine of two means of static token vectors.

What a span's vector is depends on which tokens it has, not on their order. Spans with the same tokens have the same
fingerprint, get the same vector to the last digit, and so tie exactly, wherever they stand in the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from playground.core.modes.semantic import vectors_of
from playground.core.prepared import Prepared
from playground.core.vectors import SpanVectors
from playground.resources.embeddings import embedding
from playground.retrieval.pool import Part, Pool

Rows = npt.NDArray[np.float32]
Prints = npt.NDArray[np.uint64]
Scores = npt.NDArray[np.float64]

_AT_ONCE = 64  # questions multiplied at once


def _mixed(ids: npt.NDArray[np.int32]) -> Prints:
    """A number of 64 bits for each token that looks like chance (the finalizer of SplitMix64)."""
    mixed = (ids.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: Prints = mixed ^ (mixed >> np.uint64(31))
    return found


def _running_prints(prepared: Prepared) -> Prints:
    """The sum of the tokens' numbers before each token, modulo 2 to the 64: uint64 [tokens + 1]."""

    def make() -> Prints:
        ids = vectors_of(prepared).ids
        sums = np.zeros(len(ids) + 1, np.uint64)
        np.cumsum(_mixed(ids), out=sums[1:])
        return sums

    return prepared.once("token prints", make)


def _prints(part: Part) -> Prints:
    """The fingerprint of each span's tokens."""
    sums, tokens = _running_prints(part.prepared), vectors_of(part.prepared).starts
    low, high = np.searchsorted(tokens, part.starts, side="left"), np.searchsorted(tokens, part.ends, side="left")
    found: Prints = sums[high] - sums[low]
    return found


@lru_cache(maxsize=4096)
def _of_text(text: str) -> tuple[Rows, int]:
    """The sum of the token vectors of a short text, and the fingerprint of its tokens."""
    vectors = SpanVectors.of(text)
    total = vectors.span_sums([0], [len(text)])[0]
    total.flags.writeable = False
    return total, int(_mixed(vectors.ids).sum())


def query_vector(text: str) -> Rows:
    """Return the mean token vector of `text` at length 1: float32 [256]; zero if it has no token."""
    total, _ = _of_text(text)
    return total / (np.linalg.norm(total) or np.float32(1))


class ChunkVectors:
    """The vectors of all chunks of a pool, each distinct one once: chunk i has row `number[i]` of `rows`."""

    def __init__(self, pool: Pool, with_context: bool = False) -> None:
        prints = [_prints(part) for part in pool.parts]
        if with_context:
            for at, part in enumerate(pool.parts):
                extra = np.array([_of_text(context)[1] for context in part.contexts], np.uint64)
                prints[at] = prints[at] + extra[part.context]
        joined = np.concatenate(prints) if prints else np.zeros(0, np.uint64)
        _, self._first, self.number = np.unique(joined, return_index=True, return_inverse=True)
        self.rows = self._distinct(pool, with_context)

    def scores(self, queries: Sequence[str]) -> Rows:
        """The cosine of each question and each chunk: float32 [questions, chunks]; 0 where one has no token."""
        if len(queries) == 1:  # the hand on a slider waits for this one: not for a pool of threads, too
            found: Rows = np.einsum("ij,j->i", self.rows, query_vector(queries[0]))[None]
        else:
            found = np.stack([query_vector(query) for query in queries]) @ self.rows.T
        return found[:, self.number]

    def _distinct(self, pool: Pool, with_context: bool) -> Rows:
        """The vector of the first chunk of each fingerprint."""
        rows = np.empty((len(self._first), embedding().dimensions), np.float32)
        owner = np.searchsorted(pool.firsts, self._first, side="right") - 1
        for document in np.unique(owner).tolist():
            part, here = pool.parts[document], np.flatnonzero(owner == document)
            chosen = self._first[here] - pool.firsts[document]
            sums = vectors_of(part.prepared).span_sums(part.starts[chosen], part.ends[chosen])
            if with_context:
                extra = np.stack([_of_text(context)[0] for context in part.contexts])
                sums += extra[part.context[chosen]]
            rows[here] = sums
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        np.divide(rows, lengths, out=rows, where=lengths > 0)
        return rows


def chunk_vectors(pool: Pool, with_context: bool = False) -> ChunkVectors:
    """The vectors of a pool's chunks, made once and kept with it."""
    return pool.once(("vectors", with_context), lambda: ChunkVectors(pool, with_context))


def each_vectors(pool: Pool, queries: Sequence[str], with_context: bool) -> Iterator[Scores]:
    """The scores of all chunks for each question in turn."""
    chunks = chunk_vectors(pool, with_context)
    for at in range(0, len(queries), _AT_ONCE):
        yield from chunks.scores(queries[at : at + _AT_ONCE]).astype(np.float64)


def vector_scores(prepared: Prepared, starts: npt.ArrayLike, ends: npt.ArrayLike, query: str) -> Rows:
    """Return the cosine of `query` and each span `[starts[i], ends[i])`: float32 [spans], from -1 to 1.

    It is 0 where the span or the question has no token. A token belongs to the span that its first character is in.
    The vector of the span from 0 to the end is that of the whole document.
    """
    found: Rows = ChunkVectors(Pool((Part.spans(prepared, starts, ends),))).scores([query])[0]
    return found
