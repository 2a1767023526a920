"""What a mode is: a name, two lines for people, and the levels at which it may cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playground.core.boundaries import Level
from playground.core.prepared import Prepared

if TYPE_CHECKING:
    from playground.core.config import ChunkingConfig


@dataclass(frozen=True)
class Mode:
    """`levels(prepared, config)` gives the boundaries, coarsest first; the last must be the finest possible."""

    name: str
    label: str
    summary: str
    levels: Callable[[Prepared, ChunkingConfig], Sequence[Level]]
