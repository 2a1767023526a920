"""A lesson over the live channel: the facts at every move, what is open, what is stale; wrong places are told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from playground import Document, prepare
from playground.core.chunking import chunk
from playground.core.document import Block
from playground.core.versions import changes
from playground.lessons import catalogue
from playground.lessons.lesson import Edit
from playground.lessons.reading import read_lesson
from playground.live import teaching
from playground.live.protocol import ProtocolError, answer, chunks_answer
from playground.live.store import STORE
from playground.live.teaching import Place, PlaceError, edited, extras_of, offset_of, stale_near
from playground.settings import parse, to_config

SAMPLE = "company-handbook.md"
QUOTE = "Budget owners reply within two working days."
QUESTION = "How many days should I wait for an answer to a spending request, and what if I only hear silence?"
LESSON = f"""+++
title = "A title"
idea = "An idea."
remember = "A line."
minutes = 3

[[steps]]
document = "{SAMPLE}"
at = "{QUOTE}"
controls = ["overlap"]
set = {{ unit = "token", size = 60, overlap = 0 }}
ask = {{ question = "{QUESTION}" }}
edit = {{ find = "{QUOTE}", replace = "Budget owners reply within three." }}
limit = 50
goal = {{ do = "Open a chunk.", when = "opened_tokens > 3" }}
solution = {{ opened = 2 }}

[steps.predict]
ask = "?"
choices = [{{ say = "few", when = "count < 5" }}, {{ say = "many", when = "count >= 5" }}]
+++
## First

{{count}} {{over}} {{stale}} {{new}} {{unchanged}} {{same_ids}} {{changed_ids}} {{count_before}} {{fate}}
{{answer_size}} {{rule_overlap}} {{opened}} {{opened_cuts_word}} {{opened_cuts_sentence}}
{{opened_has_context}} {{tokens_r50k_base}} {{units}} {{price}} {{embedded_tokens}} {{fate_with_less}}
{{b_count}} {{topics}} {{cells}} {{rank}} {{score}}

### Notice

Done.
"""


@pytest.fixture(autouse=True)
def lesson(monkeypatch):
    found = {"a": read_lesson(LESSON, "a")}
    monkeypatch.setattr(teaching, "lessons", lambda: found)
    return found["a"]


@pytest.fixture
def prepared():
    return STORE.get(SAMPLE)


def told(prepared, opened=None, **settings):
    step = teaching.lessons()["a"].steps[0]
    values = {**step.setup.panes[0], **settings}
    request = {"panes": [{"settings": values, "from": 0, "to": 600}], **extras_of(prepared, Place("a", 0, opened))}
    return chunks_answer(prepared, request)


def test_facts_are_those_of_the_chunks_on_screen(prepared):
    found = told(prepared)["lesson"]
    chunking = chunk(prepared, to_config(parse({"unit": "token", "size": 60, "overlap": 0})[0]))
    facts = found["facts"]
    assert (found["lesson"], found["step"]) == ("a", 0)
    assert facts["count"] == facts["count_before"] == facts["same_ids"] == len(chunking)
    assert facts["changed_ids"] == 0
    lengths = prepared.ruler("token", "cl100k_base").measure(chunking.starts, chunking.ends)
    assert facts["over"] == int((lengths > 50).sum()) > 0
    assert facts["units"] == prepared.ruler("token", "cl100k_base").count
    assert facts["tokens_r50k_base"] == prepared.ruler("token", "r50k_base").count
    assert facts["embedded_tokens"] == facts["units"]
    assert facts["price"] == pytest.approx(0.02 * facts["units"] * 100_000 / 1e6, abs=1e-4)
    start = prepared.document.text.index(QUOTE)
    assert facts["rule_overlap"] == facts["answer_size"] - 1
    assert prepared.ruler("token", "cl100k_base").measure(start, start + len(QUOTE)) < facts["answer_size"] < 30


def test_what_is_not_there_is_none(prepared):
    facts = told(prepared)["lesson"]["facts"]
    assert [facts[name] for name in ("opened", "opened_cuts_word", "b_count", "topics", "cells", "fate_with_less")] == [
        None
    ] * 6


def test_a_move_changes_facts_but_not_what_they_are_compared_with(prepared):
    facts = told(prepared, size=100)["lesson"]["facts"]
    before = told(prepared)["lesson"]["facts"]
    assert facts["count"] < before["count"] == facts["count_before"]
    assert facts["same_ids"] + facts["changed_ids"] == facts["count"]
    assert facts["changed_ids"] > 0


def test_the_goal_waits_for_a_chunk_to_be_opened(prepared):
    assert told(prepared)["lesson"]["done"] is False
    found = told(prepared, opened=1)["lesson"]
    assert found["done"] is True
    assert found["facts"]["opened"] == 2
    assert found["facts"]["opened_has_context"] == "no"
    assert told(prepared, opened=10**6)["lesson"]["done"] is False  # there is no such chunk by now


def test_the_open_chunk_says_what_it_cuts(prepared):
    chunking = chunk(prepared, to_config(parse({"unit": "character", "size": 100, "overlap": 0})[0]))
    words = {bool(flag): index for index, flag in enumerate(chunking.word_cuts.tolist())}
    for flag, index in words.items():
        facts = told(prepared, opened=index, unit="character", size=100)["lesson"]["facts"]
        assert facts["opened_cuts_word"] == ("yes" if flag else "no")
    last = told(prepared, opened=len(chunking) - 1, unit="character", size=100)["lesson"]["facts"]
    assert last["opened_cuts_word"] == last["opened_cuts_sentence"] == "no"


def test_predictions_are_right_by_what_is_on_screen(prepared):
    assert told(prepared)["lesson"]["right"] == [False, True]
    assert told(prepared, size=2048)["lesson"]["right"] == [True, False]


def test_an_edit_makes_chunks_stale_and_marks_them(prepared, lesson):
    found = told(prepared, mode="paragraph")
    facts = found["lesson"]["facts"]
    assert facts["stale"] == facts["new"] == 1
    assert facts["unchanged"] == facts["count"] - 1
    stale = found["panes"][0]["stale"]
    assert stale["count"] == 1
    first = found["panes"][0]["spans"]["first"]
    chunking = chunk(prepared, to_config({**lesson.steps[0].setup.panes[0], "mode": "paragraph"}))
    marked = [first + index for index, flag in enumerate(stale["near"]) if flag == "1"]
    assert [QUOTE in chunking[index].text for index in marked] == [True]


def test_flags_of_stale_chunks_are_those_asked_for(prepared):
    chunking = chunk(prepared, to_config(parse({"mode": "fixed", "size": 60, "overlap": 0})[0]))
    edit = Edit(QUOTE, QUOTE + " More.")
    found = changes(chunking, chunk(edited(prepared, edit), chunking.config))
    whole = stale_near(found, 0, len(chunking))
    assert whole["near"].count("1") == whole["count"] > 0
    assert stale_near(found, 3, 7)["near"] == whole["near"][3:7]


def test_the_versions_are_compared_once_a_move(prepared, monkeypatch):
    compared = []
    monkeypatch.setattr(teaching, "changes", lambda *found: compared.append(found) or changes(*found))
    told(prepared)
    assert len(compared) == 1


def test_a_document_with_blocks_cannot_be_edited():
    document = replace(Document.from_text("one two"), blocks=(Block(0, 7, "paragraph", 0, ""),))
    with pytest.raises(ValueError, match="has blocks"):
        edited(prepare(document), Edit("one", "two"))


def test_the_new_version_is_made_once(prepared):
    edit = Edit(QUOTE, "Less.")
    assert edited(prepared, edit) is edited(prepared, edit)


def test_the_place_of_a_step_is_told_in_utf16(prepared, lesson):
    at = offset_of(prepared, lesson.steps[0].setup)
    assert prepared.document.text[prepared.from_utf16(at) :].startswith(QUOTE)
    assert offset_of(prepared, replace(lesson.steps[0].setup, at="")) is None


def test_a_question_nobody_labelled_has_no_answers(prepared, lesson):
    assert extras_of(prepared, Place("a", 0))["ask"]["answers"]
    other = {**lesson.steps[0].setup.ask, "question": "Something else?"}
    assert extras_of(prepared, Place("a", 0), other)["ask"]["answers"] == []


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (3, "a JSON object"),
        ({}, "no such lesson"),
        ({"lesson": "../a", "step": 0}, "no such lesson"),
        ({"lesson": ["a"], "step": 0}, "no such lesson"),
        ({"lesson": "a", "step": 1}, "no such step"),
        ({"lesson": "a", "step": -1}, "no such step"),
        ({"lesson": "a", "step": True}, "no such step"),
        ({"lesson": "a", "step": "0"}, "no such step"),
        ({"lesson": "a", "step": 0, "opened": -1}, "open chunk"),
        ({"lesson": "a", "step": 0, "opened": "1"}, "open chunk"),
        ({"lesson": "a", "step": 0, "opened": 2**40}, "open chunk"),
    ],
)
def test_a_place_that_is_not_there_is_told(found, said):
    with pytest.raises(PlaceError, match=said):
        Place.of(found, STORE.get(SAMPLE).document)
    with pytest.raises(ProtocolError, match=said):
        answer(STORE, {"doc": SAMPLE, "panes": [{"settings": {}}], "lesson": found})


def test_outside_of_lessons_nothing_is_told(prepared):
    assert chunks_answer(prepared, {"panes": [{"settings": {}}]})["lesson"] is None


def test_the_lessons_that_are_shipped_are_the_ones_that_a_place_may_name(monkeypatch):
    monkeypatch.undo()
    first = next(iter(catalogue.lessons()))
    assert Place.of({"lesson": first, "step": 0}, STORE.get(SAMPLE).document) == Place(first, 0)


@pytest.mark.parametrize("text", ["", "Nothing of it stands here.", "html"])
def test_a_new_version_is_of_the_document_that_has_what_is_edited(monkeypatch, text):
    """An error of the message: not an answer that nothing is stale, nor a fault of the server in its log."""
    monkeypatch.undo()
    slug, number = next(
        (s, n) for s, one in catalogue.lessons().items() for n, step in enumerate(one.steps) if step.setup.edit
    )
    document = STORE.get("opening-hours.html").document if text == "html" else Document.from_text(text)
    with pytest.raises(PlaceError, match="another document"):
        Place.of({"lesson": slug, "step": number}, document)
