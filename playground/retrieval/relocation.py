"""Questions after an edit of their document: quotes that moved are found again or reported, none silently shifted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from playground.core.document import Document
from playground.core.prepared import Prepared
from playground.retrieval.question import Question, Reference

MOVED, NEAREST, AMBIGUOUS, MISSING = "moved", "nearest", "ambiguous", "missing"


@dataclass(frozen=True, slots=True)
class Report:
    """What became of reference `reference` of question `number`, where it is not where it was.

    `kind`: "moved" to its only place; "nearest" of several to where it was; "ambiguous", as several are as good; or
    "missing". `new` is the reference as it is now, None for the last two: then the question is left out.
    """

    number: int
    reference: int
    kind: str
    old: Reference
    new: Reference | None
    message: str


def relocated(questions: Iterable[Question], document: Document | Prepared) -> tuple[list[Question], list[Report]]:
    """The questions as they fit `document`, and a report for every reference that is not where it was.

    A quote at its place stays. Else its only occurrence is taken; of several the nearest to the old place if the
    document is another version than the question's, and none if it is the same (then the file was wrong from the
    start, and where it was says nothing) or if two are equally near. A reference without a quote cannot be looked for:
    it stays if its span lies inside the document and the version is the question's, and counts as missing if not.
    """
    whole = document.document if isinstance(document, Prepared) else document
    kept: list[Question] = []
    reports: list[Report] = []
    for number, question in enumerate(questions):
        same = question.document_sha256 == whole.version
        found = [_found(one, whole.text, same) for one in question.references]
        for at, (old, (new, kind, message)) in enumerate(zip(question.references, found, strict=True)):
            if kind:
                reports.append(Report(number, at, kind, old, new, message))
        references = tuple(new for new, _, _ in found if new is not None)
        if len(references) == len(found):
            kept.append(replace(question, references=references, document_sha256=whole.version))
    return kept, reports


def _found(old: Reference, text: str, same: bool) -> tuple[Reference | None, str, str]:
    """Where a reference is now (None: nowhere), the kind of report ("": it has not moved), and what to tell."""
    if not old.quote:
        if same and old.end <= len(text):
            return old, "", ""
        return None, MISSING, "It has no quote to look for, and the document is another version."
    if text.startswith(old.quote, old.start):
        return old, "", ""
    places = _nearest(text, old.quote, old.start)
    if not places:
        return None, MISSING, "The quote is not in the document any more."
    if text.find(old.quote) == text.rfind(old.quote):
        return _moved(old, places[0]), MOVED, f"The quote moved from {old.start:,} to {places[0]:,}."
    if same or len({abs(place - old.start) for place in places}) < len(places):
        return None, AMBIGUOUS, "The quote is in the document more than once, and nothing says which is meant."
    message = f"The quote is in the document more than once; the nearest to {old.start:,} is at {places[0]:,}."
    return _moved(old, places[0]), NEAREST, message


def _moved(old: Reference, start: int) -> Reference:
    return Reference(start, start + len(old.quote), old.quote)


def _nearest(text: str, quote: str, start: int) -> list[int]:
    """Where `quote` occurs nearest to `start`, before it and from it on: the nearer one first."""
    found = (text.rfind(quote, 0, start + len(quote) - 1), text.find(quote, start))
    return sorted((place for place in found if place >= 0), key=lambda place: abs(place - start))
