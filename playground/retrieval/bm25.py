"""BM25 over chunks whose words were never counted: how often a term is in a chunk is a difference of two running sums.

The variant is Lucene's, as the library `bm25s` names it (method "lucene"): a term t that is tf times in a chunk adds
idf(t) * tf / (tf + k1 * (1 - b + b * length / mean length)), with idf(t) = log(1 + (N - df + 0.5) / (df + 0.5)) over
the N chunks of the pool, df of which have it. A term of the question counts as often as it is repeated there. A term
counts for a chunk only if it lies wholly inside.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from playground.core.prepared import Prepared
from playground.core.rulers import Offsets
from playground.retrieval.pool import Part, Pool
from playground.retrieval.terms import Terms, counted, occurrences, query_terms

Counts = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]

K1, B = 1.5, 0.75
_AT_ONCE = 1 << 19  # cells of terms x chunks that are counted at once: 4 MB


class Index:
    """What BM25 needs of a pool. A term's weights are worked out when a question first has it, and then kept."""

    def __init__(self, pool: Pool, k1: float = K1, b: float = B, with_context: bool = False) -> None:
        self.pool, self.k1, self.with_context = pool, k1, with_context
        self._edges = [_Edges(part) for part in pool.parts]
        self.lengths = self._lengths()
        mean = self.lengths.mean() if self.lengths.any() else 1.0
        self._saturation = k1 * (1 - b + b * self.lengths / mean)
        self._rows: dict[str, tuple[npt.NDArray[np.intp], Scores]] = {}
        self._lock = threading.Lock()

    def prepare(self, terms: Iterable[str]) -> None:
        """Work out the weights of all `terms` that are new, together."""
        with self._lock:
            new = [term for term in dict.fromkeys(terms) if term not in self._rows]
            step = max(1, _AT_ONCE // (len(self.pool) + 1))
            for at in range(0, len(new), step):
                self._add(new[at : at + step])

    def scores(self, terms: Sequence[str]) -> Scores:
        """The score of every chunk for a question of these terms: float64 [chunks]."""
        self.prepare(terms)
        total = np.zeros(len(self.pool))
        for term in terms:
            chunks, weights = self._rows[term]
            total[chunks] += weights
        return total

    def counts(self, terms: Sequence[str]) -> Counts:
        """How often each term is in each chunk: int64 [terms, chunks]."""
        found = np.zeros((len(terms), len(self.pool)), np.int64)
        for number, (part, edges) in enumerate(zip(self.pool.parts, self._edges, strict=True)):
            columns = self.pool.columns(number)
            found[:, columns] = edges.counts(terms)
            if self.with_context:
                found[:, columns] += _counted_in(part.contexts, terms)[:, part.context]
        return found

    def _add(self, terms: Sequence[str]) -> None:
        counts = self.counts(terms)
        which, chunks = counts.nonzero()
        frequencies = counts[which, chunks]
        held = np.bincount(which, minlength=len(terms))
        rarity = np.log1p((len(self.pool) - held + 0.5) / (held + 0.5))
        weights = rarity[which] * (frequencies / (frequencies + self._saturation[chunks]))
        bounds = np.cumsum(held)[:-1]
        rows = zip(np.split(chunks, bounds), np.split(weights, bounds), strict=True)
        self._rows.update(zip(terms, rows, strict=True))

    def _lengths(self) -> Counts:
        lengths = [edges.high - edges.low for edges in self._edges]
        if self.with_context:
            for number, part in enumerate(self.pool.parts):
                extra = np.array([sum(counted(context).values()) for context in part.contexts], np.int32)
                lengths[number] = lengths[number] + extra[part.context]
        return np.concatenate(lengths).astype(np.int64) if lengths else np.zeros(0, np.int64)


class _Edges:
    """Between which terms of its document each span of a part begins and ends, and these bounds sorted."""

    def __init__(self, part: Part) -> None:
        self.terms = Terms.of(part.prepared)
        self.low, self.high = self.terms.inside(part.starts, part.ends)
        self._sorted = [_sorted(self.low), _sorted(self.high)]

    def counts(self, wanted: Sequence[str]) -> Counts:
        """How often each wanted term is in each span."""
        which, numbers = occurrences(self.terms, wanted)
        before_low, before_high = (self._before(edge, len(wanted), which, numbers) for edge in self._sorted)
        return before_high - before_low

    @staticmethod
    def _before(
        edge: tuple[Offsets, npt.NDArray[np.intp] | None], count: int, which: Counts, numbers: Offsets
    ) -> Counts:
        """How many places of each term are before each bound."""
        bounds, back = edge
        width = len(bounds) + 1
        cell = which * width + np.searchsorted(bounds, numbers, side="right")
        running = np.bincount(cell, minlength=count * width).reshape(count, width)[:, :-1].cumsum(axis=1)
        return running if back is None else running[:, back]


def _sorted(bounds: Offsets) -> tuple[Offsets, npt.NDArray[np.intp] | None]:
    """`bounds` in order, and where each of them went (None: all are where they were)."""
    if (bounds[1:] >= bounds[:-1]).all():
        return bounds, None
    order = np.argsort(bounds, kind="stable")
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return bounds[order], back


def _counted_in(contexts: Sequence[str], terms: Sequence[str]) -> Counts:
    """How often each term is in each context: int64 [terms, contexts]."""
    number = {term: index for index, term in enumerate(terms)}
    found = np.zeros((len(terms), len(contexts)), np.int64)
    for column, context in enumerate(contexts):
        for term, count in counted(context).items():
            if term in number:
                found[number[term], column] = count
    return found


def index_of(pool: Pool, with_context: bool = False) -> Index:
    """The index of a pool at the usual k1 and b, kept with it."""
    return pool.once(("bm25", with_context), lambda: Index(pool, with_context=with_context))


def each_bm25(pool: Pool, queries: Sequence[str], with_context: bool) -> Iterator[Scores]:
    """The scores of all chunks for each question in turn; the terms of all questions are counted together."""
    index = index_of(pool, with_context)
    asked = [query_terms(query) for query in queries]
    index.prepare(term for terms in asked for term in terms)
    return (index.scores(terms) for terms in asked)


def bm25(
    prepared: Prepared, starts: npt.ArrayLike, ends: npt.ArrayLike, query: str, k1: float = K1, b: float = B
) -> Scores:
    """Return the BM25 score of each span `[starts[i], ends[i])` for `query`: float64 [spans], 0 where no term is.

    The spans are the collection: N, df and the mean length are theirs. They may overlap and be in any order.
    """
    return Index(Pool((Part.spans(prepared, starts, ends),)), k1, b).scores(query_terms(query))
