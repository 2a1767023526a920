"""Boundaries by level and index, and chunks made of them: what packing works with and hands on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from playground.core.boundaries import Level
from playground.core.rulers import Offsets

Indices = npt.NDArray[np.intp]
Place = tuple[int, int]
"""One boundary: the number of its level, and its index there."""


@dataclass(frozen=True, eq=False)
class Places:
    """Boundaries, each given by the level it belongs to and its index there."""

    level: npt.NDArray[np.int8]
    index: Indices

    @classmethod
    def at(cls, level: int, index: Indices) -> Places:
        """All of them on one level."""
        return cls(np.full(len(index), level, dtype=np.int8), index)

    @classmethod
    def join(cls, parts: Sequence[Places]) -> Places:
        """One after the other."""
        return cls(np.concatenate([p.level for p in parts]), np.concatenate([p.index for p in parts]))

    def __getitem__(self, chosen: Indices | npt.NDArray[np.bool_] | slice) -> Places:
        return Places(self.level[chosen], self.index[chosen])

    def __len__(self) -> int:
        return len(self.index)

    def read(self, levels: Sequence[Level], field: str) -> Offsets:
        """Their `offsets`, `before` or `within`."""
        if len(levels) == 1:
            return getattr(levels[0], field)[self.index]  # type: ignore[no-any-return]
        values = np.empty(len(self), dtype=np.int32)
        for number, level in enumerate(levels):
            here = np.flatnonzero(self.level == number)
            if not len(here):
                continue  # nobody has asked for this level yet
            values[here] = getattr(level, field)[self.index[here]]
        return values


@dataclass(frozen=True, eq=False)
class Packed:
    """Chunk k goes from the boundary `starts[k]` to the boundary `cuts[k]`; `merged[k]`: a short tail joined it."""

    starts: Places
    cuts: Places
    merged: npt.NDArray[np.bool_] | None = None

    def __getitem__(self, chosen: npt.NDArray[np.bool_]) -> Packed:
        return Packed(self.starts[chosen], self.cuts[chosen], None if self.merged is None else self.merged[chosen])
