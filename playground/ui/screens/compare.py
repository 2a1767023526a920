"""Compare: the same document under two or three settings, scrolled together, the differences counted."""

from __future__ import annotations

import streamlit as st

from playground.live.protocol import MAX_PANES
from playground.ui.library import opened
from playground.ui.staging import show_stage
from playground.ui.state import State


def show(state: State) -> None:
    """Panes side by side, and a way to add or take away the third."""
    if not state.compared:
        state.start_comparison()
    if "header" not in state.unseen:
        offer_panes(state)
    show_stage("comparison", state, opened(state.shown_document))


def offer_panes(state: State) -> None:
    """Buttons for the third pane, and for the comparison to begin with."""
    with st.container(horizontal=True):
        if len(state.compared) < MAX_PANES:
            st.button("Add a third pane", on_click=_add, args=(state,))
        else:
            st.button("Remove the third pane", on_click=_remove, args=(state,))
        st.button("Fixed against sentence-aware", on_click=state.start_comparison)


def _add(state: State) -> None:
    state.change_panes([*state.compared, {**state.compared[-1], "overlap": 0}])


def _remove(state: State) -> None:
    state.change_panes(state.compared[: MAX_PANES - 1])
