"""The metrics of many questions at once, from what `hits` found and where each chunk was ranked."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from playground.retrieval.groups import Numbers
from playground.retrieval.hits import Hits

Values = npt.NDArray[np.float64]


def at_depths(
    hits: Hits, piece_places: Numbers, reference_places: Numbers, lengths: Numbers, depths: Numbers
) -> dict[str, Values]:
    """The metrics that depend on depth: for each name float64 [questions, columns].

    `piece_places` and `reference_places` hold the place, from 0, in its question's ranking of the first chunk that
    covers each piece or holds each reference (the width of `lengths` where there is none). `lengths[q, i]` are the
    units of the chunk at place i, and `depths[q, c]` is how many chunks column c reads.
    """
    count, width = lengths.shape
    found = np.zeros((count, width + 2))
    found.reshape(-1)[:] = np.bincount(
        hits.piece_question * (width + 2) + piece_places + 1, weights=hits.piece_units, minlength=found.size
    )
    read = np.zeros((count, width + 1))
    np.cumsum(lengths, axis=1, out=read[:, 1:])
    hit = np.take_along_axis(np.cumsum(found, axis=1), depths, axis=1)
    retrieved = np.take_along_axis(read, depths, axis=1)
    last = np.zeros(count, dtype=np.int64)
    np.maximum.at(last, hits.wanted.question, reference_places)
    total = hits.wanted.totals[:, None].astype(np.float64)
    return {
        "token_recall": divided(hit, total),
        "whole_recall": (last[:, None] < depths).astype(np.float64),
        "precision": divided(hit, retrieved),
        "iou": divided(hit, retrieved + total - hit),
    }


def omega(hits: Hits, repeats: bool = False) -> Values:
    """Precision-Omega of each question: float64 [questions]."""
    reachable = hits.reachable.astype(np.float64)
    return divided(reachable, hits.touched_units(repeats) + hits.wanted.totals - reachable)


def divided(above: Values, below: Values) -> Values:
    """The quotient, and 0 where there is nothing to divide by."""
    above, below = np.broadcast_arrays(above, below)
    return np.divide(above, below, out=np.zeros(above.shape), where=below > 0)
