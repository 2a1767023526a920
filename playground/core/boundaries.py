"""Where one may cut: levels of boundaries, from coarse to fine, each with its place on the ruler.

A level is a sorted list of offsets with a name: "sentence" says that a sentence starts there. Levels are nested, so
that a finer one holds all boundaries of the coarser ones. Because every boundary knows its place on the ruler,
packing is arithmetic on indices; nothing here reads the text. A level's arrays are made when they are first read: where
every paragraph fits, nobody asks for the words.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from playground.core.rulers import Mask, Offsets, Ruler

DENSE = 16
"""Units for each boundary up to which a table by unit replaces the search for a boundary."""


class Arrays(NamedTuple):
    """The boundaries of a level: offsets, units before them, units that lie at them."""

    offsets: Offsets
    before: Offsets
    within: Offsets


class Rows(NamedTuple):
    """The arrays of a level as memory views."""

    offsets: memoryview[int]
    before: memoryview[int]
    within: memoryview[int]


@dataclass(frozen=True, eq=False)
class Level:
    """One kind of boundary: `offsets` from 0 to the length of the text, and their place on a ruler.

    `before[i]` units start before boundary i; `within[i]` is the unit that lies at it. They differ only where a
    boundary cuts a unit, so a span from boundary i to boundary j touches `before[j] - within[i]` units.
    """

    name: str
    make: Callable[[], Arrays]

    @classmethod
    def on(cls, ruler: Ruler, name: str, offsets: Offsets) -> Level:
        """Place `offsets` on `ruler`."""
        return cls(name, lambda: placed(ruler, offsets))

    @cached_property
    def arrays(self) -> Arrays:
        """All three arrays."""
        return self.make()

    @property
    def offsets(self) -> Offsets:
        """The offsets of the boundaries, from 0 to the length of the text."""
        return self.arrays.offsets

    @property
    def before(self) -> Offsets:
        """For each boundary the units that start before it."""
        return self.arrays.before

    @property
    def within(self) -> Offsets:
        """For each boundary the unit that lies at it."""
        return self.arrays.within

    @classmethod
    def of_units(cls, ruler: Ruler, forbidden: Offsets) -> Level:
        """Every start of a unit, except inside a character and at the sorted offsets `forbidden`."""
        index = np.arange(ruler.count + 1, dtype=np.int32)
        offsets = np.append(ruler.starts, np.int32(ruler.length))
        allowed = np.ones(len(offsets), dtype=np.bool_)
        if ruler.whole is not None:
            allowed[:-1] &= ruler.whole
        if len(forbidden):
            allowed[1:-1] &= ~contains(forbidden, offsets[1:-1])
        if allowed.all():
            return cls(ruler.unit, lambda: Arrays(offsets, index, index))
        place = index[allowed]
        return cls(ruler.unit, lambda: Arrays(offsets[allowed], place, place))

    def refined(self, finer: Level, ruler: Ruler) -> Level:
        """`finer` with this level's boundaries added, so that the two are nested."""
        missing = self.offsets[~contains(finer.offsets, self.offsets)]
        if not len(missing):
            return finer
        return Level.on(ruler, finer.name, np.sort(np.concatenate((finer.offsets, missing)), kind="stable"))

    @classmethod
    def later(cls, name: str, level: Callable[[], Level]) -> Level:
        """A level that is found when its boundaries are first read."""
        return cls(name, lambda: level().arrays)

    @property
    def end(self) -> int:
        """The index of the boundary at the end of the text."""
        return len(self.offsets) - 1

    @property
    def units(self) -> int:
        """How many units the text has."""
        return int(self.before[-1])

    @cached_property
    def is_uniform(self) -> bool:
        """Whether every unit starts a boundary, and nothing else does: windows then have a closed form."""
        return self.within is self.before and self.units == self.end

    @cached_property
    def rows(self) -> Rows:
        """The arrays again, for reading one value at a time: many times faster than indexing an array."""
        return Rows(_view(self.offsets), _view(self.before), _view(self.within))

    def last_before(self, units: int) -> int:
        """The index of the last boundary with at most `units` units before it."""
        if self.is_dense:
            return self.floor[min(units, self.units)]
        return bisect_right(self.rows.before, units) - 1

    def first_within(self, unit: int) -> int:
        """The index of the first boundary that lies in unit `unit` or after it."""
        if self.is_dense:
            return self.ceiling[max(unit, 0)]
        return bisect_left(self.rows.within, unit)

    @cached_property
    def is_dense(self) -> bool:
        """Whether boundaries are so many that a table by unit is worth its memory."""
        return self.units <= DENSE * self.end

    @cached_property
    def floor(self) -> memoryview[int]:
        """For u units, the index of the last boundary with at most u units before it."""
        return _view(_at_most(self.before, self.units + 1) - np.int32(1))

    @cached_property
    def ceiling(self) -> memoryview[int]:
        """For unit u, the index of the first boundary that lies in it or after it."""
        return _view(np.concatenate((np.zeros(1, np.int32), _at_most(self.within, self.units))))


def placed(ruler: Ruler, offsets: Offsets) -> Arrays:
    """`offsets` with their place on `ruler`."""
    return Arrays(offsets, ruler.before(offsets), ruler.within(offsets))


def distinct(sorted_offsets: Offsets) -> Offsets:
    """`sorted_offsets`, each once."""
    first = np.ones(len(sorted_offsets), dtype=np.bool_)
    first[1:] = sorted_offsets[1:] != sorted_offsets[:-1]
    return sorted_offsets[first]


def _view(array: Offsets) -> memoryview[int]:
    """`array` for reading single values as ints."""
    return memoryview(array)  # type: ignore[arg-type]


def _at_most(sorted_values: Offsets, count: int) -> Offsets:
    """For u in range(count), how many of `sorted_values` are at most u: one pass instead of `count` searches."""
    return np.cumsum(np.bincount(sorted_values, minlength=count)[:count], dtype=np.int32)


def contains(sorted_offsets: Offsets, offsets: Offsets) -> Mask:
    """For each of `offsets` whether it is among `sorted_offsets`."""
    if not len(sorted_offsets):
        return np.zeros(len(offsets), dtype=np.bool_)
    index = np.searchsorted(sorted_offsets, offsets)
    found: Mask = sorted_offsets[np.minimum(index, len(sorted_offsets) - 1)] == offsets
    return found
