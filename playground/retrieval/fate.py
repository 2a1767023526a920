"""What becomes of an answer when its document is chunked: whole in a chunk, rescued by the overlap, split, left out.

Chunks are in order, so the chunks that hold a span are a range of numbers, and so are the boundaries that cut it. All
answers of a question set are looked up together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from playground.core.chunking import Chunking
from playground.core.rulers import Offsets

KINDS = ("whole", "rescued", "split", "left out")
_WHOLE, _RESCUED, _SPLIT, _LEFT_OUT = range(len(KINDS))


@dataclass(frozen=True, eq=False)
class Fate:
    """What becomes of one answer.

    - "whole": a chunk holds it and no boundary lies inside it.
    - "rescued": a boundary cuts it (a chunk ends inside it), but thanks to the overlap another chunk holds it.
    - "split": no chunk holds it whole, at least one holds a part; part of it may lie in what is left out.
    - "left out": no chunk holds anything of it.

    `holders` are the chunks that hold it whole. `boundaries` are those that cut it: number k, from 0, is where chunk k
    ends and chunk k + 1 goes on, or the gap between them. `share` is answer_tokens / holder_tokens, the tokens of the
    answer and of its smallest holder: 40 of 200 are 0.2. Both are 0 where nothing holds it.
    """

    kind: str
    holders: Offsets
    boundaries: Offsets
    answer_tokens: int
    holder_tokens: int
    share: float


@dataclass(frozen=True, eq=False)
class Fates:
    """What becomes of many answers, as arrays. `kinds[i]` is an index into `KINDS`.

    Chunks `first_holder[i]` to before `end_holder[i]` hold answer i; boundaries `first_boundary[i]` to before
    `end_boundary[i]` cut it.
    """

    kinds: npt.NDArray[np.int8]
    first_holder: Offsets
    end_holder: Offsets
    first_boundary: Offsets
    end_boundary: Offsets
    answer_tokens: Offsets
    holder_tokens: Offsets

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """The share of each answer in its smallest holder; 0 where nothing holds it."""
        shares = np.zeros(len(self))
        np.divide(self.answer_tokens, self.holder_tokens, out=shares, where=self.holder_tokens > 0)
        return shares

    def __len__(self) -> int:
        return len(self.kinds)

    def __getitem__(self, index: int) -> Fate:
        return Fate(
            KINDS[self.kinds[index]],
            np.arange(self.first_holder[index], self.end_holder[index], dtype=np.int32),
            np.arange(self.first_boundary[index], self.end_boundary[index], dtype=np.int32),
            int(self.answer_tokens[index]),
            int(self.holder_tokens[index]),
            float(self.shares[index]),
        )


def fate(chunking: Chunking, start: int, end: int) -> Fate:
    """What becomes of the answer `[start, end)`. Raises ValueError if it is empty or not inside the document."""
    return fates(chunking, [start], [end])[0]


def fates(chunking: Chunking, starts: npt.ArrayLike, ends: npt.ArrayLike) -> Fates:
    """What becomes of each answer `[starts[i], ends[i])`. Raises ValueError if one is empty or not inside."""
    low, high = np.asarray(starts, np.int32), np.asarray(ends, np.int32)
    wrong = (low < 0) | (low >= high) | (high > len(chunking.document))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise ValueError(f"the answer [{low[at]}, {high[at]}) is empty or not inside the document")
    first = np.searchsorted(chunking.ends, high, side="left").astype(np.int32)
    end = np.maximum(first, np.searchsorted(chunking.starts, low, side="right").astype(np.int32))
    cut, last_cut = _cuts(chunking, low, high)
    touched = np.searchsorted(chunking.starts, high, side="left") > np.searchsorted(chunking.ends, low, side="right")
    without = np.where(touched, _SPLIT, _LEFT_OUT)
    kinds = np.where(end > first, np.where(last_cut > cut, _RESCUED, _WHOLE), without).astype(np.int8)
    tokens = chunking.prepared.ruler("token", chunking.config.tokenizer)
    sizes = tokens.measure(chunking.starts, chunking.ends)
    return Fates(kinds, first, end, cut, last_cut, tokens.measure(low, high), _least(sizes, first, end))


def _cuts(chunking: Chunking, low: Offsets, high: Offsets) -> tuple[Offsets, Offsets]:
    """The range of boundaries inside each span; a gap between two chunks is inside if one of its sides is."""
    bounds = chunking.ends[:-1]
    first = np.searchsorted(bounds, low, side="right").astype(np.int32)
    last = np.maximum(first, np.searchsorted(bounds, high, side="left").astype(np.int32))
    if len(bounds):
        following = chunking.starts[first]
        gap = (first > 0) & (low < following) & (following < high)
        first = first - gap.astype(np.int32)
    return first, last


def _least(sizes: Offsets, first: Offsets, end: Offsets) -> Offsets:
    """The smallest of `sizes` in each range; 0 in an empty one."""
    least = np.zeros(len(first), np.int32)
    filled = np.flatnonzero(end > first)
    if len(filled):
        bounds = np.stack((first[filled], end[filled]), axis=1).ravel()
        least[filled] = np.minimum.reduceat(np.append(sizes, np.int32(0)), bounds)[::2]
    return least
