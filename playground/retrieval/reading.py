"""Rank the chunks for every question, and keep only what the figures need: scores come and go in batches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from playground.retrieval.choice import Choice, EvaluationError
from playground.retrieval.groups import Numbers, first_places
from playground.retrieval.hits import Hits
from playground.retrieval.leading import leading, ranks_of
from playground.retrieval.ranking import Pool
from playground.retrieval.task import Task

Values = npt.NDArray[np.float64]

_CELLS = 500_000
"""Scores that are held at once: 4 MB of them, which stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Ranked:
    """What is left of the scores: the leading chunks, where pieces and references have their first chunk, and ties."""

    top: Numbers
    follows: npt.NDArray[np.bool_]
    costs: Numbers
    piece_places: Numbers
    reference_places: Numbers
    ranks: Numbers
    whole_ranks: Numbers


def ranked(task: Task, choice: Choice, pool: Pool, hits: Hits, costs: Numbers) -> Ranked:
    """Rank the chunks for every question, a batch of questions at a time."""
    count, chunks = len(task.questions), len(pool)
    fitting = int(np.searchsorted(np.cumsum(np.sort(costs)), max(choice.budgets, default=0), side="right"))
    width = min(chunks, max(fitting, max(choice.ks, default=0)))
    top, follows = np.zeros((count, width), np.int64), np.zeros((count, width), np.bool_)
    cover_question = hits.piece_question[hits.cover_piece]
    hold_question = hits.wanted.question[hits.hold_reference]
    cover_places, hold_places = (np.full(len(pairs), width, np.int64) for pairs in (cover_question, hold_question))
    ranks, whole_ranks = np.zeros(count, np.int64), np.zeros(count, np.int64)
    rows = choice.ranker.each(pool, [one.question for one in task.questions], choice.with_context)
    step = max(1, _CELLS // max(chunks, 1))
    for at in range(0, count, step):
        here = range(at, min(at + step, count))
        scores = _scores(rows, len(here), chunks)
        batch = slice(here.start, here.stop)
        top[batch], follows[batch] = leading(scores, width)
        place = np.full(scores.shape, width, dtype=np.int32)
        np.put_along_axis(place, top[batch], np.arange(width, dtype=np.int32)[None], axis=1)
        for question, chunk, places, first in (
            (cover_question, hits.cover_chunk, cover_places, ranks),
            (hold_question, hits.hold_chunk, hold_places, whole_ranks),
        ):
            pairs = slice(*np.searchsorted(question, (here.start, here.stop)).tolist())
            row, column = question[pairs] - at, chunk[pairs]
            places[pairs] = place[row, column]
            first[batch] = _first_ranks(scores, row, column, places[pairs], width)
    return Ranked(
        top,
        follows,
        costs,
        first_places(len(hits.piece_units), hits.cover_piece, cover_places, width),
        first_places(len(hits.wanted.question), hits.hold_reference, hold_places, width),
        ranks,
        whole_ranks,
    )


def _scores(rows: Iterator[Values], count: int, chunks: int) -> Values:
    """The next rows of scores, as an array."""
    scores = np.empty((count, chunks))
    for number in range(count):
        scores[number] = next(rows)
    if np.isnan(scores).any():
        raise EvaluationError("a score is not a number.")
    return scores


def _first_ranks(scores: Values, row: Numbers, column: Numbers, places: Numbers, width: int) -> Numbers:
    """For each row the rank, from 1, of the best of its columns; 0 where it has none. The pairs are sorted by row."""
    found = first_places(len(scores), row, places, width)
    ranks = np.where(found < width, found + 1, 0)
    late = np.flatnonzero(found[row] >= width)
    if len(late):  # not among the leading ones: count what is before the best of them
        row, column = row[late], column[late]
        order = np.lexsort((column, -scores[row, column], row))
        best = order[np.flatnonzero(np.diff(row[order], prepend=-1))]
        ranks[row[best]] = ranks_of(scores, row[best], column[best])
    return ranks
