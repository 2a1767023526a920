"""Every lesson that is shipped is walked to its goal in the core, and every claim in its file is held to the page."""

from __future__ import annotations

from itertools import pairwise

import pytest

from playground.lessons.catalogue import FOLDER, after, lessons, number_of
from playground.lessons.facts import OF_MAP, map_facts
from playground.live.protocol import chunks_answer
from playground.live.store import STORE, sample_names, sample_questions
from playground.live.teaching import Place, edited, extras_of, told
from playground.retrieval.grid import compared, grid
from playground.retrieval.metrics import METRICS
from playground.settings import to_config
from playground.settings.parts import PARTS
from playground.ui.judging import PHASES
from playground.ui.screens.evaluate import BUDGETS, KS, OFFERED, cells_of

STEPS = [
    pytest.param(slug, number, id=f"{slug}-{number + 1}")
    for slug, lesson in lessons().items()
    for number in range(len(lesson.steps))
]
ON_STAGE = [case for case in STEPS if lessons()[case.values[0]].steps[case.values[1]].setup.page != "evaluate"]
ON_MAP = [case for case in STEPS if case not in ON_STAGE]
TITLES = [
    "one vector", "fixed size", "overlap", "price", "sentence", "token", "heading", "too small", "table", "topic",
    "small to big", "measure", "re-index",
]  # fmt: skip


def shown(slug, number, panes=None, ask=None, opened=None):
    """What the card is told while the stage shows these panes, the question and the open chunk (from 0)."""
    step = lessons()[slug].steps[number]
    prepared = STORE.get(step.setup.document)
    place = Place(slug, number, opened)
    rows = [{"settings": values, "from": 0, "to": 6000} for values in panes or step.setup.panes]
    return chunks_answer(prepared, {"panes": rows, **extras_of(prepared, place, ask)})["lesson"]


def solved(slug, number):
    """What the card is told when the step was done as its file says."""
    solution = lessons()[slug].steps[number].solution
    opened = None if solution.opened is None else solution.opened - 1
    return shown(slug, number, solution.panes, solution.ask, opened)


def test_the_thirteen_lessons_come_in_their_order():
    titles = [f"{one.title} {one.slug}".lower() for one in lessons().values()]
    assert len(titles) == len(TITLES)
    for title, word in zip(titles, TITLES, strict=True):
        assert word in title
    numbers = [int(path.name[:2]) for path in sorted(FOLDER.glob("*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))


def test_each_lesson_leads_to_the_next():
    for here, following in pairwise(lessons()):
        assert after(here).slug == following
        assert number_of(following) == number_of(here) + 1
    assert after(list(lessons())[-1]) is None


@pytest.mark.parametrize(("slug", "number"), STEPS)
def test_a_step_stands_on_a_document_that_is_there(slug, number):
    setup = lessons()[slug].steps[number].setup
    assert setup.document in sample_names()
    text = STORE.get(setup.document).document.text
    assert not setup.at or text.count(setup.at) == 1
    if setup.edit:
        assert text.count(setup.edit.find) == 1
        assert edited(STORE.get(setup.document), setup.edit).document.text != text
    assert set(setup.controls) <= set(PARTS)


@pytest.mark.parametrize(("slug", "number"), STEPS)
def test_the_question_of_a_step_has_a_known_answer(slug, number):
    setup = lessons()[slug].steps[number].setup
    if setup.ask is not None:
        prepared = STORE.get(setup.document)
        assert extras_of(prepared, Place(slug, number))["ask"]["answers"], setup.ask["question"]


@pytest.mark.parametrize(("slug", "number"), ON_STAGE)
def test_the_goal_is_not_reached_before_anything_is_done(slug, number):
    assert not shown(slug, number)["done"]


@pytest.mark.parametrize(("slug", "number"), ON_STAGE)
def test_the_goal_is_reached_by_the_solution(slug, number):
    found = solved(slug, number)
    assert found["done"], found["facts"]
    step = lessons()[slug].steps[number]
    named = step.notice.facts | (step.prediction.ask.facts if step.prediction else set())
    assert [name for name in named if found["facts"][name] is None] == []


@pytest.mark.parametrize(("slug", "number"), ON_STAGE)
def test_the_solution_moves_only_what_can_be_seen(slug, number):
    step = lessons()[slug].steps[number]
    for before, now in zip(step.setup.panes, step.solution.panes, strict=True):
        moved = {name for name in now if now[name] != before[name]}
        assert moved <= {*step.setup.controls, *(("amount",) if "threshold" in moved else ())}
    asked = {} if step.solution.ask is None else dict(step.solution.ask)
    changed = {name for name in asked if asked[name] != (step.setup.ask or {}).get(name)}
    names = {"parents": "reader"}
    assert {names.get(name, name) for name in changed} <= {*step.setup.controls}


@pytest.mark.parametrize(("slug", "number"), ON_STAGE)
def test_exactly_one_prediction_is_right(slug, number):
    guess = lessons()[slug].steps[number].prediction
    if guess is None:
        return
    found = shown(slug, number) if guess.reveal == "now" else solved(slug, number)
    if guess.choices:
        assert found["right"].count(True) == 1, found
    else:
        assert found["facts"][guess.fact] is not None


@pytest.mark.parametrize(("slug", "number"), ON_STAGE)
def test_the_facts_of_the_text_are_there_from_the_start(slug, number):
    step = lessons()[slug].steps[number]
    before = shown(slug, number, step.prediction.panes) if step.prediction else shown(slug, number)
    named = step.text.facts | (step.prediction.ask.facts if step.prediction else set())
    assert [name for name in named if before["facts"][name] is None] == []


@pytest.mark.parametrize(("slug", "number"), ON_MAP)
def test_the_goal_on_the_map_is_reached_by_what_the_solution_reads(slug, number):
    step = lessons()[slug].steps[number]
    assert not told(Place(slug, number), {}.get)["done"]
    prepared = STORE.get(step.setup.document)
    questions = [one for one in sample_questions(prepared.document) if not one.demo]
    values = cells_of(step.setup.panes[0], (str(step.setup.panes[0]["mode"]),))
    configs = [to_config(one) for one in values]
    cells = list(grid([prepared], questions, configs, ks=KS, budgets=BUDGETS, with_context=True, phase_count=PHASES))
    reads = {f"top {k}": {"k": k} for k in OFFERED} | {f"{budget:,} tokens": {"budget": budget} for budget in BUDGETS}
    depth = reads[step.solution.read]
    facts = map_facts(
        values, compared(cells, next(iter(METRICS)), **depth), "tokens" if "budget" in depth else "chunks"
    )
    assert set(facts) == set(OF_MAP)
    found = told(Place(slug, number), facts.get)
    assert found["done"], facts
    assert not step.prediction or not step.prediction.choices or found["right"].count(True) == 1
    assert all(found["facts"][name] is not None for name in step.notice.facts)


def test_a_lesson_is_read_in_five_minutes():
    for lesson in lessons().values():
        words = sum(
            len(str(part.get("text", "")).split())
            for step in lesson.steps
            for prose in (step.text, step.notice)
            for block in prose.blocks
            for part in block.parts
        )
        assert lesson.minutes <= 5
        assert words <= 130 * lesson.minutes, (lesson.slug, words)
