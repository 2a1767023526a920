"""Recursive mode is the textbook's recursive splitter on exact slices, and says at which rung it cut and why."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import grapheme_bounds, plain_texts, texts, unit_spans, windows

from playground import Chunking, ChunkingConfig, Document, chunk, prepare, read
from playground.core.separators import PRESETS

SAMPLES = sorted(
    path for path in (Path(__file__).parents[2] / "sample_docs").iterdir() if path.suffix in (".md", ".txt")
)
CLASSIC = PRESETS["classic"]
LADDERS = {name: tuple(one for one in ladder if one != "{sentence}") for name, ladder in PRESETS.items()}


def recursive(text: str, size: int, overlap: int, ladder: tuple[str, ...] = CLASSIC, **settings: object) -> Chunking:
    chosen = {"unit": "character", "separators": ladder} | settings
    return chunk(Document(text), ChunkingConfig("recursive", size=size, overlap=overlap, **chosen))


def spans(chunking: Chunking) -> list[tuple[int, int]]:
    return list(zip(chunking.starts.tolist(), chunking.ends.tolist(), strict=True))


# --- the textbook ----------------------------------------------------------------------------------------------


class Textbook:
    """Split, pack, and go down the ladder into what is too large: the recursion as it is told, on slices."""

    def __init__(self, text: str, unit: str, size: int) -> None:
        units = unit_spans(text, unit, "cl100k_base")
        self.text, self.size = text, size
        self.unit_starts = [start for start, _, _ in units]
        self.allowed = grapheme_bounds(text)

    def split(self, ladder: tuple[str, ...]) -> list[tuple[int, int]]:
        return list(self.chunks(0, len(self.text), ladder)) if self.text else []

    def measure(self, start: int, end: int) -> int:
        """How many units have a part in `[start, end)`."""
        return bisect_right(self.unit_starts, end - 1) - bisect_right(self.unit_starts, start) + 1

    def chunks(self, start: int, end: int, ladder: tuple[str, ...]) -> list[tuple[int, int]]:
        """What `[start, end)` becomes: neighbours packed, what is too large taken further down and left by itself."""
        while ladder and len(self.pieces(start, end, ladder[0])) == 1:
            ladder = ladder[1:]
        found: list[tuple[int, int]] = []
        open_ = start
        for low, high in self.pieces(start, end, ladder[0] if ladder else None):
            if open_ < low and self.measure(open_, high) > self.size:
                found.append((open_, low))
                open_ = low
            if self.measure(low, high) > self.size:
                found += self.chunks(low, high, ladder[1:]) if ladder else [(low, high)]
                open_ = high
        return [*found, (open_, end)] if open_ < end else found

    def pieces(self, start: int, end: int, separator: str | None) -> list[tuple[int, int]]:
        """`[start, end)` cut after every `separator`, or (None) at every unit; never inside a character."""
        if separator is None:
            cuts = [at for at in self.unit_starts if start < at < end]
        else:
            opening = separator.lstrip("\n")
            keeps_all = not opening or separator[0] not in "\n<"
            keep = len(separator) if keeps_all else len(separator) - len(opening)
            cuts, at = [], self.text.find(separator, start, end)
            while at >= 0:
                cuts.append(at + keep)
                at = self.text.find(separator, at + len(separator), end)
        cuts = [at for at in cuts if start < at < end and at in self.allowed]
        return list(pairwise([start, *cuts, end]))


def reaches_across(ladder: tuple[str, ...]) -> bool:
    """Whether one separator can begin before the end of another (or of itself) and end after it."""
    return any(
        one[-length:] == other[:length] for one in ladder for other in ladder for length in range(1, len(other))
    ) or any(one != other and one in other[:-1] for one in ladder for other in ladder)


@pytest.mark.parametrize("unit", ["character", "word"])
@pytest.mark.parametrize("name", sorted(LADDERS))
def test_without_overlap_the_spans_are_those_of_the_textbook(name, unit):
    @given(text=st.one_of(plain_texts(), texts()), size=st.integers(1, 60))
    def check(text, size):
        document = Document.from_text(text)
        assume(len(document) and not document.text.isspace())
        found = spans(recursive(document.text, size, 0, LADDERS[name], unit=unit))
        assert found == Textbook(document.text, unit, size).split(LADDERS[name])

    check()


@given(
    text=st.one_of(plain_texts(), texts()),
    ladder=st.lists(
        st.one_of(
            st.sampled_from(["\n\n", "\n", " ", ". ", ", ", "\nc", "<h"]), st.text("abcdXYZ .,!猫\n", min_size=1)
        ),
        max_size=4,
        unique=True,
    ).map(tuple),
    size=st.integers(1, 60),
    unit=st.sampled_from(["character", "word"]),
)
def test_any_ladder_cuts_as_the_textbook_does(text, ladder, size, unit):
    document = Document.from_text(text)
    assume(len(document) and not document.text.isspace() and not reaches_across(ladder))
    found = spans(recursive(document.text, size, 0, ladder, unit=unit))
    assert found == Textbook(document.text, unit, size).split(ladder)


@pytest.mark.parametrize("path", SAMPLES, ids=[path.name for path in SAMPLES])
def test_the_samples_fall_apart_as_in_the_textbook(path):
    prepared = prepare(read(path))
    for unit, sizes in (("character", (120, 1000)), ("word", (20, 200))):
        for size in sizes:
            for ladder in (CLASSIC, LADDERS["markdown"], (". ", ", ")):
                config = ChunkingConfig("recursive", unit, size, 0, separators=ladder)
                expected = Textbook(prepared.document.text, unit, size).split(ladder)
                assert spans(chunk(prepared, config)) == expected, (unit, size, ladder)


# --- with an overlap -------------------------------------------------------------------------------------------


@given(text=texts(), window=windows(), snap=st.sampled_from(["cut", "unit", "word", "sentence"]))
def test_chunks_go_on_cover_everything_and_repeat_no_more_than_asked(text, window, snap):
    document = Document.from_text(text)
    chunking = recursive(document.text, *window, snap=snap)
    found = spans(chunking)
    assert all(a < c and b < d and c <= b for (a, b), (c, d) in pairwise(found))
    assert not found or (found[0][0] == 0 and found[-1][1] == len(document.text))
    assert (chunking.overlaps <= window[1]).all()


def test_a_paragraph_larger_than_the_overlap_is_not_repeated_in_part():
    text = "A" * 26 + "\n\n" + "B" * 10
    chunking = recursive(text, 30, 10)
    assert spans(chunking) == [(0, 28), (28, 38)]
    assert chunking.overlaps.tolist() == [0]
    assert chunking[1].overlap_reason == (
        "Asked for 10, achieved 0: only whole paragraphs are repeated, and one more would be too much."
    )
    assert chunking[0].reason == "The next paragraph (10 characters) does not fit into the 2 that are left."


def test_with_snap_unit_the_overlap_is_cut_from_the_source():
    text = "A" * 26 + "\n\n" + "B" * 10
    chunking = recursive(text, 30, 10, snap="unit")
    assert spans(chunking) == [(0, 28), (18, 38)]
    assert chunking[1].text == "A" * 8 + "\n\n" + "B" * 10
    assert chunking[1].overlap_before == 10
    assert chunking[1].overlap_reason == ""


def test_where_no_separator_occurs_characters_are_packed():
    chunking = recursive("abcdefghij", 5, 2)
    assert [one.text for one in chunking] == ["abcde", "defgh", "ghij"]
    assert chunking.overlaps.tolist() == [2, 2]
    assert [one.overlap_reason for one in chunking] == ["", "", ""]


@pytest.mark.parametrize("overlap", range(5))
def test_a_ladder_that_never_matches_is_fixed_size(overlap):
    text = "abcdefghijklmnopqrstuvwxyz"
    fixed = chunk(Document.from_text(text), ChunkingConfig("fixed", "character", 5, overlap))
    assert spans(recursive(text, 5, overlap, ("\n\n", "; "))) == spans(fixed)
    assert spans(recursive(text, 5, overlap, ())) == spans(fixed)


# --- rungs and reasons -----------------------------------------------------------------------------------------


def test_a_separator_stays_at_the_end_of_what_it_ends():
    assert [one.text for one in recursive("one; two; three", 6, 0, ("; ",))] == ["one; ", "two; ", "three"]


def test_a_separator_that_opens_stays_with_what_it_opens():
    text = "intro\n## One\nfirst\n## Two\nsecond"
    found = [one.text for one in recursive(text, 14, 0, ("\n## ",))]
    assert found == ["intro\n", "## One\nfirst\n", "## Two\nsecond"]
    code = "import os\n\nclass A:\n    x = 1\n\nclass B:\n    y = 2\n"
    found = [one.text for one in recursive(code, 22, 0, PRESETS["python"])]
    assert found == ["import os\n\n", "class A:\n    x = 1\n\n", "class B:\n    y = 2\n"]
    page = "<h1>Title</h1><p>One.</p><p>Two.</p>"
    found = [one.text for one in recursive(page, 14, 0, PRESETS["html"])]
    assert found == ["<h1>Title</h1>", "<p>One.</p>", "<p>Two.</p>"]


def test_every_cut_knows_its_rung():
    text = "aaa bbb ccc\nddd\n\neee\n\nffffffffff\n\nggg"
    chunking = recursive(text, 9, 0)
    found = [(one.text, chunking.levels[level].name) for one, level in zip(chunking, levels_of(chunking), strict=True)]
    assert [level.name for level in chunking.levels] == ["paragraph", "line", "word", "character"]
    assert found == [
        ("aaa bbb ", "word"),
        ("ccc\n", "line"),
        ("ddd\n\n", "paragraph"),
        ("eee\n\n", "paragraph"),
        ("fffffffff", "character"),
        ("f\n", "line"),
        ("\n", "paragraph"),
        ("ggg", "paragraph"),
    ]
    assert [one.reason for one in chunking] == [
        "The line is larger than 9 characters, so it is cut between words.",
        "The line ends here; what was cut further down stays in it.",
        "The next paragraph (5 characters) does not fit into the 4 that are left.",
        "The next paragraph (12 characters) is larger than the size; it is cut on its own.",
        "The word is larger than 9 characters, so it is cut between characters.",
        "The line ends here; what was cut further down stays in it.",
        "The paragraph ends here; what was cut further down stays in it.",
        "The document ends here.",
    ]


def levels_of(chunking: Chunking) -> list[int]:
    return chunking.packed.cuts.level.tolist()


def test_a_rung_is_called_by_what_it_cuts_at():
    chunking = recursive("a;b;c\n## d", 3, 0, ("\n## ", ";", "{clause}", "{sentence}"))
    assert [level.name for level in chunking.levels] == [
        "“##” piece",
        "“;” piece",
        "clause",
        "sentence",
        "character",
    ]
    assert chunking[0].reason == "The “##” piece is larger than 3 characters, so it is cut between “;” pieces."


def test_sentences_and_clauses_are_rungs():
    text = "Dr. Who left, at last. It was late: very late."
    assert [one.text for one in recursive(text, 25, 0, ("{sentence}",))] == [
        "Dr. Who left, at last. ",
        "It was late: very late.",
    ]
    assert [one.text for one in recursive(text, 14, 0, ("{sentence}", "{clause}"))] == [
        "Dr. Who left, ",
        "at last. ",
        "It was late: ",
        "very late.",
    ]
