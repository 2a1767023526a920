from __future__ import annotations

import pytest

from playground.lessons.conditions import LessonError
from playground.lessons.prose import read_prose

KNOWN = {"count", "overlap"}


def test_paragraphs_lists_styles_and_facts_become_parts():
    text = (
        "There are {count|chunk}, **each**\nof *two* `{count}`.\n\n- one {overlap}\n- **two {count|sub chunk}**\n\nend"
    )
    assert read_prose(text, KNOWN).as_rows() == [
        {
            "kind": "p",
            "parts": [
                {"text": "There are "},
                {"fact": "count", "noun": "chunk"},
                {"text": ", "},
                {"text": "each", "strong": True},
                {"text": " "},
                {"text": "of "},
                {"text": "two", "em": True},
                {"text": " "},
                {"text": "{count}", "code": True},
                {"text": "."},
            ],
        },
        {"kind": "li", "parts": [{"text": "one "}, {"fact": "overlap"}]},
        {
            "kind": "li",
            "parts": [{"text": "two ", "strong": True}, {"fact": "count", "noun": "sub chunk", "strong": True}],
        },
        {"kind": "p", "parts": [{"text": "end"}]},
    ]


def test_the_facts_of_a_text_are_known():
    assert read_prose("{count} and {overlap} and {count}", KNOWN).facts == {"count", "overlap"}
    assert read_prose("none", KNOWN).facts == set()


def test_markup_of_html_is_text():
    assert read_prose("<b>a</b> & {not a fact}", KNOWN).as_rows() == [
        {"kind": "p", "parts": [{"text": "<b>a</b> & {not a fact}"}]}
    ]


def test_nested_styles_add_up():
    (block,) = read_prose("***both***", KNOWN).blocks
    assert block.parts == ({"text": "both", "em": True, "strong": True},)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{speed} is high", "no fact “speed”"),
        ("# A heading", "paragraphs and lists only"),
        ("> quoted", "paragraphs and lists only"),
        ("```\ncode\n```", "“fence” in line 1"),
        ("![a](b.png)", "bold, italics and code only"),
        ("[a](b)", "bold, italics and code only"),
    ],
)
def test_what_the_page_has_no_place_for_is_said(text, said):
    with pytest.raises(LessonError, match=said):
        read_prose(text, KNOWN)
