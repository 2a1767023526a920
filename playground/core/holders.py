"""Blocks too large for one chunk, taken apart: a table by rows under its header, a class by methods, a long answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from playground.core.document import Block
from playground.core.prepared import Prepared
from playground.core.rulers import Offsets
from playground.core.structure import Structure

if TYPE_CHECKING:
    from playground.core.config import ChunkingConfig


class Stretch(NamedTuple):
    """An area before its context is chosen: `choices` are contexts, the fullest first."""

    start: int
    wall: bool
    name: str
    choices: tuple[str, ...] = ()
    skipped: bool = False
    parted: bool = False
    """Whether another wall stands inside what it is named after."""


@dataclass(frozen=True, eq=False)
class Holders:
    """The blocks that may have to be taken apart: where they start, and how large they are in one unit.

    Headings directly before a block belong to it: it opens at `opened[k]`. What comes after it starts at `after[k]`
    (None: nothing does).
    """

    starts: Offsets
    sizes: Offsets
    opened: Sequence[int]
    after: Sequence[int | None]

    @classmethod
    def of(cls, prepared: Prepared, found: Structure, config: ChunkingConfig) -> Holders:
        """Measure the holders of a document."""
        opened = [found.opening(block.start) for block in found.holders]
        after = [found.boundary_after(block.end) for block in found.holders]
        ends = [len(prepared.document) if end is None else end for end in after]
        sizes = prepared.ruler(config.unit, config.tokenizer).measure(
            np.array(opened, np.int32), np.array(ends, np.int32)
        )
        return cls(np.array([block.start for block in found.holders], np.int32), sizes, opened, after)


def taken_apart(
    prepared: Prepared,
    found: Structure,
    config: ChunkingConfig,
    sections: Sequence[Stretch],
    starts: Offsets,
    rooms: Offsets,
) -> Sequence[Stretch]:
    """What comes in place of or into `sections`: each block that has no room in its section, behind walls of its own.

    Section k starts at `starts[k]` and has room for `rooms[k]` units.
    """
    if not found.holders:
        return ()
    key = (found.outline.form, config.unit, config.tokenizer)
    holders = prepared.lately("holders", key, lambda: Holders.of(prepared, found, config))
    within = np.maximum(np.searchsorted(starts, holders.starts, side="right") - 1, 0)
    large = np.flatnonzero(holders.sizes > rooms[within])
    made: dict[int, Stretch] = {}
    taken = set(starts.tolist())
    around: list[tuple[int, Stretch]] = []
    for index, section in zip(large.tolist(), within[large].tolist(), strict=True):
        block = found.holders[index]
        while around and around[-1][0] <= block.start:
            around.pop()
        outer = around[-1][1] if around else sections[section]
        inner = _inside(prepared.document.text, block, outer, config)
        start, after = holders.opened[index], holders.after[index]
        made[start] = Stretch(start, True, block.kind, outer.choices, outer.skipped, parted=True)
        if block.head:
            made[block.head] = Stretch(block.head, False, block.kind, inner.choices, inner.skipped)
        for symbol in found.members(block, prepared.document.text) if block.kind == "class" else ():
            made[symbol.start] = Stretch(symbol.start, True, symbol.kind, inner.choices, inner.skipped)
        if after is not None and after not in made and after not in taken:
            made[after] = Stretch(after, True, "passage", outer.choices, outer.skipped)
        around.append((block.end, inner))
    return [made[start] for start in sorted(made)]


def _inside(text: str, block: Block, outer: Stretch, config: ChunkingConfig) -> Stretch:
    """What the pieces of a large block but the first are read with: what goes before it, and its head."""
    head = text[block.start : block.head].strip("\r\n") if config.context and block.head else ""
    both = (f"{outer.choices[0]}\n{head}",) if outer.choices and head else ()
    return Stretch(
        block.start, True, block.kind, (*both, head, *outer.choices) if head else outer.choices, outer.skipped
    )
