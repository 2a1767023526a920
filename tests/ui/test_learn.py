"""Learn, run as Streamlit runs it: what the card and the stage are given, and what their triggers change."""

from __future__ import annotations

import json

import pytest
import streamlit as st
from ui.visiting import arriving, sound

from playground.lessons.catalogue import lessons
from playground.lessons.conditions import LessonError
from playground.settings import parse
from playground.settings.parts import EVERYWHERE, PARTS
from playground.ui.address import FIRST_DOCUMENT
from playground.ui.screens import learn

SLUGS = list(lessons())
STEPS = [(slug, number) for slug, lesson in lessons().items() for number in range(len(lesson.steps))]
GUESSED = next(
    (slug, number)
    for slug, number in STEPS
    if (guess := lessons()[slug].steps[number].prediction) and guess.choices and guess.reveal == "now"
)
COMPARED = next((slug, number) for slug, number in STEPS if lessons()[slug].steps[number].setup.page == "compare")
ON_MAP = next((slug, number) for slug, number in STEPS if lessons()[slug].steps[number].setup.page == "evaluate")


class Class:
    """Stands in for the browser: keeps what every component was mounted with, and calls back like it."""

    def __init__(self, monkeypatch):
        self.mounted = {}
        for name in ("stage", "panel", "lesson", "lessons", "glossary", "curve", "history"):
            monkeypatch.setattr(f"playground.ui.components.{name}.component", self.component)

    def component(self, name, *styles, **others):
        def mount(*, key, data, **callbacks):
            self.mounted[key] = json.loads(json.dumps(data))
            for what, callback in callbacks.items():
                if what.startswith("on_"):
                    st.button(f"{key} {what}", key=f"{key}-{what[3:-7]}", on_click=callback)

        return mount

    def open(self, **query):
        self.visit = sound(arriving(**query).run())
        return self

    def does(self, key, what, value):
        """The component `key` triggers `what`, and Streamlit runs the page again."""
        self.visit.session_state[key] = {what: value}
        self.mounted.clear()
        sound(self.visit.button(key=f"{key}-{what}").click().run())
        return self

    def settles(self, *panes, key="lesson-stage"):
        panes = [{"settings": settings, "from": 0, "to": 6000} for settings in panes]
        return self.does(key, "commit", {"number": 1, "doc": self.mounted[key]["doc"], "panes": panes})

    @property
    def card(self):
        return self.mounted["lesson-card"]

    @property
    def stage(self):
        return self.mounted["lesson-stage"]

    @property
    def address(self):
        return {name: self.visit.query_params[name] for name in self.visit.query_params}


@pytest.fixture
def lesson(monkeypatch):
    return Class(monkeypatch)


def here(slug, number):
    """The step as its card names it."""
    return {"lesson": slug, "step": number}


def step_of(slug, number):
    return lessons()[slug].steps[number]


def at(slug, number):
    return {"page": "learn", "lesson": slug, "step": number + 1}


def test_the_list_has_every_lesson_and_its_address(lesson):
    rows = lesson.open(page="learn").mounted["lesson-list"]["lessons"]
    assert [row["slug"] for row in rows] == SLUGS
    assert [row["number"] for row in rows] == list(range(1, len(SLUGS) + 1))
    assert rows[0]["href"] == f"?page=learn&lesson={SLUGS[0]}&step=1"
    assert lesson.address == {"page": "learn"}
    assert not lesson.visit.selectbox, "no document is chosen here"


@pytest.mark.parametrize(("slug", "number"), [(slug, len(lesson.steps) - 1) for slug, lesson in lessons().items()])
def test_every_lesson_has_links_that_show_its_steps(lesson, slug, number):
    lesson.open(**at(slug, number))
    assert not lesson.visit.warning
    assert not lesson.visit.error
    assert lesson.address == {name: str(value) for name, value in at(slug, number).items()}
    step = step_of(slug, number)
    assert (lesson.card["lesson"], lesson.card["step"]) == (slug, number)
    assert lesson.card["phase"] == ("predict" if step.prediction else "do")
    assert step.prediction or lesson.card["told"]["done"] is False
    assert len(lesson.card["steps"]) == len(lessons()[slug].steps)
    if step.setup.page != "evaluate":
        assert lesson.stage["doc"] == step.setup.document
        assert lesson.stage["panes"] == list(step.prediction.panes if step.prediction else step.setup.panes)
        assert (lesson.stage["ask"] is None) == (step.setup.ask is None)
        assert lesson.stage["lesson"] == {"lesson": slug, "step": number}


def test_nothing_can_be_touched_before_the_prediction(lesson):
    slug, number = GUESSED
    lesson.open(**at(slug, number))
    assert set(lesson.stage["hidden"]) == set(PARTS) - EVERYWHERE
    revision = lesson.stage["revision"]
    lesson.does("lesson-card", "predicted", {"lesson": slug, "step": number, "said": 0})
    step = step_of(slug, number)
    assert set(lesson.stage["hidden"]) == set(PARTS) - EVERYWHERE - {*step.setup.controls, "found"}
    assert lesson.stage["panes"] == list(step.setup.panes)
    assert lesson.stage["revision"] > revision
    assert lesson.card["phase"] == "do"
    assert lesson.card["told"]["right"].count(True) == 1


def test_a_settled_move_is_told_to_the_card(lesson):
    slug, number = "overlap", 0
    lesson.open(**at(slug, number)).does("lesson-card", "predicted", {**here(slug, number), "said": None})
    step = step_of(slug, number)
    lesson.settles(*step.solution.panes)
    assert lesson.card["told"]["done"] is True
    assert lesson.address == {name: str(value) for name, value in at(slug, number).items()}


def test_the_next_step_begins_anew(lesson):
    slug = next(slug for slug in SLUGS if len(lessons()[slug].steps) > 1)
    lesson.open(**at(slug, 0)).does("lesson-card", "go", {"lesson": slug, "step": 1})
    assert lesson.card["step"] == 1
    assert lesson.address["step"] == "2"
    asked = lesson.mounted["lesson-stage"]["asked"]
    lesson.does("lesson-card", "go", {"lesson": slug, "step": 0})
    assert lesson.card["step"] == 0
    assert lesson.stage["asked"] == asked + 1


@pytest.mark.parametrize(
    "found",
    [None, 3, {}, {"lesson": "x", "step": 0}, {"lesson": SLUGS[0], "step": 99}, {"lesson": SLUGS[0], "step": True},
     {"lesson": [], "step": 0}, {"lesson": SLUGS[0], "step": -1}],
)  # fmt: skip
def test_a_step_that_is_not_there_changes_nothing(lesson, found):
    lesson.open(**at(SLUGS[1], 0)).does("lesson-card", "go", found)
    assert (lesson.card["lesson"], lesson.card["step"]) == (SLUGS[1], 0)


@pytest.mark.parametrize("what", ["predicted", "leave"])
@pytest.mark.parametrize("found", [None, {}, {"lesson": "overlap", "step": 1}, {"lesson": "tokens", "step": 0}])
def test_a_card_of_another_step_changes_nothing(lesson, what, found):
    """A second click may come with the first, and be heard after it."""
    lesson.open(**at("overlap", 0)).does("lesson-card", what, found)
    assert (lesson.card["lesson"], lesson.card["step"], lesson.card["phase"]) == ("overlap", 0, "predict")


def test_what_a_hand_let_go_before_the_step_began_is_no_setting_of_the_step(lesson):
    lesson.open(**at("overlap", 0))
    old, panes = lesson.stage["revision"], [{"settings": parse({"size": 333})[0], "from": 0, "to": 6000}]
    lesson.does("lesson-card", "predicted", {**here("overlap", 0), "said": None})
    begun = lesson.stage["panes"]
    lesson.does("lesson-stage", "commit", {"number": 1, "doc": lesson.stage["doc"], "revision": old, "panes": panes})
    assert lesson.stage["panes"] == begun
    revision = lesson.stage["revision"]
    lesson.does(
        "lesson-stage", "commit", {"number": 2, "doc": lesson.stage["doc"], "revision": revision, "panes": panes}
    )
    assert lesson.stage["panes"][0]["size"] == 333


def test_a_lesson_is_left_for_free_play_and_resumed(lesson):
    lesson.open(**at("overlap", 0)).does("lesson-card", "predicted", {**here("overlap", 0), "said": None})
    panes = lesson.stage["panes"]
    lesson.does("lesson-card", "leave", {"lesson": "overlap", "step": 0})
    free = lesson.mounted["stage"]
    assert free["doc"] == step_of("overlap", 0).setup.document
    assert free["panes"] == panes
    assert free["ask"]["question"] == step_of("overlap", 0).setup.ask["question"]
    assert free["hidden"] == []
    assert free["lesson"] is None
    assert lesson.address["page"] == "playground"
    sound(lesson.visit.selectbox[0].set_value("faq.md").run())
    assert lesson.mounted["stage"]["ask"] is None, "the question was about another document"
    (back,) = [button for button in lesson.visit.button if "Back to the lesson" in button.label]
    sound(back.click().run())
    assert lesson.card["lesson"] == "overlap"
    assert lesson.card["phase"] == "do", "as it was left"


@pytest.mark.parametrize("more", [{"present": "1"}, {"hide": "header"}])
def test_without_a_header_there_is_a_way_back_from_free_play(lesson, more):
    lesson.open(**at("overlap", 0), **more).does("lesson-card", "leave", here("overlap", 0))
    (back,) = [button for button in lesson.visit.button if "Back to the lesson" in button.label]
    sound(back.click().run())
    assert lesson.card["lesson"] == "overlap"


def test_a_comparison_is_left_for_the_page_that_compares(lesson):
    lesson.open(**at(*COMPARED)).does("lesson-card", "leave", here(*COMPARED))
    assert lesson.address["page"] == "compare"
    assert len(lesson.mounted["comparison"]["panes"]) == 2


def test_the_list_is_a_click_away_and_the_playground_keeps_its_own_document(lesson):
    lesson.open(doc="faq.md", size="333")
    lesson.visit.session_state["state"].learn("overlap", 0)
    sound(lesson.visit.run())
    assert lesson.stage["doc"] != "faq.md"
    lesson.does("lesson-card", "list", True)
    assert "lesson-list" in lesson.mounted
    lesson.visit.session_state["state"].page = "playground"
    sound(lesson.visit.run())
    assert lesson.mounted["stage"]["doc"] == "faq.md"
    assert lesson.mounted["stage"]["panes"] == [parse({"size": "333"})[0]]


def test_the_map_comes_after_the_prediction(lesson):
    slug, number = ON_MAP
    lesson.open(**at(slug, number))
    drawing = [button for button in lesson.visit.button if "map" in button.label]
    assert bool(drawing) == (step_of(slug, number).prediction is None)
    lesson.does("lesson-card", "predicted", {**here(slug, number), "said": 0})
    (draw,) = [button for button in lesson.visit.button if "map" in button.label]
    assert lesson.card["told"]["done"] is False
    assert lesson.card["told"]["facts"].get("cells") is None
    sound(draw.click().run(timeout=240))
    assert lesson.card["told"]["facts"]["cells"] == 40
    assert lesson.card["told"]["done"] is True


def test_presenting_is_a_switch_that_the_address_keeps(lesson):
    lesson.open(**at("overlap", 0)).does("lesson-card", "present", True)
    assert lesson.card["presenting"] is True
    assert lesson.stage["presenting"] is True
    assert lesson.address["present"] == "1"
    assert not lesson.visit.get("button_group"), "nothing around it"
    lesson.does("lesson-card", "present", False)
    assert "present" not in lesson.address
    assert lesson.visit.get("button_group")


def test_what_a_link_hides_is_hidden(lesson):
    lesson.open(hide="header,numbers,figure,workbench,unit")
    assert set(lesson.mounted) == {"stage", "history"}
    assert lesson.mounted["stage"]["hidden"] == ["figure", "header", "numbers", "unit", "workbench"]
    assert not lesson.visit.get("button_group")
    assert lesson.address["hide"] == "figure,header,numbers,unit,workbench"


def test_a_wrong_link_shows_the_list_with_a_notice(lesson):
    lesson.open(page="learn", lesson="<b>no</b>")
    assert "lesson-list" in lesson.mounted
    (notice,) = lesson.visit.warning
    assert "Lesson" in notice.value
    assert "<b>" not in notice.value, "it is text"


def test_going_back_shows_what_the_address_names(lesson):
    lesson.open(page="learn").does("lesson-list", "go", {"lesson": "overlap", "step": 0})
    lesson.does("history", "went", {"page": "learn"})
    assert "lesson-list" in lesson.mounted
    lesson.does("history", "went", {"page": "learn", "lesson": "overlap", "step": "2"})
    assert (lesson.card["lesson"], lesson.card["step"]) == ("overlap", 1)
    lesson.does("history", "went", {"page": "playground", "doc": "faq.md", "size": "99", "hide": "unit"})
    stage = lesson.mounted["stage"]
    assert (stage["doc"], stage["panes"], stage["hidden"]) == ("faq.md", [parse({"size": "99"})[0]], ["unit"])
    lesson.does("history", "went", {"page": "compare", "doc": "faq.md", "size": "50", "b_size": "60"})
    assert [pane["size"] for pane in lesson.mounted["comparison"]["panes"]] == [50, 60]


@pytest.mark.parametrize("found", [None, "page=learn", 3, {"page": "<b>", "size": {}, "doc": "../app.py"}])
def test_an_address_that_cannot_be_breaks_nothing(lesson, found):
    lesson.open(size="77").does("history", "went", found)
    assert lesson.mounted["stage"]["doc"] == FIRST_DOCUMENT
    assert len(lesson.visit.warning) == (3 if isinstance(found, dict) else 0)


def test_going_back_keeps_a_document_that_no_link_can_name(lesson):
    lesson.open()
    state = lesson.visit.session_state["state"]
    state.document = "faq.md"  # stands for one of the visitor's own: the address names none
    lesson.does("history", "went", {"page": "playground", "size": "88"})
    assert lesson.mounted["stage"]["doc"] == "faq.md"
    assert lesson.mounted["stage"]["panes"][0]["size"] == 88


def test_a_lesson_file_that_is_wrong_is_named_on_the_page(lesson, monkeypatch):
    def broken():
        raise LessonError("Lesson my-own: step 1: there is no setting “sise”.")

    monkeypatch.setattr(learn, "lessons", broken)
    lesson.open(page="learn")
    (message,) = lesson.visit.error
    assert "no setting “sise”" in message.value


def test_a_first_visit_is_no_lesson(lesson):
    lesson.open()
    assert lesson.mounted["stage"]["doc"] == FIRST_DOCUMENT
    assert lesson.mounted["stage"]["ask"] is None
    assert lesson.mounted["stage"]["asked"] == 0
