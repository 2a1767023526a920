"""The figure of sizes draws what it is given: every chunk once, and the limit."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from playground import ChunkingConfig, Document, chunk
from playground.ui.charts import size_histogram


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
