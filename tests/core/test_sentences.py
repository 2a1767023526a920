"""Sentence detection: the published table, what holds for any text, Punkt itself as an oracle, and bad input."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from core import sentence_table
from core.sentence_cases import CASES, KNOWN_WRONG
from hypothesis import assume, given
from nltk.tokenize.punkt import PunktSentenceTokenizer
from strategies import grapheme_bounds, texts

from playground.core.sentence_blocks import blocks
from playground.core.sentence_rules import period_ends, special_words, trained
from playground.core.sentence_unspaced import UNSPACED
from playground.core.sentences import sentence_starts
from playground.resources import punkt_parameters


def pieces(text: str) -> list[str]:
    starts = [*sentence_starts(text).tolist(), len(text)]
    return [text[start:end] for start, end in pairwise(starts)]


# --- the table -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case):
    assert sentence_table.ours(case) == KNOWN_WRONG.get(case.name, case.expected)


def test_table_is_large_and_mostly_right():
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names) >= 70
    assert sum(case.tag == "English" for case in CASES) >= 45
    assert len({case.tag for case in CASES}) >= 15
    assert set(KNOWN_WRONG) <= set(names)
    assert all(KNOWN_WRONG[case.name] != case.expected for case in CASES if case.name in KNOWN_WRONG)
    assert 1 - len(KNOWN_WRONG) / len(CASES) >= 0.9


def test_expected_sentences_are_the_text():
    for case in CASES:
        assert "".join("".join(case.expected).split()) == "".join(case.text.split()), case.name


def test_published_table_is_current():
    published = Path(__file__).with_name("SENTENCES.md").read_text(encoding="utf-8")
    assert published == sentence_table.table()


# --- what holds for any text -----------------------------------------------------------------------------------


def test_empty_and_blank():
    assert sentence_starts("").tolist() == []
    assert sentence_starts("").dtype == np.int32
    assert sentence_starts(" \r\n\t").tolist() == [0]


@given(texts())
def test_starts_partition_the_text(text):
    starts = sentence_starts(text)
    assert starts.dtype == np.int32
    assert (len(starts) == 0) == (text == "")
    if text:
        assert starts[0] == 0
        assert (np.diff(starts) > 0).all()
        assert starts[-1] < len(text)
    assert "".join(pieces(text)) == text
    assert not any(text[start].isspace() for start in starts[1:])
    assert set(starts.tolist()) <= grapheme_bounds(text)


@given(texts(max_pieces=12))
def test_a_paragraph_does_not_depend_on_its_document(text):
    assume(text.strip() and not text[0].isspace() and 0 in grapheme_bounds("\n" + text[0]) and "```" not in text)
    assume(len(grapheme_bounds(" " + text[0])) == 3)  # it does not join what is before
    alone = sentence_starts(text)
    before, after = "An opening.\n\n", "\n\nAn ending."
    within = sentence_starts(before + text + after) - len(before)
    assert within[within >= 0][: len(alone)].tolist() == alone.tolist()
    assert within[within >= 0][len(alone) :].tolist() == [len(text) + 2]


@given(texts())
def test_blocks_cover_the_text(text):
    found = list(blocks(text))
    assert bool(found) == bool(text.strip())
    for (_, end, _), (start, _, _) in pairwise(found):
        assert end == start
    if found:
        assert found[0][0] == len(text) - len(text.lstrip())
        assert found[-1][1] == len(text)
    assert all(start < end and not text[start].isspace() for start, end, _ in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One.\r\nTwo.", ["One.\r\n", "Two."]),
        ("  One.  Two. ", ["  One.  ", "Two. "]),
        ("一。\u0301二", ["一。\u0301", "二"]),
        ("One. \u0301 Two", ["One. \u0301 ", "Two"]),
        ("走！\ufe0f 好", ["走！\ufe0f ", "好"]),
        ("Good! 😀", ["Good! 😀"]),
        ("Good! 😀 🎉\n\nBye", ["Good! 😀 🎉\n\n", "Bye"]),
        ("a\n\n \u0301b", ["a\n\n \u0301b"]),
        ("（一。）“二。”三", ["（一。）", "“二。”", "三"]),
        ('他说"走。"然后"停。"好', ['他说"走。"', '然后"停。"', "好"]),
    ],
)
def test_what_stays_left(text, expected):
    assert pieces(text) == expected


@pytest.mark.parametrize("mark", UNSPACED)
def test_every_unspaced_terminator(mark):
    assert pieces(f"ㄅ{mark}ㄆ{mark}{mark} ㄇ") == [f"ㄅ{mark}", f"ㄆ{mark}{mark} ", "ㄇ"]


# --- blocks ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n\nc", ["a\nb\n\n", "c"]),
        ("a\r\rb", ["a\r\r", "b"]),
        ("text\n## Head\nmore", ["text\n", "## Head\n", "more"]),
        ("#tag is text\nmore", ["#tag is text\nmore"]),
        ("Title\n---\nmore", ["Title\n---\n", "more"]),
        ("a\n\n---\n\nb", ["a\n\n", "---\n\n", "b"]),
        ("a\n* * *\nb", ["a\n", "* * *\n", "b"]),
        ("a\n===b\nc", ["a\n===b\nc"]),
        ("a\n- b\n  c\n- d", ["a\n", "- b\n  c\n", "- d"]),
        ("a\n- b\n    * c\n\nd", ["a\n", "- b\n    ", "* c\n\n", "d"]),
        ("the total was\n15. he left", ["the total was\n15. he left"]),
        ("do:\n1. a\n2. b\n10) c", ["do:\n", "1. a\n", "2. b\n", "10) c"]),
        ("-5 is\n-6", ["-5 is\n-6"]),
        ("> a\n> b\nc\n> d", ["> a\n> b\n", "c\n", "> d"]),
        ("> a\n>\n> b\n> - c", ["> a\n", ">\n> b\n", "> - c"]),
        ("```\n# x. Y\n\n  z\n```\nb", ["```\n", "# x. Y\n\n  ", "z\n", "```\n", "b"]),
        ("~~~ py\n```\n~~\n~~~~\nb\nc", ["~~~ py\n", "```\n", "~~\n", "~~~~\n", "b\nc"]),
        ("````\n```\n````\nb\nc", ["````\n", "```\n", "````\n", "b\nc"]),
        ("a\n```\nopen. Ended", ["a\n", "```\n", "open. Ended"]),
        ("```not a fence``` a\nb", ["```not a fence``` a\nb"]),
    ],
)
def test_block(text, expected):
    assert pieces(text) == expected


# --- Punkt -----------------------------------------------------------------------------------------------------

WORDS = "left dr st etc vs fig inc u.s a.m J b c K co sales 3 1999 3.5 -4 1,000 ok semi-dr mid-left 5th x1"
NEXT = (
    "The the Then then He he It Paris paris Smith who Who Most most sales Sales Bach Walter magnin 3 40 1999."
    " Dr. dr. U.S. left. Left. B. b. Stewart international International prices Prices Now Qwzx qwzx"
)


@pytest.mark.parametrize("word", [*WORDS.split(), *sorted(punkt_parameters().abbrev_types - {". ."})[::12]])
def test_decision_is_punkts(word):
    oracle = PunktSentenceTokenizer()
    oracle._params = punkt_parameters()
    for form, following in product(sorted({word, word.capitalize(), word.upper()}), NEXT.split()):
        expected = oracle.text_contains_sentbreak(f"{form}. {following} ")
        assert trained().ends(form, following) == expected, (form, following)


def test_special_words_are_those_with_a_decision():
    assert special_words() > {"dr", "etc", "fig", "u.s"}
    for word in ("left", "apple", "вечер", "überall"):
        assert word not in special_words()
        assert all(period_ends(word, following) for following in ("The", "then", "3", "(", ""))


@pytest.mark.parametrize(
    ("word", "following", "ends"),
    [
        ("Dr", "Who", False),
        ("St", "He", True),
        ("no", "5", False),
        ("no", "Then", True),
        ("Fig", "A", False),
        ("Vol", "II", False),
        ("e.g", "The", False),
        ("etc", "", False),
        ("p.m", "Monday", False),
        ("p.m", "EST", False),
        ("p.m", "Hannah", True),
        ("z", "B.", False),
        ("Mar", "5", False),
        ("sun", "Clouds", True),
    ],
)
def test_period(word, following, ends):
    assert period_ends(word, following) is ends


# --- bad input -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param(" " * 1_000_000, 1, id="spaces"),
        pytest.param("a" * 1_000_000, 1, id="one word"),
        pytest.param("x.\n" * 400_000, 1, id="lines of one letter"),
        pytest.param("x. " * 400_000, 1, id="one letter"),
        pytest.param("End. " * 200_000, 200_000, id="short sentences"),
        pytest.param("lorem ipsum, " * 1_600_000, 1, id="20 MB line"),
        pytest.param("。" * 350_000, 1, id="1 MB of full stops"),
        pytest.param("." * 1_000_000, 1, id="periods"),
        pytest.param(". " * 300_000, 1, id="spaced periods"),
        pytest.param("🇩🇪" * 50_000, 1, id="flags"),
        pytest.param("Go. " + "🇩🇪 " * 50_000 + "Stop", 2, id="flags after a sentence"),
        pytest.param("一。" + "\u0301" * 500_000 + "二", 2, id="combining marks"),
        pytest.param('."' * 300_000, 1, id="quotes"),
        pytest.param("\n" * 500_000, 1, id="line ends"),
        pytest.param("a\n \n" * 100_000, 100_000, id="blank lines"),
        pytest.param("```a\n" * 100_000, 100_000, id="fences that never close"),
        pytest.param("> x\n" * 100_000, 1, id="quotation lines"),
        pytest.param("x" + "\n- " * 200_000, 200_001, id="empty bullets"),
        pytest.param("[a]." + "[a]" * 200_000 + " B", 2, id="brackets"),
    ],
)
def test_bad_input_is_no_trouble(text, count):
    assert len(sentence_starts(text)) == count
