"""Figures are shown in the colours of the scheme that the browser tells of, and say in words what they show."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest
from ui.visiting import sound

from playground.ui import figures
from playground.ui.palette import DARK, LIGHT

SCRIPT = """
import numpy as np
from playground.ui.charts import size_histogram
from playground.ui.figures import follow_scheme, is_dark, show_figure

show_figure(size_histogram(np.array([3, 4], np.int32), 8, "word", dark=is_dark()), key="sizes", alt="Sizes of chunks")
follow_scheme()
"""


@pytest.mark.parametrize(("told", "colours"), [(None, LIGHT), (False, LIGHT), (True, DARK)])
def test_a_figure_has_the_colours_of_the_scheme(monkeypatch, told, colours):
    monkeypatch.setattr(figures, "told", lambda: told)
    visit = sound(AppTest.from_string(SCRIPT, default_timeout=60).run())
    (chart,) = visit.get("plotly_chart")
    assert json.loads(chart.proto.spec)["data"][0]["marker"]["color"] == colours.mark_a
    assert chart.proto.theme == ""  # Streamlit's own theme would paint over them
    assert chart.proto.alt == "Sizes of chunks"
    (watch,) = visit.get("bidi_component")
    assert json.loads(watch.proto.json or watch.proto.mixed.json) == {"dark": colours is DARK}
