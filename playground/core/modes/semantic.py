"""Semantic: a new chunk where the subject seems to change, by the similarity of what is before and after a sentence.

Topics are walled; within one, whole sentences are packed up to the size, and a topic below the smallest size joins the
next. Everything but the first embedding of the document is array arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from playground.core.modes.mode import Mode, plain_plan
from playground.core.plan import Areas, Plan
from playground.core.prepared import Prepared
from playground.core.rulers import Offsets
from playground.core.semantic import breakpoints, sentence_sums, similarity_curve, threshold_value, worth_it
from playground.core.vectors import SpanVectors

if TYPE_CHECKING:
    from playground.core.config import ChunkingConfig


@dataclass(frozen=True, eq=False)
class Topics:
    """The similarity across each sentence boundary, the threshold, and which boundaries are cut before `min_size`.

    `offsets[i]` is the boundary of `curve[i]`; `cuts` are indices into both.
    """

    offsets: Offsets
    curve: npt.NDArray[np.float32]
    threshold: float
    cuts: Offsets


def vectors_of(prepared: Prepared) -> SpanVectors:
    """The embedded document, made once."""
    return prepared.once("vectors", lambda: SpanVectors.of(prepared.document.text))


def topics(prepared: Prepared, config: ChunkingConfig) -> Topics:
    """Where the subject changes under the threshold of `config`."""
    sums = prepared.once("sentence sums", lambda: sentence_sums(vectors_of(prepared), prepared.sentences))
    curve = prepared.lately("curve", config.window, lambda: similarity_curve(sums, config.window))

    def make() -> Topics:
        threshold = threshold_value(curve, config.threshold, config.amount)
        return Topics(prepared.sentences[1:], curve, threshold, breakpoints(curve, threshold))

    return prepared.lately("topics", (config.window, config.threshold, config.amount), make)


def doubt(prepared: Prepared, config: ChunkingConfig) -> str | None:
    """Why cutting by subject is not worth it in this document, if it is not."""
    return prepared.lately("doubt", config.window, lambda: worth_it(topics(prepared, config).curve))


def plan(prepared: Prepared, config: ChunkingConfig) -> Plan:
    """Sentences, words, units; a wall at every change of subject."""
    found = topics(prepared, config)
    starts = np.concatenate((np.zeros(1, np.int32), found.offsets[found.cuts]))
    starts = np.unique(prepared.cuttable(starts, config.unit, config.tokenizer))
    starts = _joined(prepared, config, starts)
    packed = plain_plan(prepared, config, ("sentence", "word", "unit"))
    return replace(packed, areas=Areas.walled(starts, config.size, "topic"))


def _joined(prepared: Prepared, config: ChunkingConfig, starts: Offsets) -> Offsets:
    """`starts` without those that would leave a topic below the smallest size before them."""
    if not config.smallest_piece:
        return starts
    ruler = prepared.ruler(config.unit, config.tokenizer)
    before = ruler.before(starts).tolist()
    kept = [0]
    for number in range(1, len(starts)):
        if before[number] - before[kept[-1]] >= config.smallest_piece:
            kept.append(number)
    joined: Offsets = starts[np.array(kept)]
    return joined


def is_ready(prepared: Prepared, config: ChunkingConfig) -> bool:
    """Whether the document was embedded."""
    return prepared.knows("sentence sums")


MODE = Mode("semantic", "Semantic", "Starts a new chunk where the similarity between sentences drops.", plan, is_ready)
