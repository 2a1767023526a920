"""The template is a lesson, and the page about writing one names all there is."""

from __future__ import annotations

import re

import pytest

from playground.lessons.catalogue import FOLDER
from playground.lessons.facts import OF_MAP, OF_PAGE, OF_PANE, RENAMED
from playground.lessons.reading import read_lesson
from playground.lessons.tables import KEYS
from playground.live import teaching
from playground.live.protocol import chunks_answer
from playground.live.store import STORE
from playground.live.teaching import Place, extras_of
from playground.settings import BY_NAME

TEMPLATE = (FOLDER / "template" / "00-template.md").read_text("utf-8")
GUIDE = (FOLDER / "template" / "README.md").read_text("utf-8")


@pytest.fixture
def lesson(monkeypatch):
    found = read_lesson(TEMPLATE, "template")
    monkeypatch.setattr(teaching, "lessons", lambda: {"template": found})
    return found


def test_the_template_can_be_walked(lesson):
    (step,) = lesson.steps
    prepared = STORE.get(step.setup.document)
    assert prepared.document.text.count(step.setup.at) == 1
    extras = extras_of(prepared, Place("template", 0))
    assert extras["ask"]["answers"]
    before, after = (
        chunks_answer(prepared, {"panes": [{"settings": panes[0]}], **extras})["lesson"]
        for panes in (step.setup.panes, step.solution.panes)
    )
    assert (before["done"], after["done"]) == (False, True)
    assert before["right"] == [False, True]


def test_every_key_and_every_fact_is_explained():
    named = set(re.findall(r"`(\w+)`", GUIDE))
    assert named >= KEYS["step"] | KEYS["predict"] | KEYS["goal"] | KEYS["solution"] | KEYS["edit"]
    facts = set(OF_PANE) - (set(BY_NAME) - {"overlap", "parents", "smallest"})
    assert named >= facts | set(OF_PAGE) | set(OF_MAP) | set(RENAMED.values())


def test_no_fact_is_explained_that_is_not_there():
    rows = re.findall(r"^\| ([^|]+) \|", GUIDE.split("## Facts")[1], re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert named
    assert named <= set(OF_PANE) | set(OF_PAGE) | set(OF_MAP)
