"""Sentence-aware: whole sentences up to the size; words, then units, inside a sentence that is too large."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from playground.core.boundaries import Level
from playground.core.modes.mode import Mode
from playground.core.prepared import Prepared

if TYPE_CHECKING:
    from playground.core.config import ChunkingConfig


def levels(prepared: Prepared, config: ChunkingConfig) -> Sequence[Level]:
    """Sentences, then words, then the finest boundaries of the unit."""
    return prepared.levels(("sentence", "word", "unit"), config.unit, config.tokenizer)


MODE = Mode("sentence", "Sentence-aware", "Packs whole sentences until the next one would not fit.", levels)
