"""One chunk in full, as JSON: what the inspector shows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from playground.core.chunking import Chunk
from playground.core.contexts import ARROW, token_count
from playground.core.rulers import UNITS
from playground.live.near import Message

SHOWN = ("start", "end", "reason", "oversized", "oversized_reason", "index", "total")
"""The metadata that the inspector shows in its own way."""


def everything(one: Chunk) -> Message:
    """Where it is, how large, why, and all that it carries; offsets that the page draws with count UTF-16 units."""
    chunking = one.chunking
    prepared, config = chunking.prepared, chunking.config
    start, end = prepared.utf16(np.array([one.start, one.end], dtype=np.int32)).tolist()
    spans = [prepared.ruler(unit, config.tokenizer).measure(one.start, one.end) for unit in UNITS]
    return {
        "index": one.index,
        "total": len(chunking),
        "start": start,
        "end": end,
        "offsets": [one.start, one.end],
        "sizes": {**dict(zip(UNITS, map(int, spans), strict=True)), "token": one.tokens},
        "unit": config.unit,
        "limit": config.size,
        "oversized": one.oversized,
        "oversized_reason": one.oversized_reason,
        "overlap_before": one.overlap_before,
        "overlap_after": chunking[one.index + 1].overlap_before if one.index + 1 < len(chunking) else 0,
        "reason": one.reason,
        "overlap_reason": one.overlap_reason,
        "context": one.context,
        "context_shortened": one.context_shortened,
        "embedded_tokens": token_count(one.embedded, config.tokenizer),
        "parent": None if one.parent is None else one.parent.index,
        "metadata": {key: as_text(value) for key, value in one.metadata.items() if key not in SHOWN},
    }


def as_text(value: object) -> str:
    """A value of the metadata as a person reads it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {as_text(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ARROW.join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
