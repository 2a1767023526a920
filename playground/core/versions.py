"""What a second chunking means for an index that holds the first: which chunks stay, which are new, which are stale.

The second may be of the same document with other settings, or of a new version of it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from playground.core.chunking import Chunking

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Changes:
    """`stale[i]`: chunk i of the first has to leave the index. `new[j]`: chunk j of the second has to be embedded.

    `same_ids` counts the ids that both have. An id says where a chunk stands, not what it says: after an insertion the
    chunks behind it keep their text and vector, but not their id.
    """

    stale: Flags
    new: Flags
    same_ids: int

    @property
    def unchanged(self) -> int:
        """How many chunks of the second need not be embedded again."""
        return int(np.count_nonzero(~self.new))


def changes(before: Chunking, after: Chunking) -> Changes:
    """Match the chunks of two chunkings by what a model reads of them, context included; a text that occurs twice is
    matched twice.

    A new version with one sentence more in the last of 5 chunks: `stale` and `new` are [F F F F T].
    """
    texts = [[chunk.embedded for chunk in chunking] for chunking in (before, after)]
    ids = [{chunk.id for chunk in chunking} for chunking in (before, after)]
    stale, new = (_unmatched(one, other) for one, other in (texts, reversed(texts)))
    return Changes(stale, new, len(ids[0] & ids[1]))


def _unmatched(texts: list[str], others: list[str]) -> Flags:
    """For each text whether `others` has no more of it left."""
    left = Counter(others)
    flags = np.zeros(len(texts), np.bool_)
    for index, text in enumerate(texts):
        flags[index] = not left[text]
        left[text] -= 0 if flags[index] else 1
    return flags
