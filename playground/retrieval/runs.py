"""A run as a file: what was asked of which documents, every figure with its interval, and enough to do it again.

JSON holds a run as it is; CSV has a row for each figure, to look at in a spreadsheet, and both can be repeated. A run
remembers versions: of the documents, of the questions, of the code. `repeated` refuses other documents or questions,
and says so where the code is another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from playground.core.config import ChunkingConfig
from playground.retrieval.choice import EvaluationError
from playground.retrieval.evaluate import Evaluation
from playground.retrieval.grid import Cell, grid
from playground.retrieval.metrics import METRICS
from playground.retrieval.questions import set_hash
from playground.retrieval.task import Documents, Questions, Task


class RunError(EvaluationError):
    """A run that cannot be read, or cannot be repeated with what is at hand; the message says why."""


@dataclass(frozen=True, slots=True)
class Source:
    """A document of a run: its title, its version (the SHA-256 of its text) and its length in characters."""

    title: str
    version: str
    characters: int


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric of one setting, at the first `k` chunks, or at a budget, or (both None) without a depth.

    `value` is the mean over questions and phases, `low` to `high` its interval; `least` and `most` are the means of
    the phases that did worst and best.
    """

    metric: str
    k: int | None
    budget: int | None
    value: float
    low: float
    high: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Row:
    """One setting of a run: how many chunks it gave (at the first phase), and its figures."""

    config: ChunkingConfig
    chunks: int
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """One call of `grid`, with everything that it depended on."""

    retriever: str
    ks: tuple[int, ...]
    budgets: tuple[int, ...]
    with_context: bool
    measure: str
    phase_count: int
    documents: tuple[Source, ...]
    question_count: int
    question_hash: str
    code: str
    rows: tuple[Row, ...]

    @classmethod
    def of(cls, cells: Sequence[Cell], phase_count: int = 1) -> Run:
        """What `grid` yielded with this `phase_count`. Raises RunError without cells, or where they are of two runs."""
        if not cells:
            raise RunError("there is no cell to keep.")
        first = cells[0].evaluations[0]
        if any(one.task is not first.task or one.choice != first.choice for cell in cells for one in cell.evaluations):
            raise RunError("the cells are of different runs.")
        choice, task = first.choice, first.task
        return cls(
            choice.ranker.name,
            choice.ks,
            choice.budgets,
            choice.with_context,
            choice.measure,
            phase_count,
            tuple(_source(task)),
            len(task.questions),
            question_hash(task),
            code_version(),
            tuple(Row(cell.config, first_of(cell).chunks, tuple(_figures(cell))) for cell in cells),
        )


def repeated(run: Run, documents: Documents, questions: Questions) -> tuple[Run, str]:
    """Do a run again: the new run, and a note if the code is not that of the old one ("" if it is).

    Raises RunError where a document or the questions are not those of the run.
    """
    task = Task.of(documents, questions)
    for old, new in zip(run.documents, sources := tuple(_source(task)), strict=False):
        if old.version != new.version:
            raise RunError(f"“{new.title}” is not the version of “{old.title}” that the run was made with.")
    if len(sources) != len(run.documents):
        raise RunError(f"the run was made with {len(run.documents)} documents, not {len(sources)}.")
    if question_hash(task) != run.question_hash:
        raise RunError("the questions are not those of the run.")
    pairs = list(zip(task.documents.tolist(), task.questions, strict=True))
    choice = (run.retriever, run.ks, run.budgets, run.with_context, run.measure, run.phase_count)
    again = Run.of(list(grid(task.prepared, pairs, [row.config for row in run.rows], *choice)), run.phase_count)
    note = "" if again.code == run.code else f"The run was made with code {run.code}; this is {again.code}."
    return again, note


def first_of(cell: Cell) -> Evaluation:
    """The evaluation at the first phase."""
    return cell.evaluations[0]


def question_hash(task: Task) -> str:
    """The hash of the questions of a task and of which document each was asked of."""
    of_documents = ",".join(map(str, task.documents.tolist()))
    return hashlib.sha256(f"{set_hash(task.questions)} {of_documents}".encode("ascii")).hexdigest()


@lru_cache(maxsize=1)
def code_version() -> str:
    """The first 12 digits of the SHA-256 over the code that figures come from: the core and this package."""
    total = hashlib.sha256()
    for package in ("playground.core", "playground.retrieval"):
        for name, source in sorted(_sources(files(package), package)):
            total.update(f"{name} {len(source)}\n".encode())
            total.update(source)
    return total.hexdigest()[:12]


def _sources(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    """The modules of a package and of those in it, without the line ends of one system or another."""
    for one in folder.iterdir():
        if one.is_dir():
            yield from _sources(one, f"{name}.{one.name}")
        elif one.name.endswith(".py"):
            yield f"{name}.{one.name}", one.read_bytes().replace(b"\r\n", b"\n")


def _source(task: Task) -> Iterable[Source]:
    for one in task.prepared:
        yield Source(one.document.title, one.document.version, len(one.document))


def _figures(cell: Cell) -> Iterator[Figure]:
    for metric in METRICS.values():
        for k, budget in first_of(cell).columns if metric.by_depth else ((None, None),):
            found = cell.mean(metric.name, k=k, budget=budget)
            span = cell.span(metric.name, k=k, budget=budget)
            yield Figure(metric.name, k, budget, found.value, found.low, found.high, *span)
