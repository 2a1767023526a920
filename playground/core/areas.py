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
from playground.core.holders import Stretch, taken_apart
from playground.core.plan import Areas
from playground.core.prepared import Prepared
from playground.core.rulers import Mask, Offsets
from playground.core.sections import Path, Section
from playground.core.structure import Structure

if TYPE_CHECKING:
    from playground.core.config import ChunkingConfig


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
    extra = taken_apart(prepared, found, config, base.stretches, base.starts, config.size - costs)
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


def _placed(
    prepared: Prepared,
    config: ChunkingConfig,
    base: Base,
    costs: Offsets,
    contexts: Sequence[str],
    extra: Sequence[Stretch],
) -> Areas:
    """Sections and extra stretches as areas, their starts where this unit can be cut; at one place the later holds."""
    measured = base.measured
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
    sections = prepared.cuttable(base.starts, config.unit, config.tokenizer)
    goes_on = np.append(~contains(sections, placed[1:]), False) & (order < len(base.starts))
    parted = np.array([False] * len(base.starts) + [one.parted for one in extra], np.bool_)[order] | goes_on
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
        parted,
    )
