"""Sections of a document, with the headings each stands under.

A section is what one heading opens, a question with its answer, a function, a page. A heading with nothing under it
goes with what follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from playground.core.document import Block, Document
from playground.core.outline.forms import Outline

Path = tuple[str, ...]

OPEN = frozenset({"section", "boilerplate", "pair"})
"""Blocks that hold others without hiding them: what is inside stands on its own."""
SYMBOLS = frozenset({"class", "function", "statement"})
"""Blocks of source code."""
_INK = re.compile(r"\S")


@dataclass(frozen=True)
class Section:
    """A stretch from `start` to the next section's start; `path` are the headings it stands under."""

    start: int
    path: Path = ()
    name: str = "section"
    skipped: bool = False


def sections_of(document: Document, outline: Outline) -> Sequence[Section]:
    """The sections from 0 on, none of them empty; one at least."""
    opened = list(_page_sections(document) if outline.form == "pages" else _sections(outline.blocks))
    return _without_empty(document.text, opened, outline.blocks)


def _sections(blocks: Sequence[Block]) -> Iterator[Section]:
    """Where sections start, in order, with their paths; some may turn out to be empty."""
    headings: list[Block] = []
    around: list[tuple[Block, int]] = []
    closed = False
    for block in blocks:
        while around and around[-1][0].end <= block.start:
            ended, kept = around.pop()
            del headings[kept:]
            if ended.kind in OPEN:
                closed = True
                yield Section(ended.end, _path(headings), skipped=_is_skipped(around))
        skipped = _is_skipped(around)
        if block.kind == "heading":
            while headings and headings[-1].level >= block.level and len(headings) > (around[-1][1] if around else 0):
                headings.pop()
            headings.append(block)
            yield Section(block.start, _path(headings), skipped=skipped)
        elif block.kind in OPEN:
            name = "question" if block.kind == "pair" else "section"
            yield Section(block.start, _path(headings), name, skipped or block.kind == "boilerplate")
        elif block.kind in SYMBOLS and not any(other.kind in SYMBOLS for other, _ in around):
            yield Section(block.start, _path(headings), block.kind, skipped)
        elif closed:
            yield Section(block.start, _path(headings), skipped=skipped)
        closed = False
        if block.kind in OPEN or block.kind in SYMBOLS:
            around.append((block, len(headings)))
    while around:
        ended, kept = around.pop()
        del headings[kept:]
        if ended.kind in OPEN:
            yield Section(ended.end, _path(headings), skipped=_is_skipped(around))


def _is_skipped(around: Sequence[tuple[Block, int]]) -> bool:
    return any(other.kind == "boilerplate" for other, _ in around)


def _path(headings: Sequence[Block]) -> Path:
    return tuple(heading.name for heading in headings if heading.name)


def _page_sections(document: Document) -> Iterator[Section]:
    return (Section(start, name="page") for start in document.pages)


def _without_empty(text: str, opened: Sequence[Section], blocks: Sequence[Block]) -> Sequence[Section]:
    """Sections that hold more than a heading: what does not goes to the one after it, at the end to the one before."""
    ends = {block.start: block.end for block in blocks if block.kind == "heading"}
    kept: list[Section] = [Section(0)] if not opened or ink_in(text, 0, opened[0].start) else []
    bare: Section | None = None
    for section, after in pairwise([*opened, Section(len(text))]):
        if bare is not None and bare.skipped != section.skipped:
            kept.append(bare)
            bare = None
        start = section.start if bare is None else bare.start
        if ink_in(text, ends.get(section.start, section.start), after.start):
            kept.append(replace(section, start=start))
            bare = None
        elif section.start in ends or bare is not None:
            bare = replace(section, start=start)
    if kept and kept[0].start and not ink_in(text, 0, kept[0].start):
        kept[0] = replace(kept[0], start=0)
    return kept or [Section(0)]


def ink_in(text: str, start: int, end: int) -> bool:
    """Whether `[start, end)` holds anything but white space."""
    return _INK.search(text, start, end) is not None


def ink_after(text: str, offset: int) -> int:
    """The first offset from `offset` on that is not white space."""
    found = _INK.search(text, offset)
    return found.start() if found else len(text)
