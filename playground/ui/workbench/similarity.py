"""How alike neighbouring sentences are, along the document: the curve behind the semantic mode."""

from __future__ import annotations

import streamlit as st

from playground.core.chunking import Chunking
from playground.core.modes.semantic import doubt, topics
from playground.ui.components.curve import curve
from playground.ui.state import State
from playground.ui.words import plain


def show(state: State, chunking: Chunking, stage_key: str = "stage") -> None:
    """The curve with its threshold and its cuts, linked with a stage, and when it is not worth it."""
    if chunking.prepared.is_blank:
        st.caption("There are no sentences here to compare.")
        return
    found = topics(chunking.prepared, chunking.config)
    if not len(found.curve):
        st.caption("One sentence has no neighbour to be compared with.")
        return
    said = doubt(chunking.prepared, chunking.config)
    if said:
        st.info(plain(said), icon=":material/info:")
    live = chunking.config.mode == "semantic"
    st.caption(
        "Each point compares the sentences before a boundary with those after it. "
        + (
            "In a valley below the line the subject seems to change, and a new chunk starts unless one would be below "
            "the minimum. Point at the curve to find the place in the text."
            if live
            else "Choose the semantic mode to cut at these valleys."
        )
    )
    curve(
        key=f"curve-{stage_key}",
        stage_key=stage_key,
        offsets=chunking.prepared.utf16(found.offsets).tolist(),
        similarity=[round(float(value), 4) for value in found.curve],
        threshold=round(found.threshold, 4),
        cuts=found.cuts.tolist() if live else [],
        window=chunking.config.window,
    )
