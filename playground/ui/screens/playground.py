"""The playground: one document, one chunking, every number beside it."""

from __future__ import annotations

import streamlit as st

from playground.core.chunking import chunk
from playground.settings import to_config
from playground.ui.charts import size_histogram
from playground.ui.components.panel import panel
from playground.ui.staging import show_stage
from playground.ui.state import State, opened


def show(state: State) -> None:
    """The stage on the left; the live panel and the figure of sizes on the right."""
    prepared = opened(state.document)
    left, right = st.columns([0.73, 0.27], gap="medium")
    with left:
        answer = show_stage("stage", state, prepared)
    with right:
        panel(key="panel", stage_key="stage", answer=answer)
        with st.container(key="figure"):
            if st.session_state.get("painted"):  # plotly is three megabytes of script: the chunks come first
                config = to_config(state.panes[0])
                figure = size_histogram(chunk(prepared, config).sizes, config.size, config.unit)
                st.plotly_chart(figure, key="sizes", config={"displayModeBar": False})
