"""The numbers and spans of a chunking as small JSON: what the stage draws. No number is made here."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from playground.core.chunking import Chunking
from playground.core.compare import broken_sentences
from playground.core.document import Document
from playground.core.prepared import prepare
from playground.core.rulers import Offsets
from playground.core.stats import ChunkingStats, describe, histogram

MAX_SPANS = 1500
MAX_BREAKS = 40
MAX_TOKENS = 2500
FARTHEST = 100_000
"""Characters beyond the start of the visible range after which nothing can be in view."""
MARGIN = 2500
"""Characters beyond the visible range on either side for which spans are sent along."""

Message = dict[str, Any]
_PLAIN = (
    "count", "smallest", "largest", "oversized", "document_tokens", "processed_tokens", "duplicated_tokens",
    "deepest_cover", "boundaries", "word_cuts", "sentence_cuts", "overlap_asked", "overlap_least", "overlap_full",
)  # fmt: skip


def numbers(chunking: Chunking) -> Message:
    """The numbers of the side panel, as JSON."""
    stats = describe(chunking)
    counts, width = histogram(chunking.sizes, chunking.config.size)
    return {
        **{name: getattr(stats, name) for name in _PLAIN},
        "median": round(stats.median, 1),
        "mean": round(stats.mean, 1),
        "overlap_mean": round(stats.overlap_mean, 1),
        "duplicated_percent": round(stats.duplicated_percent, 1),
        "overlap_limits": {limit.name.lower(): number for limit, number in stats.overlap_limits.items()},
        "check": _check(stats),
        "histogram": {"counts": counts.tolist(), "width": width, "limit": chunking.config.size},
        "arithmetic": arithmetic(chunking),
    }


def arithmetic(chunking: Chunking, shown: int = 6) -> Message:
    """What the worked arithmetic needs: stride, and where the first chunks start and how large they are, in units."""
    config = chunking.config
    ruler = chunking.prepared.ruler(config.unit, config.tokenizer)
    return {
        "size": config.size,
        "overlap": config.overlap,
        "stride": config.stride,
        "total": ruler.count,
        "starts": ruler.within(chunking.starts[:shown]).tolist(),
        "sizes": chunking.sizes[:shown].tolist(),
    }


def _check(stats: ChunkingStats) -> Message:
    check = stats.check
    return {
        "passed": check.passed,
        "in_order": check.in_order,
        "in_document": check.in_document,
        "no_gap": check.no_gap,
        "no_split_character": check.no_split_character,
        "coverage_percent": round(check.coverage_percent, 2),
    }


def spans_near(chunking: Chunking, low: int, high: int, most: int = MAX_SPANS) -> Message:
    """The chunks that touch `[low, high)`, and a margin, in UTF-16 offsets.

    `starts` and `ends` are differences from one chunk to the next, the first from 0. `flags` has a letter a chunk for
    the cut at its end: "w" inside a word, "s" inside a sentence, "-" neither. The chunks sent are all there are
    within `[from, to)`, which is smaller than asked where there are very many.
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


def breaks(here: Chunking, other: Chunking, visible: tuple[int, int]) -> Message:
    """How many boundaries break a sentence that the other pane leaves whole, and the nearest of them."""
    broken = broken_sentences(here, other)
    only = np.flatnonzero(broken.only_here)
    near = int(np.searchsorted(broken.offsets[only], here.prepared.from_utf16(visible[0])))
    chosen = only[max(0, near - 2) :][:MAX_BREAKS]
    places = here.prepared.utf16(broken.offsets[chosen]).tolist()
    listed = zip((broken.boundaries[chosen] + 1).tolist(), places, strict=True)
    return {"count": len(only), "near": [{"boundary": number, "at": at} for number, at in listed]}


def token_lengths(text: str, tokenizer: str) -> Message:
    """The tokens of `text` as lengths in UTF-16 units and how many tokens each piece stands for.

    A piece is one token, or the few that share a character, or a grapheme cluster: nothing is ever drawn in halves. At
    most `MAX_TOKENS` pieces; `rest` says how many tokens follow.
    """
    prepared = prepare(Document(text))
    (level,) = prepared.levels(("unit",), "token", tokenizer)
    offsets = prepared.utf16(level.offsets[: MAX_TOKENS + 1]).tolist()
    counts = level.before[: MAX_TOKENS + 1].tolist()
    return {
        "lengths": [after - before for before, after in pairwise(offsets)],
        "counts": [after - before for before, after in pairwise(counts)],
        "rest": int(level.units - counts[-1]),
    }
