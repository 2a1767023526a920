"""What a page shows at a moment, as far as a lesson looks at it: a shot of each pane, and what goes for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from playground.core.chunk import Chunk
from playground.core.chunking import Chunking, chunk
from playground.core.costs import Costs, costs
from playground.core.models import MODELS
from playground.core.stats import ChunkingStats, describe
from playground.core.versions import Changes, changes
from playground.lessons.conditions import Fact
from playground.retrieval.fate import fates
from playground.settings import Values, to_config

DOCUMENTS = 100_000
"""Documents like the one in view for which a bill is told."""
MODEL = MODELS["text-embedding-3-small"]


@dataclass(frozen=True, eq=False)
class Shot:
    """What one pane shows: its chunks, its settings, what it makes of the question (the live channel's message), and
    the answer's span in characters, if it is known."""

    chunking: Chunking
    values: Values
    asked: Mapping[str, Any] | None = None
    answer: tuple[int, int] | None = None

    @cached_property
    def stats(self) -> ChunkingStats:
        """Its numbers."""
        return describe(self.chunking)

    @property
    def part(self) -> Mapping[str, Any]:
        """What becomes of the answer, or of its first part; empty where it is not known."""
        answer = (self.asked or {}).get("answer")
        part: Mapping[str, Any] = answer["parts"][0] if answer else {}
        return part

    @property
    def read(self) -> Mapping[str, Any]:
        """What a model would be shown."""
        shown: Mapping[str, Any] = (self.asked or {}).get("shown", {})
        return shown

    @property
    def holder(self) -> Chunk | None:
        """The chunk of the best rank that holds the answer whole."""
        best = self.part.get("best")
        return self.chunking[best - 1] if best else None

    @cached_property
    def bill(self) -> Costs:
        """What embedding all of it takes."""
        return costs(self.chunking, MODEL, DOCUMENTS)

    def fate_with(self, **other: int) -> Fact:
        """What would become of the answer with other settings."""
        if self.answer is None:
            return None
        start, end = self.answer
        chunking = chunk(self.chunking.prepared, to_config({**self.values, **other}))
        return fates(chunking, [start], [end])[0].kind


@dataclass(frozen=True, eq=False)
class Scene:
    """What the page shows: a shot for each pane, the settings with which the step began, the number of the open chunk
    (from 0), a model's limit in tokens, and the old chunks against those of a new version of the document."""

    shots: tuple[Shot, ...]
    began: Values
    opened: int | None = None
    limit: int = 0
    versions: Changes | None = None

    @cached_property
    def start(self) -> Chunking:
        """The first pane's chunks as the step began."""
        return chunk(self.shots[0].chunking.prepared, to_config(self.began))

    @cached_property
    def moved(self) -> Changes:
        """What changed in the index since the step began."""
        return changes(self.start, self.shots[0].chunking)

    @property
    def open_chunk(self) -> Chunk | None:
        """The chunk in the inspector."""
        chunking = self.shots[0].chunking
        return None if self.opened is None or self.opened >= len(chunking) else chunking[self.opened]
