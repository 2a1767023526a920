"""The chunks near what is visible, as small JSON: spans, what is cut at their ends, the parents around them."""

from __future__ import annotations

from typing import Any

import numpy as np

from playground.core.chunking import Chunking
from playground.core.rulers import Offsets

Message = dict[str, Any]

MAX_SPANS = 1500
FARTHEST = 100_000
"""Characters beyond the start of the visible range after which nothing can be in view."""
MARGIN = 2500
"""Characters beyond the visible range on either side for which spans are sent along."""
LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""What stands for the number of a level: a ladder has at most 24 rungs."""


def spans_near(chunking: Chunking, low: int, high: int, most: int = MAX_SPANS) -> Message:
    """The chunks that touch `[low, high)`, and a margin, in UTF-16 offsets.

    `starts` and `ends` are differences from one chunk to the next, the first from 0. `flags` has a letter a chunk for
    the cut at its end: "w" inside a word, "s" inside a sentence, "-" neither. The chunks sent are all there are
    within `[from, to)`, which is smaller than asked where there are very many. `levels` has a letter a chunk for the
    kind of its cut, an index into `names`. `parents` are the spans of the parents that these chunks belong to.
    """
    prepared = chunking.prepared
    seen = prepared.from_utf16(low)
    high = min(high, low + FARTHEST)
    low, high = prepared.from_utf16(max(low - MARGIN, 0)), prepared.from_utf16(high + MARGIN)
    first = int(np.searchsorted(chunking.ends, low, side="right"))
    last = int(np.searchsorted(chunking.starts, high, side="left"))
    if last - first > most:
        first = int(np.searchsorted(chunking.ends, seen, side="right"))
        last = min(last, first + most)
    chosen = slice(first, last)
    starts, ends = prepared.utf16(chunking.starts[chosen]), prepared.utf16(chunking.ends[chosen])
    edges = _edges(chunking, first, last)
    return {
        "first": first,
        "from": int(prepared.utf16(edges)[0]),
        "to": int(prepared.utf16(edges)[1]),
        "starts": np.diff(starts, prepend=np.int32(0)).tolist(),
        "ends": np.diff(ends, prepend=np.int32(0)).tolist(),
        "flags": _flags(chunking, first, last),
        "names": [level.name for level in chunking.levels],
        "levels": "".join(LETTERS[level] for level in chunking.packed.cuts.level[chosen].tolist()),
        "parents": _parents(chunking, first, last),
    }


def _parents(chunking: Chunking, first: int, last: int) -> Message | None:
    """The parents of chunks `first` to `last`, as differences like the chunks themselves; None without parents."""
    parents = chunking.parents
    if parents is None or first >= last:
        return None
    low, high = int(chunking.parent_numbers[first]), int(chunking.parent_numbers[last - 1]) + 1
    return {
        "first": low,
        "starts": np.diff(chunking.prepared.utf16(parents.starts[low:high]), prepend=np.int32(0)).tolist(),
        "ends": np.diff(chunking.prepared.utf16(parents.ends[low:high]), prepend=np.int32(0)).tolist(),
    }


def _edges(chunking: Chunking, first: int, last: int) -> Offsets:
    """The range within which chunks `first` to `last` are all there are."""
    low = int(chunking.ends[first - 1]) if first else 0
    high = int(chunking.starts[last]) if last < len(chunking) else len(chunking.document)
    return np.array([low, max(low, high)], dtype=np.int32)


def _flags(chunking: Chunking, first: int, last: int) -> str:
    """A letter for the cut at the end of each chunk from `first` to `last`."""
    words, sentences = chunking.word_cuts[first:last], chunking.sentence_cuts[first:last]
    letters = np.where(words, "w", np.where(sentences, "s", "-"))
    return "".join(letters.tolist()).ljust(last - first, "-")
