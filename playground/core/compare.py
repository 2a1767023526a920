"""Two chunkings of one document side by side: which boundaries break a sentence that the other leaves whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from playground.core.chunking import Chunking
from playground.core.rulers import Mask, Offsets


@dataclass(frozen=True, eq=False)
class BrokenHere:
    """Boundaries of one chunking that cut a sentence: `boundaries` index them, `offsets` say where.

    `only_here[i]`: the other chunking has no boundary inside that sentence.
    """

    boundaries: Offsets
    offsets: Offsets
    only_here: Mask


def broken_sentences(here: Chunking, other: Chunking) -> BrokenHere:
    """The sentence-cutting boundaries of `here`, and which of them `other` avoids. Both: the same document."""
    boundaries = np.flatnonzero(here.sentence_cuts).astype(np.int32)
    offsets = here.ends[boundaries]
    starts = here.prepared.sentences
    if not len(boundaries):
        return BrokenHere(boundaries, offsets, np.zeros(0, dtype=np.bool_))
    also = np.unique(np.searchsorted(starts, other.ends[:-1][other.sentence_cuts], side="right"))
    return BrokenHere(boundaries, offsets, ~np.isin(np.searchsorted(starts, offsets, side="right"), also))
