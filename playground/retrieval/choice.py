"""What to ask of an evaluation besides its setting: which retriever, how much is read, what is counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from playground.retrieval.ranking import RETRIEVERS, Pool

KS = tuple(range(1, 21))
BUDGETS = (500, 1000, 2000)
MEASURES = ("character", "token")

Values = npt.NDArray[np.float64]


class EvaluationError(ValueError):
    """Documents, questions or choices that cannot be evaluated; the message says which and why."""


class Ranker(Protocol):
    """What ranks chunks: one of `RETRIEVERS`, or anything with the same method."""

    @property
    def name(self) -> str:
        """What it is called."""

    def each(self, chunks: Pool, queries: Sequence[str], with_context: bool = False) -> Iterator[Values]:
        """The scores of all chunks, float64 [chunks], for each query in turn; higher is better."""


@dataclass(frozen=True)
class Choice:
    """How to rank and how much to read: the first `ks` chunks, and as many as fit into each of `budgets` in tokens.

    Reading stops at the first chunk that does not fit; what chunks repeat of one another is charged again. `measure` is
    what the figures count: characters, or tokens.
    """

    retriever: str | Ranker = "bm25"
    ks: tuple[int, ...] = KS
    budgets: tuple[int, ...] = BUDGETS
    with_context: bool = False
    measure: str = "character"

    def __post_init__(self) -> None:
        for name in ("ks", "budgets"):
            kept = tuple(int(value) for value in getattr(self, name))
            if any(value < 1 for value in kept) or len(set(kept)) < len(kept):
                raise EvaluationError(f"{name} is {kept}; each must be at least 1, and none may be there twice.")
            object.__setattr__(self, name, kept)
        if not self.ks and not self.budgets:
            raise EvaluationError("there is nothing to read: give ks, or budgets.")
        if self.measure not in MEASURES:
            raise EvaluationError(f"measure is {self.measure!r}; it can be one of {', '.join(MEASURES)}.")
        if isinstance(self.retriever, str) and self.retriever not in RETRIEVERS:
            raise EvaluationError(f"retriever is {self.retriever!r}; it can be one of {', '.join(RETRIEVERS)}.")

    @property
    def ranker(self) -> Ranker:
        """What ranks."""
        return RETRIEVERS[self.retriever] if isinstance(self.retriever, str) else self.retriever

    def column(self, k: int | None, budget: int | None) -> int:
        """The column of figures for the first `k` chunks, or for a token budget: just one of the two."""
        if (k is None) == (budget is None):
            raise EvaluationError("give either k or budget.")
        if k is not None:
            known, value, before = self.ks, k, 0
        else:
            known, value, before = self.budgets, int(budget or 0), len(self.ks)
        if value not in known:
            raise EvaluationError(f"{value} was not evaluated; known are {', '.join(map(str, known))}.")
        return before + known.index(value)
