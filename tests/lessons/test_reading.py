"""A lesson's file is read as it says, and a wrong one is told with its step and what would do."""

from __future__ import annotations

import pytest

from playground.lessons.catalogue import lessons
from playground.lessons.conditions import LessonError
from playground.lessons.lesson import Edit
from playground.lessons.reading import read_lesson
from playground.settings import parse

WHOLE = """+++
title = "A title"
idea = "An idea."
remember = "A line."
minutes = 3

[[steps]]
document = "faq.md"
at = "a place"
controls = ["overlap", "numbers"]
set = { unit = "token", size = 120, overlap = 0 }
ask = { question = "Why?", k = 3 }
goal = { do = "Raise the overlap.", when = ["overlap > 10", "fate = rescued"] }
solution = { set = { overlap = 30 } }

[steps.predict]
ask = "How many of {count}?"
choices = [{ say = "few", when = "count < 5" }, { say = "many", when = "count >= 5" }]
show = { size = 2000 }

[[steps]]
page = "compare"
set = { size = 50 }
set_b = { mode = "sentence" }
limit = 256
goal = { do = "Look.", when = "b_count > 3" }
solution = { opened = 2, set_b = { size = 60 } }
+++
## First

Some text.

### Notice

{count|chunk}.

## Second

More.

### Notice

Done.
"""


def changed(old, new):
    assert WHOLE.count(old) >= 1
    return WHOLE.replace(old, new, 1)


def test_a_whole_lesson():
    lesson = read_lesson(WHOLE, "a-slug")
    assert (lesson.slug, lesson.title, lesson.idea, lesson.remember, lesson.minutes) == (
        "a-slug", "A title", "An idea.", "A line.", 3,
    )  # fmt: skip
    one, two = lesson.steps
    assert one.title == "First"
    assert one.setup.document == two.setup.document == "faq.md"
    assert one.setup.panes == (parse({"unit": "token", "size": 120, "overlap": 0})[0],)
    assert one.solution.panes == (parse({"unit": "token", "size": 120, "overlap": 30})[0],)
    assert one.prediction.panes == (parse({"unit": "token", "size": 2000, "overlap": 0})[0],)
    assert one.prediction.choices == ("few", "many")
    assert one.setup.ask == {
        "question": "Why?", "retriever": "bm25", "k": 3, "budget": 0, "neighbours": 0, "parents": False,
    }  # fmt: skip
    assert one.facts == {"overlap", "fate", "count"}


def test_a_step_goes_on_from_the_one_before():
    two = read_lesson(WHOLE, "a").steps[1]
    assert two.setup.controls == ("overlap", "numbers")
    assert two.setup.at == "a place"
    assert two.setup.ask["question"] == "Why?"
    assert two.setup.limit == 256
    assert two.setup.panes == (parse({"size": 50})[0], parse({"mode": "sentence"})[0])  # from the defaults again
    assert two.solution.panes == (two.setup.panes[0], parse({"mode": "sentence", "size": 60})[0])
    assert two.solution.opened == 2
    assert two.prediction is None


def test_another_document_has_another_question_and_place():
    text = changed('page = "compare"\n', 'page = "compare"\ndocument = "inventory.py"\n')
    setup = read_lesson(text, "a").steps[1].setup
    assert (setup.document, setup.at, setup.ask) == ("inventory.py", "", None)


def test_a_question_can_be_left_out_again():
    assert read_lesson(changed("limit = 256", "ask = {}"), "a").steps[1].setup.ask is None


def test_an_edit_is_carried_on():
    text = changed("controls =", 'edit = { find = "old", replace = "new" }\ncontrols =')
    assert [step.setup.edit for step in read_lesson(text, "a").steps] == [Edit("old", "new")] * 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("+++\n", "", "no front matter"),
        ('title = "A title"', "title = ", "no TOML"),
        ('title = "A title"', "title = 3", "“title” is missing or is no str"),
        ('title = "A title"', 'title = " "', "“title” is missing"),
        ('title = "A title"', 'titel = "A title"', "“titel” is not one of"),
        ("minutes = 3", "minutes = 9", "9 minutes"),
        ("minutes = 3", "minutes = 0", "0 minutes"),
        ("size = 120", "sise = 120", "step 1: there is no setting “sise”"),
        ("size = 120", "size = 3", "outside 8 to 2,048"),
        ('unit = "token"', 'unit = "byte"', "“byte” is not known"),
        ('"numbers"]', '"knobs"]', "“knobs” is neither a setting nor a part"),
        ('document = "faq.md"\n', "", "“document” is missing"),
        ('page = "compare"', 'page = "learn"', "step 2: page: “learn”"),
        ('page = "compare"\n', "", "set_b is for “compare”"),
        ('set_b = { mode = "sentence" }\n', "", "set_b is for “compare”"),
        ("k = 3", "top = 3", "ask: “top” is not one of"),
        ('when = ["overlap > 10", "fate = rescued"]', "when = []", "is no condition"),
        ('"fate = rescued"', '"fates = rescued"', "no fact “fates”"),
        ('do = "Raise the overlap.", ', "", "goal: “do” is missing"),
        ("solution = { set = { overlap = 30 } }\n", "", "“solution” is missing"),
        ("set = { overlap = 30 }", "sets = { overlap = 30 }", "solution: “sets”"),
        ('ask = "How many of {count}?"', 'ask = "How many of {counts}?"', "no fact “counts”"),
        ('choices = [{ say = "few", when = "count < 5" }, { say = "many", when = "count >= 5" }]', "", "two or more"),
        ('show = { size = 2000 }', 'fact = "count"', "not both"),
        ('show = { size = 2000 }', 'reveal = "later"', "“now” or “done”"),
        ('choices = [{ say = "few", when = "count < 5" }, { say = "many", when = "count >= 5" }]', 'fact = "x"', "“x”"),
        ("opened = 2", "opened = 0", "step 2: solution: opened is the number"),
        ("limit = 256", 'limit = "x"', "step 2: limit"),
        ("controls = [", "controls = 5 # [", "“controls” is missing or is no list"),
        ("## Second\n\nMore.\n\n### Notice\n\nDone.\n", "", "2 .*steps.* and 1 sections"),
        ("## First", "Text\n\n## First", "before the first section"),
        ("### Notice\n\n{count|chunk}.", "{count|chunk}.", "“First” needs one “### Notice”; it has 0"),
        ("{count|chunk}.", "{counts|chunk}.", "step 1: .*no fact “counts”"),
        ("{count|chunk}.", "", "step 1: there is nothing to read"),
        ("Some text.", "<img src=x>\n\n| a |\n|---|\n\n---", "paragraphs and lists only"),
    ],
)  # fmt: skip
def test_a_wrong_lesson_is_told(old, new, said):
    with pytest.raises(LessonError, match=said) as found:
        read_lesson(changed(old, new), "a-slug")
    assert str(found.value).startswith("Lesson a-slug: ")


def test_files_are_lessons_by_number(tmp_path):
    (tmp_path / "02-b.md").write_text(WHOLE, "utf-8")
    (tmp_path / "01-a.md").write_text(WHOLE, "utf-8")
    assert list(lessons(tmp_path)) == ["a", "b"]


@pytest.mark.parametrize(("name", "said"), [("overlap.md", "is called like"), ("03-a.md", "two lessons “a”")])
def test_a_file_with_a_wrong_name_is_told(tmp_path, name, said):
    (tmp_path / "01-a.md").write_text(WHOLE, "utf-8")
    (tmp_path / name).write_text(WHOLE, "utf-8")
    with pytest.raises(LessonError, match=said):
        lessons(tmp_path)
