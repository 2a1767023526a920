"""Questions with known answers: those that come with a bundled document, and the visitor's own."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from playground.core.prepared import Prepared
from playground.live.store import sample_questions
from playground.retrieval.questions import (
    Question,
    QuestionError,
    read_csv,
    read_jsonl,
    relocated,
    write_csv,
    write_jsonl,
)
from playground.ui.library import opened, title_of
from playground.ui.state import State
from playground.ui.words import plain

OWN = "own"
"""The tag of a question that was added for selected text."""
MOST = 2000
"""Questions of a visitor's own that are kept for one document."""
SHOWN_REPORTS = 12


def known_questions(state: State, key: str, prepared: Prepared) -> tuple[Question, ...]:
    """The bundled questions of a document, and the visitor's own."""
    bundled = prepared.once("questions", lambda: sample_questions(prepared.document))
    return tuple(dict.fromkeys((*bundled, *state.questions.get(key, ()))))


def add_questions(state: State, key: str, added: Sequence[Question]) -> int:
    """Keep questions with a document, those that are there already once; returns how many of `added` are kept."""
    own = list(dict.fromkeys((*state.questions.get(key, ()), *added)))[:MOST]
    state.questions[key] = own
    return len(set(own) & set(added))


def show_questions(state: State) -> None:
    """Bring a set of questions for the present document, and take it home."""
    prepared = opened(state.shown_document)
    with st.expander("Questions: bring your own, or take them home"):
        st.markdown(
            "In the playground, select text and write a question for it. Or upload a set: JSON Lines or CSV with "
            "question, start, end and quote. Quotes that moved are found again, or reported."
        )
        turn = st.session_state.setdefault("question-turn", 0)
        file = st.file_uploader("A set of questions", type=["jsonl", "csv"], key=f"questions-{turn}")
        if file is not None:
            _take(state, prepared, file.name, file.getvalue())
        reports = st.session_state.get("reports", [])
        for report in reports[:SHOWN_REPORTS]:
            st.warning(plain(report, 400), icon=":material/rule:")
        if len(reports) > SHOWN_REPORTS:
            st.warning(f"{len(reports) - SHOWN_REPORTS:,} more are not as they were.", icon=":material/rule:")
        known = known_questions(state, state.shown_document, prepared)
        with st.container(horizontal=True):
            st.download_button(
                "Questions as JSON Lines", write_jsonl(known), "questions.jsonl", "application/x-ndjson",
                on_click="ignore", disabled=not known,
            )  # fmt: skip
            st.download_button(
                "Questions as CSV", write_csv(known), "questions.csv", "text/csv", on_click="ignore", disabled=not known
            )
            if state.questions.get(state.shown_document):
                st.button("Remove my questions", on_click=_forget, args=(state,))
        st.caption(plain(f"{len(known)} questions about {title_of(state.shown_document)}."))


def _take(state: State, prepared: Prepared, name: str, data: bytes) -> None:
    """Read an uploaded set, find its quotes in the document, and remember what could not be used."""
    try:
        read = read_csv(data) if name.lower().endswith(".csv") else read_jsonl(data)
    except QuestionError as error:
        st.session_state["reports"] = [f"{name}: {error}"]
    else:
        found, reports = relocated(read, prepared.document)
        count = add_questions(state, state.shown_document, found)
        kept = f"{count} of {len(set(read))} questions of {name} are kept."
        if count < len(set(found)):
            kept += f" A document may have at most {MOST:,}."
        told = (f"Question {one.number + 1}, “{read[one.number].question[:80]}”: {one.message}" for one in reports)
        st.session_state["reports"] = [kept, *told]
    st.session_state["question-turn"] += 1
    st.rerun()


def _forget(state: State) -> None:
    state.questions.pop(state.shown_document, None)
    st.session_state["reports"] = []
