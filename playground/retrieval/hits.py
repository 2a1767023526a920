"""Which chunk covers which part of which reference: the arithmetic under every metric, for all questions at once.

All documents are laid one after another on one axis, so that a span is two numbers whatever its document. The ends of
chunks divide each reference into pieces that a chunk covers wholly or not at all; a union of chunks is then a set of
pieces, and no character is ever looked at. Touching at zero length is no hit. `metrics` turns this into figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from playground.core.rulers import Ruler
from playground.retrieval.groups import Numbers, spread, sums, union_by


@dataclass(frozen=True, eq=False)
class Axis:
    """Documents one after another: document d goes from `bases[d]` on, and `length` is where the last one ends.

    `unit_starts` are the places where units (tokens) start, sorted; None: every character is a unit. A unit belongs to
    the spans that it starts in, so that the units of disjoint spans add up.
    """

    bases: Numbers
    length: int
    unit_starts: Numbers | None = None

    @classmethod
    def of(cls, lengths: Sequence[int], rulers: Sequence[Ruler] | None = None) -> Axis:
        """Documents of so many characters, measured in characters or by the rulers of the documents."""
        ends = np.cumsum(np.asarray(lengths, dtype=np.int64), dtype=np.int64)
        bases = np.concatenate((np.zeros(1, np.int64), ends[:-1]))
        length = int(ends[-1]) if len(ends) else 0
        if rulers is None:
            return cls(bases, length)
        parts = [ruler.starts + base for ruler, base in zip(rulers, bases, strict=True)]
        return cls(bases, length, np.concatenate(parts).astype(np.int64))

    def at(self, document: npt.ArrayLike, offsets: npt.ArrayLike) -> Numbers:
        """The places on the axis of offsets in documents."""
        found: Numbers = self.bases[np.asarray(document, dtype=np.intp)] + np.asarray(offsets, dtype=np.int64)
        return found

    def measure(self, starts: Numbers, ends: Numbers) -> Numbers:
        """How many units start in each span."""
        if self.unit_starts is None:
            return ends - starts
        first, last = np.searchsorted(self.unit_starts, np.stack((starts, ends))).astype(np.int64)
        found: Numbers = last - first
        return found


@dataclass(frozen=True, eq=False)
class Wanted:
    """The references of `count` questions as spans of an axis, sorted by question: `question`, `starts`, `ends`.

    `part_...` are the same without overlaps inside a question; `totals[q]` are the units that question q asks for.
    """

    axis: Axis
    count: int
    question: Numbers
    starts: Numbers
    ends: Numbers

    @classmethod
    def of(cls, axis: Axis, count: int, question: Numbers, starts: Numbers, ends: Numbers) -> Wanted:
        """Sorted by question; raises ValueError where a reference is empty."""
        if (ends <= starts).any():
            raise ValueError(f"a reference of question {int(question[np.argmax(ends <= starts)])} is empty.")
        order = np.argsort(question, kind="stable")
        return cls(axis, count, question[order], starts[order], ends[order])

    @cached_property
    def parts(self) -> tuple[Numbers, Numbers, Numbers]:
        """The question, start and end of the references, joined where those of one question overlap."""
        return union_by(self.question, self.starts, self.ends, self.axis.length)

    @cached_property
    def totals(self) -> Numbers:
        """The units of each question's references, each counted once."""
        question, starts, ends = self.parts
        return sums(question, self.axis.measure(starts, ends), self.count)


@dataclass(frozen=True, eq=False)
class Hits:
    """Chunks against references. Chunk k is the span `starts[k]` to `ends[k]` of the axis.

    `piece_question`, `piece_units`: the pieces of all references, by question. `cover_piece[i]` is a piece that chunk
    `cover_chunk[i]` covers, `hold_reference[i]` a reference that chunk `hold_chunk[i]` holds whole; both sorted by the
    first. `touch_question[i]` is a question of which chunk `touch_chunk[i]` holds something, each pair once.
    """

    wanted: Wanted
    starts: Numbers
    ends: Numbers
    piece_question: Numbers
    piece_units: Numbers
    cover_piece: Numbers
    cover_chunk: Numbers
    hold_reference: Numbers
    hold_chunk: Numbers

    @classmethod
    def of(cls, wanted: Wanted, starts: Numbers, ends: Numbers) -> Hits:
        """Relate the chunks, in any order, to the references."""
        question, low, high = wanted.parts
        order = np.argsort(starts, kind="stable")
        part, chunk = _touching(starts, ends, order, low, high)
        edges = np.unique(np.concatenate((starts, ends)))
        first = np.searchsorted(edges, low, side="right")
        inner = np.maximum(np.searchsorted(edges, high, side="left") - first, 0)
        offset = np.cumsum(inner + 1) - (inner + 1)  # the number of the first piece of each part
        piece_starts, piece_ends = _pieces(edges, first, inner, offset, low, high)
        # A chunk covers the pieces from where it starts (or the part does) to where it ends (or the part does).
        begins = np.searchsorted(edges, starts[chunk]) - first[part] + 1
        stops = np.searchsorted(edges, ends[chunk]) - first[part] + 1
        begins = np.where(starts[chunk] <= low[part], 0, begins)
        stops = np.where(ends[chunk] >= high[part], inner[part] + 1, stops)
        pair, number = spread(begins, stops - begins)
        piece = offset[part[pair]] + number
        by_piece = np.argsort(piece, kind="stable")
        reference, holder = _touching(starts, ends, order, wanted.starts, wanted.ends)
        whole = (starts[holder] <= wanted.starts[reference]) & (ends[holder] >= wanted.ends[reference])
        return cls(
            wanted,
            starts,
            ends,
            np.repeat(question, inner + 1),
            wanted.axis.measure(piece_starts, piece_ends),
            piece[by_piece],
            chunk[pair][by_piece],
            reference[whole],
            holder[whole],
        )

    @cached_property
    def touch(self) -> tuple[Numbers, Numbers]:
        """The pairs of a question and a chunk that holds something of its references, each once, sorted."""
        keys = np.unique(self.piece_question[self.cover_piece] * max(len(self.starts), 1) + self.cover_chunk)
        return keys // max(len(self.starts), 1), keys % max(len(self.starts), 1)

    @cached_property
    def reachable(self) -> Numbers:
        """For each question the units of its references that lie in any chunk."""
        found = np.unique(self.cover_piece)
        return sums(self.piece_question[found], self.piece_units[found], self.wanted.count)

    @cached_property
    def held(self) -> npt.NDArray[np.bool_]:
        """For each question whether each of its references lies whole in some chunk."""
        torn = np.ones(len(self.wanted.question), dtype=np.bool_)
        torn[self.hold_reference] = False
        whole: npt.NDArray[np.bool_] = np.bincount(self.wanted.question[torn], minlength=self.wanted.count) == 0
        return whole

    def touched_units(self, repeats: bool) -> Numbers:
        """For each question the units of all chunks that touch its references: each place once, or with repeats."""
        question, chunk = self.touch
        starts, ends = self.starts[chunk], self.ends[chunk]
        if not repeats:
            question, starts, ends = union_by(question, starts, ends, self.wanted.axis.length)
        return sums(question, self.wanted.axis.measure(starts, ends), self.wanted.count)


def _touching(
    starts: Numbers, ends: Numbers, order: npt.NDArray[np.intp], low: Numbers, high: Numbers
) -> tuple[Numbers, Numbers]:
    """The pairs (span, chunk) that share at least one place; `order` sorts the chunks by their starts."""
    reach = np.maximum.accumulate(ends[order])
    first = np.searchsorted(reach, low, side="right")
    span, place = spread(first, np.maximum(np.searchsorted(starts[order], high, side="left") - first, 0))
    chunk = order[place]
    shared = (ends[chunk] > low[span]) & (ends[chunk] > starts[chunk])
    return span[shared], chunk[shared].astype(np.int64)


def _pieces(
    edges: Numbers, first: Numbers, inner: Numbers, offset: Numbers, low: Numbers, high: Numbers
) -> tuple[Numbers, Numbers]:
    """The starts and ends of the pieces into which the edges inside it divide each part."""
    starts, ends = (np.empty(int((inner + 1).sum()), dtype=np.int64) for _ in range(2))
    part, edge = spread(first, inner)
    at = offset[part] + edge - first[part]
    ends[at], starts[at + 1] = edges[edge], edges[edge]
    starts[offset], ends[offset + inner] = low, high
    return starts, ends
