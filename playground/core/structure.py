"""The structure of a document in one form: its sections, and where blocks and what is inside them start.

Made once for a document and a form. Nothing is cut between a heading and its text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from playground.core.document import Block, Document
from playground.core.outline.forms import Outline
from playground.core.rulers import Offsets
from playground.core.sections import OPEN, SYMBOLS, Section, ink_after, ink_in, sections_of

_CODE = frozenset({"code", "class", "function", "statement", "record"})


@dataclass(frozen=True, eq=False)
class Structure:
    """Sections from 0 on; `blocks`, `parts`, `details` and `lines` are where blocks start, what is inside them, what is
    inside that, and lines of code.

    `holders` are the blocks that are taken apart with their heads repeated if they are too large. `held` are stretches
    `(start, end]` in which nothing is cut: a heading and the white space after it.
    """

    outline: Outline
    sections: Sequence[Section]
    blocks: Offsets
    parts: Offsets
    details: Offsets
    lines: Offsets
    holders: Sequence[Block]
    held: tuple[Offsets, Offsets]

    def without_held(self, offsets: Offsets) -> Offsets:
        """`offsets` that are not between a heading's start and its text."""
        return outside(self.held, offsets)

    def opening(self, offset: int) -> int:
        """`offset`, or the start of the headings that stand directly before it."""
        starts, ends = self.held
        index = int(np.searchsorted(starts, offset, side="left")) - 1
        while index >= 0 and starts[index] < offset <= ends[index]:
            offset = int(starts[index])
            index -= 1
        return offset

    @cached_property
    def cuts(self) -> Offsets:
        """Where blocks and what is inside them start."""
        return np.union1d(np.union1d(self.blocks, self.parts), self.details).astype(np.int32)

    @cached_property
    def _cuts(self) -> list[int]:
        cuts: list[int] = self.cuts.tolist()
        return cuts

    def boundary_after(self, offset: int) -> int | None:
        """The first start of a block or a part at or after `offset`; None at the end of the text."""
        index = bisect_left(self._cuts, offset)
        return self._cuts[index] if index < len(self._cuts) else None

    @cached_property
    def _symbols(self) -> tuple[Sequence[Block], Offsets]:
        symbols = [block for block in self.outline.blocks if block.kind in SYMBOLS]
        return symbols, np.array([block.start for block in symbols], np.int32)

    def members(self, block: Block, text: str) -> Iterator[Block]:
        """The symbols directly inside a class, without a first one that nothing but the header comes before."""
        symbols, starts = self._symbols
        low, high = np.searchsorted(starts, [max(block.head, block.start + 1), block.end]).tolist()
        reached = 0
        for symbol in symbols[low:high] if block.kind == "class" else ():
            if symbol.start >= reached:
                if reached or ink_in(text, block.head, symbol.start):
                    yield symbol
                reached = symbol.end

    @property
    def notices(self) -> tuple[str, ...]:
        """What there is to say about the outline."""
        return self.outline.notices


def structure(document: Document, outline: Outline) -> Structure:
    """The structure of `document` under `outline`."""
    text, blocks = document.text, outline.blocks
    sections, held, depths = sections_of(document, outline), _held(text, blocks), _depths(blocks)
    starts = [section.start for section in sections]
    outer = [block.start for block, depth in zip(blocks, depths, strict=True) if not depth and block.kind not in OPEN]
    inner = [block.start for block, depth in zip(blocks, depths, strict=True) if depth == 1]
    deeper = [block.start for block, depth in zip(blocks, depths, strict=True) if depth > 1]
    return Structure(
        outline=outline,
        sections=sections,
        blocks=_sorted([*outside(held, _sorted([*outer, *starts])).tolist(), *starts]),
        parts=outside(held, _sorted(inner)),
        details=outside(held, _sorted(deeper)),
        lines=outside(held, _sorted(_line_starts(text, blocks))),
        holders=[block for block in blocks if block.head or block.kind == "class"],
        held=held,
    )


def _held(text: str, blocks: Sequence[Block]) -> tuple[Offsets, Offsets]:
    """From where to where nothing is cut: headings and questions, each to the text that follows."""
    ends = [
        (block.start, ink_after(text, block.head if block.kind == "pair" else block.end))
        for block in blocks
        if block.kind == "heading" or (block.kind == "pair" and block.head)
    ]
    starts = np.array([start for start, _ in ends], np.int32)
    return starts, np.maximum.accumulate(np.array([end for _, end in ends], np.int32))


def outside(held: tuple[Offsets, Offsets], offsets: Offsets) -> Offsets:
    """`offsets` that are not between a heading's start and its text."""
    starts, ends = held
    if not len(starts):
        return offsets
    index = np.searchsorted(starts, offsets, side="left") - 1
    return offsets[(index < 0) | (offsets > ends[np.maximum(index, 0)])]


def _sorted(offsets: Sequence[int]) -> Offsets:
    return np.unique(np.array(offsets, dtype=np.int32))


def _depths(blocks: Sequence[Block]) -> list[int]:
    """For each block how many others hide it."""
    depths: list[int] = []
    around: list[Block] = []
    for block in blocks:
        while around and around[-1].end <= block.start:
            around.pop()
        depths.append(sum(other.kind not in OPEN for other in around) if len(around) < 9 else 9)
        around.append(block)
    return depths


def _line_starts(text: str, blocks: Sequence[Block]) -> list[int]:
    """Where lines start inside the outermost blocks of code."""
    starts, reached = [], 0
    for block in blocks:
        if block.kind not in _CODE or block.start < reached:
            continue
        reached = block.end
        at = text.find("\n", block.start, block.end)
        while at >= 0:
            starts.append(at + 1)
            at = text.find("\n", at + 1, block.end)
    return starts
