"""What a model would be shown of a ranking: the top k or as much as a budget holds, with neighbours or parents.

Chunks that overlap, and texts that occur twice, would be paid for twice; both are removed and reported apart. All
documents of a pool are laid one after another on one axis, so that a set of spans is arithmetic whatever their
document.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from playground.core.chunking import Chunking
from playground.core.rulers import Offsets
from playground.core.spans import union
from playground.retrieval.pool import Pool, Units, units_of

Numbers = npt.NDArray[np.int64]

_AT_FIRST = 64
"""How many ranks are looked at first where a budget says how many; four times as many if all of them fit."""


@dataclass(frozen=True, eq=False)
class Shown:
    """What is shown, in the order of the documents: span i is `[starts[i], ends[i])` of document `documents[i]`.

    `taken` are the chunks of the ranking that it comes from, the best first. Tokens are those of the documents, each
    counted in the spans that it starts in: `tokens_retrieved`, with every repeat, are `tokens_spent` (what is shown) +
    `removed_overlap` + `removed_content`. `tokens_repeated` are those of the spent that say again what is shown
    elsewhere: 0 if everything was removed.
    """

    documents: Offsets
    starts: Offsets
    ends: Offsets
    taken: Offsets
    tokens_retrieved: int
    tokens_spent: int
    tokens_repeated: int
    removed_overlap: int
    removed_content: int


def shown(
    chunks: Chunking | Pool,
    order: npt.ArrayLike,
    k: int | None = None,
    budget: int | None = None,
    neighbours: int = 0,
    parents: bool = False,
    remove_overlap: bool = True,
    remove_content: bool = True,
) -> Shown:
    """What a model would be shown of the chunks in `order`, the best first.

    Taken are the first `k`, or all that come before the first one which does not fit into `budget` tokens, or both.
    Each brings its `neighbours` on either side within its document. With `parents` it is its parent that is shown, once
    for several children, and neighbours are the parents next to it. A text that is, character by character, that of
    a piece shown before goes first; then what overlaps or touches is joined. Raises ValueError without `k` and
    `budget`, for negative numbers, and for parents where a chunking has none.
    """
    if k is None and budget is None:
        raise ValueError("give k or a budget: how much shall be shown?")
    if min(k or 0, budget or 0, neighbours) < 0:
        raise ValueError(f"k={k}, budget={budget}, neighbours={neighbours}: none may be below 0")
    pool = Pool.of(chunks)
    units = units_of(pool, parents)
    ranked = np.asarray(order, np.int64)[: len(pool) if k is None else k]
    looked_at = len(ranked) if budget is None else _AT_FIRST
    while True:
        pieces, after = _pieces(units, ranked[:looked_at], neighbours)
        choice = _Choice(units, pieces, _first_texts(units, pieces), remove_overlap, remove_content)
        count = len(after) if budget is None else _fitting(choice, after, budget)
        if count < looked_at or looked_at >= len(ranked):
            return choice.shown(int(after[count - 1]) if count else 0, ranked[:count].astype(np.int32))
        looked_at *= 4


def _pieces(units: Units, ranked: Numbers, neighbours: int) -> tuple[Numbers, Numbers]:
    """The units that the ranked chunks bring, each when it is first brought; and how many there are after each rank."""
    own = units.of_chunk[ranked]
    around = own[:, None] + np.argsort(np.abs(np.arange(-neighbours, neighbours + 1)), kind="stable") - neighbours
    document = units.document[own][:, None]
    inside = (around >= units.firsts[document]) & (around < units.firsts[document + 1])
    brought = around[inside]
    _, first = np.unique(brought, return_index=True)
    is_new = np.zeros(len(brought), np.bool_)
    is_new[first] = True
    running = np.concatenate(([0], np.cumsum(is_new)))
    return brought[is_new], running[np.cumsum(inside.sum(axis=1))]


def _first_texts(units: Units, pieces: Numbers) -> npt.NDArray[np.bool_]:
    """Which pieces have a text that no piece before has. Only texts of equal length are looked at."""
    lengths = units.ends[pieces] - units.starts[pieces]
    _, group, size = np.unique(lengths, return_inverse=True, return_counts=True)
    kept = np.ones(len(pieces), np.bool_)
    alike = np.flatnonzero(size[group] > 1)
    chosen = pieces[alike]
    seen: set[str] = set()
    rows = (units.document[chosen].tolist(), units.starts[chosen].tolist(), units.ends[chosen].tolist())
    for at, document, start, end in zip(alike.tolist(), *rows, strict=True):
        text = units.texts[document][start:end]
        kept[at] = text not in seen
        seen.add(text)
    return kept


@dataclass(frozen=True, eq=False)
class _Choice:
    """Pieces in the order in which they are brought, which of them have a new text, and what is to be removed."""

    units: Units
    pieces: Numbers
    is_new: npt.NDArray[np.bool_]
    remove_overlap: bool
    remove_content: bool

    def cost(self, count: int) -> int:
        """The tokens that the first `count` pieces take when shown."""
        kept = self.kept(count)
        return self.distinct(kept) if self.remove_overlap else self.total(kept)

    def kept(self, count: int) -> Numbers:
        """Those of the first `count` pieces that are not removed for their text."""
        return self.pieces[:count][self.is_new[:count]] if self.remove_content else self.pieces[:count]

    def total(self, pieces: Numbers) -> int:
        """The tokens of the pieces one by one."""
        return int((self.units.until[pieces] - self.units.before[pieces]).sum())

    def distinct(self, pieces: Numbers) -> int:
        """The tokens of the pieces, each counted once."""
        low, high = union(self.units.before[pieces], self.units.until[pieces])
        return int((high - low).sum())

    def shown(self, count: int, taken: Offsets) -> Shown:
        """What the first `count` pieces are when shown."""
        units, kept = self.units, self.kept(count)
        spent, own, every = self.cost(count), self.total(kept), self.total(self.pieces[:count])
        base = units.bases[units.document[kept]]
        low, high = base + units.starts[kept], base + units.ends[kept]
        order = np.lexsort((high, low))
        starts, ends = union(low, high) if self.remove_overlap else (low[order], high[order])
        documents = np.searchsorted(units.bases, starts, side="right") - 1
        base = units.bases[documents]
        return Shown(
            documents.astype(np.int32),
            (starts - base).astype(np.int32),
            (ends - base).astype(np.int32),
            taken,
            tokens_retrieved=every,
            tokens_spent=spent,
            tokens_repeated=spent - self.distinct(self.pieces[:count][self.is_new[:count]]),
            removed_overlap=own - spent,
            removed_content=every - own,
        )


def _fitting(choice: _Choice, after: Numbers, budget: int) -> int:
    """How many ranks fit into the budget: what a rank costs in all never falls, so it is found by halving."""
    low, high = 0, len(after)
    while low < high:
        middle = (low + high + 1) // 2
        if choice.cost(int(after[middle - 1])) <= budget:
            low = middle
        else:
            high = middle - 1
    return low
