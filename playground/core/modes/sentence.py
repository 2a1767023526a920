"""Sentence-aware: whole sentences up to the size; words, then units, inside a sentence that is too large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground.core.modes.mode import Mode, plain_plan
from playground.core.plan import Plan
from playground.core.prepared import Prepared

if TYPE_CHECKING:
    from playground.core.config import ChunkingConfig


def plan(prepared: Prepared, config: ChunkingConfig) -> Plan:
    """Sentences, then words, then the finest boundaries of the unit."""
    return plain_plan(prepared, config, ("sentence", "word", "unit"))


MODE = Mode("sentence", "Sentence-aware", "Packs whole sentences until the next one would not fit.", plan)
