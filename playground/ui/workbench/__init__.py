"""Below the stage: a chunk a row, the similarity of sentences, what a model costs, and the way out.

One of them is shown at a time, and only that one is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from playground.core.chunking import Chunking
from playground.ui.state import State
from playground.ui.workbench import costing, leaving, rows, similarity

Bench = Callable[[State, Chunking], None]

BENCHES: Mapping[str, tuple[str, Bench]] = {
    "rows": ("Chunks as a table", rows.show),
    "similarity": ("Similarity", similarity.show),
    "costs": ("Model and cost", costing.show),
    "export": ("Export and code", leaving.show),
}


def workbench(state: State, chunking: Chunking) -> None:
    """The choice, and the one that was chosen."""
    chosen = st.segmented_control(
        "More about these chunks",
        list(BENCHES),
        format_func=lambda name: BENCHES[name][0],
        default="similarity" if chunking.config.mode == "semantic" else "rows",
        key=f"bench-{'semantic' if chunking.config.mode == 'semantic' else 'any'}",
        required=True,
    )
    BENCHES[chosen or "rows"][1](state, chunking)
