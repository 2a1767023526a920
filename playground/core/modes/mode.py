"""What a mode is: a name, two lines for people, and the plan it makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playground.core.cuts import Cuts
from playground.core.plan import Plan
from playground.core.prepared import Prepared

if TYPE_CHECKING:
    from playground.core.config import ChunkingConfig


@dataclass(frozen=True)
class Mode:
    """`plan(prepared, config)` says where one may cut and what is walled off; packing does the rest.

    `is_ready(prepared, config)`: whether all that the mode must find out once for a document is there already.
    """

    name: str
    label: str
    summary: str
    plan: Callable[[Prepared, ChunkingConfig], Plan]
    is_ready: Callable[[Prepared, ChunkingConfig], bool] = lambda prepared, config: True


def plain_plan(prepared: Prepared, config: ChunkingConfig, kinds: tuple[str | Cuts, ...]) -> Plan:
    """A plan that is nothing but kinds of boundaries, coarsest first; the last must be "unit", the finest possible."""
    return Plan(prepared.levels(kinds, config.unit, config.tokenizer), config.size, config.overlap)
