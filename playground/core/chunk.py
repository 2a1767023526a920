"""One chunk: a view of one row of a chunking, with its text, its place, and why it is what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from playground.core.contexts import JOINT, token_count
from playground.core.identity import Locus, chunk_id, metadata, place_of
from playground.core.reasons import cut_reason, overlap_reason, oversize_reason

if TYPE_CHECKING:
    from playground.core.chunking import Chunking


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
    def context(self) -> str:
        """What is read before it: its headings, a table's header, its question ("" if nothing is)."""
        return self.chunking.context_of(self.index)

    @property
    def context_shortened(self) -> bool:
        """Whether more context was there than half of the size has room for."""
        return bool(self.chunking.shortened[self.index])

    @property
    def embedded(self) -> str:
        """What a model reads: the context, a blank line, and the text."""
        return f"{self.context}{JOINT}{self.text}" if self.context else self.text

    @property
    def tokens(self) -> int:
        """The tokens of its own text, counted afresh: what a model would be charged for, without the context."""
        return token_count(self.text, self.chunking.config.tokenizer)

    @property
    def id(self) -> str:
        """The same for the same document, span and context, whatever made it."""
        return chunk_id(self.chunking.document, self.start, self.end, self.context)

    @property
    def previous_id(self) -> str | None:
        """The id of the chunk before it."""
        return self.chunking[self.index - 1].id if self.index else None

    @property
    def next_id(self) -> str | None:
        """The id of the chunk after it."""
        return self.chunking[self.index + 1].id if self.index + 1 < len(self.chunking) else None

    @property
    def parent(self) -> Chunk | None:
        """The chunk of `chunking.parents` that holds it."""
        parents = self.chunking.parents
        return None if parents is None else parents[int(self.chunking.parent_numbers[self.index])]

    @property
    def parent_id(self) -> str | None:
        """The id of its parent."""
        return None if self.parent is None else self.parent.id

    @property
    def oversized(self) -> bool:
        """Whether it is larger than the size."""
        return bool(self.chunking.oversized[self.index])

    @property
    def oversized_reason(self) -> str:
        """Why it is larger than the size ("" if it is not)."""
        return oversize_reason(self.chunking, self.index) if self.oversized else ""

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
    def place(self) -> Locus:
        """Where it stands in its document, whatever the mode: headings, page, symbol."""
        return place_of(self.chunking.prepared, self.start, self.end)

    @property
    def path(self) -> tuple[str, ...]:
        """The headings that it stands under."""
        return self.place.path

    @property
    def page(self) -> int | None:
        """The page on which it starts, from 1; None where there are no pages."""
        return self.place.page

    @property
    def symbol(self) -> str | None:
        """The function or class that it is from; None where there is none."""
        return self.place.symbol

    @property
    def metadata(self) -> dict[str, object]:
        """Where it comes from and how it was made; everything fits into JSON."""
        return metadata(self)
