"""Fixed mode is the textbook's sliding window, exactly, in every unit: start every stride, stop at the end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import plain_texts, windows

from playground import ChunkingConfig, Document, chunk, describe, prepare, read
from playground.resources import TOKENIZERS, encoding

THOUSAND = Path(__file__).parents[2] / "sample_docs" / "thousand-tokens.txt"


def textbook(total: int, size: int, stride: int) -> list[tuple[int, int]]:
    """Windows over `total` units, the last being the first that reaches the end."""
    found = []
    for start in range(0, total, stride):
        found.append((start, min(start + size, total)))
        if start + size >= total:
            break
    return found


def naive(total: int, size: int, stride: int) -> list[tuple[int, int]]:
    """Windows over `total` units, from every start."""
    return [(start, min(start + size, total)) for start in range(0, total, stride)]


def fixed(text: str, unit: str, window: tuple[int, int], **settings: object) -> list[str]:
    config = ChunkingConfig(mode="fixed", unit=unit, size=window[0], overlap=window[1], **settings)
    return [one.text for one in chunk(Document.from_text(text), config)]


# --- the three units -------------------------------------------------------------------------------------------


def characters(text: str, tokenizer: str) -> list[str]:
    return list(text)


def words(text: str, tokenizer: str) -> list[str]:
    """Each word with the white space after it; white space in front belongs to the first."""
    starts = [match.start() for match in re.finditer(r"\S+", text)]
    starts[:1] = [0]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def tokens(text: str, tokenizer: str) -> list[str]:
    encoder = encoding(tokenizer)
    return [encoder.decode([token]) for token in encoder.encode_ordinary(text)]


PARTS = {"character": characters, "word": words, "token": tokens}


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("unit", PARTS)
def test_windows_are_those_of_the_textbook(unit, tokenizer):
    @given(text=plain_texts(), window=windows())
    def check(text, window):
        parts, stride = PARTS[unit](text, tokenizer), window[0] - window[1]
        assert "".join(parts) == text
        expected = ["".join(parts[a:b]) for a, b in textbook(len(parts), window[0], stride)]
        assert fixed(text, unit, window, tokenizer=tokenizer) == expected

    check()


@pytest.mark.parametrize("unit", PARTS)
def test_a_kept_tail_has_a_window_for_every_start(unit):
    @given(text=plain_texts(), window=windows())
    def check(text, window):
        parts, stride = PARTS[unit](text, "cl100k_base"), window[0] - window[1]
        expected = ["".join(parts[a:b]) for a, b in naive(len(parts), window[0], stride)]
        assert fixed(text, unit, window, tail="keep") == expected

    check()


@given(text=plain_texts(), window=windows(), tokenizer=st.sampled_from(TOKENIZERS))
def test_a_token_window_decodes_to_its_own_ids(text, window, tokenizer):
    encoder = encoding(tokenizer)
    ids = encoder.encode_ordinary(text)
    expected = [encoder.decode(ids[a:b]) for a, b in textbook(len(ids), window[0], window[0] - window[1])]
    assert fixed(text, "token", window, tokenizer=tokenizer) == expected


@given(text=plain_texts(), window=windows(), unit=st.sampled_from(sorted(PARTS)))
def test_overlap_is_in_full_at_every_boundary(text, window, unit):
    config = ChunkingConfig("fixed", unit, *window)
    chunking = chunk(Document.from_text(text), config)
    assert (chunking.overlaps == config.overlap).all()
    assert (chunking.sizes[:-1] == config.size).all()
    assert not chunking.oversized.any()


# --- the worked example: 1,000 tokens --------------------------------------------------------------------------

WORKED = (
    # size, overlap, starts, tokens processed, duplicated percent
    (240, 40, [0, 200, 400, 600, 800], 1160, 16.0),
    (240, 0, [0, 240, 480, 720, 960], 1000, 0.0),
    (240, 120, [0, 120, 240, 360, 480, 600, 720, 840], 1840, 84.0),
    (250, 0, [0, 250, 500, 750], 1000, 0.0),
    (500, 250, [0, 250, 500], 1500, 50.0),
    (1000, 999, [0], 1000, 0.0),
    (999, 998, [0, 1], 1998, 99.8),
    (5000, 100, [0], 1000, 0.0),
)


@pytest.mark.parametrize(("size", "overlap", "starts", "processed", "duplicated"), WORKED)
def test_a_thousand_tokens(size, overlap, starts, processed, duplicated):
    prepared = prepare(read(THOUSAND))
    chunking = chunk(prepared, ChunkingConfig("fixed", "token", size, overlap))
    ids = encoding("cl100k_base").encode_ordinary(prepared.document.text)
    assert len(ids) == 1000
    assert prepared.ruler("token", "cl100k_base").before(chunking.starts).tolist() == starts
    assert [one.text for one in chunking] == [encoding("cl100k_base").decode(ids[at : at + size]) for at in starts]
    stats = describe(chunking)
    assert (stats.count, stats.document_tokens, stats.processed_tokens) == (len(starts), 1000, processed)
    assert stats.duplicated_percent == pytest.approx(duplicated)
    assert stats.duplicated_tokens == processed - 1000


def test_the_worked_example_keeps_or_merges_its_tail():
    prepared = prepare(read(THOUSAND))
    kept = chunk(prepared, ChunkingConfig("fixed", "token", 240, 120, tail="keep"))
    ruler = prepared.ruler("token", "cl100k_base")
    assert ruler.before(kept.starts).tolist() == [0, 120, 240, 360, 480, 600, 720, 840, 960]
    assert ruler.before(kept.ends).tolist() == [240, 360, 480, 600, 720, 840, 960, 1000, 1000]
    merged = chunk(prepared, ChunkingConfig("fixed", "token", 240, 0, tail="merge"))
    assert ruler.before(merged.starts).tolist() == [0, 240, 480, 720]
    assert ruler.before(merged.ends).tolist() == [240, 480, 720, 1000]
    assert merged.oversized.tolist() == [False, False, False, True]


# --- written out -----------------------------------------------------------------------------------------------


def test_the_three_tails():
    text = "abcdefghijklmnopqrstuvwxy"
    assert fixed(text, "character", (10, 4)) == ["abcdefghij", "ghijklmnop", "mnopqrstuv", "stuvwxy"]
    assert fixed(text, "character", (10, 4), tail="keep")[4:] == ["y"]
    assert fixed(text, "character", (10, 4), tail="merge", min_size=7)[3:] == ["stuvwxy"]
    assert fixed(text, "character", (10, 4), tail="merge", min_size=8)[2:] == ["mnopqrstuvwxy"]


def test_a_tail_is_merged_below_a_quarter_of_the_size_unless_told_otherwise():
    assert fixed("a" * 22, "character", (10, 0), tail="merge") == ["a" * 10, "a" * 10, "aa"]
    assert fixed("a" * 21, "character", (10, 0), tail="merge") == ["a" * 10, "a" * 11]
    assert fixed("a" * 21, "character", (10, 0), tail="merge", min_size=0) == ["a" * 10, "a" * 10, "a"]
    assert fixed("a", "character", (10, 0), tail="merge", min_size=5) == ["a"]


def test_a_merged_tail_says_so():
    chunking = chunk(Document.from_text("a" * 21), ChunkingConfig("fixed", "character", 10, 0, tail="merge"))
    assert [one.reason for one in chunking] == [
        "The window of 10 characters is full.",
        "The tail was smaller than 2 characters and joined this chunk.",
    ]
    assert [one.oversized for one in chunking] == [False, True]


def test_words_take_the_white_space_after_them_and_the_first_what_is_before_it():
    assert fixed("  one  two\nthree four\n", "word", (2, 0)) == ["  one  two\n", "three four\n"]
    assert fixed("one two three", "word", (2, 1)) == ["one two ", "two three"]


def test_ideographs_and_kana_are_words_of_their_own():
    assert fixed("猫が好きです。 Yes 本当", "word", (3, 0)) == ["猫が好", "きです。 ", "Yes 本当"]
    assert fixed("A猫B 一二", "word", (1, 0)) == ["A", "猫", "B ", "一", "二"]


def test_a_window_stops_before_a_character_that_does_not_fit():
    chunking = chunk(Document.from_text("ab👍🏽cd"), ChunkingConfig("fixed", "character", 3, 0))
    assert [one.text for one in chunking] == ["ab", "👍🏽c", "d"]
    assert [one.reason for one in chunking] == [
        "The window stops at 2 of 3: one step more would cut a character in two.",
        "The window of 3 characters is full.",
        "The document ends here.",
    ]


def test_an_overlap_is_smaller_where_a_character_does_not_fit_into_it():
    chunking = chunk(Document.from_text("abc👍🏽defgh"), ChunkingConfig("fixed", "character", 5, 1))
    assert [one.text for one in chunking] == ["abc👍🏽", "defgh"]
    assert chunking.overlaps.tolist() == [0]
    assert chunking[1].overlap_reason == (
        "Asked for 1, achieved 0: only whole characters are repeated, and one more would be too much."
    )
