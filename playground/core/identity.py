"""Who a chunk is: ids that stay, and the metadata that every record of it carries."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from playground.core.contexts import token_count
from playground.core.document import Block, Document
from playground.core.modes.structure import structure_of
from playground.core.prepared import Prepared
from playground.resources import TOKENIZERS

if TYPE_CHECKING:
    from playground.core.chunking import Chunk

_DIGITS = 32


@dataclass(frozen=True)
class Locus:
    """Where a span stands in its document: headings, page (from 1), symbol."""

    path: tuple[str, ...]
    page: int | None
    symbol: str | None


def chunk_id(document: Document, start: int, end: int, context: str) -> str:
    """The first 32 hexadecimal digits of the SHA-256 of the document's id, the span and the context."""
    parts = "\0".join((document.id, str(start), str(end), context))
    return hashlib.sha256(parts.encode("utf-8")).hexdigest()[:_DIGITS]


def place_of(prepared: Prepared, start: int, end: int) -> Locus:
    """Where the span `[start, end)` stands: by its first character that is not white space."""
    found = structure_of(prepared, "auto")
    ink = _first_ink(prepared, start, end)
    starts = prepared.once("section starts", lambda: [section.start for section in found.sections])
    section = found.sections[max(bisect_right(starts, ink) - 1, 0)]
    pages = prepared.document.pages
    page = max(bisect_right(pages, ink), 1) if pages else None
    return Locus(section.path, page, _symbol(prepared, found.outline.blocks, ink, end))


def _first_ink(prepared: Prepared, start: int, end: int) -> int:
    space = prepared.space[start:end]
    ahead = int(np.argmin(space)) if len(space) else 0
    return start if len(space) and space[ahead] else start + ahead


def _symbol(prepared: Prepared, blocks: Sequence[Block], ink: int, end: int) -> str | None:
    """The innermost symbol around `ink`; without one, the first that starts before `end`."""
    symbols = prepared.once(
        "symbols", lambda: [block for block in blocks if block.kind in ("class", "function") and block.name]
    )
    if not symbols:
        return None
    starts = prepared.once("symbol starts", lambda: [block.start for block in symbols])
    index = bisect_right(starts, ink)
    for block in reversed(symbols[:index]):
        if block.end > ink:
            return block.name
    return symbols[index].name if index < len(symbols) and symbols[index].start < end else None


def metadata(chunk: Chunk) -> dict[str, object]:
    """Everything that a record of `chunk` carries besides its text; the document's own comes first."""
    chunking = chunk.chunking
    document, config, prepared = chunking.document, chunking.config, chunking.prepared
    tokens = prepared.ruler("token", config.tokenizer)
    place, parent = chunk.place, chunk.parent
    return {
        **document.metadata,
        "chunk_id": chunk.id,
        "document_id": document.id,
        "document_version": document.version,
        "source": document.source,
        "title": document.title,
        "media_type": document.media_type,
        "heading_path": list(place.path),
        "page": place.page,
        "symbol": place.symbol,
        "start": chunk.start,
        "end": chunk.end,
        "token_start": int(tokens.within(chunk.start)),
        "token_end": int(tokens.before(chunk.end)),
        "index": chunk.index,
        "total": len(chunking),
        "previous_id": chunk.previous_id,
        "next_id": chunk.next_id,
        "parent_id": None if parent is None else parent.id,
        "parent_start": None if parent is None else parent.start,
        "parent_end": None if parent is None else parent.end,
        "mode": config.mode,
        "settings": {**config.as_dict(), "separators": list(config.separators)},
        "oversized": chunk.oversized,
        "oversized_reason": chunk.oversized_reason,
        "reason": chunk.reason,
        "tokens": {name: token_count(chunk.text, name) for name in TOKENIZERS},
    }
