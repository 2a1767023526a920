"""Starting points in the header: settings for a kind of text, why these, and one click to have them."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from playground.core.modes import MODES
from playground.lessons.starting import StartingPoint, starting_points
from playground.settings import BY_NAME, Value, changed
from playground.settings.table import ALWAYS
from playground.ui.state import State
from playground.ui.words import plain


def offer(state: State) -> None:
    """The popover: each starting point with what it is for, its settings and the reason for them."""
    turn = st.session_state.setdefault("starting", 0)  # each makes a new popover, closed
    with st.popover("Starting points", icon=":material/bolt:", width="content", key=f"starting-{turn}"):
        st.markdown("Settings to begin with, for your kind of text. They change the sliders, not the document.")
        for point in starting_points():
            with st.container(gap="xxsmall"):
                _entry(state, point, turn)


def in_words(settings: Mapping[str, Value]) -> str:
    """The settings in one line: "Structure-aware, 240 tokens, overlap 10%", and then what else is no default."""
    more = (name for name in changed(settings) if name not in ALWAYS)
    parts = (
        MODES[str(settings["mode"])].label,
        f"{int(settings['size']):,} {settings['unit']}s",
        f"overlap {settings['overlap']}%",
        *(f"{BY_NAME[name].label.lower()} {settings[name]}" for name in more),
    )
    return ", ".join(parts)


def use(state: State, point: StartingPoint) -> None:
    """Give the first pane of the page shown the point's settings; the document and the tokenizer stay."""
    if state.page == "compare" and not state.compared:
        state.start_comparison()
    first, *others = state.shown_panes
    state.change_panes([{**point.settings, "tokenizer": first["tokenizer"]}, *others])
    state.notices = []
    st.session_state["refused"] = []
    st.session_state["starting"] = st.session_state.get("starting", 0) + 1


def _entry(state: State, point: StartingPoint, turn: int) -> None:
    """One starting point."""
    st.markdown(f"**{plain(point.label)}** · {plain(point.suits)}  \n{plain(in_words(point.settings))}")
    st.markdown(f":small[{plain(point.reason)} Measured on {plain(point.sample)}.]")
    st.button(f"Use: {plain(point.label)}", key=f"use-{point.name}-{turn}", on_click=use, args=(state, point))
