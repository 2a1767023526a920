"""Starting points on the page: each says what it is, and one click gives its settings to the first pane."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest
from ui.visiting import sound

from playground.lessons.starting import starting_points
from playground.settings import parse
from playground.ui.address import FIRST_DOCUMENT
from playground.ui.starting import in_words
from playground.ui.words import plain

POINTS = {point.name: point for point in starting_points()}
SCRIPT = """
from playground.ui.screens import compare, playground
from playground.ui.starting import offer
from playground.ui.state import session

state = session()
offer(state)
{"playground": playground.show, "compare": compare.show}[state.page](state)
"""


def page(**query) -> AppTest:
    """A page with the starting points above it."""
    visit = AppTest.from_string(SCRIPT, default_timeout=120)
    for name, value in query.items():
        visit.query_params[name] = str(value)
    return sound(visit.run())


def use(visit: AppTest, name: str) -> AppTest:
    (button,) = [one for one in visit.button if one.label == f"Use: {plain(POINTS[name].label)}"]
    return sound(button.click().run())


def stage(visit: AppTest) -> dict:
    """What the stage was mounted with."""
    (element,) = [one for one in visit.get("bidi_component") if one.key in ("stage", "comparison")]
    return json.loads(element.proto.json or element.proto.mixed.json)


def said(visit: AppTest) -> str:
    return "\n".join(one.value for one in visit.markdown)


@pytest.mark.parametrize("name", POINTS)
def test_one_click_shows_the_settings(name):
    visit = use(page(doc="field-guide.md"), name)
    state = visit.session_state["state"]
    assert state.panes == [dict(POINTS[name].settings)]
    assert stage(visit)["panes"] == state.panes
    assert (state.page, state.document) == ("playground", "field-guide.md")


def test_the_stage_is_told_that_its_settings_changed():
    visit = page()
    before = stage(visit)["revision"]
    assert stage(use(visit, "code"))["revision"] > before


def test_every_point_says_what_it_is_for_with_what_and_why():
    visit = page()
    for point in POINTS.values():
        for text in (point.label, point.suits, in_words(point.settings), point.reason, point.sample):
            assert plain(text) in said(visit)


def test_the_settings_in_one_line():
    values = {"mode": "structure", "unit": "token", "size": 1240, "overlap": 10}
    assert in_words(parse(values)[0]) == "Structure-aware, 1,240 tokens, overlap 10%"
    more = parse({**values, "unit": "word", "context": "off", "parents": 3})[0]
    assert in_words(more) == "Structure-aware, 1,240 words, overlap 10%, heading path off, parents 3"


def test_the_first_pane_of_a_comparison_changes_and_no_other():
    visit = use(page(page="compare", size=200, b_size=300, b_mode="sentence"), "narrative")
    state = visit.session_state["state"]
    assert state.compared[0] == dict(POINTS["narrative"].settings)
    assert (state.compared[1]["size"], state.compared[1]["mode"]) == (300, "sentence")
    assert state.panes[0]["size"] == 200
    assert stage(visit)["panes"] == state.compared


def test_a_tokenizer_that_was_chosen_stays():
    visit = use(page(tokenizer="o200k_base"), "faq")
    assert visit.session_state["state"].panes == [{**POINTS["faq"].settings, "tokenizer": "o200k_base"}]


def test_everything_else_is_as_the_reason_assumes():
    visit = use(page(mode="structure", context="off", parents=4, snap="word", unit="character"), "prose")
    assert visit.session_state["state"].panes == [dict(POINTS["prose"].settings)]


def test_what_was_said_about_the_link_has_been_read():
    visit = page(size=999999)
    assert visit.session_state["state"].notices
    use(visit, "prose")
    assert visit.session_state["state"].notices == []
    assert visit.session_state["refused"] == []


def test_the_popover_comes_back_closed_and_can_be_used_again():
    visit = page()
    first = {one.key for one in visit.button if one.label.startswith("Use: ")}
    use(visit, "prose")
    second = {one.key for one in visit.button if one.label.startswith("Use: ")}
    assert len(first) == len(second) == len(POINTS)
    assert not first & second
    assert use(visit, "code").session_state["state"].panes == [dict(POINTS["code"].settings)]


def test_one_visitors_choice_changes_no_others():
    use(page(), "code")
    assert page().session_state["state"].panes == [parse({})[0]]
    assert page().session_state["state"].document == FIRST_DOCUMENT
