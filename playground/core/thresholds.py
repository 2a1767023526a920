"""Ways to say how deep a drop in similarity must be to start a new chunk: for each its range and its usual amount."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Threshold:
    """`amount` lies between `low` and `high`."""

    label: str
    default: float
    low: float
    high: float
    help: str


THRESHOLDS: Mapping[str, Threshold] = MappingProxyType(
    {
        "percentile": Threshold("Percentile", 20.0, 0.0, 100.0, "Cuts valleys among so many percent of the lowest."),
        "deviation": Threshold("Standard deviation", 1.0, 0.0, 4.0, "Cuts so many standard deviations below the mean."),
        "absolute": Threshold("Absolute", 0.3, -1.0, 1.0, "Cuts where the similarity is at most this."),
    }
)
"""The ways by name."""
