from __future__ import annotations

import pytest

from playground.lessons.conditions import LessonError, read_conditions

KNOWN = {"overlap", "rule_overlap", "fate", "share", "best"}


def holds(text, **facts):
    return [condition.holds(facts.get) for condition in read_conditions(text, KNOWN)]


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("overlap <= 40", {"overlap": 40}, True),
        ("overlap <= 40", {"overlap": 41}, False),
        ("overlap < 40", {"overlap": 40}, False),
        ("overlap >= 0", {"overlap": 0}, True),
        ("share > 12.5", {"share": 12.51}, True),
        ("fate = rescued", {"fate": "rescued"}, True),
        ("fate != split", {"fate": "split"}, False),
        ("fate = left out", {"fate": "left out"}, True),
        ("overlap >= rule_overlap", {"overlap": 14, "rule_overlap": 14}, True),
        ("overlap >= rule_overlap", {"overlap": 13, "rule_overlap": 14}, False),
        ("  overlap=3 ", {"overlap": 3}, True),
        ("overlap = 3", {"overlap": 3.0}, True),
    ],
)
def test_a_condition_compares_a_fact(text, facts, expected):
    assert holds(text, **facts) == [expected]


@pytest.mark.parametrize("text", ["overlap < 5", "overlap != 5", "overlap >= rule_overlap", "fate = split"])
def test_what_is_not_there_fulfils_nothing(text):
    assert holds(text) == [False]
    assert holds(text, overlap=None, fate=None) == [False]


def test_words_are_never_above_or_below():
    assert holds("overlap > 3", overlap="many") == [False]
    assert holds("overlap > rule_overlap", overlap=3, rule_overlap="few") == [False]


def test_a_list_has_all_its_conditions_and_names_what_it_needs():
    conditions = read_conditions(["overlap >= rule_overlap", "fate = rescued"], KNOWN)
    assert [condition.names for condition in conditions] == [("overlap", "rule_overlap"), ("fate",)]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ("speed > 3", "no fact “speed”"),
        ("overlap", "“overlap” is no condition"),
        ("overlap => 3", "is no condition"),
        ("overlap < many", "neither a number nor a fact"),
        ("", "is no condition"),
        ([], "is no condition"),
        (None, "is no condition"),
        ([3], "is no condition"),
        ({"overlap": 3}, "is no condition"),
    ],
)
def test_what_is_no_condition_is_said(found, said):
    with pytest.raises(LessonError, match=said):
        read_conditions(found, KNOWN)
