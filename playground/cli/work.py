"""The work of the command line: files are read and chunked one after the other, written, and counted in a table.

A file that fails is told at once and hinders no other; `main` makes the exit code of it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from types import MappingProxyType

from tqdm import tqdm

from playground.core.chunking import Chunk, Chunking, chunk
from playground.core.config import ChunkingConfig
from playground.core.document import Document, clean
from playground.core.stats import describe
from playground.export.files import EXPORTS
from playground.export.records import records
from playground.readers import ReadError, read

STDIN = "-"
COLUMNS = ("document", "chunks", "smallest", "median", "largest", "over", "tokens", "processed", "duplicated")


@dataclass
class Work:
    """The files one after the other: each is read, chunked and counted, and what fails is said at once."""

    config: ChunkingConfig
    quiet: bool = False
    failed: bool = False

    def __post_init__(self) -> None:
        self.rows: list[tuple[str, ...]] = []

    def chunkings(self, names: Sequence[str]) -> Iterator[Chunking]:
        """The chunking of every file that can be read."""
        for name in tqdm(names, unit="file", disable=self.quiet or None, leave=False):
            try:
                document = opened(name)
            except (ReadError, OSError) as fault:
                self.failed = True
                said = str(fault) if isinstance(fault, ReadError) else f"{name}: {fault.strerror or fault}."
                tqdm.write(f"error: {said}", file=sys.stderr)
                continue
            for notice in document.notices if not self.quiet else ():
                tqdm.write(f"{document.title}: {notice}", file=sys.stderr)
            chunking = chunk(document, self.config)
            self.rows.append(row_of(chunking))
            yield chunking


def opened(name: str) -> Document:
    """The document of a file, or of standard input.

    Its source is the path as given, unless the document names one itself: files of one name in several folders are
    several documents, and their chunks have ids of their own.
    """
    if name == STDIN:
        return read("stdin.txt", sys.stdin.buffer.read())
    document = read(name)
    path, _ = clean(PurePath(name).as_posix())
    return replace(document, metadata=MappingProxyType({"source": path, **document.metadata}))


def row_of(chunking: Chunking) -> tuple[str, ...]:
    """The statistics of a document, as `COLUMNS` names them."""
    stats = describe(chunking)
    numbers = (stats.count, stats.smallest, stats.median, stats.largest, stats.oversized)
    tokens = (stats.document_tokens, stats.processed_tokens)
    return (chunking.document.title, *(f"{number:,g}" if isinstance(number, float) else f"{number:,}" for number in
            (*numbers, *tokens)), f"{stats.duplicated_percent:.1f}%")  # fmt: skip


def write(chunkings: Iterator[Chunking], out: Path, form: str, *, quiet: bool = False) -> None:
    """Write all chunks to `out`; the file appears only when it is whole. Raises ValueError for ids that clash."""
    partial = out.with_name(f"{out.name}.partial")
    try:
        with partial.open("wb") as file:
            EXPORTS[form].write(records(_shown(chunkings, quiet)), file)
        os.replace(partial, out)
    finally:
        partial.unlink(missing_ok=True)


def _shown(chunkings: Iterator[Chunking], quiet: bool) -> Iterator[Iterable[Chunk]]:
    """The same, with a progress bar over the chunks of each that has many."""
    for chunking in chunkings:
        hidden = quiet or len(chunking) < 1000 or None
        yield tqdm(chunking, desc=chunking.document.title[:30], unit="chunk", disable=hidden, leave=False)


def as_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows under a head, in columns; the first to the left, numbers to the right."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    lines = (
        [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        for row in (head, *rows)
    )
    return "\n".join("  ".join(line).rstrip() for line in lines)
