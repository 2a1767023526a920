"""Between a page and its stage: what the stage is asked to show first, and what it settled on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from playground.core.prepared import Prepared
from playground.live.asking import LONGEST, MOST_ANSWERS, MOST_OTHERS
from playground.live.near import Message
from playground.live.protocol import ProtocolError, chunks_answer, read_pane
from playground.live.store import sample_names
from playground.live.teaching import Place, extras_of, offset_of
from playground.retrieval.questions import Question, Reference
from playground.ui.components.stage import stage
from playground.ui.known import OWN, add_questions, known_questions
from playground.ui.library import opened, title_of, uploads
from playground.ui.state import State, session


def show_stage(key: str, state: State, prepared: Prepared) -> Message:
    """Mount the stage of the present page over a document; returns the answer that it shows first."""
    visit, brought = state.lesson, state.visit
    if brought is not None and brought.step.setup.document != state.shown_document:
        brought = None  # the question of a lesson that was left is about another document
    answer = chunks_answer(prepared, request_of(state, prepared))
    stage(
        key=key,
        document_key=state.shown_document,
        title=title_of(state.shown_document),
        panes=state.shown_panes,
        revision=state.revision,
        answer=answer,
        on_commit=committed(key),
        on_ready=painted,
        on_question=partial(_add_question, key),
        limit=visit.step.setup.limit if visit else state.limit,
        shown=state.shown,
        hidden=sorted(state.unseen),
        presenting=state.presenting,
        ask=brought.step.setup.ask if brought else None,
        asked=state.asked if brought else 0,
        lesson={"lesson": visit.lesson, "step": visit.number} if visit else None,
        at=offset_of(prepared, visit.step.setup) if visit else None,
        scopes=scopes(),
        questions=as_spans(prepared, known_questions(state, state.shown_document, prepared)),
    )
    return answer


def scopes() -> list[dict[str, Any]]:
    """What a question may be asked of: this document, with all that are bundled, with the visitor's own."""
    found = [
        {"name": "one", "label": "This document", "keys": []},
        {"name": "bundled", "label": "All bundled", "keys": list(sample_names())},
    ]
    own = list(uploads())[:MOST_OTHERS]
    return [*found, {"name": "own", "label": "My documents", "keys": own}] if own else found


def as_spans(prepared: Prepared, questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Questions as the stage takes them: their answers as spans in UTF-16 offsets."""
    return [
        {
            "question": one.question[:LONGEST],
            "tag": one.tag,
            "spans": [
                prepared.utf16(np.array([part.start, part.end], np.int32)).tolist()
                for part in one.references[:MOST_ANSWERS]
            ],
        }
        for one in questions
    ]


def request_of(state: State, prepared: Prepared) -> dict[str, Any]:
    """The protocol's request for the present page: its settings, and the range that the stage last had in view; in a
    lesson its question and the facts of its step."""
    ranges = st.session_state.get("ranges", {}).get(state.shown_document, [])
    panes: list[dict[str, Any]] = []
    for index, values in enumerate(state.shown_panes):
        low, high = ranges[index] if index < len(ranges) else (0, 6000)
        panes.append({"settings": values, "from": low, "to": high})
    visit = state.lesson
    return {"panes": panes, **(extras_of(prepared, Place(visit.lesson, visit.number)) if visit else {})}


def committed(key: str) -> Callable[[], None]:
    """The callback for a stage's commits: it runs before the page does, so that all of it sees the new settings."""
    return partial(_commit, key)


def painted() -> None:
    """The callback for a stage's first paint: from now on the page may load what is heavy."""
    st.session_state["painted"] = True


def _commit(key: str) -> None:
    found = st.session_state[key].get("commit")
    state = session()
    if not isinstance(found, dict) or not isinstance(found.get("panes"), list):
        return
    if found.get("revision", state.revision) != state.revision:
        return  # the hand let go of settings that the page has replaced since: a step of a lesson, a starting point
    prepared = opened(state.shown_document)
    state.commit([_converted(prepared, pane) for pane in found["panes"]])
    if found.get("doc") == state.shown_document:  # else the hand let go while another document was opened
        st.session_state["ranges"] = {state.shown_document: [_range(pane) for pane in found["panes"]]}


def _add_question(key: str) -> None:
    """Keep a question that was added for selected text; what is no such thing changes nothing."""
    found, state = st.session_state[key].get("question"), session()
    if not isinstance(found, dict) or found.get("doc") != state.shown_document:
        return
    prepared = opened(state.shown_document)
    try:
        start, end = (prepared.from_utf16(int(found[name])) for name in ("start", "end"))
        quote = prepared.document.text[start:end]
        reference = Reference(start, end, quote)
        added = Question(found["question"], (reference,), OWN, False, prepared.document.version)
    except (KeyError, TypeError, ValueError, OverflowError):
        return
    add_questions(state, state.shown_document, [added])


def _converted(prepared: Prepared, pane: object) -> object:
    """A pane whose unit was switched while the live connection was down: its size has still to be converted."""
    if not isinstance(pane, dict) or "from_unit" not in pane:
        return pane
    try:
        return {**pane, "settings": read_pane(prepared, pane).values}
    except ProtocolError:
        return None  # not from our stage; what is no pane changes nothing


def _range(pane: object) -> tuple[int, int]:
    """The range that a pane had in view; the page's own stage sent it, but so could anyone."""
    found = [pane.get(name) for name in ("from", "to")] if isinstance(pane, dict) else []
    low, high = (value if isinstance(value, int) and 0 <= value < 2**31 else 0 for value in (*found, 0, 0)[:2])
    return low, max(low, high)
