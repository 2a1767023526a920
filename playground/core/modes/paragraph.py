"""Paragraph-aware: whole paragraphs up to the size; sentences, words and units inside one that is too large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground.core.modes.mode import Mode, plain_plan
from playground.core.plan import Plan
from playground.core.prepared import Prepared

if TYPE_CHECKING:
    from playground.core.config import ChunkingConfig


def plan(prepared: Prepared, config: ChunkingConfig) -> Plan:
    """Paragraphs (what blank lines part), then sentences, words and the finest boundaries of the unit."""
    return plain_plan(prepared, config, ("paragraph", "sentence", "word", "unit"))


MODE = Mode("paragraph", "Paragraph-aware", "Packs whole paragraphs until the next one would not fit.", plan)
