"""Inputs that are known to break chunkers, each with its right value written out: those of plain text.

The numbers in the comments name the cases. 23 (encodings and files that are no text) is proven in
tests/readers/test_text_reader.py, 29 to 41 and 46 to 47 in tests/test_cases_formats.py. What only a browser can show is
in tests/browser: 16 (emoji), 43 (identical chunks) and 45 (white space) in test_shading.py, 42 (markup) in
test_hostile.py, 44 (slow answers) in test_channel_down.py.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
import regex

from playground import Chunking, ChunkingConfig, ConfigError, Document, chunk, describe, prepare, read
from playground.core.boundaries import contains
from playground.core.modes import MODES
from playground.core.rulers import UNITS
from playground.core.stats import verify
from playground.resources import TOKENIZERS, encoding

SAMPLES = Path(__file__).parents[2] / "sample_docs"
ALL = tuple(MODES)


def chunked(text: str, mode: str, unit: str, size: int, overlap: int = 0, **settings: object) -> Chunking:
    return chunk(Document.from_text(text), ChunkingConfig(mode, unit, size, overlap, **settings))


def texts(chunking: Chunking) -> list[str]:
    return [one.text for one in chunking]


def spans(chunking: Chunking) -> list[tuple[int, int]]:
    return list(zip(chunking.starts.tolist(), chunking.ends.tolist(), strict=True))


# --- overlap and termination -----------------------------------------------------------------------------------


def test_an_overlap_across_a_blank_line_is_cut_from_the_source():
    # case 1
    chunking = chunked("A" * 26 + "\n\n" + "B" * 10, "fixed", "character", 30, 10)
    assert texts(chunking) == ["A" * 26 + "\n\nBB", "A" * 6 + "\n\n" + "B" * 10]
    assert chunking.overlaps.tolist() == [10]


@pytest.mark.parametrize(
    ("mode", "pieces"),
    [
        ("sentence", "sentences"),
        ("semantic", "sentences"),
        ("paragraph", "paragraphs"),
        ("recursive", "paragraphs"),
        ("structure", "paragraphs"),
    ],
)
def test_an_overlap_that_no_whole_piece_fits_into_is_reported_or_cut_if_asked(mode, pieces):
    # case 1
    text = "A" * 26 + "\n\n" + "B" * 10
    chunking = chunked(text, mode, "character", 30, 10)
    assert texts(chunking) == ["A" * 26 + "\n\n", "B" * 10]
    assert chunking.overlaps.tolist() == [0]
    assert chunking[1].overlap_reason == (
        f"Asked for 10, achieved 0: only whole {pieces} are repeated, and one more would be too much."
    )
    assert texts(chunked(text, mode, "character", 30, 10, snap="unit"))[1] == "A" * 8 + "\n\n" + "B" * 10


@pytest.mark.parametrize("mode", ALL)
def test_an_overlap_is_kept_where_nothing_separates(mode):
    # case 2
    chunking = chunked("abcdefghij", mode, "character", 5, 2)
    assert texts(chunking) == ["abcde", "defgh", "ghij"]
    assert chunking.overlaps.tolist() == [2, 2]


@pytest.mark.parametrize("overlap", [4, 5, 400])
def test_an_overlap_not_below_the_size_is_refused_by_name(overlap):
    # case 3
    with pytest.raises(ConfigError) as refused:
        ChunkingConfig(size=4, overlap=overlap)
    assert f"overlap is {overlap} and size is 4" in str(refused.value)


def test_lines_shorter_than_the_overlap_move_on():
    # case 4
    text = "abc\n" * 50
    fixed = chunked(text, "fixed", "character", 50, 49)
    assert spans(fixed) == [(start, start + 50) for start in range(151)]
    for mode in ALL[1:]:
        whole = chunked(text, mode, "character", 50, 49, separators=("\n",))
        assert spans(whole) == [(start, start + 48) for start in range(0, 153, 4)]
        assert whole.overlaps.tolist() == [44] * 38


@pytest.mark.parametrize("mode", ALL)
def test_the_tail_is_not_repeated(mode):
    # case 5
    assert spans(chunked("a" * 25, mode, "character", 10, 2)) == [(0, 10), (8, 18), (16, 25)]


@pytest.mark.parametrize("mode", ALL)
def test_a_long_run_in_tokens_ends_and_gains_no_character(mode):
    # case 6
    chunking = chunked("x" * 2000, mode, "token", 50, 10)
    assert spans(chunking) == [(start, start + 400) for start in range(0, 1601, 320)]
    assert set("".join(texts(chunking))) == {"x"}
    assert chunking.sizes.tolist() == [50] * 6


@pytest.mark.parametrize("mode", ["sentence", "paragraph", "recursive", "structure"])
def test_a_sentence_that_leaves_no_room_for_an_overlap_stands_alone(mode):
    # case 7
    text = "Tiny one. Six words are in this sentence. Number three."
    chunking = chunked(text, mode, "word", 8, 3)
    assert texts(chunking) == ["Tiny one. Six words are in this sentence. ", "Number three."]
    chunking = chunked(text, mode, "word", 7, 2)
    assert chunking.config.stride < 6 < chunking.config.size
    assert texts(chunking) == ["Tiny one. ", "Six words are in this sentence. ", "Number three."]
    assert chunking.overlaps.tolist() == [0, 0]
    assert [one.overlap_reason for one in chunking] == [
        "",
        "Asked for 2, achieved 0: repeating more would leave no room for the next sentence.",
        "Asked for 2, achieved 0: only whole sentences are repeated, and one more would be too much.",
    ]


def test_a_large_overlap_shows_what_it_costs():
    # case 8
    prepared = prepare(read(SAMPLES / "thousand-tokens.txt"))
    costly = describe(chunk(prepared, ChunkingConfig(size=256, overlap=200)))
    assert (costly.count, costly.processed_tokens, costly.duplicated_percent) == (15, 3800, 280.0)
    assert costly.deepest_cover == 5
    default = describe(chunk(prepared, ChunkingConfig(size=256)))
    assert (default.count, default.processed_tokens, default.duplicated_percent) == (5, 1168, 16.8)


@pytest.mark.parametrize(
    ("snap", "expected", "achieved"),
    [
        ("cut", ["alpha be", " beta"], 3),
        ("unit", ["alpha be", " beta"], 3),
        ("word", ["alpha be", "beta"], 2),
        ("sentence", ["alpha be", "ta"], 0),
    ],
)
def test_an_overlap_may_start_at_a_word_or_a_sentence(snap, expected, achieved):
    # case 9
    chunking = chunked("alpha beta", "fixed", "character", 8, 3, snap=snap)
    assert texts(chunking) == expected
    assert chunking.overlaps.tolist() == [achieved]
    assert bool(chunking[1].overlap_reason) == (achieved < 3)


def test_an_overlap_of_whole_sentences_may_start_inside_one_if_asked():
    # case 9: four words of the sentence before, from a word on
    text = "One two three four five. Six seven."
    assert texts(chunked(text, "sentence", "word", 6, 4)) == ["One two three four five. ", "Six seven."]
    words = chunked(text, "sentence", "word", 6, 4, snap="word")
    assert texts(words) == ["One two three four five. ", "two three four five. Six seven."]
    assert words.overlaps.tolist() == [4]


def test_a_place_may_be_covered_more_than_twice():
    # case 10
    chunking = chunked("abcdefghijklmnop", "fixed", "character", 10, 7)
    assert spans(chunking) == [(0, 10), (3, 13), (6, 16)]
    assert describe(chunking).deepest_cover == 3


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("tail", ["stop", "merge"])
@pytest.mark.parametrize("mode", ALL)
def test_a_document_shorter_than_the_size_has_honest_numbers(mode, tail, unit):
    # case 11
    chunking = chunked("Short.", mode, unit, 240, 200, tail=tail)
    assert spans(chunking) == [(0, 6)]
    assert chunking.overlaps.tolist() == []
    assert (chunking[0].overlap_before, chunking[0].overlap_reason) == (0, "")
    assert chunking[0].reason == "The document ends here."
    stats = describe(chunking)
    size = {"character": 6, "word": 1, "token": 2}[unit]
    assert (stats.smallest, stats.median, stats.mean, stats.largest) == (size, size, size, size)
    assert (stats.boundaries, stats.overlap_mean, stats.overlap_least, stats.duplicated_percent) == (0, 0, 0, 0)


# --- offsets ---------------------------------------------------------------------------------------------------


def test_repeated_text_keeps_its_places():
    # case 12: a token is a word with the space before it, and the last space
    chunking = chunked("the cat sat on the mat " * 3, "fixed", "token", 6, 3)
    assert spans(chunking) == [(0, 22), (11, 34), (22, 45), (34, 57), (45, 68), (57, 69)]
    assert texts(chunking)[2:4] == [" the cat sat on the mat", " on the mat the cat sat"]


@pytest.mark.parametrize("unit", UNITS)
def test_equal_paragraphs_keep_their_places(unit):
    # case 13
    paragraph = "The same words stand here. They stand here every time.\n\n"
    size = describe(chunked(paragraph * 10, "sentence", unit, 10**6)).largest // 10
    spare = {"character": 0, "word": 0, "token": 1}[unit]
    chunking = chunked(paragraph * 10, "sentence", unit, size + spare)
    assert spans(chunking) == [(56 * k, 56 * k + 56) for k in range(10)]
    assert len(set(texts(chunking))) == 1


@pytest.mark.parametrize("mode", ALL)
@pytest.mark.parametrize(
    ("tokenizer", "expected", "sizes"),
    [
        # 😀 is two tokens and 猫 is three, one of them for a single byte; or each is one
        ("cl100k_base", ["a", "😀", "b", "猫", "c"], [1, 2, 1, 3, 1]),
        ("o200k_base", ["a😀", "b猫", "c"], [2, 2, 1]),
        ("r50k_base", ["a", "😀", "b", "猫", "c"], [1, 2, 1, 3, 1]),
    ],
)
def test_tokens_that_share_a_character_are_never_parted(mode, tokenizer, expected, sizes):
    # case 14
    chunking = chunked("a😀b猫c", mode, "token", 2, tokenizer=tokenizer)
    assert texts(chunking) == expected
    assert chunking.sizes.tolist() == sizes
    assert chunking.oversized.tolist() == [size > 2 for size in chunking.sizes]
    assert not any("\ufffd" in text for text in texts(chunking))


def test_bytes_are_never_taken_for_characters():
    # case 15: 食 and べ are two tokens each, 物 is one
    chunking = chunked("食べ物" * 50, "fixed", "token", 64)
    assert spans(chunking) == [(0, 38), (38, 76), (76, 114), (114, 150)]
    assert chunking.sizes.tolist() == [64, 63, 63, 60]


def test_offsets_for_a_browser_count_surrogates():
    # case 16
    prepared = prepare(Document.from_text("Hi 😀😀😀 there. Second one."))
    chunking = chunk(prepared, ChunkingConfig("sentence", "character", 14, 0))
    assert spans(chunking) == [(0, 14), (14, 25)]
    assert prepared.utf16(chunking.starts).tolist() == [0, 17]
    assert prepared.utf16(chunking.ends).tolist() == [17, 28]


@pytest.mark.parametrize("mode", ALL)
def test_a_character_of_more_tokens_than_the_size_stands_alone(mode):
    # case 17
    chunking = chunked("x猫y", mode, "token", 1)
    assert texts(chunking) == ["x", "猫", "y"]
    assert chunking.sizes.tolist() == [1, 3, 1]
    assert [one.oversized for one in chunking] == [False, True, False]
    assert chunking[1].reason == (
        "This piece of 3 tokens is larger than 1: it is one character to a reader and cannot be cut."
    )
    assert texts(chunked("猫", mode, "token", 1)) == ["猫"]


def test_a_piece_that_cannot_be_cut_is_called_one_character_only_if_it_is():
    # case 17: here the tokens part only inside 猫, so that the space before it must stay with it
    assert encoding("cl100k_base").decode_tokens_bytes([10447, 234, 104]) == [b" \xe7", b"\x8c", b"\xab"]
    chunking = chunked("x 猫y", "fixed", "token", 1)
    assert texts(chunking) == ["x", " 猫", "y"]
    assert [len(regex.findall(r"\X", one.text)) for one in chunking] == [1, 2, 1]
    assert chunking[1].oversized
    assert chunking[1].reason == (
        "This piece of 3 tokens is larger than 1: its tokens part only inside a character, so it cannot be cut."
    )


def test_words_that_part_inside_a_character_are_not_called_tokens():
    # case 17: white space with a mark on it is one character, and the second word would start at the mark
    chunking = chunked("a \u0301b c d", "fixed", "word", 1)
    assert texts(chunking) == ["a \u0301b ", "c ", "d"]
    assert chunking.sizes.tolist() == [2, 1, 1]
    assert "2 words" in chunking[0].reason
    assert "token" not in chunking[0].reason


def test_a_short_last_piece_is_merged_and_never_dropped():
    # case 18
    text = "One two three four. Five six seven eight. Nine."
    assert texts(chunked(text, "sentence", "word", 4)) == ["One two three four. ", "Five six seven eight. ", "Nine."]
    merged = chunked(text, "sentence", "word", 4, tail="merge", min_size=2)
    assert texts(merged) == ["One two three four. ", "Five six seven eight. Nine."]
    assert merged.oversized.tolist() == [False, True]
    assert "".join(texts(chunked(text, "fixed", "character", 9, tail="merge", min_size=9))) == text


@pytest.mark.parametrize("unit", UNITS)
def test_a_blank_line_is_never_joined_with_a_space(unit):
    # case 19
    assert texts(chunked("A.\n\nB.", "sentence", unit, 50)) == ["A.\n\nB."]
    small = {"character": 4, "word": 1, "token": 3}[unit]
    assert texts(chunked("A.\n\nB.", "sentence", unit, small)) == ["A.\n\n", "B."]


# --- unicode, controls, special tokens --------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ALL)
def test_a_family_is_one_character(mode):
    # case 20
    chunking = chunked("x👨‍👩‍👧y", mode, "character", 3)
    assert texts(chunking) == ["x", "👨‍👩‍👧", "y"]
    assert chunking.sizes.tolist() == [1, 5, 1]
    assert [one.oversized for one in chunking] == [False, True, False]


@pytest.mark.parametrize(
    "text",
    ["🇩🇪🇫🇷🇯🇵", "1️⃣2️⃣3️⃣", "👍🏽👍🏿👍", "e\u0301a\u0308o\u0302", "क्षत्रिय", "\u1112\u1161\u11ab\u1100\u1161\u11a8", "ｶﾞｷﾞｸﾞ"],
)
@pytest.mark.parametrize("mode", ALL)
def test_cousins_of_the_family(mode, text):
    # case 20
    assert texts(chunked(text, mode, "character", 1)) == regex.findall(r"\X", text)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("mode", ALL)
def test_special_tokens_are_plain_text(mode, tokenizer):
    # case 21
    text = "see <|endoftext|> here"
    chunking = chunked(text, mode, "token", 4, tokenizer=tokenizer)
    assert "".join(texts(chunking)) == text
    assert len(chunking) > 1
    assert describe(chunking).document_tokens == len(encoding(tokenizer).encode_ordinary(text)) > 5
    assert chunked(text, mode, "token", 99, tokenizer=tokenizer)[0].tokens == describe(chunking).document_tokens


def test_a_document_with_half_a_character_can_be_chunked():
    # case 22
    chunking = chunked("one \ud83d two \ud83d\ude00 three", "fixed", "token", 2)
    assert "".join(texts(chunking)) == "one \ufffd two 😀 three"
    assert chunking.document.notices == ("1 half of a character (lone surrogate) was replaced by \ufffd.",)


ODD = "a\u00a0b\tc\u200bd\u2028e\ff\u3000g\x85h\v\x1ci\r\nj"


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("mode", ALL)
def test_odd_white_space_is_kept(mode, unit):
    # case 24
    chunking = chunked(ODD, mode, unit, 1)
    assert chunking.document.text == ODD
    assert "".join(texts(chunking)) == ODD


def test_odd_white_space_written_out():
    # case 24: white space ends a word; a zero-width space is none; a character is a character
    words = ["a\u00a0", "b\t", "c\u200bd\u2028", "e\f", "f\u3000", "g\x85", "h\v\x1c", "i\r\n", "j"]
    assert texts(chunked(ODD, "fixed", "word", 1)) == words
    assert texts(chunked(ODD, "sentence", "word", 1)) == words
    assert texts(chunked(ODD, "fixed", "character", 1)) == regex.findall(r"\X", ODD)


def test_ideographic_sentences_keep_their_marks():
    # case 25
    for unit, size in (("character", 2), ("word", 1)):
        assert texts(chunked("一。二！三？", "sentence", unit, size)) == ["一。", "二！", "三？"]
    assert texts(chunked("一。二！三？", "sentence", "character", 4, 2)) == ["一。二！", "二！三？"]


THAI = "ภาษาไทยไม่มีช่องว่างระหว่างคำ แต่มีช่องว่างระหว่างประโยค เช่นนี้"


def test_thai_is_cut_at_spaces():
    # case 26
    assert texts(chunked(THAI, "sentence", "character", 30)) == [
        "ภาษาไทยไม่มีช่องว่างระหว่างคำ ",
        "แต่มีช่องว่างระหว่างประโยค ",
        "เช่นนี้",
    ]


def test_thai_without_a_space_is_cut_between_graphemes():
    # case 26
    chunking = chunked(THAI, "sentence", "character", 20)
    assert texts(chunking) == ["ภาษาไทยไม่มีช่องว่าง", "ระหว่างคำ ", "แต่มีช่องว่างระหว่าง", "ประโยค เช่นนี้"]
    assert chunking[0].reason == "The word is larger than 20 characters, so it is cut between characters."
    narrow = chunked(THAI, "sentence", "character", 2)
    assert [len(regex.findall(r"\X", text)) for text in texts(narrow)].count(0) == 0
    assert all(regex.fullmatch(r"\X{1,2}", text) for text in texts(narrow))


MIXED = 'Dr. Who paid $3.50 to the U.S. Now he left… e.g. Fig. 3 shows (see p. 4). "Stop!" he said. 1. First item'


def test_abbreviations_and_numbers_end_no_sentence():
    # case 28
    starts = prepare(Document.from_text(MIXED)).sentences.tolist()
    assert [MIXED[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)] == [
        "Dr. Who paid $3.50 to the U.S. ",
        "Now he left… e.g. Fig. 3 shows (see p. 4). ",
        '"Stop!" he said. ',
        "1. First item",
    ]


def test_abbreviations_and_numbers_in_chunks():
    # case 28
    assert texts(chunked(MIXED, "sentence", "word", 10, 3)) == [
        "Dr. Who paid $3.50 to the U.S. ",
        "Now he left… e.g. Fig. 3 shows (see p. 4). ",
        '"Stop!" he said. 1. First item',
    ]


# --- large inputs ----------------------------------------------------------------------------------------------

LARGE = {
    "a million spaces": (ALL, UNITS, lambda: " " * 1_000_000),
    "a million letters": (ALL, UNITS, lambda: "a" * 1_000_000),
    "fifty thousand flags": (ALL, UNITS, lambda: "🇩🇪" * 50_000),
    "spaces between letters": (
        ("fixed", "sentence", "recursive"),
        UNITS,
        lambda: f"a{' ' * 1_000_000}b{' ' * 1_000_000}c",
    ),
    # Twelve in every mode and unit would take long.
    "twelve megabytes of lines": (("fixed",), ("token",), lambda: "x.\n" * 4_000_000),
    "lines in every mode": (ALL, UNITS, lambda: "x.\n" * 200_000),
}


@pytest.mark.parametrize(("modes", "units", "text"), LARGE.values(), ids=list(LARGE))
def test_large_inputs_are_chunked_in_every_mode_and_unit(modes, units, text):
    # case 27
    large = prepare(Document.from_text(text()))
    for mode, unit in product(modes, units):
        chunking = chunk(large, ChunkingConfig(mode, unit, 240, 40))
        starts, ends = chunking.starts, chunking.ends
        assert (starts[0], ends[-1]) == (0, len(large.document))
        assert (np.diff(starts) > 0).all()
        assert (np.diff(ends) > 0).all()
        assert (starts[1:] <= ends[:-1]).all()
        assert (chunking.overlaps <= 40).all()
        assert large.is_blank or (chunking.sizes <= 240).all()
        assert not contains(large.forbidden, np.concatenate((starts, ends))).any()
        assert verify(chunking).passed
        assert mode == "fixed" or describe(chunking).check.passed
    assert large.encodes == 1


def test_the_tokens_of_a_large_chunk_can_be_counted():
    # case 27: one chunk of two words with a million spaces between them
    chunking = chunked(f"a{' ' * 1_000_000}b", "fixed", "word", 2)
    assert len(chunking) == 1
    assert chunking[0].tokens == describe(chunking).document_tokens
    blank = chunked("\t" * 1_000_001, "sentence", "token", 10)
    assert len(blank) == 1
    assert blank[0].tokens == describe(blank).document_tokens


def test_flags_are_cut_in_pairs():
    # case 27
    chunking = chunked("🇩🇪" * 1000, "fixed", "character", 241)
    assert spans(chunking)[:2] == [(0, 240), (240, 480)]
    assert chunking[0].reason == "The window stops at 240 of 241: one step more would cut a character in two."
