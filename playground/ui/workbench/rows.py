"""One row a chunk, to filter and to sort; a click opens the chunk in the text."""

from __future__ import annotations

import json
from functools import partial

import pandas as pd
import streamlit as st

from playground.core.chunking import Chunk, Chunking
from playground.core.contexts import ARROW
from playground.ui.state import State

MOST = 5000
"""Rows that a browser is asked to hold."""
SHOWN = 160
"""Characters of a chunk's text in its row."""


def show(state: State, chunking: Chunking) -> None:
    """The filter and the table."""
    left, right = st.columns([0.7, 0.3], vertical_alignment="bottom")
    wanted = left.text_input("Filter", placeholder="words in the text, a heading, a symbol", key="filter").casefold()
    flagged = right.toggle("Only what is flagged: too large, or cut inside a sentence", key="flagged")
    found = [one for one in chunking if matches(one, wanted, flagged)]
    st.caption(
        f"{len(found):,} of {len(chunking):,} chunks."
        + (f" The first {MOST:,} are shown; the export holds all." if len(found) > MOST else "")
    )
    shown = found[:MOST]
    st.session_state["listed"] = [one.index for one in shown]
    st.dataframe(
        pd.DataFrame([row_of(one) for one in shown], columns=COLUMNS).dropna(axis="columns", how="all"),
        hide_index=True,
        on_select=partial(_open, state, f"rows-{state.document}"),
        selection_mode="single-cell",
        key=f"rows-{state.document}",
        height="content" if len(shown) <= 10 else 420,
        column_config={"Chunk": st.column_config.NumberColumn(pinned=True, width="small")},
    )


def _open(state: State, key: str) -> None:
    """Have the stage open the chunk whose row was clicked."""
    listed = st.session_state.get("listed", [])
    chosen = [row for row, _ in st.session_state[key]["selection"]["cells"]]
    turn = st.session_state["shown"] = st.session_state.get("shown", 0) + 1
    state.shown = json.dumps({"chunk": listed[chosen[0]], "turn": turn}) if chosen and chosen[0] < len(listed) else ""


def matches(one: Chunk, wanted: str, flagged: bool) -> bool:
    """Whether a chunk is to be listed."""
    if flagged and not (one.oversized or cuts_a_sentence(one)):
        return False
    return not wanted or any(wanted in text.casefold() for text in (one.text, one.context, one.symbol or ""))


def cuts_a_sentence(one: Chunk) -> bool:
    """Whether the cut at its end is inside a sentence."""
    cuts = one.chunking.sentence_cuts
    return one.index < len(cuts) and bool(cuts[one.index])


COLUMNS = (
    "Chunk", "Text", "Size", "Tokens", "Heading path", "Page", "Symbol", "Start", "End", "Overlap", "Parent",
    "Too large", "Cuts a sentence", "Why it ends",
)  # fmt: skip


def row_of(one: Chunk) -> tuple[object, ...]:
    """The cells of a chunk, as `COLUMNS` names them."""
    chunking = one.chunking
    tokens = chunking.prepared.ruler("token", chunking.config.tokenizer).measure(one.start, one.end)
    parent, place = int(chunking.parent_numbers[one.index]), one.place
    return (
        one.index + 1,
        " ".join(one.text[: 2 * SHOWN].split())[:SHOWN],
        one.size,
        int(tokens),
        ARROW.join(place.path),
        place.page,
        place.symbol,
        one.start,
        one.end,
        one.overlap_before,
        None if parent < 0 else parent + 1,
        one.oversized,
        cuts_a_sentence(one),
        one.reason,
    )
