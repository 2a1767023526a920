"""The plotly figures, in the colours of the page. Importable without Streamlit; they draw numbers made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from playground.core.rulers import Offsets
from playground.core.stats import histogram
from playground.retrieval.intervals import Interval
from playground.ui.palette import MEDIUM, SANS, SCALE, SMALL, Palette, over_scale, palette

MARGIN = {"l": 8, "r": 8, "t": 28, "b": 8}
_CLEAR = "rgba(0,0,0,0)"


def size_histogram(sizes: Offsets, limit: int, unit: str, *, dark: bool = False) -> Any:
    """How many chunks have which size, with the limit drawn in."""
    colours = palette(dark)
    counts, width = histogram(sizes, limit)
    edges = [width * index for index in range(len(counts))]
    figure = go.Figure(
        go.Bar(
            x=[edge + (width + 1) / 2 for edge in edges],
            y=counts.tolist(),
            width=width * 0.94,
            customdata=[[edge + 1, edge + width] for edge in edges],
            marker={"color": colours.mark_a, "line": {"width": 0}},
            hovertemplate="%{y} chunks of %{customdata[0]:,} to %{customdata[1]:,} " + f"{unit}s<extra></extra>",
        )
    )
    figure.add_vline(x=limit + 0.5, line={"color": colours.mark_b, "dash": "dash", "width": 2})
    figure.add_annotation(
        x=limit + 0.5, y=1, yref="paper", yanchor="bottom", xanchor="right", text=f"size {limit:,}", showarrow=False,
        font={"color": colours.mark_b, "size": SMALL},
    )  # fmt: skip
    figure.update_layout(height=230, showlegend=False)
    figure.update_xaxes(title={"text": f"size in {unit}s"}, rangemode="tozero", showgrid=False)
    figure.update_yaxes(title={"text": "chunks"}, rangemode="tozero", tickformat=",d")
    return _styled(figure, colours)


def heat_map(
    sizes: Sequence[int],
    overlaps: Sequence[int],
    means: Sequence[float],
    outlined: Sequence[bool],
    label: str,
    unit: str,
    intervals: Sequence[Interval] = (),
    *,
    dark: bool = False,
) -> Any:
    """Means over size (down) and overlap (across), each printed in its cell; some cells outlined together.

    Cell i has the size `sizes[i]`, the overlap `overlaps[i]` in percent and the mean `means[i]`, which may be fewer.
    """
    rows, columns = sorted(set(sizes)), sorted(set(overlaps))
    places = [(rows.index(size), columns.index(overlap)) for size, overlap in zip(sizes, overlaps, strict=True)]
    figure = go.Figure(_cells(rows, columns, dict(zip(places, means, strict=False)), label))
    figure.add_scatter(**_points(sizes, overlaps, means, intervals, unit))
    seen = [(*place, mean, over_scale(mean)) for place, mean in zip(places, means, strict=False)]
    figure.update_layout(
        annotations=[
            {"x": column, "y": row, "text": f"{mean:.2f}", "showarrow": False, "font": {"color": colour, "size": SMALL}}
            for row, column, mean, colour in seen
        ],
        shapes=[
            _outline(row, column, colour) for (row, column, _, colour), on in zip(seen, outlined, strict=False) if on
        ],
    )
    figure.update_layout(height=110 + 42 * len(rows), clickmode="event+select", hovermode="closest", hoverdistance=-1)
    axis = {"type": "category", "showgrid": False}
    figure.update_xaxes(title={"text": "overlap"}, range=[-0.5, len(columns) - 0.5], **axis)
    figure.update_yaxes(title={"text": f"size in {unit}s"}, range=[-0.5, len(rows) - 0.5], **axis)
    return _styled(figure, palette(dark))


def _outline(row: int, column: int, colour: str) -> dict[str, Any]:
    """A frame inside a cell."""
    return {
        "type": "rect",
        "x0": column - 0.46,
        "x1": column + 0.46,
        "y0": row - 0.43,
        "y1": row + 0.43,
        "line": {"color": colour, "width": 2},
    }


def _cells(rows: Sequence[int], columns: Sequence[int], means: Mapping[tuple[int, int], float], label: str) -> Any:
    """The cells, coloured; `means` by row and column.

    A heat map prints its text in one colour, or in one that cannot be read over all of the scale: annotations print it.
    """
    table = [[means.get((row, column)) for column in range(len(columns))] for row in range(len(rows))]
    return go.Heatmap(
        z=table,
        x=[f"{overlap}%" for overlap in columns],
        y=[f"{size:,}" for size in rows],
        text=[["" if value is None else f"{value:.2f}" for value in row] for row in table],
        colorscale=SCALE,
        zmin=0,
        zmax=1,
        xgap=2,
        ygap=2,
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
    *,
    dark: bool = False,
) -> Any:
    """A figure over how much is read, for several settings: on the left by chunks, on the right by tokens.

    `lines[name]` holds one value for each of `ks`, and one for each of `budgets`.
    """
    colours = palette(dark)
    figure = make_subplots(
        cols=2, shared_yaxes=True, horizontal_spacing=0.06, subplot_titles=("by chunks read", "by tokens read")
    )
    for number, (name, (chunks, tokens)) in enumerate(lines.items()):
        colour, dash, symbol = ((colours.mark_a, "solid", "circle"), (colours.mark_b, "dot", "diamond"))[number % 2]
        style: dict[str, Any] = {
            "name": name,
            "mode": "lines+markers",
            "line": {"color": colour, "width": 2, "dash": dash},
            "marker": {"symbol": symbol, "size": 7},
            "legendgroup": name,
        }
        figure.add_scatter(x=list(ks), y=list(chunks), **style, row=1, col=1)
        figure.add_scatter(x=list(budgets), y=list(tokens), showlegend=False, **style, row=1, col=2)
    figure.update_annotations(font={"size": MEDIUM, "color": colours.ink})
    figure.update_layout(height=280, legend={"orientation": "h", "y": -0.2, "font": {"color": colours.ink}})
    figure.update_yaxes(rangemode="tozero")
    figure.update_yaxes(title={"text": label}, col=1)
    return _styled(figure, colours)


def _styled(figure: Any, colours: Palette) -> Any:
    """What all figures have: the page's type and colours, the same margins, no ground of their own."""
    figure.update_layout(
        template=go.layout.Template(),  # Streamlit's own would bring its colours in again
        margin=MARGIN,
        paper_bgcolor=_CLEAR,
        plot_bgcolor=_CLEAR,
        font={"family": SANS, "size": SMALL, "color": colours.ink},
        hoverlabel={
            "bgcolor": colours.raised,
            "bordercolor": colours.quiet,
            "font": {"family": SANS, "size": SMALL, "color": colours.ink},
        },
    )
    axis = {
        "automargin": True,
        "title_font": {"size": MEDIUM, "color": colours.ink},
        "title_standoff": 8,
        "tickfont": {"size": SMALL, "color": colours.quiet},
        "gridcolor": colours.line,
        "zeroline": False,
        "ticks": "",
    }
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis)
    for bar in figure.select_traces("heatmap"):
        bar.colorbar.update(tickfont={"color": colours.quiet}, title_font={"size": MEDIUM}, outlinewidth=0)
    return figure
