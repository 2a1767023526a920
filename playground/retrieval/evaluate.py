"""Ask every question of a set, and see how much of each answer the chunks of one setting bring back.

`evaluate` chunks, ranks the chunks for each question, and keeps every figure question by question; `grid` does so for
many settings, `runs` writes what came of it to a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from playground.core.config import ChunkingConfig
from playground.retrieval.choice import BUDGETS, KS, Choice, EvaluationError, Ranker, Values
from playground.retrieval.figures import at_depths, omega
from playground.retrieval.groups import Numbers
from playground.retrieval.hits import Hits, Wanted
from playground.retrieval.intervals import Interval, bootstrap_mean, wilson
from playground.retrieval.metrics import METRICS
from playground.retrieval.phases import shifted
from playground.retrieval.questions import Question
from playground.retrieval.ranking import Pool
from playground.retrieval.reading import Ranked, ranked
from playground.retrieval.task import Documents, Questions, Task

__all__ = ["Choice", "Evaluation", "EvaluationError", "Ranker", "Task", "evaluate", "evaluated", "interval"]

OUTCOMES = ("miss", "split", "hit")


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The figures of one setting, question by question.

    `by_depth[name]` is float64 [questions, ks and then budgets], `alone[name]` float64 [questions]. `ranks` and
    `whole_ranks` are the ranks, from 1, of the first chunk that holds some of the answer, or a span of it whole (0:
    none does). `torn[q]`: some span of the answer is whole in no chunk. `ties[q]` counts the ranks among the first
    max(ks) after which a chunk with an equal score follows. `fitting` is how many chunks fit into each budget.
    """

    config: ChunkingConfig
    choice: Choice
    shift: int
    task: Task
    chunks: int
    by_depth: Mapping[str, Values]
    alone: Mapping[str, Values]
    ranks: Numbers
    whole_ranks: Numbers
    torn: npt.NDArray[np.bool_]
    ties: Numbers
    fitting: Numbers

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions, in the order of every array."""
        return self.task.questions

    def values(self, metric: str, *, k: int | None = None, budget: int | None = None) -> Values:
        """One value a question: float64 [questions]. Metrics that depend on depth take k or a budget."""
        if metric not in METRICS:
            raise EvaluationError(f"metric is {metric!r}; it can be one of {', '.join(METRICS)}.")
        if not METRICS[metric].by_depth:
            return self.alone[metric]
        return self.by_depth[metric][:, self.choice.column(k, budget)]

    def mean(self, metric: str, *, k: int | None = None, budget: int | None = None) -> Interval:
        """The mean over the questions: with Wilson's interval for yes and no, else with a bootstrap interval."""
        return interval(metric, self.values(metric, k=k, budget=budget))

    def outcomes(self, *, k: int | None = None, budget: int | None = None) -> list[str]:
        """For each question "hit" (the whole answer was read), "split" (some of it) or "miss" (nothing)."""
        whole = self.values("whole_recall", k=k, budget=budget) > 0
        some = self.values("token_recall", k=k, budget=budget) > 0
        return [OUTCOMES[number] for number in np.where(whole, 2, some.astype(int)).tolist()]

    @cached_property
    def columns(self) -> tuple[tuple[int | None, int | None], ...]:
        """The (k, budget) of each column: one of the two is None."""
        return (*((k, None) for k in self.choice.ks), *((None, budget) for budget in self.choice.budgets))


def evaluate(
    documents: Documents,
    questions: Questions,
    config: ChunkingConfig | None = None,
    retriever: str | Ranker = "bm25",
    ks: Iterable[int] = KS,
    budgets: Iterable[int] = BUDGETS,
    with_context: bool = False,
    measure: str = "character",
    shift: int = 0,
) -> Evaluation:
    """Evaluate one setting: every figure for every question. All documents are ranked together.

    `questions` are `Question`s, or pairs of the number of a document and a `Question`. `retriever` is a name of
    `RETRIEVERS` or an object with their method `each`. `shift` moves the grid of fixed mode (see `phases`). Raises
    EvaluationError.

    >>> document = Document.from_text("The sea is cold. The sun is warm. The moon is far.")
    >>> question = Question("How is the sun?", [(17, 33)])
    >>> found = evaluate(document, [question], ChunkingConfig(mode="sentence", size=6, overlap=0), ks=[1])
    >>> found.mean("token_recall", k=1).value, found.ranks.tolist()
    (1.0, [1])
    """
    choice = Choice(retriever, tuple(ks), tuple(budgets), with_context, measure)
    return evaluated(Task.of(documents, questions), config or ChunkingConfig(), choice, shift)


def interval(metric: str, values: Values) -> Interval:
    """The mean of one value a question, with the interval that suits the metric."""
    if METRICS[metric].binary and ((values == 0) | (values == 1)).all():
        return wilson(int(values.sum()), len(values))
    return bootstrap_mean(values)


def evaluated(
    task: Task, config: ChunkingConfig, choice: Choice, shift: int = 0, wanted: Wanted | None = None
) -> Evaluation:
    """`evaluate` for a task that is there already; `wanted` is what `task.wanted` found, if that is at hand."""
    wanted = wanted or task.wanted(choice.measure, config.tokenizer)
    chunkings = [shifted(one, config, shift) for one in task.prepared]
    pool, axis = Pool(chunkings), wanted.axis
    hits = Hits.of(wanted, axis.at(pool.document, pool.starts), axis.at(pool.document, pool.ends))
    rulers = [one.prepared.ruler("token", config.tokenizer) for one in chunkings]
    costs = [ruler.before(one.ends) - ruler.before(one.starts) for ruler, one in zip(rulers, chunkings, strict=True)]
    if choice.with_context:
        costs = [own + one.context_tokens(config.tokenizer) for own, one in zip(costs, chunkings, strict=True)]
    found = ranked(task, choice, pool, hits, np.concatenate(costs).astype(np.int64))
    return _figures(task, config, choice, shift, hits, found)


def _figures(task: Task, config: ChunkingConfig, choice: Choice, shift: int, hits: Hits, found: Ranked) -> Evaluation:
    """All metrics from the leading chunks."""
    count, width = found.top.shape
    spent = np.cumsum(found.costs[found.top], axis=1)
    fitting = np.array([np.count_nonzero(spent <= budget, axis=1) for budget in choice.budgets], np.int64)
    fitting = fitting.reshape(-1, count).T
    fixed = np.broadcast_to(np.minimum(np.array(choice.ks, np.int64), width), (count, len(choice.ks)))
    lengths = hits.wanted.axis.measure(hits.starts, hits.ends)[found.top]
    depths = np.concatenate((fixed, fitting), axis=1)
    return Evaluation(
        config,
        choice,
        shift,
        task,
        len(hits.starts),
        at_depths(hits, found.piece_places, found.reference_places, lengths, depths),
        {
            "precision_omega": omega(hits),
            "mrr": _reciprocal(found.ranks),
            "whole_mrr": _reciprocal(found.whole_ranks),
        },
        found.ranks,
        found.whole_ranks,
        ~hits.held,
        np.count_nonzero(found.follows[:, : max(choice.ks, default=0)], axis=1).astype(np.int64),
        fitting,
    )


def _reciprocal(ranks: Numbers) -> Values:
    return np.divide(1.0, ranks, out=np.zeros(len(ranks)), where=ranks > 0)
