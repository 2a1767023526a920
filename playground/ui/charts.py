"""The plotly figures, in the colours of the page. Importable without Streamlit; they draw numbers made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from playground.core.rulers import Offsets
from playground.core.stats import histogram
from playground.retrieval.intervals import Interval

BLUE, ORANGE = "#2f74c0", "#c77a12"


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


def heat_map(
    sizes: Sequence[int],
    overlaps: Sequence[int],
    means: Sequence[float],
    outlined: Sequence[bool],
    label: str,
    unit: str,
    intervals: Sequence[Interval] = (),
) -> Any:
    """Means over size (down) and overlap (across), each printed in its cell; some cells outlined together.

    Cell i has the size `sizes[i]`, the overlap `overlaps[i]` in percent and the mean `means[i]`, which may be fewer.
    """
    rows, columns = sorted(set(sizes)), sorted(set(overlaps))
    places = [(rows.index(size), columns.index(overlap)) for size, overlap in zip(sizes, overlaps, strict=True)]
    figure = go.Figure(_colours(rows, columns, dict(zip(places, means, strict=False)), label))
    figure.add_scatter(**_points(sizes, overlaps, means, intervals, unit))
    for (row, column), is_outlined in zip(places, outlined, strict=False):
        if is_outlined:
            figure.add_shape(
                type="rect", x0=column - 0.47, x1=column + 0.47, y0=row - 0.47, y1=row + 0.47,
                line={"color": ORANGE, "width": 3},
            )  # fmt: skip
    figure.update_layout(
        height=90 + 42 * len(rows),
        margin={"l": 4, "r": 8, "t": 12, "b": 4},
        xaxis={"title": {"text": "overlap"}, "type": "category", "range": [-0.5, len(columns) - 0.5]},
        yaxis={"title": {"text": f"size in {unit}s"}, "type": "category", "range": [-0.5, len(rows) - 0.5]},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        clickmode="event+select",
        hovermode="closest",
        hoverdistance=-1,
    )
    return figure


def _colours(rows: Sequence[int], columns: Sequence[int], means: Mapping[tuple[int, int], float], label: str) -> Any:
    """The cells, coloured and printed; `means` by row and column."""
    table = [[means.get((row, column)) for column in range(len(columns))] for row in range(len(rows))]
    return go.Heatmap(
        z=table,
        x=[f"{overlap}%" for overlap in columns],
        y=[f"{size:,}" for size in rows],
        text=[["" if value is None else f"{value:.2f}" for value in row] for row in table],
        texttemplate="%{text}",
        colorscale="Cividis",
        zmin=0,
        zmax=1,
        xgap=3,
        ygap=3,
        colorbar={"title": {"text": label}, "thickness": 14},
        hoverinfo="skip",
    )


def _points(
    sizes: Sequence[int], overlaps: Sequence[int], means: Sequence[float], intervals: Sequence[Interval], unit: str
) -> dict[str, Any]:
    """An unseen point in the middle of every cell: only points can be selected, and it tells what the cell is."""
    told = [f"<br>95%: {one.low:.2f} to {one.high:.2f}" for one in intervals] or [""] * len(means)
    return {
        "x": [f"{overlap}%" for overlap in overlaps[: len(means)]],
        "y": [f"{size:,}" for size in sizes[: len(means)]],
        "customdata": list(zip(means, told, strict=True)),
        "mode": "markers",
        "marker": {"opacity": 0, "size": 30},
        "selected": {"marker": {"opacity": 0}},
        "unselected": {"marker": {"opacity": 0}},
        "hovertemplate": f"size %{{y}} {unit}s, overlap %{{x}}: "
        "%{customdata[0]:.3f}%{customdata[1]}<extra></extra>",
        "showlegend": False,
    }


def depth_curves(
    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    ks: Sequence[int],
    budgets: Sequence[int],
    label: str,
) -> Any:
    """A figure over how much is read, for several settings: on the left by chunks, on the right by tokens.

    `lines[name]` holds one value for each of `ks`, and one for each of `budgets`.
    """
    figure = make_subplots(cols=2, shared_yaxes=True, subplot_titles=("by chunks read", "by tokens read"))
    for number, (name, (chunks, tokens)) in enumerate(lines.items()):
        style: dict[str, Any] = {"name": name, "line": {"color": (BLUE, ORANGE)[number % 2], "width": 2}}
        figure.add_trace(go.Scatter(x=list(ks), y=list(chunks), mode="lines+markers", **style), row=1, col=1)
        figure.add_trace(
            go.Scatter(x=list(budgets), y=list(tokens), mode="lines+markers", showlegend=False, **style), row=1, col=2
        )
    figure.update_layout(
        height=260,
        margin={"l": 4, "r": 8, "t": 30, "b": 4},
        legend={"orientation": "h", "y": -0.25},
        yaxis={"title": {"text": label}, "rangemode": "tozero"},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
    )
    return figure
