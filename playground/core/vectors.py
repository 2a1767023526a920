"""Vectors of any span of a document, by subtraction.

The vector of a span is the mean of its tokens' static vectors, so it is a difference of two prefix sums. Keeping the
sum before every token would take 2 KB a token; kept is the sum before every 64th, and the few tokens from there on are
added or taken away. Retrieval ranks chunks with `span_vectors`, the semantic mode takes `span_sums` of its sentences.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from playground.core.rulers import Offsets
from playground.resources.embeddings import embedding

BLOCK = 64
_BATCH = 2048  # token vectors looked up at once: 2 MB


@dataclass(frozen=True, eq=False)
class SpanVectors:
    """The tokens of a text and the sums of their vectors before every 64th of them.

    `ids` and `starts` are int32 [tokens], `sums` is float64 [tokens // 64 + 1, dimensions]: 40 bytes a token in all.
    Sums are float64 because a difference of two large float32 sums has lost the digits of a short span.
    """

    ids: Offsets
    starts: Offsets
    sums: npt.NDArray[np.float64]

    @classmethod
    def of(cls, text: str) -> SpanVectors:
        """Embed `text`: once a document, everything after is arithmetic."""
        ids, starts = embedding().encode(text)
        whole = len(ids) // BLOCK
        blocks = _weighted_sums(ids, BLOCK * np.arange(whole), np.ones((whole, BLOCK), np.float32))
        sums = np.zeros((whole + 1, embedding().dimensions))
        np.cumsum(blocks, axis=0, out=sums[1:])
        return cls(ids, starts, sums)

    @property
    def nbytes(self) -> int:
        """The bytes of the arrays."""
        return self.ids.nbytes + self.starts.nbytes + self.sums.nbytes

    def counts(self, starts: npt.ArrayLike, ends: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """How many tokens start in each span `[starts[i], ends[i])`."""
        return self._tokens_before(ends) - self._tokens_before(starts)

    def span_sums(self, starts: npt.ArrayLike, ends: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Return the sum of the vectors of the tokens that start in each span: float32 [spans, dimensions].

        Divided by `counts` it is the mean. Exactly zero where no token starts.
        """
        low, high = self._tokens_before(starts), self._tokens_before(ends)
        sums = np.empty((len(low), self.sums.shape[1]), np.float32)
        for at in range(0, len(low), _BATCH):
            part = slice(at, at + _BATCH)
            # Neighbours share their places, so that nearly half of the rows need not be made.
            places, back = np.unique(np.stack((low[part], high[part])), return_inverse=True)
            rows = self._rows(places)
            sums[part] = rows[back[1]] - rows[back[0]]
        return sums

    def span_vectors(self, starts: npt.ArrayLike, ends: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Return the mean vector of each span `[starts[i], ends[i])`, scaled to length 1: float32 [spans, dimensions].

        A token belongs to the span that its first character is in. A span without tokens (blank, or empty) has the
        zero vector. The product of two results is their cosine similarity.

        >>> vectors = SpanVectors.of("A tide pool. Tax law.").span_vectors([0, 13], [13, 21])
        >>> vectors.shape
        (2, 256)
        """
        sums = self.span_sums(starts, ends)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        np.divide(sums, lengths, out=sums, where=lengths > 0)
        return sums

    def _tokens_before(self, offsets: npt.ArrayLike) -> npt.NDArray[np.int64]:
        return np.searchsorted(self.starts, np.asarray(offsets, dtype=np.int32), side="left").astype(np.int64)

    def _rows(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The sum before each token number in `places`, from the nearest sum that was kept."""
        near = np.minimum((places + BLOCK // 2) // BLOCK, len(self.sums) - 1)
        ahead = places - near * BLOCK
        width = int(np.abs(ahead).max(initial=0))
        inside = np.arange(width) < np.abs(ahead)[:, None]
        weights = np.where(inside, np.sign(ahead)[:, None], 0).astype(np.float32)
        rows = _weighted_sums(self.ids, np.minimum(places, near * BLOCK), weights)
        rows += self.sums[near]
        return rows


def _weighted_sums(
    ids: Offsets, lows: npt.NDArray[np.int64], weights: npt.NDArray[np.float32]
) -> npt.NDArray[np.float64]:
    """For each row of `weights` the sum of weight x vector over the tokens from `low` on: float64 [rows, dimensions].

    A product of matrices instead of `np.add.reduceat`, which takes ten times as long. Batches keep the vectors that
    were looked up in the processor's cache.
    """
    matrix, (count, width) = embedding().matrix, weights.shape
    sums = np.zeros((count, matrix.shape[1]))
    if not width:
        return sums
    step = max(1, _BATCH // width)
    for at in range(0, count, step):
        index = np.minimum(lows[at : at + step, None] + np.arange(width), len(ids) - 1)
        sums[at : at + step] = np.matmul(weights[at : at + step, None], matrix[ids[index]])[:, 0]
    return sums
