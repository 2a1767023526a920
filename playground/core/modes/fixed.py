"""Fixed size: a window of `size` units that moves on by `stride` units and cuts wherever that falls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground.core.modes.mode import Mode, plain_plan
from playground.core.plan import Plan
from playground.core.prepared import Prepared

if TYPE_CHECKING:
    from playground.core.config import ChunkingConfig


def plan(prepared: Prepared, config: ChunkingConfig) -> Plan:
    """One level: the start of every unit that is safe to cut at."""
    return plain_plan(prepared, config, ("unit",))


MODE = Mode("fixed", "Fixed size", "Cuts after every so many units, wherever that falls.", plan)
