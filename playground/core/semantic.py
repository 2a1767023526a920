"""Where the subject of a text changes: similarity along the sentences, a threshold, and the valleys below it.

At each sentence boundary the few sentences before are compared with the few after; a low similarity says that the talk
has moved on. The semantic mode cuts at `breakpoints`, and the page draws `similarity_curve` with the threshold. Moving
a slider costs array arithmetic only: the sums of `sentence_sums` are made once a document.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from playground.core.rulers import Offsets
from playground.core.thresholds import THRESHOLDS
from playground.core.vectors import SpanVectors

Curve = npt.NDArray[np.float32]

SAME = 1e-5
"""Neighbours on the curve no further apart than this are level: the arithmetic is exact to about a tenth of it."""

_BATCH = 512  # boundaries at once, so that what is in between stays in the processor's cache


def sentence_sums(vectors: SpanVectors | str, sentence_starts: Offsets) -> npt.NDArray[np.float32]:
    """Return for each sentence the sum of its tokens' vectors: float32 [sentences, dimensions].

    A sentence goes to where the next one starts, the last one to the end. Give the text itself, or its `SpanVectors`
    where they are at hand.
    """
    embedded = SpanVectors.of(vectors) if isinstance(vectors, str) else vectors
    ends = np.append(sentence_starts[1:], np.iinfo(np.int32).max)[: len(sentence_starts)]
    return embedded.span_sums(sentence_starts, ends)


def similarity_curve(sums: npt.NDArray[np.float32], window: int) -> Curve:
    """Return the similarity across each sentence boundary: float32 [sentences - 1], from -1 to 1.

    Value i belongs to the boundary before sentence i + 1. It is the cosine between the mean vector of the `window`
    sentences before the boundary and that of the `window` sentences after it, fewer at the ends of the text; the cosine
    of two means is that of the two sums. Comparing neighbouring stretches is the idea of TextTiling, with static
    vectors in place of word counts; a larger window smooths. Where one side has no token at all nothing speaks for
    a change: 1. Raises ValueError for a window below 1.
    """
    if window < 1:
        raise ValueError(f"the window is {window}: compare at least 1 sentence")
    count = len(sums)
    if count < 2:
        return np.zeros(0, np.float32)
    width = min(window, count - 1)
    padded = np.zeros((count + 2 * width - 2, sums.shape[1]), np.float32)  # no sentence adds nothing
    padded[width - 1 : width - 1 + count] = sums
    curve = np.empty(count - 1, np.float32)
    step = max(_BATCH, 2 * width)
    for at in range(0, count - 1, step):
        curve[at : at + step] = _similarities(padded[at : at + step + 2 * width - 1], width)
    return curve


def _similarities(rows: npt.NDArray[np.float32], width: int) -> Curve:
    """The cosine of the sums of `width` rows and of the next `width` rows, from each row on; 1 where one is zero."""
    sides = _running_sums(rows, width)
    products = np.einsum("ij,ij->i", sides[:-width], sides[width:])
    lengths = np.sqrt(np.einsum("ij,ij->i", sides, sides))
    scale = lengths[:-width] * lengths[width:]
    cosines: Curve = np.ones_like(products)
    np.divide(products, scale, out=cosines, where=scale > 0)
    return cosines.clip(-1, 1, out=cosines)


def _running_sums(rows: npt.NDArray[np.float32], width: int) -> npt.NDArray[np.float32]:
    """The sums of `width` rows from each row on, by doubling: few additions, and no digits lost as in long sums."""
    if width == 1:
        return rows
    half = width // 2
    part = _running_sums(rows, half)
    total = part[:-half] + part[half:]
    return total[:-1] + rows[2 * half :] if width % 2 else total


def threshold_value(curve: Curve, kind: str, amount: float) -> float:
    """Return the similarity at or below which a boundary may be cut.

    - "percentile": the value that `amount` percent of the curve lie at or below, linear between two values; with 0 it
      is just below the lowest, so that nothing is cut. It adapts to any document and always finds some places, changes
      of subject or not. Practice often gives it the other way round, as a distance: its 95 is 5 here.
    - "deviation": mean minus `amount` standard deviations (of the whole curve). It asks for places that stand out, and
      finds none in an even text.
    - "absolute": `amount` itself, comparable between documents.

    Raises ValueError for another kind, a percentile outside 0 to 100, or an amount that is no finite number. Without a
    boundary it is -1, or `amount` if absolute.

    >>> threshold_value(np.array([0.2, 0.4, 0.6, 0.8], np.float32), "absolute", 0.5)
    0.5
    """
    if kind not in THRESHOLDS:
        raise ValueError(f"unknown threshold {kind!r}: choose one of {', '.join(THRESHOLDS)}")
    if not math.isfinite(amount):
        raise ValueError(f"the amount is {amount}: give a number")
    if not len(curve) and kind != "absolute":
        return -1.0
    return THRESHOLDS[kind].similarity(curve.astype(np.float64), float(amount))


def breakpoints(curve: Curve, threshold: float) -> Offsets:
    """Return the increasing indices of the boundaries to cut: index i cuts before sentence i + 1.

    A change of subject lowers the similarity on several boundaries around it, so a low value alone would cut several
    times. Cut is where a value at or below `threshold` is also the bottom of a valley: no neighbour is lower, one at
    least is higher. A level bottom is cut once, in its middle. A curve that is level throughout has no valley, nor has
    a single boundary, which nothing can be compared with.

    >>> breakpoints(np.array([0.9, 0.2, 0.1, 0.3, 0.9, 0.4, 0.4, 0.4], np.float32), 0.5).tolist()
    [2, 6]
    """
    firsts, values, is_bottom = _levels(curve)
    lasts = np.append(firsts[1:], len(curve))[: len(firsts)] - 1
    middles = ((firsts + lasts) // 2).astype(np.int32)
    cuts: Offsets = middles[is_bottom & (values.astype(np.float64) <= threshold)]
    return cuts


def _levels(curve: Curve) -> tuple[npt.NDArray[np.int64], Curve, npt.NDArray[np.bool_]]:
    """The level stretches of the curve: where each starts, its lowest value, whether it is the bottom of a valley."""
    if not len(curve):
        return np.zeros(0, np.int64), curve, np.zeros(0, np.bool_)
    firsts = np.concatenate(([0], np.flatnonzero(np.abs(np.diff(curve)) > SAME) + 1))
    values = np.minimum.reduceat(curve, firsts)
    falls = np.diff(values) < 0
    is_bottom = np.append(True, falls) & ~np.append(falls, False) & (len(firsts) > 1)
    return firsts, values, is_bottom


def _depths(curve: Curve) -> npt.NDArray[np.float32]:
    """How far the bottom of each valley lies below the lower of its two shoulders.

    A shoulder is the highest value up to the next bottom. At an end of the text there is but one: the depth is 0.
    """
    _, values, is_bottom = _levels(curve)
    at = np.flatnonzero(is_bottom)
    if not len(at):
        return np.zeros(0, np.float32)
    after = np.maximum.reduceat(values, at)
    before = np.append(values[: at[0] + 1].max(), after[:-1])
    depths: npt.NDArray[np.float32] = np.minimum(before, after) - values[at]
    return depths


FEW_SENTENCES = 20
"""Below this the lowest 5 percent are less than one boundary, and windows of 3 reach across a third of the text."""

LITTLE_SPREAD = 0.14
"""Interquartile range. Prose with its sentences shuffled, where no subject is left to change, has 0.12 to 0.14 on
average at windows of 1 to 8; of the sample documents, those of many subjects have 0.15 and more."""

SHALLOW = 0.10
"""Depth of the deepest valley. It is 0.22 and more in those documents, and below 0.10 in level stretches of them."""


def worth_it(curve: Curve) -> str | None:
    """Return a sentence saying why semantic splitting is not worth it for this curve, None if it may be.

    That is so for a text of few sentences, for a curve whose middle half hardly spreads, and for one without a clear
    valley: then the cuts follow chance, and the sentence or paragraph mode gives as much for less.
    """
    sentences = len(curve) + 1
    if sentences < FEW_SENTENCES:
        return f"The text has fewer than {FEW_SENTENCES} sentences: too few to tell a change of subject from chance."
    low, high = np.percentile(curve, (25, 75))
    if high - low < LITTLE_SPREAD:
        return "Similarity hardly varies along this text, no more than in shuffled sentences: cuts would follow chance."
    if _depths(curve).max(initial=0) < SHALLOW:
        return "Similarity has no clear valley in this text: it changes its subject slowly or not at all."
    return None
