"""Chunk a document: spans as arrays, and a chunk as a view of one row.

`chunk` asks the mode for its levels, packs them, applies the tail rule, and keeps why every cut and every overlap is
what it is. Nothing here looks at the text, except a `Chunk` asked for its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt

from playground.core.boundaries import Level, contains
from playground.core.config import ChunkingConfig
from playground.core.document import Document
from playground.core.modes import MODES
from playground.core.overlap import overlaps, why_less
from playground.core.packing import pack
from playground.core.places import Packed
from playground.core.prepared import Prepared, prepare
from playground.core.reasons import cut_reason, overlap_reason
from playground.core.rulers import Mask, Offsets
from playground.core.tail import keep_tail, merge_tail


@dataclass(frozen=True, eq=False)
class Chunking:
    """All chunks of a document under one configuration.

    `starts[k]` and `ends[k]` are character offsets of chunk k; `sizes[k]` counts the units it touches, on the
    document's ruler. A sequence of `Chunk`s.
    """

    prepared: Prepared
    config: ChunkingConfig
    levels: Sequence[Level]
    packed: Packed

    @property
    def document(self) -> Document:
        """The document that was chunked."""
        return self.prepared.document

    @cached_property
    def starts(self) -> Offsets:
        """The character offset where each chunk starts."""
        return self.packed.starts.read(self.levels, "offsets")

    @cached_property
    def ends(self) -> Offsets:
        """The character offset after the last character of each chunk."""
        return self.packed.cuts.read(self.levels, "offsets")

    @cached_property
    def sizes(self) -> Offsets:
        """The size of each chunk in the unit of the configuration."""
        return self.packed.cuts.read(self.levels, "before") - self.packed.starts.read(self.levels, "within")

    @cached_property
    def oversized(self) -> npt.NDArray[np.bool_]:
        """Which chunks are larger than the size: what they hold cannot be cut, or a tail was merged."""
        return self.sizes > self.config.size

    @cached_property
    def overlaps(self) -> Offsets:
        """The units that each chunk but the first repeats from its predecessor (length: one less than chunks)."""
        return overlaps(self.levels, self.packed)

    @cached_property
    def overlap_limits(self) -> npt.NDArray[np.int8]:
        """For each pair of neighbours the `Limit` that kept the overlap below what was asked."""
        return why_less(self.levels, self.packed, self.config.size, self.config.overlap)

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


@dataclass(frozen=True)
class Chunk:
    """One chunk: a span `[start, end)` of the document, and why it is what it is."""

    chunking: Chunking
    index: int

    @property
    def start(self) -> int:
        """The offset of its first character."""
        return int(self.chunking.starts[self.index])

    @property
    def end(self) -> int:
        """The offset after its last character."""
        return int(self.chunking.ends[self.index])

    @property
    def text(self) -> str:
        """The exact slice of the document."""
        return self.chunking.document.text[self.start : self.end]

    @property
    def size(self) -> int:
        """Its size in the unit of the configuration, on the document's ruler."""
        return int(self.chunking.sizes[self.index])

    @property
    def tokens(self) -> int:
        """The tokens of its own text, counted afresh: what a model would be charged for."""
        return prepare(Document(self.text)).ruler("token", self.chunking.config.tokenizer).count

    @property
    def oversized(self) -> bool:
        """Whether it is larger than the size."""
        return bool(self.chunking.oversized[self.index])

    @property
    def reason(self) -> str:
        """Why it ends where it ends, in a sentence."""
        return cut_reason(self.chunking, self.index)

    @property
    def overlap_before(self) -> int:
        """The units shared with the previous chunk (0 for the first)."""
        return int(self.chunking.overlaps[self.index - 1]) if self.index else 0

    @property
    def overlap_reason(self) -> str:
        """Why the overlap with the previous chunk is smaller than asked ("" if it is not)."""
        return overlap_reason(self.chunking, self.index - 1) if self.index else ""

    @property
    def metadata(self) -> dict[str, object]:
        """Where it comes from and how it was made."""
        document, config = self.chunking.document, self.chunking.config
        return {
            **document.metadata,
            "source": document.title,
            "media_type": document.media_type,
            "document_version": document.version,
            "index": self.index,
            "total": len(self.chunking),
            **config.as_dict(),
        }


def chunk(document: Document | Prepared, config: ChunkingConfig | None = None) -> Chunking:
    """Chunk a document, or a prepared one, under `config` (default: `ChunkingConfig()`).

    No text gives no chunks; a text of white space alone gives one.
    """
    prepared = document if isinstance(document, Prepared) else prepare(document)
    settings = config or ChunkingConfig()
    levels = _levels(prepared, settings)
    packed = pack(levels, settings.size, settings.overlap)
    if len(packed.starts) and settings.tail == "keep":
        packed = keep_tail(levels, packed, settings.stride)
    elif settings.tail == "merge":
        packed = merge_tail(levels, packed, settings.smallest_tail)
    return Chunking(prepared, settings, levels, packed)


def _levels(prepared: Prepared, config: ChunkingConfig) -> Sequence[Level]:
    if prepared.is_blank:
        whole = np.unique(np.array([0, len(prepared.document)], dtype=np.int32))
        return (Level.on(prepared.ruler(config.unit, config.tokenizer), "document", whole),)
    return MODES[config.mode].levels(prepared, config)
