"""What is ranked together: the chunks of one document or of several, as arrays; and their parents, to be shown.

A retriever prepares what it needs of a pool once (lengths, vectors, words counted) and keeps it with the pool, so that
many questions cost little more than one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt

from playground.core.chunking import Chunking
from playground.core.config import ChunkingConfig
from playground.core.prepared import Prepared
from playground.core.rulers import Offsets, Ruler

T = TypeVar("T")
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Part:
    """Spans of one document, in any order. Span i is read after the text `contexts[context[i]]`."""

    prepared: Prepared
    starts: Offsets
    ends: Offsets
    contexts: Sequence[str]
    context: Offsets
    tokenizer: str = ChunkingConfig().tokenizer
    chunking: Chunking | None = None

    @classmethod
    def of(cls, chunking: Chunking) -> Part:
        """The chunks of a chunking, with what is read before each."""
        starts, areas = chunking.starts, chunking.plan.areas
        texts, context = [""], np.zeros(len(starts), np.int32)
        if areas is not None and areas.costs.any():
            used, number = np.unique(areas.at(starts), return_inverse=True)
            numbers: dict[str, int] = {}
            same = [numbers.setdefault(areas.contexts[area], len(numbers)) for area in used.tolist()]
            texts, context = list(numbers) or [""], np.array(same, np.int32)[number]
        return cls(chunking.prepared, starts, chunking.ends, texts, context, chunking.config.tokenizer, chunking)

    @classmethod
    def spans(cls, prepared: Prepared, starts: npt.ArrayLike, ends: npt.ArrayLike) -> Part:
        """Any spans of a document, without context. Raises ValueError for arrays of different lengths."""
        start, end = np.asarray(starts, np.int32), np.asarray(ends, np.int32)
        if start.ndim != 1 or start.shape != end.shape:
            raise ValueError(f"starts and ends must be rows of equal length, not {start.shape} and {end.shape}")
        return cls(prepared, start, end, [""], np.zeros(len(start), np.int32))

    @property
    def ruler(self) -> Ruler:
        """The ruler of the document's tokens."""
        return self.prepared.ruler("token", self.tokenizer)

    def __len__(self) -> int:
        return len(self.starts)


class Pool:
    """The chunks of all `chunkings`, one document after the other. Safe to share between threads.

    `firsts[d]` is the first chunk of document d, `firsts[d + 1]` the one after its last. An index into the pool is so
    ordered by document and start, which is how ties are broken.
    """

    def __init__(self, chunkings: Iterable[Chunking | Part]) -> None:
        self.parts = tuple(one if isinstance(one, Part) else Part.of(one) for one in chunkings)
        self.firsts: Offsets = np.cumsum([0, *map(len, self.parts)], dtype=np.int32)
        self._kept: dict[Hashable, object] = {}
        self._lock = threading.RLock()

    @classmethod
    def of(cls, chunks: Chunking | Pool) -> Pool:
        """`chunks` itself if it is a pool, else the pool of this one chunking."""
        return chunks if isinstance(chunks, Pool) else cls((chunks,))

    @cached_property
    def document(self) -> Offsets:
        """For each chunk the number of its document."""
        return np.repeat(np.arange(len(self.parts), dtype=np.int32), np.diff(self.firsts))

    @cached_property
    def starts(self) -> Offsets:
        """The offset in its document where each chunk starts."""
        return self._joined([part.starts for part in self.parts])

    @cached_property
    def ends(self) -> Offsets:
        """The offset in its document after the last character of each chunk."""
        return self._joined([part.ends for part in self.parts])

    def columns(self, document: int) -> slice:
        """Where the chunks of a document are."""
        return slice(int(self.firsts[document]), int(self.firsts[document + 1]))

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` returns, kept under `key` as long as the pool."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = make()
            return cast(T, self._kept[key])

    def __len__(self) -> int:
        return int(self.firsts[-1])

    @staticmethod
    def _joined(rows: list[Offsets]) -> Offsets:
        return np.concatenate(rows) if rows else np.zeros(0, np.int32)


@dataclass(frozen=True, eq=False)
class Units:
    """What can be shown: all chunks of a pool or all their parents. `of_chunk[i]` is the unit of chunk i.

    Document d starts at `bases[d]` on the axis, and has the units `firsts[d]` to before `firsts[d + 1]`. `before` and
    `until` count the tokens on the axis that start before the unit's start and before its end.
    """

    texts: tuple[str, ...]
    bases: Numbers
    firsts: Numbers
    document: Offsets
    of_chunk: Numbers
    starts: Numbers
    ends: Numbers
    before: Numbers
    until: Numbers


def units_of(pool: Pool, parents: bool) -> Units:
    """The chunks of a pool, or their parents, made once and kept with it. Raises ValueError where there are none."""
    return pool.once(("units", parents), lambda: _units(pool, parents))


def _units(pool: Pool, parents: bool) -> Units:
    holders = [_holders(part) if parents else (part.starts, part.ends, np.arange(len(part))) for part in pool.parts]
    counts = [len(starts) for starts, _, _ in holders]
    firsts = np.cumsum([0, *counts])
    document = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    texts = tuple(part.prepared.document.text for part in pool.parts)
    bases = np.cumsum([0, *(len(text) + 1 for text in texts)])  # one more, or documents would touch
    rulers = [part.ruler for part in pool.parts]
    tokens = np.cumsum([0, *(ruler.count for ruler in rulers)])
    rows = [
        (starts, ends, ruler.before(starts) + tokens[at], ruler.before(ends) + tokens[at], number + firsts[at])
        for at, ((starts, ends, number), ruler) in enumerate(zip(holders, rulers, strict=True))
    ]
    starts, ends, before, until, of_chunk = (
        np.concatenate([np.zeros(0, np.int64), *(row[column] for row in rows)]) for column in range(5)
    )
    return Units(texts, bases, firsts, document, of_chunk, starts, ends, before, until)


def _holders(part: Part) -> tuple[Offsets, Offsets, Offsets]:
    """The starts and ends of the parents, and the parent of each chunk."""
    if part.chunking is None or part.chunking.parents is None:
        raise ValueError("there are no parents: chunk with a parent_size")
    return part.chunking.parents.starts, part.chunking.parents.ends, part.chunking.parent_numbers
