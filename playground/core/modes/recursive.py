"""Recursive: cut at the coarsest separator, pack what fits, and go down the ladder for what is still too large.

The textbook's splitter, as exact slices: what was cut further down stays by itself (`strict`), so that with overlap 0
and the classic ladder the chunks are those of the algorithm that gave the mode its name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from playground.core.modes.mode import Mode, plain_plan
from playground.core.plan import Plan
from playground.core.prepared import Prepared
from playground.core.separators import rung

if TYPE_CHECKING:
    from playground.core.config import ChunkingConfig


def plan(prepared: Prepared, config: ChunkingConfig) -> Plan:
    """A level for each separator of the ladder, and below the last the finest boundaries of the unit."""
    kinds = tuple(rung(separator) for separator in config.separators)
    return replace(plain_plan(prepared, config, (*kinds, "unit")), strict=True)


MODE = Mode("recursive", "Recursive", "Goes down a ladder of separators for whatever is still too large.", plan)
