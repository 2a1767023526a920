"""What an evaluation asks, whatever the setting: documents, and questions whose answers lie in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from playground.core.document import Document
from playground.core.prepared import Prepared, prepare
from playground.retrieval.choice import EvaluationError
from playground.retrieval.hits import Axis, Wanted
from playground.retrieval.questions import Question

Documents = Document | Prepared | Sequence[Document | Prepared]
Questions = Iterable[Question | tuple[int, Question]]


@dataclass(frozen=True, eq=False)
class Task:
    """Documents, and questions whose answers lie in them: question q in document `documents[q]`."""

    prepared: tuple[Prepared, ...]
    questions: tuple[Question, ...]
    documents: npt.NDArray[np.int32]

    @classmethod
    def of(cls, documents: Documents, questions: Questions) -> Task:
        """Check that every answer is where its question says it is. Demonstrations are left out.

        With several documents a question is asked of the document with its version, or of the one it is paired with.
        Raises EvaluationError.
        """
        several = [documents] if isinstance(documents, Document | Prepared) else list(documents)
        prepared = tuple(one if isinstance(one, Prepared) else prepare(one) for one in several)
        pairs = [(None, one) if isinstance(one, Question) else one for one in questions]
        asked = [
            (number, _document_of(one, given, prepared), one)
            for number, (given, one) in enumerate(pairs, start=1)
            if not one.demo
        ]
        if not asked:
            raise EvaluationError("there is no question to ask.")
        for number, document, question in asked:
            _check(number, question, prepared[document].document)
        return cls(prepared, tuple(one for *_, one in asked), np.array([at for _, at, _ in asked], np.int32))

    def wanted(self, measure: str, tokenizer: str) -> Wanted:
        """The references on the axis of all documents."""
        lengths = [len(one.document) for one in self.prepared]
        rulers = [one.ruler("token", tokenizer) for one in self.prepared] if measure == "token" else None
        axis = Axis.of(lengths, rulers)
        rows = [
            (number, int(document), one.start, one.end)
            for number, (document, question) in enumerate(zip(self.documents, self.questions, strict=True))
            for one in question.references
        ]
        question, document, start, end = np.array(rows, dtype=np.int64).T
        return Wanted.of(axis, len(self.questions), question, axis.at(document, start), axis.at(document, end))


def _document_of(question: Question, given: int | None, prepared: Sequence[Prepared]) -> int:
    """The number of the document that a question is asked of."""
    if given is not None:
        if not 0 <= given < len(prepared):
            raise EvaluationError(f"there is no document {given}: “{question.question}” is paired with it.")
        return given
    if len(prepared) == 1:
        return 0
    same = [at for at, one in enumerate(prepared) if one.document.version == question.document_sha256]
    if not same:
        raise EvaluationError(f"no document has the version of “{question.question}”; pair it with a number.")
    return same[0]


def _check(number: int, question: Question, document: Document) -> None:
    for one in question.references:
        if one.end > len(document):
            raise EvaluationError(
                f"question {number}: an answer ends at {one.end:,} and “{document.title}” at {len(document):,}."
            )
        if one.quote and document.text[one.start : one.end] != one.quote:
            raise EvaluationError(
                f"question {number}: the quote is not at {one.start:,} in “{document.title}”; `relocated` finds it."
            )
