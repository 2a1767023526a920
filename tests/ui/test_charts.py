"""The figures draw what they are given: every chunk once and the limit; every mean in its cell."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from plotly.colors import sample_colorscale

from playground import ChunkingConfig, Document, chunk
from playground.ui.charts import MARGIN, depth_curves, heat_map, size_histogram
from playground.ui.palette import DARK, LIGHT, palette

ROOT = Path(__file__).parents[2]


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
    printed = {(note["y"], note["x"]): note["text"] for note in mapped()["layout"]["annotations"]}
    assert printed == {(row, column): trace["text"][row][column] for row in range(3) for column in range(2)}


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
    assert sorted(note["text"] for note in figure["layout"]["annotations"]) == ["0.00", "0.12", "1.00"]


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


# --- colours -----------------------------------------------------------------------------------------------------

FIGURES = {
    "sizes": lambda dark: size_histogram(np.array([8, 20, 24], dtype=np.int32), 24, "token", dark=dark),
    "map": lambda dark: heat_map(SIZES, OVERLAPS, MEANS, [True] * 6, "Recall", "token", dark=dark),
    "depth": lambda dark: depth_curves(
        {"one": ([0.1, 0.2], [0.3]), "other": ([0.2, 0.3], [0.4])}, [1, 2], [500], "Recall", dark=dark
    ),
}


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it, of #rrggbb or rgb(r, g, b)."""
    hexadecimal = re.fullmatch(r"#(..)(..)(..)", colour)
    found = (
        [int(part, 16) for part in hexadecimal.groups()] if hexadecimal else map(float, re.findall(r"[\d.]+", colour))
    )
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (x / 255 for x in found)]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_contrast_is_that_of_the_published_examples():
    assert contrast("#000000", "rgb(255, 255, 255)") == 21
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48
    assert round(contrast("#767676", "#ffffff"), 2) == 4.54


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("part", range(8))
def test_numbers_and_outlines_can_be_seen_over_every_colour_of_the_scale(dark, part):
    means = [number / 1000 for number in range(part * 125, part * 125 + 126)]
    count = range(len(means))
    figure = heat_map([*count], [0] * len(means), means, [True] * len(means), "Recall", "token", dark=dark)
    layout = figure.to_plotly_json()["layout"]
    under = dict(zip(count, sample_colorscale("Cividis", means), strict=True))
    assert len(layout["annotations"]) == len(layout["shapes"]) == len(means)
    for note, outline in zip(layout["annotations"], layout["shapes"], strict=True):
        assert note["text"] == f"{means[note['y']]:.2f}"
        assert contrast(note["font"]["color"], under[note["y"]]) >= 4.5
        assert outline["y0"] < note["y"] < outline["y1"]
        assert contrast(outline["line"]["color"], under[note["y"]]) >= 4.5
    assert cells(figure.to_plotly_json())["colorscale"][0][1] == "#00224e"  # the first colour of Cividis


@pytest.mark.parametrize("dark", [False, True])
def test_all_text_and_all_marks_can_be_seen_on_the_page(dark):
    colours = palette(dark)
    for colour in (colours.ink, colours.quiet, colours.mark_a, colours.mark_b, colours.cut):
        assert contrast(colour, colours.paper) >= 4.5
    assert contrast(colours.ink, colours.raised) >= 4.5
    assert contrast(colours.line, colours.paper) < 2  # a grid that is seen first is in the way


def texts(node, path=""):
    """Every colour and size of text in a figure, by where it stands."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name in ("font", "tickfont", "title_font", "textfont"):
                yield f"{path}.{name}", value
            yield from texts(value, f"{path}.{name}")
    elif isinstance(node, list | tuple):
        for number, value in enumerate(node):
            yield from texts(value, f"{path}[{number}]")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", FIGURES)
def test_figures_share_their_type_their_margins_and_their_colours(name, dark):
    figure, colours = FIGURES[name](dark).to_plotly_json(), palette(dark)
    layout = figure["layout"]
    assert layout["margin"] == MARGIN
    assert not layout["template"].get("layout")  # Streamlit's own would bring its colours in again
    assert layout["hoverlabel"]["bgcolor"] == colours.raised
    assert layout["hoverlabel"]["font"]["color"] == layout["font"]["color"] == colours.ink
    on_cells = [note["font"] for note in layout.get("annotations", ())] if name == "map" else []
    found = dict(texts(figure))
    assert found
    for where, font in found.items():
        assert font.get("size", 12) in (12, 13), where
        if "color" in font and font not in on_cells:
            assert contrast(font["color"], colours.paper) >= 4.5, where
    axes = [axis for key, axis in layout.items() if re.fullmatch(r"[xy]axis\d?", key)]
    assert len(axes) >= 2
    assert all(
        (axis["tickfont"], axis["gridcolor"]) == ({"size": 12, "color": colours.quiet}, colours.line) for axis in axes
    )


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_other_colours_when_it_is_dark(name):
    assert FIGURES[name](False) != FIGURES[name](True)
    assert FIGURES[name](False) == FIGURES[name](False)


def test_lines_differ_in_more_than_their_colour():
    one, _, other, _ = FIGURES["depth"](False).to_plotly_json()["data"]
    assert one["line"]["dash"] != other["line"]["dash"]
    assert one["marker"]["symbol"] != other["marker"]["symbol"]


def test_the_colours_are_those_of_the_style_sheet_and_the_theme():
    sheet = (ROOT / "playground/ui/components/shared/tokens.css").read_text("utf-8")
    for name in ("raised", "mark_a", "mark_b", "cut"):
        declared = re.search(rf"--{name.replace('_', '-')}: light-dark\((#\w{{6}}), (#\w{{6}})\);", sheet)
        assert declared
        assert declared.groups() == (getattr(LIGHT, name), getattr(DARK, name))
    for name, share in (("quiet", 68), ("line", 16)):
        assert f"--{name}: color-mix(in srgb, var(--ink) {share}%, var(--paper));" in sheet
        for colours in (LIGHT, DARK):
            parts = zip(*(bytes.fromhex(getattr(colours, one)[1:]) for one in (name, "ink", "paper")), strict=True)
            assert all(abs(mix - (share * ink + (100 - share) * paper) / 100) <= 0.5 for mix, ink, paper in parts)
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"]
    for scheme, colours in (("light", LIGHT), ("dark", DARK)):
        assert (theme[scheme]["textColor"], theme[scheme]["backgroundColor"]) == (colours.ink, colours.paper)


def test_figures_are_made_without_streamlit():
    script = "import sys, playground.ui.charts; sys.exit('streamlit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0
