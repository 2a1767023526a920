"""Fixed size: a window of `size` units that moves on by `stride` units and cuts wherever that falls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from playground.core.boundaries import Level
from playground.core.modes.mode import Mode
from playground.core.prepared import Prepared

if TYPE_CHECKING:
    from playground.core.config import ChunkingConfig


def levels(prepared: Prepared, config: ChunkingConfig) -> Sequence[Level]:
    """One level: the start of every unit that is safe to cut at."""
    return prepared.levels(("unit",), config.unit, config.tokenizer)


MODE = Mode("fixed", "Fixed size", "Cuts after every so many units, wherever that falls.", levels)
