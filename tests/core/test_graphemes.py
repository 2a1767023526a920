"""Grapheme clusters: written-out cases of UAX #29, an oracle (`regex`'s own `\\X`), and very long runs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from playground.core.graphemes import inside_clusters

# One character of every kind that the rules tell apart.
KINDS = {
    "other": "a",
    "cr": "\r",
    "lf": "\n",
    "control": "\u200b",
    "extend, no part of a conjunct": "\u200c",
    "extend": "\u0301",
    "joiner": "\u200d",
    "spacing mark": "\u0903",
    "prepend": "\u0600",
    "regional indicator": "🇩",
    "hangul L": "\u1100",
    "hangul V": "\u1161",
    "hangul T": "\u11a8",
    "hangul LV": "가",
    "hangul LVT": "각",
    "pictograph": "👩",
    "pictograph in Latin-1": "©",
    "skin tone": "🏽",
    "consonant": "क",
    "linker": "\u094d",
}
AWKWARD = [*KINDS.values(), "👍", "\ufe0f", "\u20e3", "1", "త", "\u0c4d", "ो", "ำ", "\u0e33", "\U000e0067", "\t", " "]


def split(text: str) -> list[str]:
    """The clusters of `text` according to the module under test."""
    forbidden = set(inside_clusters(text).tolist())
    cuts = [i for i in range(1, len(text)) if i not in forbidden]
    return [text[start:end] for start, end in itertools.pairwise([0, *cuts, len(text)])] if text else []


CASES = {
    "letters": ("abc", ["a", "b", "c"]),
    "CR LF": ("a\r\nb", ["a", "\r\n", "b"]),
    "doubled CR and LF": ("\r\r\n\n", ["\r", "\r\n", "\n"]),
    "LF before CR": ("\n\r", ["\n", "\r"]),
    "CR LF beside an accent": ("é\r\n", ["é", "\r\n"]),
    "combining acute": ("e\u0301e", ["e\u0301", "e"]),
    "a mark at the start": ("\u0301a", ["\u0301", "a"]),
    "a mark after a newline": ("\n\u0301", ["\n", "\u0301"]),
    "a mark after a zero-width space": ("\u200b\u0301", ["\u200b", "\u0301"]),
    "zalgo": ("h\u0335\u0321\u0300i\u0337\u0322", ["h\u0335\u0321\u0300", "i\u0337\u0322"]),
    "family": ("x👨‍👩‍👧y", ["x", "👨‍👩‍👧", "y"]),
    "skin tone": ("👍🏽👍", ["👍🏽", "👍"]),
    "skin tone within a joined pair": ("👩🏽‍🚀!", ["👩🏽‍🚀", "!"]),
    "variation selector within a joined pair": ("🏳️‍🌈", ["🏳️‍🌈"]),
    "a joiner after a letter joins no emoji": ("a\u200d👩", ["a\u200d", "👩"]),
    "two joiners join no emoji": ("👩\u200d\u200d👩", ["👩\u200d\u200d", "👩"]),
    "signs of Latin-1 may be joined": ("©\u200d®", ["©\u200d®"]),
    "lone joiner": ("\u200d", ["\u200d"]),
    "joiner, then emoji, at the start": ("\u200d👩", ["\u200d", "👩"]),
    "keycap": ("1️⃣2️⃣", ["1️⃣", "2️⃣"]),
    "flags": ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
    "three halves of flags": ("🇩🇪🇫x", ["🇩🇪", "🇫", "x"]),
    "flags count anew after a letter": ("🇩a🇫🇷", ["🇩", "a", "🇫🇷"]),
    "flags count anew after a joiner": ("🇩\u200d🇫🇷", ["🇩\u200d", "🇫🇷"]),
    "flag of Scotland": ("🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴", ["🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴"]),
    "Devanagari conjunct": ("क्षेत्र", ["क्षे", "त्र"]),
    "Devanagari conjunct with nukta and joiner": ("क\u093c\u094d\u200dत", ["क\u093c\u094d\u200dत"]),
    "Devanagari without a conjunct": ("हिन्दी", ["हि", "न्दी"]),
    "a mark between consonants is no linker": ("क\u093cत", ["क\u093c", "त"]),
    "Bengali conjunct": ("ক্ত", ["ক্ত"]),
    "Tamil spacing mark": ("நி", ["நி"]),
    "Thai sara am": ("น้ำ", ["น้ำ"]),
    "Hangul letters": ("\u1112\u1161\u11ab\u1100\u1173\u11af", ["\u1112\u1161\u11ab", "\u1100\u1173\u11af"]),
    "Hangul syllable with a final letter": ("가\u11a8각\u11a8", ["가\u11a8", "각\u11a8"]),
    "Hangul syllables": ("한국", ["한", "국"]),
    "a final letter takes no vowel": ("각\u1161", ["각", "\u1161"]),
    "prepended number sign": ("\u060012", ["\u06001", "2"]),
    "prepend before a newline": ("\u0600\n", ["\u0600", "\n"]),
    "prepend at the end": ("a\u0600", ["a", "\u0600"]),
    "prepend, prepend, letter": ("\u0600\u0600a", ["\u0600\u0600a"]),
}


@pytest.mark.parametrize(("text", "clusters"), CASES.values(), ids=CASES.keys())
def test_written_out(text: str, clusters: list[str]):
    assert "".join(clusters) == text
    assert split(text) == clusters


def test_result_is_sorted_int32():
    found = inside_clusters("x👍🏽y\r\n")
    assert found.dtype == np.int32
    assert found.tolist() == [2, 5]


@pytest.mark.parametrize(
    "text", ["", "a", "plain ASCII\nwith\rnewlines\t\x00\x7f", "é\xa0\u2028“…”", "日本語", "\u0301"]
)
def test_nothing_inside(text: str):
    assert inside_clusters(text).tolist() == []
    assert inside_clusters(text).dtype == np.int32


def test_every_sequence_of_three_kinds_agrees_with_regex():
    wrong = [
        text
        for length in (1, 2, 3)
        for text in map("".join, itertools.product(KINDS.values(), repeat=length))
        if split(text) != regex.findall(r"\X", text)
    ]
    assert wrong == []


@given(st.lists(st.sampled_from(AWKWARD), max_size=40).map("".join))
@example("👩🏽\u0301\u200d👩🇩🇪🇫\r\n\u0600क\u094d\u200d\u094dत")
def test_awkward_characters_agree_with_regex(text: str):
    assert split(text) == regex.findall(r"\X", text)


@given(st.text(max_size=40))
def test_any_text_agrees_with_regex(text: str):
    assert split(text) == regex.findall(r"\X", text)


@given(st.lists(st.sampled_from(AWKWARD), max_size=20).map("".join))
def test_letters_around_change_only_the_offsets(text: str):
    """A line break is a boundary to both sides, so what is between two of them stands for itself."""
    alone = inside_clusters(f"\n{text}\n")
    within = inside_clusters(f"é🇩\n{text}\nक")
    assert (alone + 2).tolist() == within.tolist()


LONG = {
    "flags": ("🇩🇪" * 50_000, range(1, 100_000, 2)),
    "marks": ("e" + "\u0301" * 1_000_000, range(1, 1_000_001)),
    "joined emoji": ("👩\u200d" * 100_000 + "👩", range(1, 200_001)),
    "joiners": ("\u200d" * 1_000_000, range(1, 1_000_000)),
    "linkers": ("क" + "\u094d" * 1_000_000 + "त", range(1, 1_000_002)),
    "prepends": ("\u0600" * 1_000_000, range(1, 1_000_000)),
    "CR LF": ("\r\n" * 500_000, range(1, 1_000_000, 2)),
    "spaces": (" " * 1_000_000, range(0)),
    "ideographs": ("猫" * 1_000_000, range(0)),
    "emoji after marks": (("👩" + "\u0301" * 9 + "\u200d") * 100_000, set(range(1, 1_100_000))),
}


@pytest.mark.parametrize(("text", "expected"), LONG.values(), ids=LONG.keys())
def test_long_runs(text: str, expected: range | set[int], monkeypatch: pytest.MonkeyPatch):
    """Nothing is matched one by one, however long the run: `regex` may only be asked for character properties."""
    inside_clusters("🇩🇪")  # builds the tables
    for name in ("finditer", "findall", "match", "search", "sub", "split", "compile"):
        monkeypatch.setattr(regex, name, None)
    assert inside_clusters(text).tolist() == sorted(expected)
