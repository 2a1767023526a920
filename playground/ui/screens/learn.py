"""Learn: the list of lessons, or one step of a lesson beside the stage that it is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from playground.core.chunking import chunk
from playground.lessons.catalogue import after, lessons, number_of
from playground.lessons.conditions import Fact
from playground.lessons.glossary import as_rows
from playground.lessons.lesson import Step
from playground.live.near import Message
from playground.live.teaching import Place, told
from playground.settings import to_config
from playground.ui.address import lesson_query
from playground.ui.components.glossary import glossary
from playground.ui.components.lesson import lesson as card
from playground.ui.components.lessons import lessons as entries
from playground.ui.components.panel import panel
from playground.ui.library import opened
from playground.ui.screens import evaluate
from playground.ui.staging import show_stage
from playground.ui.state import State, session
from playground.ui.visit import Visit
from playground.ui.workbench import similarity

STAGE, CARD, LIST = "lesson-stage", "lesson-card", "lesson-list"
TEACHERS = """
Every lesson and every step has an address: copy it and send it to a class. To any address of this page one may add:

- `present=1` shows it for a projector: large type, and nothing around it.
- `hide=header,numbers,workbench` leaves parts of the page out. It holds names of settings (`unit`, `tokenizer`,
  `tail` ...) and of parts (`header`, `lines`, `question`, `numbers`, `figure`, `workbench`, `legend`, `spaces`).
"""


def show(state: State) -> None:
    """The step that the visitor is at, or all lessons."""
    if state.lesson is None:
        show_list()
    else:
        show_step(state, state.lesson)


def show_list() -> None:
    """Every lesson with the reader's progress, what a teacher may add to a link, and the glossary."""
    rows = [
        {
            "slug": slug,
            "number": number,
            "title": one.title,
            "idea": one.idea,
            "minutes": one.minutes,
            "steps": len(one.steps),
            "href": href(slug, 0),
        }
        for number, (slug, one) in enumerate(lessons().items(), start=1)
    ]
    st.markdown(
        "Short lessons: guess first, then move a slider, and see. Each takes five minutes at most, and each step has "
        "an address of its own. What you have done is kept in this browser alone."
    )
    entries(key=LIST, data={"lessons": rows}, on_go=partial(_go, LIST))
    with st.expander("For teachers: links and presentation", icon=":material/co_present:"):
        st.markdown(TEACHERS)
    with st.expander("Glossary: the words of this page", icon=":material/menu_book:"):
        glossary(key="glossary")


def show_step(state: State, visit: Visit) -> None:
    """The card on the left, and on the right what it is about."""
    left, right = st.columns([0.38, 0.62] if state.presenting else [0.31, 0.69], gap="medium")
    with right:
        answer = show_evaluation(state, visit) if visit.step.setup.page == "evaluate" else show_panes(state, visit)
    with left:
        card(
            key=CARD,
            data=as_card(state, visit, answer["lesson"]),
            on_go=partial(_go, CARD),
            on_predicted=_changed("predicted", _if_here(State.predicted)),
            on_leave=_changed("leave", _if_here(State.play)),
            on_present=_changed("present", lambda state, found: setattr(state, "presenting", found is True)),
            on_list=_changed("list", lambda state, _: state.list_lessons()),
        )
        if "numbers" not in state.unseen and len(state.shown_panes) == 1 and visit.step.setup.page != "evaluate":
            panel(key="lesson-numbers", stage_key=STAGE, answer=answer)


def show_panes(state: State, visit: Visit) -> Message:
    """The stage, and below it what else the step needs; returns what the stage shows first."""
    prepared = opened(state.shown_document)
    answer = show_stage(STAGE, state, prepared)
    if "curve" not in state.unseen:
        similarity.show(state, chunk(prepared, to_config(visit.panes[0])), STAGE)
    return answer


def show_evaluation(state: State, visit: Visit) -> Message:
    """The page that evaluates, once a prediction was made; returns the facts of its map."""
    facts: Mapping[str, Fact] = {}
    if visit.predicting:
        st.info("First the prediction: the map comes after it.", icon=":material/psychology:")
    else:
        if not visit.evaluated:  # the step begins
            evaluate.start_afresh()
            visit.evaluated = True
        facts = evaluate.show(state)
    return {"lesson": told(Place(visit.lesson, visit.number), facts.get)}


def as_card(state: State, visit: Visit, found: Message) -> dict[str, Any]:
    """A step as its card takes it."""
    lesson, step, following = lessons()[visit.lesson], visit.step, after(visit.lesson)
    return {
        "id": STAGE,
        "lesson": visit.lesson,
        "number": number_of(visit.lesson),
        "of": len(lessons()),
        "title": lesson.title,
        "idea": lesson.idea,
        "minutes": lesson.minutes,
        "remember": lesson.remember,
        "step": visit.number,
        "steps": [{"title": one.title, "href": href(visit.lesson, index)} for index, one in enumerate(lesson.steps)],
        "next": None
        if following is None
        else {"slug": following.slug, "title": following.title, "href": href(following.slug, 0)},
        "list_href": "?" + urlencode({"page": "learn"}),
        "phase": "predict" if visit.predicting else "do",
        "text": step.text.as_rows(),
        "notice": step.notice.as_rows(),
        "goal": step.goal.do,
        "predict": as_prediction(step),
        "told": found,
        "glossary": as_rows(),
        "presenting": state.presenting,
    }


def as_prediction(step: Step) -> dict[str, Any] | None:
    """What is to be guessed, as the card takes it."""
    guess = step.prediction
    if guess is None:
        return None
    return {
        "ask": guess.ask.as_rows(),
        "choices": list(guess.choices),
        "fact": guess.fact,
        "unit": guess.unit,
        "reveal": guess.reveal,
    }


def href(slug: str, step: int) -> str:
    """The address of a step, counted from 0."""
    return "?" + urlencode(lesson_query(slug, step))


def _go(key: str) -> None:
    """Open the step that a card or the list names; what is no step changes nothing."""
    found = st.session_state[key].get("go")
    slug, number = (found.get(name) for name in ("lesson", "step")) if isinstance(found, dict) else (None, None)
    if isinstance(slug, str) and slug in lessons() and type(number) is int and 0 <= number < len(lessons()[slug].steps):
        session().learn(slug, number)


def _if_here(change: Callable[[State], None]) -> Callable[[State, object], None]:
    """The change, for a card of the step on screen: of two quick clicks the later one may be heard first."""

    def changed(state: State, found: object) -> None:
        visit = state.lesson
        named = (found.get("lesson"), found.get("step")) if isinstance(found, dict) else None
        if visit is not None and named == (visit.lesson, visit.number):
            change(state)

    return changed


def _changed(name: str, change: Callable[[State, object], None]) -> Callable[[], None]:
    """The callback of a card's trigger."""

    def changed() -> None:
        change(session(), st.session_state[CARD].get(name))

    return changed
