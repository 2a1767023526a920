"""What a ranking of chunks is worth, on spans: how much of an answer was found, and how much was read for it.

Definitions are those of Chroma's report "Evaluating Chunking Strategies for Retrieval" (Smith and Troynikov, 2024) and
the code published with it, with lengths in characters (or in tokens, through rulers). In three places this goes its
own way: a chunk that touches a reference at zero length has not hit it; what several references of one question share
counts once; and without any chunk precision is 0. Here are their names, and each for one question;
`figures` has them for many.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from playground.core.rulers import Ruler
from playground.retrieval.figures import at_depths, omega
from playground.retrieval.groups import first_places
from playground.retrieval.hits import Axis, Hits, Wanted

Span = tuple[int, int, int]
"""The number of a document, and the offsets of a start and an end in it."""


@dataclass(frozen=True, slots=True)
class Metric:
    """What a number is called and means. `by_depth`: it depends on how many chunks are read; `binary`: 0 or 1."""

    name: str
    label: str
    help: str
    by_depth: bool = True
    binary: bool = False


METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        metric.name: metric
        for metric in (
            Metric("token_recall", "Recall", "The share of the answer that the chunks cover together."),
            Metric(
                "whole_recall", "Whole answer", "Whether each span of the answer lies whole in a chunk.", binary=True
            ),
            Metric("precision", "Precision", "The share of what was read that is answer; repeats are read again."),
            Metric("iou", "IoU", "Answer found, divided by all that was read and all that was missed."),
            Metric(
                "precision_omega",
                "Precision-Omega",
                "IoU if just the chunks that hold some of the answer were read: no retriever could do better.",
                by_depth=False,
            ),
            Metric("mrr", "MRR", "1 / the rank of the first chunk that holds any of the answer.", by_depth=False),
            Metric(
                "whole_mrr",
                "MRR, whole",
                "1 / the rank of the first chunk that holds a span of the answer whole.",
                by_depth=False,
            ),
        )
    }
)
"""The metrics by name."""


def token_recall(retrieved: Sequence[Span], references: Sequence[Span], rulers: Sequence[Ruler] | None = None) -> float:
    """The share of the references that the union of the retrieved chunks covers.

    `rulers`, one a document, measure in tokens: a token belongs to the spans that it starts in. Raises ValueError
    where a reference is empty, here and in all that follow.

    >>> token_recall([(0, 0, 60), (0, 50, 110)], [(0, 40, 140)])
    0.7
    """
    return _one(retrieved, references, rulers)["token_recall"]


def whole_recall(retrieved: Sequence[Span], references: Sequence[Span]) -> float:
    """1.0 if each reference lies whole in one of the retrieved chunks, else 0.0.

    >>> whole_recall([(0, 0, 60), (0, 50, 110)], [(0, 40, 70)]), whole_recall([(0, 0, 60)], [(0, 40, 60)])
    (0.0, 1.0)
    """
    return _one(retrieved, references, None)["whole_recall"]


def precision(retrieved: Sequence[Span], references: Sequence[Span], rulers: Sequence[Ruler] | None = None) -> float:
    """Answer found / everything retrieved, with its repeats.

    >>> precision([(0, 0, 60), (0, 50, 110)], [(0, 40, 70)])
    0.25
    """
    return _one(retrieved, references, rulers)["precision"]


def iou(retrieved: Sequence[Span], references: Sequence[Span], rulers: Sequence[Ruler] | None = None) -> float:
    """Answer found / (everything retrieved, with its repeats + answer missed).

    >>> iou([(0, 0, 60), (0, 50, 110)], [(0, 40, 140)])  # 70 / (120 + 30)
    0.4666666666666667
    """
    return _one(retrieved, references, rulers)["iou"]


def precision_omega(
    chunks: Sequence[Span],
    references: Sequence[Span],
    rulers: Sequence[Ruler] | None = None,
    *,
    repeats: bool = False,
) -> float:
    """IoU if exactly those of all `chunks` were retrieved that hold something of the references.

    As in the code published with the report, what several of these chunks share counts once; with `repeats` it counts
    as often as it would be read, as in `iou`.

    >>> precision_omega([(0, 0, 100), (0, 80, 180), (0, 160, 260)], [(0, 70, 120)])  # 50 / 180
    0.2777777777777778
    >>> precision_omega([(0, 0, 100), (0, 80, 180), (0, 160, 260)], [(0, 70, 120)], repeats=True)  # 50 / 200
    0.25
    """
    return float(omega(_hits(chunks, references, rulers), repeats)[0])


def mrr(ranked: Sequence[Span], references: Sequence[Span], *, whole: bool = False) -> float:
    """1 / the rank of the first chunk that holds some of a reference (`whole`: all of one); 0.0 if none does.

    The mean over questions is the mean reciprocal rank.

    >>> mrr([(0, 0, 40), (0, 30, 60), (0, 35, 80)], [(0, 40, 70)])
    0.5
    >>> mrr([(0, 0, 40), (0, 30, 60), (0, 35, 80)], [(0, 40, 70)], whole=True)
    0.3333333333333333
    """
    hits = _hits(ranked, references, None)
    places = hits.hold_chunk if whole else hits.cover_chunk
    return 1.0 / (1 + int(places.min())) if len(places) else 0.0


def _hits(chunks: Sequence[Span], references: Sequence[Span], rulers: Sequence[Ruler] | None) -> Hits:
    """The chunks, in their order, against the references of one question."""
    if not len(references):
        raise ValueError("a question needs a reference.")
    spans = np.array([*chunks, *references], dtype=np.int64).reshape(-1, 3)
    if (spans < 0).any() or (spans[:, 2] < spans[:, 1]).any():
        raise ValueError("a span is (document, start, end), none below 0 and the end not before the start.")
    if rulers is None:
        lengths = np.zeros(int(spans[:, 0].max()) + 1, dtype=np.int64)
        np.maximum.at(lengths, spans[:, 0], spans[:, 2])
        axis = Axis.of(lengths.tolist())
    else:
        axis = Axis.of([ruler.length for ruler in rulers], rulers)
    starts, ends = axis.at(spans[:, 0], spans[:, 1]), axis.at(spans[:, 0], spans[:, 2])
    count = len(chunks)
    question = np.zeros(len(references), dtype=np.int64)
    return Hits.of(Wanted.of(axis, 1, question, starts[count:], ends[count:]), starts[:count], ends[:count])


def _one(retrieved: Sequence[Span], references: Sequence[Span], rulers: Sequence[Ruler] | None) -> dict[str, float]:
    """The metrics of one question when all of `retrieved` is read."""
    hits = _hits(retrieved, references, rulers)
    width = len(retrieved)
    pieces = first_places(len(hits.piece_units), hits.cover_piece, hits.cover_chunk, width)
    held = first_places(len(hits.wanted.question), hits.hold_reference, hits.hold_chunk, width)
    lengths = hits.wanted.axis.measure(hits.starts, hits.ends)[None]
    figures = at_depths(hits, pieces, held, lengths, np.full((1, 1), width, dtype=np.int64))
    return {name: float(values[0, 0]) for name, values in figures.items()}
