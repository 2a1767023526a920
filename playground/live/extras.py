"""What a pane shows besides its chunks: what a model cannot take, idle white space, topics, broken sentences."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from playground.core.chunking import Chunking
from playground.core.compare import broken_sentences
from playground.core.document import Document
from playground.core.modes.semantic import doubt, topics
from playground.core.modes.structure import structure_of
from playground.core.prepared import prepare
from playground.core.reasons import counted
from playground.core.whitespace import savings, spans_of, superfluous
from playground.live.near import FARTHEST, Message

MAX_BREAKS = 40
MAX_TOKENS = 2500
MAX_TOPICS = 400
MAX_SPACES = 400
NEAR = 400
"""Characters beyond the visible range on either side for which white space is sent along."""


def over_limit(chunking: Chunking, first: int, last: int, limit: int) -> Message:
    """How many chunks are longer than a model reads, and for each of `first` to `last` a "1" or a "0"."""
    over = chunking.input_tokens(chunking.config.tokenizer) > limit
    near = "".join(np.where(over[first:last], "1", "0").tolist())
    return {"limit": limit, "count": int(over.sum()), "near": near}


def spaces_near(chunking: Chunking, low: int, high: int, most: int = MAX_SPACES) -> Message:
    """Superfluous white space near `[low, high)`, and what a normaliser would save.

    `near` is [start, length, ...], each start counted from the one before, at most `most` of them.
    """
    prepared = chunking.prepared
    starts, ends = prepared.once("superfluous spans", lambda: spans_of(superfluous(prepared)))
    low, high = prepared.from_utf16(max(low - NEAR, 0)), prepared.from_utf16(min(high, low + FARTHEST) + NEAR)
    chosen = slice(int(np.searchsorted(ends, low)), int(np.searchsorted(starts, high)))
    first, after = prepared.utf16(starts[chosen])[:most], prepared.utf16(ends[chosen])[:most]
    characters, tokens = savings(prepared, chunking.config.tokenizer)
    near = np.column_stack((np.diff(first, prepend=np.int32(0)), after - first)).ravel().tolist()
    return {"characters": characters, "tokens": tokens, "near": near}


def remarks(chunking: Chunking) -> list[str]:
    """What the page should say about this chunking besides its numbers."""
    config = chunking.config
    said: list[str] = []
    if config.mode == "structure":
        short = int(chunking.shortened.sum())
        said += (
            [f"The context of {counted(short, 'chunk')} is shortened: it would fill half of the size."] if short else []
        )
        said += structure_of(chunking.prepared, config.form).notices
    if config.mode == "semantic":
        said += filter(None, [doubt(chunking.prepared, config)])
    return said


def topics_of(chunking: Chunking, most: int = MAX_TOPICS) -> Message | None:
    """The threshold and the boundaries that are cut, as indices of sentences; None where there are no topics."""
    if chunking.config.mode != "semantic" or chunking.prepared.is_blank:
        return None
    found = topics(chunking.prepared, chunking.config)
    return {
        "threshold": round(found.threshold, 4),
        "count": len(found.cuts),
        "cuts": found.cuts[:most].tolist(),
        "window": chunking.config.window,
    }


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
