"""Compare: the same document under two or three settings, scrolled together, the differences counted."""

from __future__ import annotations

import streamlit as st

from playground.live.protocol import MAX_PANES, chunks_answer
from playground.ui.components.stage import stage
from playground.ui.staging import committed, painted, request_of
from playground.ui.state import State, opened, title_of


def show(state: State) -> None:
    """Panes side by side, and a way to add or take away the third."""
    if not state.compared:
        state.start_comparison()
    with st.container(horizontal=True):
        if len(state.compared) < MAX_PANES:
            st.button("Add a third pane", on_click=_add, args=(state,))
        else:
            st.button("Remove the third pane", on_click=_remove, args=(state,))
        st.button("Fixed against sentence-aware", on_click=state.start_comparison)
    answer = chunks_answer(opened(state.document), request_of(state))
    stage(
        key="comparison",
        document_key=state.document,
        title=title_of(state.document),
        panes=state.compared,
        revision=state.revision,
        answer=answer,
        on_commit=committed("comparison"),
        on_ready=painted,
    )


def _add(state: State) -> None:
    state.change_panes([*state.compared, {**state.compared[-1], "overlap": 0}])


def _remove(state: State) -> None:
    state.change_panes(state.compared[: MAX_PANES - 1])
