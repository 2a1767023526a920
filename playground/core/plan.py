"""What packing is given: where one may cut, how much fits, how much is repeated, and stretches with rules of their own.

A mode makes a plan, `packing` carries it out. An area is a stretch with its own room (the size less what its context
takes) and its own context; areas may lie behind walls, which no chunk and no overlap crosses.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from playground.core.boundaries import Level, contains, distinct
from playground.core.rulers import Mask, Offsets


@dataclass(frozen=True, eq=False)
class Areas:
    """Area k starts at the offset `starts[k]`, the first at 0, and goes to the next one's start.

    `walls[k]` says whether a wall stands at its start. A chunk that starts in it holds at most `rooms[k]` units and is
    read with the text `contexts[k]` before it, which takes `costs[k]` units. `skipped[k]` areas are left out.
    """

    starts: Offsets
    walls: Mask
    rooms: Offsets
    costs: Offsets
    contexts: Sequence[str]
    skipped: Mask | None = None
    names: Sequence[str] = field(default=())
    """What each area is to a reader: a section, a parent, a segment."""
    shortened: Mask | None = None
    """Which areas have less of a context than there is, because all of it would take more than half of the size."""
    parted: Mask | None = None
    """Which areas are but the first part of what they are named after: of a section, what is before a large table."""

    @classmethod
    def walled(cls, starts: Offsets, size: int, name: str) -> Areas:
        """Stretches that differ in nothing but where they lie."""
        count = len(starts)
        return cls(
            starts,
            np.ones(count, np.bool_),
            np.full(count, size, np.int32),
            np.zeros(count, np.int32),
            ("",) * count,
            names=(name,) * count,
        )

    def at(self, offsets: Offsets) -> Offsets:
        """The area in which each of `offsets` lies."""
        found: Offsets = (np.searchsorted(self.starts, offsets, side="right") - 1).astype(np.int32)
        return found

    def one_at(self, offset: int) -> int:
        """The area in which `offset` lies."""
        return bisect_right(self._starts, offset) - 1

    @cached_property
    def _starts(self) -> list[int]:
        return self.starts.tolist()  # type: ignore[no-any-return]

    @cached_property
    def least(self) -> Offsets:
        """For each area the smallest room from the wall before it on: what an overlap that goes back must leave."""
        found = self.rooms.copy()
        for area in np.flatnonzero(~self.walls[1:]) + 1:
            found[area] = min(found[area], found[area - 1])
        return found

    @cached_property
    def lows(self) -> Offsets:
        """For each area the wall at or before its start."""
        at = np.where(self.walls, np.arange(len(self.starts)), 0)
        found: Offsets = self.starts[np.maximum.accumulate(at)]
        return found

    @cached_property
    def highs(self) -> Offsets:
        """For each area the wall after its start; the largest offset where there is none."""
        last = np.iinfo(np.int32).max
        after = np.append(np.where(self.walls, self.starts, last)[1:], np.int32(last))
        found: Offsets = np.minimum.accumulate(after[::-1])[::-1].astype(np.int32)
        return found

    @cached_property
    def rows(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """`rooms`, `least`, `lows` and `highs` for reading one value at a time."""
        return self.rooms.tolist(), self.least.tolist(), self.lows.tolist(), self.highs.tolist()

    @cached_property
    def is_plain(self) -> bool:
        """Whether all areas lie behind walls and none has a context."""
        return bool(self.walls.all()) and not self.costs.any()

    def divided(self, walls: Offsets, name: str) -> Areas:
        """These areas with further walls at the sorted offsets `walls`."""
        starts = distinct(np.sort(np.concatenate((self.starts, walls))))
        old = self.at(starts)
        new = contains(walls, starts)
        return Areas(
            starts,
            new | (self.walls[old] & (self.starts[old] == starts)),
            self.rooms[old],
            self.costs[old],
            [self.contexts[index] for index in old.tolist()],
            None if self.skipped is None else self.skipped[old],
            [name if is_new else self.names[index] for index, is_new in zip(old.tolist(), new.tolist(), strict=True)],
            None if self.shortened is None else self.shortened[old],
            None if self.parted is None else self.parted[old],
        )


@dataclass(frozen=True, eq=False)
class Plan:
    """`levels`, coarsest first and nested, say where a chunk may end; `size` and `overlap` count units.

    `strict`: what was cut inside a piece stays inside it, as the textbook's recursive splitter has it. `snap`: where an
    overlap starts, if not at a boundary as coarse as the cut.
    """

    levels: Sequence[Level]
    size: int
    overlap: int
    areas: Areas | None = None
    strict: bool = False
    snap: Level | None = None

    @cached_property
    def places(self) -> Sequence[Level]:
        """All levels on which a chunk may start: those of the cuts, and the one of the overlap."""
        return self.levels if self.snap is None or self.snap in self.levels else (*self.levels, self.snap)

    @cached_property
    def snap_number(self) -> int:
        """The number of the overlap's level among `places`."""
        assert self.snap is not None
        return next(number for number, level in enumerate(self.places) if level is self.snap)

    @cached_property
    def is_memoryless(self) -> bool:
        """Whether what follows a cut depends on nothing but the cut, so that all may be followed at once.

        Else a start must be held after the one before it: where what was cut further down ends with its piece and the
        overlap could go back beyond it, or where a wall stands inside a piece that would fit into one chunk.
        """
        if self.strict and self.snap is not None:
            return False
        walls = np.zeros(0, np.int32) if self.areas is None else self.areas.starts[self.areas.walls]
        for level in self.levels:
            walls = walls[~contains(level.offsets, walls)]
            if not len(walls):
                return True
            index = np.searchsorted(level.offsets, walls)
            rooms = self.areas.rooms[self.areas.at(level.offsets[index - 1])] if self.areas else self.size
            if (level.before[index] - level.within[index - 1] <= rooms).any():
                return False
        return False
