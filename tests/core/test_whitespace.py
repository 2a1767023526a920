"""White space that says nothing, against a normaliser of regular expressions; the text itself never changes."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import texts, token_spans

from playground import Document, prepare
from playground.core.whitespace import normalised, savings, spans_of, superfluous

BLANKS = " \t\u00a0\u3000"
PIECES = ("a", "b.", " ", " ", "\t", "\n", "\n", "\r\n", "\r\n", "\r", "\u00a0", "\u3000", "é", "😀")
soup = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


def marked(text: str) -> str:
    """`text` with a tilde for every character that could go."""
    mask = superfluous(prepare(Document(text)))
    assert len(mask) == len(text)
    return "".join("~" if gone else character for character, gone in zip(text, mask.tolist(), strict=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("one two", "one two"),
        ("one  two", "one ~two"),
        ("one \t two", "one ~~two"),
        ("one\t two", "one\t~two"),
        ("end  \nnext", "end~~\nnext"),
        ("end \n\nnext", "end~\n\nnext"),
        ("end  ", "end~~"),
        ("a\n\nb", "a\n\nb"),
        ("a\n\n\nb", "a\n\n~b"),
        ("a\n\n\n\n\nb", "a\n\n~~~b"),
        ("a\n \n \nb", "a\n~\n~~b"),
        ("a\r\nb", "a\r\nb"),
        ("a\r\n\r\nb", "a\r\n\r\nb"),
        ("a\r\n\r\n\r\nb", "a\r\n\r\n~~b"),
        ("a  \r\nb", "a~~\r\nb"),
        ("a\rb", "a\rb"),
        ("a\r\r\rb", "a\r\r~b"),
        ("    indented", "    indented"),
        ("a\n    indented", "a\n    indented"),
        ("- one\n  - two  three", "- one\n  - two ~three"),
        ("a\u00a0\u3000b", "a\u00a0~b"),
    ],
    ids=ascii,
)
def test_what_could_go(text, expected):
    assert marked(text) == expected


def by_expressions(text: str) -> str:
    """The same in three steps; a line break is CR LF, LF or CR."""
    text = re.sub(rf"[{BLANKS}]+(?=[\r\n]|\Z)", "", text)
    text = re.sub(rf"(?<=[^{BLANKS}\r\n])([{BLANKS}])[{BLANKS}]+", r"\1", text)
    return re.sub(r"((?:\r\n|\n|\r(?!\n)){2})(?:\r\n|\n|\r)+", r"\1", text)


@settings(max_examples=200)
@given(soup)
def test_a_normaliser_of_expressions_keeps_the_same(text):
    assert normalised(prepare(Document(text))) == by_expressions(text)


@given(texts())
def test_only_white_space_goes_and_no_word_changes(text):
    document = Document.from_text(text)
    prepared = prepare(document)
    mask = superfluous(prepared).tolist()
    assert all(character.isspace() for character, gone in zip(document.text, mask, strict=True) if gone)
    assert normalised(prepared).split() == document.text.split()
    assert prepared.document.text == document.text


@given(soup)
def test_what_was_normalised_has_nothing_left_to_go(text):
    once = normalised(prepare(Document(text)))
    assert normalised(prepare(Document(once))) == once


@given(st.lists(st.booleans(), max_size=40))
def test_spans_cover_what_is_marked_and_no_two_touch(mask):
    starts, ends = spans_of(np.array(mask, dtype=np.bool_))
    assert starts.dtype == ends.dtype == np.int32
    covered = {place for low, high in zip(starts.tolist(), ends.tolist(), strict=True) for place in range(low, high)}
    assert covered == {place for place, held in enumerate(mask) if held}
    assert (starts < ends).all()
    assert (ends[:-1] < starts[1:]).all()


@pytest.mark.parametrize("tokenizer", ["cl100k_base", "o200k_base", "r50k_base"])
def test_savings_are_what_the_normalised_text_is_shorter_by(tokenizer):
    text = "One   two.  \n\n\n\n\nThree\t\t\tfour.   " * 20
    prepared = prepare(Document(text))
    shorter = by_expressions(text)
    tokens = len(token_spans(text, tokenizer)) - len(token_spans(shorter, tokenizer))
    assert savings(prepared, tokenizer) == (len(text) - len(shorter), tokens)
    assert tokens > 0


def test_a_tidy_text_saves_nothing_and_is_not_encoded():
    prepared = prepare(Document("One two.\n\nThree four."))
    assert savings(prepared, "cl100k_base") == (0, 0)
    assert prepared.encodes == 0
    assert savings(prepare(Document("")), "cl100k_base") == (0, 0)


def test_white_space_alone_may_go_but_for_two_line_breaks():
    assert normalised(prepare(Document("  \n\n\n  "))) == "\n\n"
