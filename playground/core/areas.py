"""Areas of a structured document: its sections and what is too large in them, each with the text that goes before it.

A chunk is read with its context before it, so the context is counted: the room of an area is the size less what its
context takes. A context that would take more than half of the size shrinks: to the repeated head or the last heading
alone, then to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING

import numpy as np

from playground.core.boundaries import contains
from playground.core.contexts import ARROW, Contexts, contexts_in
from playground.core.document import Block
from playground.core.plan import Areas
from playground.core.prepared import Prepared
from playground.core.rulers import Mask, Offsets
from playground.core.sections import Path, Section
from playground.core.structure import Structure

if TYPE_CHECKING:
    from playground.core.config import ChunkingConfig


@dataclass(frozen=True)
class Stretch:
    """An area before its context is chosen: `choices` are contexts, the fullest first."""

    start: int
    wall: bool
    name: str
    choices: tuple[str, ...] = ()
    skipped: bool = False


@dataclass(frozen=True, eq=False)
class Base:
    """The sections of a document as stretches, with what each of their contexts costs: all that no size changes."""

    stretches: Sequence[Stretch]
    starts: Offsets
    skipped: Mask
    names: Sequence[str]
    contexts: tuple[Sequence[str], Sequence[str], Sequence[str]]
    """The whole path, the last heading alone, and nothing."""
    measured: Contexts

    @cached_property
    def full(self) -> Offsets:
        """What the whole path costs."""
        return self.measured.costs(self.contexts[0])

    @cached_property
    def short(self) -> Offsets:
        """What the last heading alone costs."""
        return self.measured.costs(self.contexts[1])


def areas(prepared: Prepared, found: Structure, config: ChunkingConfig) -> Areas:
    """The sections of the document, and the pieces of what is too large for one chunk, as areas."""
    base = _base(prepared, found, config)
    fits = 2 * base.full <= config.size
    costs, contexts = base.full, base.contexts[0]
    if not fits.all():
        half = 2 * base.short <= config.size
        costs = np.where(fits, base.full, np.where(half, base.short, np.int32(0)))
        which = np.where(fits, 0, np.where(half, 1, 2)).tolist()
        contexts = [base.contexts[place][index] for index, place in enumerate(which)]
    large = _large(prepared, found, config, base, config.size - costs)
    extra = _taken_apart(prepared, found, config, base, large) if large else ()
    return _placed(prepared, config, base, costs, contexts, extra)


def _base(prepared: Prepared, found: Structure, config: ChunkingConfig) -> Base:
    """The stretches of the sections, kept for other sizes."""
    key = (found.outline.form, config.unit, config.tokenizer, config.smallest_piece, config.context, config.boilerplate)

    def make() -> Base:
        stretches = tuple(_stretch(section, config) for section in _joined(prepared, found, config))
        full, short = ([one.choices[place] if one.choices else "" for one in stretches] for place in (0, -1))
        return Base(
            stretches,
            np.array([one.start for one in stretches], np.int32),
            np.array([one.skipped for one in stretches], np.bool_),
            [one.name for one in stretches],
            (full, short, [""] * len(stretches)),
            contexts_in(prepared, config.unit, config.tokenizer),
        )

    return prepared.lately("sections", key, make)


def _stretch(section: Section, config: ChunkingConfig) -> Stretch:
    path = section.path if config.context else ()
    choices = (ARROW.join(path), path[-1]) if path else ()
    skipped = section.skipped and config.boilerplate != "keep"
    return Stretch(section.start, True, section.name, choices, skipped)


def _joined(prepared: Prepared, found: Structure, config: ChunkingConfig) -> Sequence[Section]:
    """The sections; those below the smallest size joined to the next, under the headings that both share."""
    if not config.smallest_piece or len(found.sections) < 2:
        return found.sections
    ends = [*(section.start for section in found.sections[1:]), len(prepared.document)]
    ruler = prepared.ruler(config.unit, config.tokenizer)
    before = ruler.before(np.array([0, *ends], np.int32)).tolist()
    joined: list[Section] = []
    size = 0
    for number, section in enumerate(found.sections):
        last = joined[-1] if joined else None
        if last is not None and 0 < size < config.smallest_piece and last.skipped == section.skipped:
            joined[-1] = replace(last, path=_shared(last.path, section.path))
        else:
            joined.append(section)
            size = 0
        size += before[number + 1] - before[number]
    return joined


def _shared(one: Path, other: Path) -> Path:
    shared = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return tuple(heading for heading, _ in shared)


def _large(prepared: Prepared, found: Structure, config: ChunkingConfig, base: Base, rooms: Offsets) -> Sequence[Block]:
    """The tables, classes and questions that do not fit into one chunk of their section."""
    if not found.holders:
        return ()
    starts, sizes = prepared.lately(
        "holders", (found.outline.form, config.unit, config.tokenizer), lambda: _measured(prepared, found, config)
    )
    within = np.searchsorted(base.starts, starts, side="right") - 1
    too_large = np.flatnonzero(sizes > rooms[np.maximum(within, 0)])
    return [found.holders[index] for index in too_large.tolist()]


def _measured(prepared: Prepared, found: Structure, config: ChunkingConfig) -> tuple[Offsets, Offsets]:
    """Where the holders start, and how large they are with the headings before them and the white space after."""
    starts = np.array([block.start for block in found.holders], np.int32)
    opened = np.array([found.opening(block.start) for block in found.holders], np.int32)
    after = (found.boundary_after(block.end) for block in found.holders)
    ends = np.array([len(prepared.document) if end is None else end for end in after], np.int32)
    return starts, prepared.ruler(config.unit, config.tokenizer).measure(opened, ends)


def _taken_apart(
    prepared: Prepared, found: Structure, config: ChunkingConfig, base: Base, large: Sequence[Block]
) -> Sequence[Stretch]:
    """Each of the large blocks, given in order, behind walls of its own: what comes in place of or into sections."""
    text = prepared.document.text
    made: dict[int, Stretch] = {}
    sections = set(base.starts.tolist())
    around: list[tuple[int, Stretch]] = []
    for block in large:
        while around and around[-1][0] <= block.start:
            around.pop()
        section = base.stretches[int(np.searchsorted(base.starts, block.start, side="right")) - 1]
        outer = around[-1][1] if around else section
        inner = _inside(text, block, outer, config)
        start = found.opening(block.start)
        made[start] = replace(outer, start=start, wall=True, name=block.kind)
        if block.head:
            made[block.head] = replace(inner, start=block.head, wall=False)
        for symbol in found.members(block, text):
            made[symbol.start] = replace(inner, start=symbol.start, wall=True, name=symbol.kind)
        after = found.boundary_after(block.end)
        if after is not None and after not in made and after not in sections:
            made[after] = replace(outer, start=after, wall=True)
        around.append((block.end, inner))
    return sorted(made.values(), key=lambda stretch: stretch.start)


def _inside(text: str, block: Block, outer: Stretch, config: ChunkingConfig) -> Stretch:
    """What the pieces of a large block but the first are read with: what goes before it, and its head."""
    head = text[block.start : block.head].strip("\r\n") if config.context and block.head else ""
    if not head:
        return replace(outer, name=block.kind)
    both = (f"{outer.choices[0]}\n{head}",) if outer.choices else ()
    return replace(outer, name=block.kind, choices=(*both, head, *outer.choices))


def _placed(
    prepared: Prepared,
    config: ChunkingConfig,
    base: Base,
    costs: Offsets,
    contexts: Sequence[str],
    extra: Sequence[Stretch],
) -> Areas:
    """Sections and extra stretches as areas, their starts where this unit can be cut; at one place the later holds."""
    measured = contexts_in(prepared, config.unit, config.tokenizer)
    chosen = [measured.fitting(stretch.choices, config.size) for stretch in extra]
    starts = np.concatenate((base.starts, np.array([stretch.start for stretch in extra], np.int32)))
    order = np.argsort(starts, kind="stable")
    placed = prepared.cuttable(starts[order], config.unit, config.tokenizer)
    last = np.append(placed[1:] > placed[:-1], True)
    order, placed = order[last], placed[last]
    paid = np.concatenate((costs, measured.costs(chosen)))[order]
    texts, names = [*contexts, *chosen], [*base.names, *(stretch.name for stretch in extra)]
    fullest = [choices[0] if choices else "" for choices in (one.choices for one in (*base.stretches, *extra))]
    walls = np.concatenate((np.ones(len(base.starts), np.bool_), np.array([one.wall for one in extra], np.bool_)))
    walled = np.unique(prepared.cuttable(np.sort(starts[walls]), config.unit, config.tokenizer))
    skipped = np.concatenate((base.skipped, np.array([one.skipped for one in extra], np.bool_)))
    picked = order.tolist()
    return Areas(
        placed,
        contains(walled, placed),
        np.int32(config.size) - paid,
        paid,
        [texts[index] for index in picked],
        skipped[order],
        [names[index] for index in picked],
        np.array([texts[index] != fullest[index] for index in picked], np.bool_),
    )
