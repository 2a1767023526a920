"""The figures draw what they are given: every chunk once and the limit; every mean in its cell."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from playground import ChunkingConfig, Document, chunk
from playground.ui.charts import heat_map, size_histogram


def drawn(sizes, limit=240, unit="token"):
    return size_histogram(np.array(sizes, dtype=np.int32), limit, unit).to_plotly_json()


@pytest.mark.parametrize("limit", [8, 23, 24, 25, 100, 8000])
def test_every_chunk_is_in_the_bar_whose_sizes_it_names(limit):
    sizes = [1, 2, 7, 8, 8, 8, 23, 24, 25, 26, 99, 100, 101, 3000]
    (trace,) = drawn(sizes, limit)["data"]
    assert trace["type"] == "bar"
    named = [(low, high) for low, high in trace["customdata"]]
    assert named[0][0] == 1
    assert all(low == high + 1 for (_, high), (low, _) in pairwise(named))
    assert list(trace["y"]) == [sum(low <= size <= high for size in sizes) for low, high in named]
    assert sum(trace["y"]) == len(sizes)
    # A bar stands over the sizes it names.
    assert list(trace["x"]) == [(low + high) / 2 for low, high in named]


def test_the_bars_count_the_chunks_of_a_chunking():
    chunking = chunk(Document.from_text("one two three four. " * 200), ChunkingConfig(size=100, overlap=20))
    (trace,) = drawn(chunking.sizes, 100)["data"]
    assert sum(trace["y"]) == len(chunking)


def test_the_limit_is_drawn_in_after_the_last_size_that_fits():
    layout = drawn([100, 1234], limit=1234)["layout"]
    (line,) = layout["shapes"]
    assert line["type"] == "line"
    assert line["x0"] == line["x1"] == 1234.5
    (note,) = layout["annotations"]
    assert (note["x"], note["text"]) == (1234.5, "size 1,234")


@pytest.mark.parametrize("unit", ["character", "word", "token"])
def test_the_axis_names_the_unit_and_starts_at_nothing(unit):
    figure = drawn([5, 6], unit=unit)
    assert figure["layout"]["xaxis"]["title"]["text"] == f"size in {unit}s"
    assert figure["layout"]["xaxis"]["rangemode"] == "tozero"
    assert f"{unit}s" in figure["data"][0]["hovertemplate"]


def test_no_chunks_give_empty_bars():
    (trace,) = drawn([])["data"]
    assert set(trace["y"]) == {0}


# --- the map -----------------------------------------------------------------------------------------------------

SIZES, OVERLAPS = [30, 30, 1200, 1200, 170, 170], [15, 0, 15, 0, 15, 0]
MEANS = [0.0, 0.125, 1.0, 0.995, 0.5, 0.333]


def mapped(means=MEANS, outlined=(False,) * 6):
    return heat_map(SIZES, OVERLAPS, means, outlined, "Recall", "token").to_plotly_json()


def cells(figure):
    """The trace that has the colours."""
    (trace,) = [trace for trace in figure["data"] if trace["type"] == "heatmap"]
    return trace


def test_a_map_prints_every_value_in_its_cell_whatever_the_order():
    trace = cells(mapped())
    assert list(trace["x"]) == ["0%", "15%"]
    assert list(trace["y"]) == ["30", "170", "1,200"]
    assert [list(row) for row in trace["z"]] == [[0.125, 0.0], [0.333, 0.5], [0.995, 1.0]]
    assert [list(row) for row in trace["text"]] == [["0.12", "0.00"], ["0.33", "0.50"], ["0.99", "1.00"]]
    assert trace["texttemplate"] == "%{text}"


def test_the_colours_of_maps_can_be_compared():
    for means in ([0.5] * 6, MEANS):
        trace = cells(mapped(means))
        assert (trace["zmin"], trace["zmax"]) == (0, 1)
    assert cells(mapped())["colorbar"]["title"]["text"] == "Recall"


def test_outlines_are_around_the_cells_that_are_asked_for():
    shapes = mapped(outlined=[False, True, True, False, False, False])["layout"]["shapes"]
    middles = [((one["x0"] + one["x1"]) / 2, (one["y0"] + one["y1"]) / 2) for one in shapes]
    assert middles == [(0, 0), (1, 2)]
    assert all(0.8 < one["x1"] - one["x0"] <= 1 and 0.8 < one["y1"] - one["y0"] <= 1 for one in shapes)
    assert not mapped()["layout"].get("shapes")


def test_cells_that_are_not_there_yet_are_empty():
    figure = mapped(MEANS[:3], [False, False, True])
    assert [list(row) for row in cells(figure)["z"]] == [[0.125, 0.0], [None, None], [None, 1.0]]
    assert [list(row) for row in cells(figure)["text"]] == [["0.12", "0.00"], ["", ""], ["", "1.00"]]
    assert len(figure["layout"]["shapes"]) == 1


def test_every_cell_that_is_there_can_be_clicked():
    """Heat maps alone have nothing to select: each cell needs a point with its labels."""
    figure = mapped(MEANS[:3], [False, False, True])
    points = [
        pair
        for trace in figure["data"]
        if trace["type"] == "scatter"
        for pair in zip(trace["x"], trace["y"], strict=True)
    ]
    assert sorted(points) == sorted([("15%", "30"), ("0%", "30"), ("15%", "1,200")])
    assert figure["layout"]["clickmode"] == "event+select"


@pytest.mark.parametrize("unit", ["character", "word", "token"])
def test_the_axes_of_a_map_are_categories_with_their_unit(unit):
    layout = heat_map([8], [0], [0.5], [True], "MRR", unit).to_plotly_json()["layout"]
    assert (layout["xaxis"]["type"], layout["yaxis"]["type"]) == ("category", "category")
    assert layout["yaxis"]["title"]["text"] == f"size in {unit}s"
