"""How much neighbouring chunks share, and why it is less than what was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from playground.core.boundaries import Level
from playground.core.places import Packed
from playground.core.rulers import Offsets


class Limit(IntEnum):
    """Why an overlap is smaller than what was asked for."""

    NONE = 0
    WHOLE = 1
    """Only whole pieces are repeated, and one more would be too much."""
    ROOM = 2
    """More would leave no room for the piece that comes next."""
    LARGE = 3
    """The next piece is larger than the size, so it starts afresh."""
    END = 4
    """The document ends there: only with `tail="keep"` does another chunk follow."""


def overlaps(levels: Sequence[Level], packed: Packed) -> Offsets:
    """The units that each chunk but the first repeats; a unit that a cut without overlap splits is not repeated."""
    cut, start = packed.cuts[:-1], packed.starts[1:]
    repeats = start.read(levels, "offsets") < cut.read(levels, "offsets")
    shared = cut.read(levels, "before") - start.read(levels, "within")
    return np.where(repeats, shared, np.int32(0))


def why_less(levels: Sequence[Level], packed: Packed, size: int, overlap: int) -> npt.NDArray[np.int8]:
    """For each pair of neighbours the `Limit` that kept their overlap below `overlap` (NONE: it is in full)."""
    cut = packed.cuts[:-1]
    why = np.full(len(cut), Limit.WHOLE, dtype=np.int8)
    for number, level in enumerate(levels):
        here = np.flatnonzero(cut.level == number)
        index = cut.index[here]
        following = np.minimum(index + 1, level.end)
        room = level.before[following] - size > level.before[index] - overlap
        why[here[room]] = Limit.ROOM
        why[here[level.before[following] - level.within[index] > size]] = Limit.LARGE
    why[cut.read(levels, "offsets") == levels[0].offsets[-1]] = Limit.END
    why[overlaps(levels, packed) >= overlap] = Limit.NONE
    return why
