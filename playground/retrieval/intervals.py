"""How sure a figure is, and how sure a difference: intervals over questions, and settings that cannot be told apart.

A set of twenty questions is a sample of all that could be asked. Shares of yes and no get Wilson's interval, means the
percentile bootstrap over questions; two settings are compared on the same questions, pair by pair, since a question
that is hard is hard for both. Everything random is seeded: the same values give the same interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
CONFIDENCE = 0.95
RESAMPLES = 2_000
SEED = 20_240_703
POWER = 0.8
_SLACK = 1e-12
"""Below this a difference of means is rounding: the same questions summed in another order."""
_KEPT = 4_000_000
"""Draws that are kept for the next call: 32 MB of them."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure over `count` questions, and between what bounds it lies at the level of confidence asked for."""

    value: float
    low: float
    high: float
    count: int


def wilson(successes: int, count: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's score interval for a share (Wilson 1927); without questions it is 0 to 1.

    >>> found = wilson(8, 10)
    >>> round(found.low, 3), round(found.high, 3)
    (0.49, 0.943)
    """
    if not 0 <= successes <= count:
        raise ValueError(f"{successes} of {count} is no share.")
    if not count:
        return Interval(0.0, 0.0, 1.0, 0)
    z, share = _quantile(confidence), successes / count
    middle = share + z * z / (2 * count)
    reach = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    below = 1 + z * z / count
    return Interval(share, max(0.0, (middle - reach) / below), min(1.0, (middle + reach) / below), count)


def bootstrap_mean(
    values: npt.ArrayLike, confidence: float = CONFIDENCE, resamples: int = RESAMPLES, seed: int = SEED
) -> Interval:
    """The mean of one value a question, and its percentile bootstrap interval.

    With few questions it is somewhat too narrow, and where all values are equal it has no width.
    """
    found = _checked(values)
    low, high = bounds(resampled_means(found[:, None], resamples, seed), confidence)
    return Interval(float(found.mean()), float(low[0]), float(high[0]), len(found))


def not_separable(
    values: Values,
    best: int | None = None,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> npt.NDArray[np.bool_]:
    """Which settings the questions cannot tell from the best one: bool [settings], true for the best itself.

    `values` is [settings, questions]; `best` is the row to compare with (default: the first with the largest mean). A
    setting is separable where the paired bootstrap interval of its difference from the best leaves out zero. Each is
    compared by itself: among many settings, and with the best chosen by the same questions, a few are separated by
    chance.
    """
    rows = np.asarray(values, dtype=np.float64)
    top = int(np.argmax(rows.mean(axis=1))) if best is None else best
    low, high = bounds(resampled_means((rows[top] - rows).T, resamples, seed), confidence)
    mask: npt.NDArray[np.bool_] = (low <= _SLACK) & (high >= -_SLACK)
    return mask


def questions_needed(
    difference: float, deviation: float, confidence: float = CONFIDENCE, power: float = POWER
) -> int | None:
    """How many questions it takes to see a true mean difference with `power`; None if there is no difference.

    `deviation` is the standard deviation of the differences between the two settings, question by question. The normal
    approximation of a paired comparison: ((z of the confidence + z of the power) * deviation / difference)^2.

    >>> questions_needed(0.05, 0.3)
    283
    """
    if abs(difference) <= _SLACK:
        return None
    both = _quantile(confidence) + NormalDist().inv_cdf(power)
    return max(2, math.ceil((both * deviation / difference) ** 2))


def resampled_means(values: Values, resamples: int = RESAMPLES, seed: int = SEED) -> Values:
    """The mean of every column over resampled rows: float64 [resamples, columns] of values [questions, columns]."""
    count = len(values)
    if count * resamples <= _KEPT:
        return np.asarray(_draws(count, resamples, seed) @ values) / count
    means, step = np.empty((resamples, values.shape[1])), max(1, _KEPT // count)
    generator = np.random.default_rng(seed)
    for at in range(0, resamples, step):
        part = _drawn(generator, count, min(step, resamples - at))
        means[at : at + step] = part @ values / count
    return means


def bounds(means: Values, confidence: float = CONFIDENCE) -> tuple[Values, Values]:
    """The lower and upper percentile of each column."""
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail], axis=0)
    return low, high


@lru_cache(maxsize=4)
def _draws(count: int, resamples: int, seed: int) -> Values:
    """How often each of `count` questions was drawn in each resample."""
    return _drawn(np.random.default_rng(seed), count, resamples)


def _drawn(generator: np.random.Generator, count: int, resamples: int) -> Values:
    rows = np.arange(resamples, dtype=np.int64)[:, None] * count
    drawn = generator.integers(0, count, (resamples, count)) + rows
    return np.bincount(drawn.reshape(-1), minlength=resamples * count).reshape(resamples, count).astype(np.float64)


def _checked(values: npt.ArrayLike) -> Values:
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1 or not len(found):
        raise ValueError("one value for each question is needed, and at least one question.")
    return found


def _quantile(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise ValueError(f"the confidence is {confidence}; it must lie between 0 and 1.")
    return NormalDist().inv_cdf((1 + confidence) / 2)
