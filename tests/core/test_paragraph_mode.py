"""Paragraph mode: whole paragraphs packed up to the size; sentences, words and units inside one that is too large."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import plain_texts, texts, windows

from playground import Chunking, ChunkingConfig, Document, chunk, prepare, read
from playground.core.prepared import paragraph_starts

SAMPLES = sorted(
    path for path in (Path(__file__).parents[2] / "sample_docs").iterdir() if path.suffix in (".md", ".txt")
)


def paragraph(text: str, unit: str, size: int, overlap: int = 0, **settings: object) -> Chunking:
    return chunk(Document(text), ChunkingConfig("paragraph", unit, size, overlap, **settings))


def spans(chunking: Chunking) -> list[tuple[int, int]]:
    return list(zip(chunking.starts.tolist(), chunking.ends.tolist(), strict=True))


# --- what a paragraph is ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("One.\n\nTwo.", [6]),
        ("One.\nStill one.", []),
        ("One.\r\n\r\nTwo.", [8]),
        ("One.\r\nStill one.", []),  # one line break, of two characters
        ("One.\r\rTwo.", [6]),
        ("One.\n \t\nTwo.", [8]),  # a line of white space is blank
        ("One.\n\n\n\nTwo.", [8]),  # blank lines are one gap
        ("One.\n\n  Two.", [6]),  # an indent belongs to what it indents
        ("One.\u2029Two.", [5]),  # the paragraph separator
        ("\n\nOne.", [2]),
        ("One.\n\n", [6]),
        ("", []),
    ],
)
def test_where_paragraphs_start(text, starts):
    assert paragraph_starts(text).tolist() == starts


# --- packing ---------------------------------------------------------------------------------------------------

LETTER = "Dear all.\n\nWe moved. The office is new. Come by.\n\nBring cake.\n\nYours."


def test_whole_paragraphs_are_packed():
    chunking = paragraph(LETTER, "word", 11)
    assert [one.text for one in chunking] == [
        "Dear all.\n\nWe moved. The office is new. Come by.\n\n",
        "Bring cake.\n\nYours.",
    ]
    assert [one.reason for one in chunking] == [
        "The next paragraph (2 words) does not fit into the 1 that are left.",
        "The document ends here.",
    ]


def test_a_paragraph_too_large_goes_by_sentences_then_words_then_units():
    chunking = paragraph(LETTER, "word", 4)
    assert [one.text for one in chunking] == [
        "Dear all.\n\n",
        "We moved. ",
        "The office is new. ",
        "Come by.\n\nBring cake.\n\n",
        "Yours.",
    ]
    assert [chunking.levels[level].name for level in chunking.packed.cuts.level] == [
        "paragraph",
        "sentence",
        "sentence",
        "paragraph",
        "paragraph",
    ]
    assert chunking[0].reason == "The next paragraph (8 words) is larger than the size; it is cut on its own."
    assert chunking[1].reason == "The paragraph is larger than 4 words, so it is cut between sentences."
    letters = paragraph("It is incomprehensible.\n\nYes.", "character", 9)
    assert [one.text for one in letters] == ["It is ", "incompreh", "ensible.\n", "\nYes."]


def test_whole_paragraphs_are_repeated():
    chunking = paragraph("One one.\n\nTwo.\n\nThree three.\n\nFour.", "word", 4, 2)
    assert [one.text for one in chunking] == ["One one.\n\nTwo.\n\n", "Two.\n\nThree three.\n\nFour."]
    assert chunking.overlaps.tolist() == [1]
    assert chunking[1].overlap_reason == (
        "Asked for 2, achieved 1: only whole paragraphs are repeated, and one more would be too much."
    )


@given(plain_texts(), st.integers(1, 40))
def test_where_every_paragraph_fits_chunks_are_greedy_runs_of_paragraphs(text, spare):
    starts = [0, *(match.end() for match in re.finditer(r"\n\s*\n", text)), len(text)]
    parts = [text[a:b] for a, b in pairwise(sorted({at for at in starts if at <= len(text)}))]
    size = max(map(len, parts)) + spare
    expected, open_ = [], ""
    for part in parts:
        if open_ and len(open_) + len(part) > size:
            expected.append(open_)
            open_ = ""
        open_ += part
    assert [one.text for one in paragraph(text, "character", size)] == [*expected, open_]


@given(texts(), windows(), st.sampled_from(["character", "word", "token"]))
def test_a_chunk_cuts_into_a_paragraph_only_where_that_is_too_large(text, window, unit):
    document = Document.from_text(text)
    chunking = paragraph(document.text, unit, *window)
    levels = chunking.packed.cuts.level.tolist()
    for (_, end), level in zip(spans(chunking), levels, strict=True):
        if level:
            top = chunking.levels[0]
            after = int(top.offsets.searchsorted(end, side="right"))
            held = int(top.before[after] - top.within[after - 1])
            assert held > window[0]


@pytest.mark.parametrize("path", SAMPLES, ids=[path.name for path in SAMPLES])
@pytest.mark.parametrize("unit", ["character", "word", "token"])
def test_the_samples_are_covered_and_no_chunk_is_too_large(path, unit):
    prepared = prepare(read(path))
    for size, overlap in ((40, 0), (240, 40), (1000, 999)):
        chunking = chunk(prepared, ChunkingConfig("paragraph", unit, size, overlap))
        found = spans(chunking)
        assert found[0][0] == 0
        assert found[-1][1] == len(prepared.document)
        assert all(a < c <= b < d for (a, b), (c, d) in pairwise(found))
        assert not chunking.oversized.any()
