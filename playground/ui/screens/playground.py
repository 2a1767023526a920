"""The playground: one document, one chunking, every number beside it."""

from __future__ import annotations

import streamlit as st

from playground.core.chunking import chunk
from playground.settings import to_config
from playground.ui.charts import size_histogram
from playground.ui.components.panel import panel
from playground.ui.figures import follow_scheme, is_dark, show_figure
from playground.ui.library import opened
from playground.ui.staging import show_stage
from playground.ui.state import State
from playground.ui.workbench import workbench


def show(state: State) -> None:
    """The stage on the left, the live panel and the figure of sizes on the right, the workbench below both."""
    prepared = opened(state.shown_document)
    aside = not {"numbers", "figure"} <= state.unseen
    left, right = st.columns([0.73, 0.27], gap="medium") if aside else (st.container(), st.container())
    with left:
        answer = show_stage("stage", state, prepared)
    painted = st.session_state.get("painted")  # plotly is three megabytes of script: the chunks come first
    chunking = chunk(prepared, to_config(state.shown_panes[0])) if painted else None
    with right:
        if "numbers" not in state.unseen:
            panel(key="panel", stage_key="stage", answer=answer)
        with st.container(key="figure"):
            if chunking is not None and "figure" not in state.unseen:
                config = chunking.config
                figure = size_histogram(chunking.sizes, config.size, config.unit, dark=is_dark())
                show_figure(figure, key="sizes", alt="How many chunks have which size")
                follow_scheme()
    if chunking is not None and "workbench" not in state.unseen:
        workbench(state, chunking)
