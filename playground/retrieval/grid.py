"""Many settings on the same questions: cell by cell, so that a map fills while one waits and can be stopped.

A cell of fixed mode may stand for several phases of its grid. `compared` says which cell is best, and which others the
questions cannot tell from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from playground.core.config import ChunkingConfig
from playground.retrieval.choice import BUDGETS, KS, Choice, EvaluationError, Ranker, Values
from playground.retrieval.evaluate import Evaluation, evaluated, interval
from playground.retrieval.hits import Wanted
from playground.retrieval.intervals import Interval, not_separable, questions_needed
from playground.retrieval.phases import shifts
from playground.retrieval.task import Documents, Questions, Task

PHASES = 8


@dataclass(frozen=True, eq=False)
class Cell:
    """One setting, evaluated at one phase of its grid or at several; it is the `number`th of `count`, from 1."""

    number: int
    count: int
    evaluations: tuple[Evaluation, ...]

    @property
    def config(self) -> ChunkingConfig:
        """The setting."""
        return self.evaluations[0].config

    def values(self, metric: str, *, k: int | None = None, budget: int | None = None) -> Values:
        """One value a question, the mean over the phases: float64 [questions]."""
        found: Values = np.mean([one.values(metric, k=k, budget=budget) for one in self.evaluations], axis=0)
        return found

    def mean(self, metric: str, *, k: int | None = None, budget: int | None = None) -> Interval:
        """The mean over questions and phases, and how sure it is given so many questions."""
        return interval(metric, self.values(metric, k=k, budget=budget))

    def span(self, metric: str, *, k: int | None = None, budget: int | None = None) -> tuple[float, float]:
        """The smallest and the largest mean over the questions that any of the phases has."""
        means = [float(one.values(metric, k=k, budget=budget).mean()) for one in self.evaluations]
        return min(means), max(means)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Cells by one metric. `values` is float64 [cells, questions], `means` its means, `best` the first best cell.

    `inseparable[c]`: the questions cannot tell cell c from the best. `needed[c]` is how many questions would, if the
    difference is what it seems to be (None: there is none).
    """

    values: Values
    means: Values
    best: int
    inseparable: npt.NDArray[np.bool_]
    needed: tuple[int | None, ...]

    def rescued(self, one: int, other: int) -> tuple[list[int], list[int]]:
        """The numbers of the questions that cell `one` does better than `other`, and of those it does worse."""
        difference = self.values[one] - self.values[other]
        return np.flatnonzero(difference > 0).tolist(), np.flatnonzero(difference < 0).tolist()


def grid(
    documents: Documents,
    questions: Questions,
    configs: Iterable[ChunkingConfig],
    retriever: str | Ranker = "bm25",
    ks: Iterable[int] = KS,
    budgets: Iterable[int] = BUDGETS,
    with_context: bool = False,
    measure: str = "character",
    phase_count: int = 1,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Cell]:
    """Evaluate one setting after the other, and yield each when it is done.

    Documents, questions and choices are checked at the call, so an error comes before the first cell. Stop by not
    asking for more, or from elsewhere through `is_stopped`, which is asked before every evaluation. With `phase_count`
    above 1 the grid of fixed mode is evaluated at so many shifts.
    """
    choice = Choice(retriever, tuple(ks), tuple(budgets), with_context, measure)
    plans = [(config, shifts(config, phase_count)) for config in configs]
    return _cells(Task.of(documents, questions), plans, choice, is_stopped)


def phases(
    documents: Documents,
    questions: Questions,
    config: ChunkingConfig,
    retriever: str | Ranker = "bm25",
    ks: Iterable[int] = KS,
    budgets: Iterable[int] = BUDGETS,
    with_context: bool = False,
    measure: str = "character",
    count: int = PHASES,
) -> Cell:
    """One setting at `count` shifts of its grid by a part of the stride: `mean` is over all of them, `span` the range.

    A setting without a grid (see `phases.can_shift`) is evaluated once.
    """
    return next(grid(documents, questions, [config], retriever, ks, budgets, with_context, measure, count))


def compared(cells: Sequence[Cell], metric: str, *, k: int | None = None, budget: int | None = None) -> Comparison:
    """Compare cells question by question (paired bootstrap). The cells must have been asked the same questions."""
    if not cells:
        raise EvaluationError("there is no cell to compare.")
    if any(cell.evaluations[0].questions != cells[0].evaluations[0].questions for cell in cells):
        raise EvaluationError("the cells were not asked the same questions.")
    values = np.stack([cell.values(metric, k=k, budget=budget) for cell in cells])
    means: Values = values.mean(axis=1)
    best = int(np.argmax(means))
    differences = values[best] - values
    spreads = differences.std(axis=1, ddof=1) if values.shape[1] > 1 else np.zeros(len(cells))
    needed = tuple(map(questions_needed, differences.mean(axis=1).tolist(), spreads.tolist()))
    return Comparison(values, means, best, not_separable(values, best), needed)


def _cells(
    task: Task,
    plans: Sequence[tuple[ChunkingConfig, tuple[int, ...]]],
    choice: Choice,
    is_stopped: Callable[[], bool],
) -> Iterator[Cell]:
    wanted: dict[str, Wanted] = {}
    for number, (config, moves) in enumerate(plans, start=1):
        tokenizer = config.tokenizer if choice.measure == "token" else ""
        if tokenizer not in wanted:
            wanted[tokenizer] = task.wanted(choice.measure, config.tokenizer)
        evaluations = []
        for move in moves:
            if is_stopped():
                return
            evaluations.append(evaluated(task, config, choice, move, wanted[tokenizer]))
        yield Cell(number, len(plans), tuple(evaluations))
