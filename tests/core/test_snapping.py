"""Where an overlap starts: as coarse as the cut, or at the first unit, word or sentence that it allows."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import configs, texts

from playground import Chunking, ChunkingConfig, ConfigError, Document, chunk, prepare, read
from playground.core.config import SNAPS

SAMPLES = sorted(
    path for path in (Path(__file__).parents[2] / "sample_docs").iterdir() if path.suffix in (".md", ".txt")
)
MODES = ("fixed", "sentence", "paragraph", "recursive", "structure")


def chunked(text: str, mode: str, unit: str, size: int, overlap: int, snap: str, **settings: object) -> Chunking:
    return chunk(Document.from_text(text), ChunkingConfig(mode, unit, size, overlap, snap=snap, **settings))


def parts(chunking: Chunking) -> list[str]:
    return [one.text for one in chunking]


# --- worked ----------------------------------------------------------------------------------------------------


def test_an_overlap_starts_at_a_word():
    assert parts(chunked("alpha beta", "fixed", "character", 8, 3, "cut")) == ["alpha be", " beta"]
    snapped = chunked("alpha beta", "fixed", "character", 8, 3, "word")
    assert parts(snapped) == ["alpha be", "beta"]
    assert snapped.overlaps.tolist() == [2]
    assert snapped[1].overlap_reason == (
        "Asked for 3, achieved 2: only whole words are repeated, and one more would be too much."
    )


def test_an_overlap_starts_at_a_sentence_wherever_the_window_ends():
    text = "One two. Three four five. Six seven. Eight nine ten eleven."
    snapped = chunked(text, "fixed", "character", 26, 18, "sentence")
    assert parts(snapped) == [
        "One two. Three four five. ",
        "Three four five. Six seven",
        "Six seven. Eight nine ten ",
        "Eight nine ten eleven.",
    ]
    assert snapped.overlaps.tolist() == [17, 9, 15]
    assert snapped[2].overlap_reason == (
        "Asked for 18, achieved 9: only whole sentences are repeated, and one more would be too much."
    )


def test_where_no_word_starts_within_the_overlap_nothing_is_repeated():
    snapped = chunked("incomprehensible", "fixed", "character", 6, 3, "word")
    assert parts(snapped) == ["incomp", "rehens", "ible"]
    assert snapped.overlaps.tolist() == [0, 0]


def test_sentences_may_be_repeated_in_part():
    text = "The first one. The second one. The third one."
    whole = chunked(text, "sentence", "word", 6, 2, "cut")
    assert parts(whole) == ["The first one. The second one. ", "The third one."]
    assert whole.overlaps.tolist() == [0]
    by_word = chunked(text, "sentence", "word", 6, 2, "word")
    assert parts(by_word) == ["The first one. The second one. ", "second one. The third one."]
    assert by_word.overlaps.tolist() == [2]
    by_unit = chunked(text, "sentence", "character", 31, 5, "unit")
    assert parts(by_unit) == ["The first one. The second one. ", "one. The third one."]


def test_what_is_not_repeated_because_it_is_too_long_says_so():
    chunking = chunked("alpha beta gamma", "recursive", "character", 8, 3, "word", separators=(" ",))
    assert parts(chunking) == ["alpha ", "beta ", "gamma"]
    assert [one.overlap_reason for one in chunking] == [
        "",
        "Asked for 3, achieved 0: only whole words are repeated, and one more would be too much.",
        "Asked for 3, achieved 0: only whole words are repeated, and one more would be too much.",
    ]


def test_without_an_overlap_there_is_nothing_to_snap():
    for mode in MODES:
        plain = chunked("One two. Three four five. Six.", mode, "word", 2, 0, "cut")
        for snap in SNAPS:
            assert parts(chunked("One two. Three four five. Six.", mode, "word", 2, 0, snap)) == parts(plain)


def test_another_word_is_refused():
    with pytest.raises(ConfigError, match=r"^snap is 'page'; it can be one of cut, unit, word, sentence\.$"):
        ChunkingConfig(snap="page")


# --- always ----------------------------------------------------------------------------------------------------


@given(texts(), st.sampled_from(MODES).flatmap(lambda mode: configs(mode=mode, tail="stop")), st.sampled_from(SNAPS))
def test_chunks_go_on_and_repeat_no_more_than_asked(text, config, snap):
    document = Document.from_text(text)
    settings = config.as_dict() | {"snap": snap}
    chunking = chunk(document, ChunkingConfig(**settings))
    found = list(zip(chunking.starts.tolist(), chunking.ends.tolist(), strict=True))
    assert all(a < c <= b < d for (a, b), (c, d) in pairwise(found))
    assert not found or (found[0][0], found[-1][1]) == (0, len(document.text))
    assert (chunking.overlaps <= config.overlap).all()
    for one in chunking[1:]:
        assert bool(one.overlap_reason) == (one.overlap_before < config.overlap)


@pytest.mark.parametrize("path", SAMPLES, ids=[path.name for path in SAMPLES])
@pytest.mark.parametrize("mode", MODES)
def test_repeated_text_starts_on_the_level_that_was_asked_for(path, mode):
    prepared = prepare(read(path))
    for snap in ("word", "sentence"):
        chunking = chunk(prepared, ChunkingConfig(mode, "token", 200, 60, snap=snap))
        starts = set(prepared.levels((snap,), "token", "cl100k_base")[0].offsets.tolist())
        repeating = [one for one in chunking[1:] if one.start < chunking[one.index - 1].end]
        assert repeating
        assert all(one.start in starts for one in repeating)


@pytest.mark.parametrize("path", SAMPLES, ids=[path.name for path in SAMPLES])
def test_a_finer_start_repeats_at_least_as_much(path):
    prepared = prepare(read(path))
    config = {"mode": "sentence", "unit": "token", "size": 200, "overlap": 60}
    shared = {snap: chunk(prepared, ChunkingConfig(**config, snap=snap)).overlaps.mean() for snap in SNAPS}
    assert shared["unit"] >= shared["word"] >= shared["sentence"]
    assert shared["word"] > shared["cut"]
