"""The stage: the controls, the shaded text and the inspector of one pane or several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from playground.live.near import Message
from playground.retrieval.ranking import RETRIEVERS
from playground.settings import Values, as_table
from playground.ui.components import component


def stage(
    *,
    key: str,
    document_key: str,
    title: str,
    panes: Sequence[Values],
    revision: int,
    answer: Message,
    on_commit: Callable[[], None],
    on_ready: Callable[[], None],
    on_question: Callable[[], None],
    limit: int = 0,
    shown: str = "",
    questions: Sequence[Mapping[str, object]] = (),
    scopes: Sequence[Mapping[str, object]] = (),
    hidden: Sequence[str] = (),
    presenting: bool = False,
    ask: Mapping[str, object] | None = None,
    asked: int = 0,
    lesson: Mapping[str, object] | None = None,
    at: int | None = None,
) -> None:
    """Mount the stage. When a hand lets go it sets `commit` in the session state under `key`, and `on_commit` runs
    before the page does: `{number, doc, revision, panes: [{settings, from, to}]}`. `on_ready` runs once, after the
    first paint.
    `on_question` runs when a question was added for selected text: `question` = `{question, start, end, doc}`.
    Chunks of more than `limit` tokens are marked (0: none); `shown` names a chunk to open, as JSON.
    `questions` are those whose answers are known: `{question, tag, spans: [[start, end], ...]}` in UTF-16 offsets.
    `scopes` say what a question is asked of: `{name, label, keys}`, the keys being those of further documents.
    `hidden` names controls and parts that are left out; `presenting` makes everything large. When `asked` changes, the
    question `ask` is put into the box (none: the box is emptied) and the text is opened `at` this offset. `lesson` is
    the step whose facts are asked for at every move: `{lesson, step}`.

    The stage keeps its own settings while the hand moves and takes over `panes` only when `revision` changes.
    """
    component("stage", "stage/stage.css", "shared/numbers.css")(
        key=key,
        data={
            "id": key,
            "doc": document_key,
            "title": title,
            "panes": list(panes),
            "revision": revision,
            "answer": answer,
            "table": as_table(),
            "limit": limit,
            "shown": shown,
            "questions": list(questions),
            "scopes": list(scopes),
            "hidden": list(hidden),
            "presenting": presenting,
            "ask": ask,
            "asked": asked,
            "lesson": lesson,
            "at": at,
            "retrievers": [{"value": one.name, "label": one.label} for one in RETRIEVERS.values()],
        },
        on_commit_change=on_commit,
        on_ready_change=on_ready,
        on_question_change=on_question,
        on_lost_change=_nothing,
    )


def _nothing() -> None:
    """A callback that Streamlit requires for every state; the rerun is all we want."""
