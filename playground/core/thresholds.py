"""Ways to say how deep a drop in similarity must be to start a new chunk: each with its range and its formula."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Threshold:
    """`similarity(values, amount)` makes a similarity from the curve's values; `amount` is usually `default`.

    `low` to `high` are the amounts that a configuration may have.
    """

    label: str
    default: float
    low: float
    high: float
    help: str
    similarity: Callable[[Values, float], float]


def _percentile(values: Values, amount: float) -> float:
    if not 0 <= amount <= 100:
        raise ValueError(f"the percentile is {amount}: choose 0 to 100")
    return float(np.percentile(values, amount)) if amount else math.nextafter(float(values.min()), -math.inf)


def _deviation(values: Values, amount: float) -> float:
    return float(values.mean() - amount * values.std())


def _absolute(values: Values, amount: float) -> float:
    return amount


THRESHOLDS: Mapping[str, Threshold] = MappingProxyType(
    {
        "percentile": Threshold(
            "Percentile", 20.0, 0.0, 100.0, "Cuts valleys among so many percent of the lowest.", _percentile
        ),
        "deviation": Threshold(
            "Standard deviation", 1.0, 0.0, 4.0, "Cuts so many standard deviations below the mean.", _deviation
        ),
        "absolute": Threshold("Absolute", 0.3, -1.0, 1.0, "Cuts where the similarity is at most this.", _absolute),
    }
)
"""The ways by name."""
