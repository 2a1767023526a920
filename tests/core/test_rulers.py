"""Rulers against slow oracles: `str.split`, the tokenizer's own ids and bytes, and counting by hand."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import is_east_asian, plain_texts, texts, token_spans, unit_spans, word_starts

from playground import Document, prepare
from playground.core.rulers import UNITS, Ruler, character_ruler, token_ruler, word_ruler
from playground.resources import TOKENIZERS, encoding


def tokens(text: str, tokenizer: str = "cl100k_base") -> Ruler:
    return token_ruler(text, word_ruler(text)[1], encoding(tokenizer))


# --- words -----------------------------------------------------------------------------------------------------


@given(texts())
def test_white_space_is_what_python_says(text):
    assert word_ruler(text)[1].tolist() == [character.isspace() for character in text]


@given(texts())
def test_words_start_where_they_should(text):
    assert word_ruler(text)[0].starts.tolist() == word_starts(text)


@given(texts().map(lambda text: "".join(character for character in text if not is_east_asian(character))))
def test_in_scripts_with_spaces_words_are_those_of_split(text):
    ruler, _ = word_ruler(text)
    words = [text[start:end] for start, end in pairwise([*ruler.starts.tolist(), len(text)])]
    assert [word.strip() for word in words] == text.split()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \n\t", []),
        ("one", ["one"]),
        ("  one\n two ", ["  one\n ", "two "]),
        ("don't stop-it, now!", ["don't ", "stop-it, ", "now!"]),
        ("a\u00a0b\u2028c\u3000d", ["a\u00a0", "b\u2028", "c\u3000", "d"]),
        ("a\u200bb", ["a\u200bb"]),
        ("猫が好き。", ["猫", "が", "好", "き。"]),
        ("「猫」と犬", ["「", "猫」", "と", "犬"]),
        ("Python3で書く", ["Python3", "で", "書", "く"]),
        ("漢字abc", ["漢", "字", "abc"]),
        ("𠮷野家", ["𠮷", "野", "家"]),
        ("한국어 문장", ["한국어 ", "문장"]),
        ("ภาษาไทย คำ", ["ภาษาไทย ", "คำ"]),
    ],
)
def test_words_written_out(text, words):
    starts = word_ruler(text)[0].starts.tolist()
    assert [text[start:end] for start, end in pairwise([*starts, len(text)])] == words


# --- tokens ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_tokens_are_those_of_the_tokenizer(tokenizer):
    @given(texts())
    def check(text):
        ruler, expected = tokens(text, tokenizer), token_spans(text, tokenizer)
        assert ruler.count == len(encoding(tokenizer).encode_ordinary(text))
        assert ruler.starts.tolist() == [start for start, _, _ in expected]
        whole = np.ones(ruler.count, bool) if ruler.whole is None else ruler.whole
        assert whole.tolist() == [begins for _, _, begins in expected]

    check()


def test_tokens_that_share_a_character():
    # 猫 is three bytes, and each of them a token of its own.
    ruler = tokens("a猫c")
    assert ruler.starts.tolist() == [0, 1, 1, 1, 2]
    assert ruler.whole.tolist() == [True, True, False, False, True]
    assert ruler.before([0, 1, 2, 3]).tolist() == [0, 1, 4, 5]
    assert ruler.within([0, 1, 2, 3]).tolist() == [0, 1, 4, 5]
    assert ruler.measure([0, 1, 2], [1, 2, 3]).tolist() == [1, 3, 1]


def test_a_token_that_ends_inside_a_character_is_touched_by_it():
    # The tokens are " " with the first byte of 猫, its second byte, and its third.
    assert encoding("cl100k_base").decode_tokens_bytes([10447, 234, 104]) == [b" \xe7", b"\x8c", b"\xab"]
    ruler = tokens(" 猫")
    assert ruler.measure([0, 1, 0], [1, 2, 2]).tolist() == [1, 3, 3]


@pytest.mark.parametrize("special", ["<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>", "<|im_start|>"])
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_special_tokens_are_plain_text(special, tokenizer):
    text = f"see {special} here"
    ids = encoding(tokenizer).encode_ordinary(text)
    assert len(ids) > 5
    assert tokens(text, tokenizer).count == len(ids)


# --- long texts ------------------------------------------------------------------------------------------------


def expected_starts(text: str, tokenizer: str) -> list[int]:
    """The token starts of an ASCII text, encoded whole."""
    encoder = encoding(tokenizer)
    lengths = [len(token) for token in encoder.decode_tokens_bytes(encoder.encode_ordinary(text))]
    return [0, *np.cumsum(lengths)[:-1].tolist()]


LINES = {
    "blank lines": "The quick brown fox jumps over it.\n\n",
    "white space around line ends": "The quick\n brown \n\tfox\t\njumps\r\nover\r\n\r\nit\n\n\nonce. ",
    "slashes and marks": "See /usr\n/local/bin\n// comment...\n!!!\n\n'tis\n12345\n67890\fpage\v\x1cend\n",
}


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("line", LINES.values(), ids=list(LINES))
def test_the_ids_of_a_long_text_are_those_of_the_whole(line, tokenizer):
    text = line * (300_000 // len(line))
    assert tokens(text, tokenizer).starts.tolist() == expected_starts(text, tokenizer)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_a_run_of_white_space_that_the_tokenizer_bears_keeps_its_ids(tokenizer):
    for run in (f"a{' ' * 100_000}b", f"{chr(10) * 100_000}b", f"a{' ' * 100_000}"):
        assert tokens(run, tokenizer).starts.tolist() == expected_starts(run, tokenizer)


@pytest.mark.parametrize("space", [" ", "\t", "\n", "\u00a0", "\u3000"], ids=ascii)
def test_a_run_of_white_space_too_long_for_the_tokenizer(space):
    text = f"a{space * 1_000_000}b"
    ruler = tokens(text)
    assert ruler.starts[0] == 0
    assert (np.diff(ruler.starts) >= 0).all()
    assert ruler.starts[-1] in (len(text) - 1, len(text) - 2)
    assert ruler.measure(0, len(text)) == ruler.count


# --- measuring -------------------------------------------------------------------------------------------------


@settings(max_examples=150)
@given(text=texts(max_pieces=8), unit=st.sampled_from(UNITS), tokenizer=st.sampled_from(TOKENIZERS), data=st.data())
def test_measure_counts_the_units_that_a_span_touches(text, unit, tokenizer, data):
    document = Document.from_text(text)
    length = len(document)
    ruler = prepare(document).ruler(unit, tokenizer)
    spans = data.draw(st.lists(st.tuples(st.integers(0, length), st.integers(0, length)).map(sorted), max_size=20))
    spans = [span for span in spans if span[0] < span[1]]
    units = unit_spans(document.text, unit, tokenizer)
    for start, end in spans:
        touched = sum(low < end and high > start for low, high, _ in units)
        assert ruler.measure(start, end) == touched, (document.text[start:end], unit)


@given(text=texts(), unit=st.sampled_from(UNITS))
def test_before_and_within(text, unit):
    document = Document.from_text(text)
    ruler = prepare(document).ruler(unit, "cl100k_base")
    offsets = np.arange(len(document) + 1, dtype=np.int32)
    before, within = ruler.before(offsets), ruler.within(offsets)
    assert before.tolist() == [int((ruler.starts < offset).sum()) for offset in offsets]
    assert ((before - within >= 0) & (before - within <= 1)).all()
    assert (np.diff(within) >= 0).all()
    assert before[-1] == within[-1] == ruler.count


def test_measure_written_out():
    words = word_ruler("one two three")[0]
    assert words.measure([0, 0, 4, 2, 3], [13, 4, 8, 5, 4]).tolist() == [3, 1, 1, 2, 1]
    letters = character_ruler("abc")
    assert letters.measure([0, 1], [3, 1]).tolist() == [3, 0]
    assert (letters.count, words.count, tokens("").count) == (3, 3, 0)


@pytest.mark.parametrize("unit", UNITS)
def test_no_text_has_no_units(unit):
    ruler = prepare(Document.from_text("")).ruler(unit, "cl100k_base")
    assert (ruler.count, ruler.length) == (0, 0)
    assert ruler.before([0]).tolist() == ruler.within([0]).tolist() == [0]


@given(plain_texts())
def test_offsets_are_small_integers(text):
    for ruler in (character_ruler(text), word_ruler(text)[0], tokens(text)):
        assert ruler.starts.dtype == np.int32
        assert ruler.before([0, 1]).dtype == ruler.within([0, 1]).dtype == np.int32
