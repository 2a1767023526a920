"""Documents: one row each with all numbers at the present settings; a click opens one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import streamlit as st

from playground.core.chunking import chunk
from playground.core.config import ChunkingConfig
from playground.core.stats import describe, histogram
from playground.settings import to_config
from playground.ui.library import all_opened, clear_uploads, document_keys, title_of, uploads
from playground.ui.state import State
from playground.ui.words import plain

BINS = 16


def show(state: State) -> None:
    """The table, and what it was computed with."""
    config = to_config(state.panes[0])
    st.markdown(
        f"All documents at the playground's present settings: **{plain(summary(config))}**. Click a row to open it."
    )
    keys = document_keys()
    rows = []
    bar = st.progress(0.0, "Measuring the documents") if len(keys) > 20 else None
    for number, row in enumerate(_rows(config), start=1):
        rows.append(row)
        if bar is not None:
            bar.progress(number / len(keys), f"Measuring the documents: {number} of {len(keys)}")
    if bar is not None:
        bar.empty()
    event = st.dataframe(
        pd.DataFrame(rows),
        column_config=_columns(config.unit),
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        key=f"table-{st.session_state.get('opened', 0)}",
        height="content" if len(rows) <= 15 else 560,
    )
    chosen = event["selection"]["cells"]
    if chosen:
        _open(state, keys[chosen[0][0]])
    if uploads():
        st.button("Remove my documents from this session", on_click=_forget, args=(state,))


def summary(config: ChunkingConfig) -> str:
    """The settings in one line."""
    return f"{config.mode}, {config.size:,} {config.unit}s, overlap {config.overlap:,}, {config.tokenizer}"


def _rows(config: ChunkingConfig) -> Iterator[dict[str, object]]:
    for key, prepared in all_opened():
        chunking = chunk(prepared, config)
        stats = describe(chunking)
        yield {
            "Document": title_of(key),
            "Characters": len(prepared.document),
            "Tokens": stats.document_tokens,
            "Chunks": stats.count,
            "Sizes": histogram(chunking.sizes, config.size, BINS)[0].tolist(),
            "Smallest": stats.smallest,
            "Median": stats.median,
            "Mean": round(stats.mean, 1),
            "Largest": stats.largest,
            "Over size": stats.oversized,
            "Processed": stats.processed_tokens,
            "Duplicated": round(stats.duplicated_percent, 1),
            "Words cut": stats.word_cuts,
            "Sentences cut": stats.sentence_cuts,
            "Overlap achieved": round(stats.overlap_mean, 1),
            "Verified": stats.check.passed,
        }


def _columns(unit: str) -> dict[str, Any]:
    column = st.column_config
    return {
        "Document": column.TextColumn(pinned=True, width="medium"),
        **{name: column.NumberColumn(format="localized") for name in ("Characters", "Tokens", "Chunks", "Processed")},
        "Sizes": column.BarChartColumn(help=f"Chunks by size in {unit}s, from 0 to the size", width="small"),
        "Duplicated": column.NumberColumn(
            format="%.1f%%", help="Tokens processed again, of those covered at least once"
        ),
        "Overlap achieved": column.NumberColumn(help=f"Mean over the boundaries, in {unit}s"),
        "Verified": column.CheckboxColumn(help="Every offset verified, coverage 100%, no gap"),
    }


def _open(state: State, key: str) -> None:
    """Show a document in the playground; the table comes back without a selection."""
    state.go(key, "playground")
    st.session_state["opened"] = st.session_state.get("opened", 0) + 1
    st.rerun()


def _forget(state: State) -> None:
    clear_uploads()
    if state.document not in document_keys():
        state.go(document_keys()[0])
