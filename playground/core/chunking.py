"""Chunk a document: spans as arrays; a `Chunk` is a view of one row.

`chunk` asks the mode for its plan, has it packed, applies the tail rule, and keeps why every cut and every overlap is
what it is. Nothing here looks at the text, except a `Chunk` asked for its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt

from playground.core.boundaries import Level, contains
from playground.core.chunk import Chunk
from playground.core.config import ChunkingConfig
from playground.core.contexts import contexts_in
from playground.core.document import Document
from playground.core.modes import MODES
from playground.core.overlap import overlaps, why_less
from playground.core.packing import pack
from playground.core.places import Packed
from playground.core.plan import Areas, Plan
from playground.core.prepared import Prepared, prepare
from playground.core.rulers import Mask, Offsets
from playground.core.tail import keep_tail, merge_tail

__all__ = ["Chunk", "Chunking", "chunk"]


@dataclass(frozen=True, eq=False)
class Chunking:
    """All chunks of a document under one configuration.

    `starts[k]` and `ends[k]` are character offsets of chunk k; `sizes[k]` counts the units it touches, on the
    document's ruler. A sequence of `Chunk`s. `parents` is the chunking that holds their parents, if there are any.
    """

    prepared: Prepared
    config: ChunkingConfig
    plan: Plan
    packed: Packed
    parents: Chunking | None = None

    @property
    def document(self) -> Document:
        """The document that was chunked."""
        return self.prepared.document

    @property
    def levels(self) -> Sequence[Level]:
        """The kinds of boundaries at which it was cut, coarsest first."""
        return self.plan.levels

    @cached_property
    def starts(self) -> Offsets:
        """The character offset where each chunk starts."""
        return self.packed.starts.read(self.plan.places, "offsets")

    @cached_property
    def ends(self) -> Offsets:
        """The character offset after the last character of each chunk."""
        return self.packed.cuts.read(self.plan.places, "offsets")

    @cached_property
    def sizes(self) -> Offsets:
        """The size of each chunk in the unit of the configuration, without its context."""
        return self.packed.cuts.read(self.plan.places, "before") - self.packed.starts.read(self.plan.places, "within")

    @cached_property
    def rooms(self) -> Offsets:
        """The size that each chunk may have: that of the configuration, less what its context takes."""
        if self.plan.areas is None:
            return np.full(len(self), self.config.size, dtype=np.int32)
        return self.plan.areas.rooms[self._area]

    @cached_property
    def context_sizes(self) -> Offsets:
        """What the context of each chunk takes in the unit of the configuration."""
        if self.plan.areas is None:
            return np.zeros(len(self), dtype=np.int32)
        return self.plan.areas.costs[self._area]

    @cached_property
    def oversized(self) -> npt.NDArray[np.bool_]:
        """Which chunks are, with their context, larger than the size: they cannot be cut, or a tail was merged."""
        return self.sizes > self.rooms

    @cached_property
    def overlaps(self) -> Offsets:
        """The units that each chunk but the first repeats from its predecessor (length: one less than chunks)."""
        return overlaps(self.plan, self.packed)

    @cached_property
    def overlap_limits(self) -> npt.NDArray[np.int8]:
        """For each pair of neighbours the `Limit` that kept the overlap below what was asked."""
        return why_less(self.plan, self.packed)

    @cached_property
    def parent_numbers(self) -> Offsets:
        """For each chunk the number of its parent; -1 where there are no parents."""
        if self.parents is None:
            return np.full(len(self), -1, dtype=np.int32)
        return (np.searchsorted(self.parents.starts, self.starts, side="right") - 1).astype(np.int32)

    @cached_property
    def left_out(self) -> tuple[Offsets, Offsets]:
        """The starts and ends of what the configuration leaves out: navigation, where that is asked for."""
        areas = self.plan.areas
        if areas is None or areas.skipped is None:
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        ends = np.append(areas.starts[1:], np.int32(len(self.document)))
        return areas.starts[areas.skipped], ends[areas.skipped]

    @cached_property
    def shortened(self) -> npt.NDArray[np.bool_]:
        """Which chunks are read with less context than there is: all of it would take more than half of the size."""
        areas = self.plan.areas
        if areas is None or areas.shortened is None:
            return np.zeros(len(self), dtype=np.bool_)
        return areas.shortened[self._area]

    def context_of(self, index: int) -> str:
        """The text that goes before chunk `index`."""
        areas = self.plan.areas
        return "" if areas is None else areas.contexts[areas.one_at(int(self.starts[index]))]

    def context_tokens(self, tokenizer: str) -> npt.NDArray[np.int64]:
        """For each chunk the tokens of its context and the blank line after it; 0 where it has none."""
        areas = self.plan.areas
        if areas is None or not areas.costs.any():
            return np.zeros(len(self), dtype=np.int64)
        if self.config.unit == "token" and self.config.tokenizer == tokenizer:
            return self.context_sizes.astype(np.int64)
        measured = contexts_in(self.prepared, "token", tokenizer)
        used, number = np.unique(self._area, return_inverse=True)
        costs = [measured.cost(areas.contexts[area]) for area in used.tolist()]
        return np.array(costs, dtype=np.int64)[number]

    def input_tokens(self, tokenizer: str) -> npt.NDArray[np.int64]:
        """For each chunk the tokens that a model reads of it, its context included, on the document's ruler."""
        ruler = self.prepared.ruler("token", tokenizer)
        return ruler.measure(self.starts, self.ends) + self.context_tokens(tokenizer)

    @cached_property
    def _area(self) -> Offsets:
        assert self.plan.areas is not None
        return self.plan.areas.at(self.starts)

    @cached_property
    def word_cuts(self) -> Mask:
        """For each boundary (where a chunk ends and another follows) whether a part of one word is on either side."""
        space, cuts = self.prepared.space, self.ends[:-1]
        if not len(cuts):
            return np.zeros(0, dtype=np.bool_)
        at = np.minimum(cuts, len(space) - 1)
        inside: Mask = (cuts < len(space)) & ~space[at] & ~space[at - 1]
        return inside & ~contains(self.prepared.ruler("word", self.config.tokenizer).starts, cuts)

    @cached_property
    def sentence_cuts(self) -> Mask:
        """For each boundary whether a part of one sentence, white space apart, is on either side."""
        starts, cuts = self.prepared.sentences, self.ends[:-1]
        if not len(cuts):
            return np.zeros(0, dtype=np.bool_)
        sentence = np.searchsorted(starts, cuts, side="right") - 1
        after_ink = cuts > np.maximum(starts[sentence], self.prepared.first_ink)
        return after_ink & (cuts < self.prepared.sentence_ends()[sentence])

    def __len__(self) -> int:
        return len(self.packed.starts)

    @overload
    def __getitem__(self, index: int) -> Chunk: ...

    @overload
    def __getitem__(self, index: slice) -> list[Chunk]: ...

    def __getitem__(self, index: int | slice) -> Chunk | list[Chunk]:
        if isinstance(index, slice):
            return [Chunk(self, one) for one in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"chunk {index} of {len(self)}")
        return Chunk(self, index % len(self))

    def __iter__(self) -> Iterator[Chunk]:
        return (Chunk(self, index) for index in range(len(self)))


def chunk(document: Document | Prepared, config: ChunkingConfig | None = None) -> Chunking:
    """Chunk a document, or a prepared one, under `config` (default: `ChunkingConfig()`).

    No text gives no chunks; a text of white space alone gives one.
    """
    prepared = document if isinstance(document, Prepared) else prepare(document)
    settings = config or ChunkingConfig()
    parents = None
    if settings.parent_size is not None:
        above = settings.of_parents
        parents = prepared.lately("parents", above, lambda: chunk(prepared, above))
    plan = _plan(prepared, settings, parents)
    packed = pack(plan)
    if len(packed.starts) and settings.tail == "keep":
        packed = keep_tail(plan, packed)
    elif settings.tail == "merge":
        packed = merge_tail(plan, packed, settings.smallest_tail)
    return Chunking(prepared, settings, plan, _without_skipped(plan, packed), parents)


def _plan(prepared: Prepared, config: ChunkingConfig, parents: Chunking | None) -> Plan:
    """The mode's plan, with its overlaps snapped and its parents walled off."""
    if prepared.is_blank:
        whole = np.unique(np.array([0, len(prepared.document)], dtype=np.int32))
        level = Level.on(prepared.ruler(config.unit, config.tokenizer), "document", whole)
        return Plan((level,), config.size, config.overlap)
    plan = MODES[config.mode].plan(prepared, config)
    if config.snap != "cut" and config.overlap:
        finest = plan.levels[-1]
        snap = finest if config.snap == "unit" else prepared.levels((config.snap,), config.unit, config.tokenizer)[0]
        plan = replace(plan, snap=snap)
    if parents is not None and len(parents):
        areas = plan.areas or Areas.walled(np.zeros(1, np.int32), config.size, config.mode)
        plan = replace(plan, areas=areas.divided(parents.starts, "parent"))
    return plan


def _without_skipped(plan: Plan, packed: Packed) -> Packed:
    """The chunks that are not in an area to be left out."""
    if plan.areas is None or plan.areas.skipped is None or not plan.areas.skipped.any():
        return packed
    return packed[~plan.areas.skipped[plan.areas.at(packed.starts.read(plan.places, "offsets"))]]
