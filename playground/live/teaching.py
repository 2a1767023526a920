"""A lesson over live chunks: the facts that its step needs at every move, and whether its goal is reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from playground.core.chunking import Chunking, chunk
from playground.core.document import Document
from playground.core.prepared import Prepared, prepare
from playground.core.versions import Changes, changes
from playground.lessons.catalogue import lessons
from playground.lessons.conditions import Lookup
from playground.lessons.lesson import Edit, Setup, Step
from playground.lessons.lookup import lookup_in
from playground.lessons.scene import Scene, Shot
from playground.live.asking import Ask
from playground.live.near import Message
from playground.live.store import sample_questions
from playground.settings import Values


class PlaceError(ValueError):
    """A place in a lesson that is not there; the message says why."""


@dataclass(frozen=True)
class Place:
    """A step of a lesson, from 0, and the chunk that is open in the inspector, from 0."""

    lesson: str
    number: int
    opened: int | None = None

    @property
    def step(self) -> Step:
        """The step."""
        return lessons()[self.lesson].steps[self.number]

    @classmethod
    def of(cls, found: object, document: Document) -> Place:
        """The place that a message names. Raises PlaceError, also where the step edits what this document lacks."""
        if not isinstance(found, dict):
            raise PlaceError("A place in a lesson is a JSON object.")
        lesson, number, opened = (found.get(name) for name in ("lesson", "step", "opened"))
        if not isinstance(lesson, str) or lesson not in lessons():
            raise PlaceError("There is no such lesson.")
        if type(number) is not int or not 0 <= number < len(lessons()[lesson].steps):
            raise PlaceError("There is no such step in this lesson.")
        if opened is not None and (type(opened) is not int or not 0 <= opened < 2**31):
            raise PlaceError("An open chunk is a whole number from 0 on.")
        place = cls(lesson, number, opened)
        edit = place.step.setup.edit
        if edit and (document.blocks or document.pages or edit.find not in document.text):
            raise PlaceError("This step has a new version of another document.")
        return place


def told(place: Place, lookup: Lookup) -> Message:
    """What the card of a step shows: its facts, whether the goal is reached, and which predictions are right."""
    step = place.step
    choices = step.prediction.right if step.prediction else ()
    return {
        "lesson": place.lesson,
        "step": place.number,
        "facts": {name: lookup(name) for name in sorted(step.facts)},
        "done": all(condition.holds(lookup) for condition in step.goal.when),
        "right": [all(condition.holds(lookup) for condition in choice) for choice in choices],
    }


def told_of(
    place: Place,
    chunkings: Sequence[Chunking],
    values: Sequence[Values],
    asked: Sequence[Message | None],
    ask: Ask | None,
    versions: Changes | None,
) -> Message:
    """The same for what the panes show: their chunks, settings, what they make of the question, and what a new version
    of the document changes."""
    setup, here = place.step.setup, chunkings[0]
    answer = _answer(here.prepared, ask)
    shots = [Shot(*one, answer) for one in zip(chunkings, values, asked, strict=True)]
    scene = Scene(
        tuple(shots),
        began=setup.panes[0],
        opened=place.opened,
        limit=setup.limit,
        versions=versions,
    )
    return told(place, lookup_in(scene))


def _answer(prepared: Prepared, ask: Ask | None) -> tuple[int, int] | None:
    """The first known span of the answer, in characters."""
    if ask is None or not ask.answers:
        return None
    start, end = (prepared.from_utf16(offset) for offset in ask.answers[0])
    return (start, end) if start < end else None


def versions_in(place: Place | None, chunking: Chunking) -> Changes | None:
    """What the step's new version of the document changes, with the same settings; None where it has none."""
    edit = place.step.setup.edit if place else None
    return changes(chunking, chunk(edited(chunking.prepared, edit), chunking.config)) if edit else None


def edited(prepared: Prepared, edit: Edit) -> Prepared:
    """The new version of the document, read in the same form."""
    return prepared.once(("edited", edit), lambda: prepare(_new_version(prepared.document, edit)))


def _new_version(document: Document, edit: Edit) -> Document:
    if document.blocks or document.pages:
        raise ValueError(f"{document.title} has blocks that an edited text would not fit: use a text or Markdown file.")
    return replace(document, text=document.text.replace(edit.find, edit.replace, 1))


def stale_near(found: Changes, first: int, last: int) -> Message:
    """How many chunks the new version makes stale, and for each of `first` to `last` a "1" or a "0"."""
    stale = found.stale
    return {"count": int(stale.sum()), "near": "".join(np.where(stale[first:last], "1", "0").tolist())}


def as_asked(prepared: Prepared, ask: Mapping[str, Any] | None) -> Message | None:
    """A lesson's question as a stage sends it: with the spans of its answer, in UTF-16 offsets."""
    if ask is None:
        return None
    questions = prepared.once("questions", lambda: sample_questions(prepared.document))
    known = {one.question: one for one in questions}
    found = known.get(str(ask["question"]))
    references = found.references if found else ()
    spans = [prepared.utf16(np.array([one.start, one.end], np.int32)).tolist() for one in references]
    return {**ask, "answers": spans}


def extras_of(prepared: Prepared, place: Place, ask: Mapping[str, Any] | None = None) -> Message:
    """What a stage asks for besides its panes while it shows a step: the question (`ask`, or the step's own), the
    model's limit, and the facts."""
    setup = place.step.setup
    return {
        "ask": as_asked(prepared, setup.ask if ask is None else ask),
        "limit": setup.limit,
        "lesson": {"lesson": place.lesson, "step": place.number, "opened": place.opened},
    }


def offset_of(prepared: Prepared, setup: Setup) -> int | None:
    """Where a step's text opens, in UTF-16 offsets; None at the start."""
    if not setup.at:
        return None
    return int(prepared.utf16(np.array([prepared.document.text.index(setup.at)], np.int32))[0])
