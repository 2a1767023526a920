"""The plotly figures, in the colours of the page. Importable without Streamlit; they draw numbers made elsewhere."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from playground.core.rulers import Offsets
from playground.core.stats import histogram

BLUE, ORANGE = "#2f74c0", "#c77a12"
INK = "rgba(120, 120, 120, 1)"


def size_histogram(sizes: Offsets, limit: int, unit: str) -> Any:
    """How many chunks have which size, with the limit drawn in."""
    counts, width = histogram(sizes, limit)
    edges = [width * index for index in range(len(counts))]
    figure = go.Figure(
        go.Bar(
            x=[edge + (width + 1) / 2 for edge in edges],
            y=counts.tolist(),
            width=width * 0.94,
            customdata=[[edge + 1, edge + width] for edge in edges],
            marker={"color": BLUE, "line": {"width": 0}},
            hovertemplate="%{y} chunks of %{customdata[0]:,} to %{customdata[1]:,} " + f"{unit}s<extra></extra>",
        )
    )
    figure.add_vline(x=limit + 0.5, line={"color": ORANGE, "dash": "dash", "width": 2})
    figure.add_annotation(
        x=limit + 0.5, y=1, yref="paper", yanchor="bottom", xanchor="right", text=f"size {limit:,}", showarrow=False,
        font={"color": ORANGE, "size": 12},
    )  # fmt: skip
    figure.update_layout(
        height=230,
        margin={"l": 4, "r": 8, "t": 24, "b": 4},
        showlegend=False,
        xaxis={"title": {"text": f"size in {unit}s"}, "rangemode": "tozero"},
        yaxis={"title": {"text": "chunks"}, "rangemode": "tozero", "tickformat": ",d"},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
    )
    return figure
