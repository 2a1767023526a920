"""The playground: one document, one chunking, every number beside it."""

from __future__ import annotations

import streamlit as st

from playground.core.chunking import chunk
from playground.settings import to_config
from playground.ui.charts import size_histogram
from playground.ui.components.panel import panel
from playground.ui.staging import show_stage
from playground.ui.state import State, opened
from playground.ui.workbench import workbench


def show(state: State) -> None:
    """The stage on the left, the live panel and the figure of sizes on the right, the workbench below both."""
    prepared = opened(state.document)
    left, right = st.columns([0.73, 0.27], gap="medium")
    with left:
        answer = show_stage("stage", state, prepared)
    painted = st.session_state.get("painted")  # plotly is three megabytes of script: the chunks come first
    chunking = chunk(prepared, to_config(state.panes[0])) if painted else None
    with right:
        panel(key="panel", stage_key="stage", answer=answer)
        with st.container(key="figure"):
            if chunking is not None:
                figure = size_histogram(chunking.sizes, chunking.config.size, chunking.config.unit)
                st.plotly_chart(figure, key="sizes", config={"displayModeBar": False})
    if chunking is not None:
        workbench(state, chunking)
