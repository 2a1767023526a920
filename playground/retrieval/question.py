"""A question with a known answer: spans of a document, each with the text that stands there.

The quote lets a question and a document be checked against each other. A question is checked when it is made, wherever
it came from; `question_files` reads and writes sets of them, `relocation` finds quotes that moved.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

MOST_REFERENCES = 100
LONGEST_QUESTION = 10_000
_LARGEST = 2**31 - 1
_SURROGATE = re.compile("[\ud800-\udfff]")


class QuestionError(ValueError):
    """A question or a file of questions that cannot be; the message names the line and what is wrong there."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A part of an answer: the span `[start, end)` of the document, and the text there ("": not known)."""

    start: int
    end: int
    quote: str = ""

    def __post_init__(self) -> None:
        for name in ("start", "end"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int):
                raise QuestionError(f"{name} is {shown(value)}; it must be a whole number.")
            if not 0 <= value <= _LARGEST:
                raise QuestionError(f"{name} is {shown(value)}; it must be between 0 and {_LARGEST:,}.")
        if self.end <= self.start:
            raise QuestionError(f"start is {self.start} and end is {self.end}; the end must lie after the start.")
        _text(self.quote, "quote", _LARGEST)
        if self.quote and len(self.quote) != self.end - self.start:
            raise QuestionError(
                f"the quote has {len(self.quote)} characters and the span {self.end - self.start}; "
                "they must be equally long."
            )


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the spans that answer it, one or several, as `Reference` or as (start, end[, quote]).

    `tag` says what kind of question it is. A `demo` shows something and stays out of scores. `document_sha256` is the
    `version` of the document that it was written for ("": not known). Raises QuestionError.
    """

    question: str
    references: tuple[Reference, ...]
    tag: str = ""
    demo: bool = False
    document_sha256: str = ""

    def __post_init__(self) -> None:
        _text(self.question, "question", LONGEST_QUESTION)
        if not self.question.strip():
            raise QuestionError("the question is empty.")
        _text(self.tag, "tag", 200)
        _text(self.document_sha256, "document_sha256", 200)
        if not isinstance(self.demo, bool):
            raise QuestionError(f"demo is {shown(self.demo)}; it must be true or false.")
        if not isinstance(self.references, Iterable):
            raise QuestionError(f"references is {shown(self.references)}; it must be a list of spans.")
        found = tuple(map(_reference, self.references))
        if not 0 < len(found) <= MOST_REFERENCES:
            raise QuestionError(f"the question has {len(found)} references; it must have 1 to {MOST_REFERENCES}.")
        object.__setattr__(self, "references", found)

    def as_dict(self) -> dict[str, Any]:
        """What a line of a file holds; `demo` only where it is true."""
        found: dict[str, Any] = {
            "question": self.question,
            "references": [{"start": one.start, "end": one.end, "quote": one.quote} for one in self.references],
            "tag": self.tag,
            "document_sha256": self.document_sha256,
        }
        return found | ({"demo": True} if self.demo else {})


def set_hash(questions: Iterable[Question]) -> str:
    """SHA-256 of the questions in their order, in hexadecimal: the same set has the same hash, in any file format."""
    lines = (json.dumps(one.as_dict(), ensure_ascii=True, sort_keys=True) for one in questions)
    return hashlib.sha256("\n".join(lines).encode("ascii")).hexdigest()


def _reference(found: object) -> Reference:
    if isinstance(found, Reference):
        return found
    if isinstance(found, str) or not isinstance(found, Sequence) or len(found) not in (2, 3):
        raise QuestionError(f"a reference is {shown(found)}; it must be (start, end) or (start, end, quote).")
    return Reference(*found)


def _text(value: object, name: str, longest: int) -> None:
    if not isinstance(value, str):
        raise QuestionError(f"{name} is {shown(value)}; it must be a text.")
    if len(value) > longest:
        raise QuestionError(f"{name} has {len(value):,} characters; it may have at most {longest:,}.")
    if _SURROGATE.search(value):
        raise QuestionError(f"{name} holds half of a character (a lone surrogate).")


def shown(value: object, limit: int = 40) -> str:
    """`value` as a person may read it in a message, cut where it is long."""
    try:
        text = json.dumps(value, ensure_ascii=True, default=repr)
    except (ValueError, RecursionError):
        text = f"a very long {type(value).__name__}"
    return f"{text[:limit]}…" if len(text) > limit else text
