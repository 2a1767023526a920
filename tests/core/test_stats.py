"""The numbers against sets of positions, the worked example, and a self-check that is able to fail."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import configs, texts, token_spans, word_starts

from playground import Chunking, ChunkingConfig, Document, chunk, describe, prepare, read
from playground.core.boundaries import Level
from playground.core.overlap import Limit
from playground.core.places import Packed, Places
from playground.core.plan import Areas, Plan
from playground.core.sentences import sentence_starts
from playground.core.stats import histogram, verify

THOUSAND = Path(__file__).parents[2] / "sample_docs" / "thousand-tokens.txt"


def spans(chunking: Chunking) -> list[tuple[int, int]]:
    return list(zip(chunking.starts.tolist(), chunking.ends.tolist(), strict=True))


# --- oracles ---------------------------------------------------------------------------------------------------


@given(text=texts(), config=configs())
def test_tokens_processed_covered_and_duplicated(text, config):
    chunking = chunk(Document.from_text(text), config)
    starts = [start for start, _, _ in token_spans(chunking.document.text, config.tokenizer)]
    held = [{k for k, at in enumerate(starts) if low <= at < high} for low, high in spans(chunking)]
    once = set().union(*held)
    stats = describe(chunking)
    assert stats.document_tokens == len(starts)
    assert stats.processed_tokens == sum(map(len, held))
    assert stats.covered_tokens == len(once)
    assert stats.duplicated_tokens == sum(map(len, held)) - len(once)
    assert stats.duplicated_percent == pytest.approx(100 * stats.duplicated_tokens / len(once) if once else 0)


@given(text=texts(), config=configs())
def test_coverage_and_the_deepest_cover(text, config):
    chunking = chunk(Document.from_text(text), config)
    cover = Counter(place for low, high in spans(chunking) for place in range(low, high))
    stats = describe(chunking)
    length = len(chunking.document)
    assert stats.coverage_percent == (100 * len(cover) / length if length else 100)
    assert stats.deepest_cover == max(cover.values(), default=0)


@settings(max_examples=200)
@given(text=texts(), config=configs())
def test_boundaries_that_cut_a_word(text, config):
    chunking = chunk(Document.from_text(text), config)
    text = chunking.document.text
    starts = set(word_starts(text))
    expected = [
        end < len(text) and not text[end - 1].isspace() and not text[end].isspace() and end not in starts
        for _, end in spans(chunking)[:-1]
    ]
    assert chunking.word_cuts.tolist() == expected
    assert describe(chunking).word_cuts == sum(expected)


@given(text=texts(), config=configs())
def test_boundaries_that_cut_a_sentence(text, config):
    chunking = chunk(Document.from_text(text), config)
    text = chunking.document.text
    starts = sentence_starts(text).tolist()
    inside = set()
    for start, end in pairwise([*starts, len(text)]):
        piece = text[start:end]
        first = start + len(piece) - len(piece.lstrip())
        inside.update(range(first + 1, start + len(piece.rstrip())))
    expected = [end in inside for _, end in spans(chunking)[:-1]]
    assert chunking.sentence_cuts.tolist() == expected
    assert describe(chunking).sentence_cuts == sum(expected)


@given(text=texts(), config=configs())
def test_sizes_overlaps_and_limits_are_summed_up(text, config):
    chunking = chunk(Document.from_text(text), config)
    sizes, overlaps, stats = chunking.sizes.tolist(), chunking.overlaps.tolist(), describe(chunking)
    assert (stats.count, stats.boundaries) == (len(sizes), max(len(sizes) - 1, 0))
    assert (stats.smallest, stats.largest) == (min(sizes, default=0), max(sizes, default=0))
    assert stats.mean == pytest.approx(sum(sizes) / len(sizes) if sizes else 0)
    assert stats.median == (float(np.median(sizes)) if sizes else 0)
    assert stats.oversized == sum(size > config.size for size in sizes)
    assert stats.overlap_asked == config.overlap
    assert stats.overlap_mean == pytest.approx(sum(overlaps) / len(overlaps) if overlaps else 0)
    assert stats.overlap_least == min(overlaps, default=0)
    assert stats.overlap_full == sum(overlap >= config.overlap for overlap in overlaps)
    assert stats.overlap_full + sum(stats.overlap_limits.values()) == stats.boundaries
    assert Limit.NONE not in stats.overlap_limits


# --- written out -----------------------------------------------------------------------------------------------


def test_the_worked_example():
    stats = describe(chunk(read(THOUSAND), ChunkingConfig("fixed", "token", 240, 40)))
    assert (stats.count, stats.boundaries) == (5, 4)
    assert (stats.smallest, stats.median, stats.mean, stats.largest) == (200, 240.0, 232.0, 240)
    assert (stats.document_tokens, stats.processed_tokens, stats.covered_tokens) == (1000, 1160, 1000)
    assert (stats.duplicated_tokens, stats.duplicated_percent) == (160, 16.0)
    assert (stats.overlap_asked, stats.overlap_mean, stats.overlap_least, stats.overlap_full) == (40, 40.0, 40, 4)
    assert (stats.deepest_cover, stats.coverage_percent, stats.oversized) == (2, 100.0, 0)
    assert stats.overlap_limits == {}
    assert stats.check.passed


def test_sentence_mode_cuts_no_sentence_where_all_fit():
    stats = describe(chunk(read(THOUSAND), ChunkingConfig("sentence", "token", 240, 40)))
    assert (stats.sentence_cuts, stats.word_cuts, stats.oversized) == (0, 0, 0)
    assert stats.largest <= 240


def test_cuts_written_out():
    chunking = chunk(Document.from_text("One two. Three four."), ChunkingConfig("fixed", "character", 5, 0))
    assert [one.text for one in chunking] == ["One t", "wo. T", "hree ", "four."]
    assert chunking.word_cuts.tolist() == [True, True, False]
    assert chunking.sentence_cuts.tolist() == [True, True, True]
    between = chunk(Document.from_text("One two.  Three."), ChunkingConfig("fixed", "character", 9, 0))
    assert [one.text for one in between] == ["One two. ", " Three."]
    assert (between.word_cuts.tolist(), between.sentence_cuts.tolist()) == ([False], [False])


def test_a_cut_between_two_ideographs_cuts_no_word():
    chunking = chunk(Document.from_text("食べ物と飲み物abc。"), ChunkingConfig("fixed", "character", 3, 0))
    assert [one.text for one in chunking] == ["食べ物", "と飲み", "物ab", "c。"]
    assert chunking.word_cuts.tolist() == [False, False, True]
    assert describe(chunking).word_cuts == 1


def test_white_space_in_front_is_no_part_of_a_sentence():
    chunking = chunk(Document.from_text("\n\n\n\nHello."), ChunkingConfig("fixed", "character", 2, 0))
    assert chunking.ends.tolist() == [2, 4, 6, 8, 10]
    assert chunking.sentence_cuts.tolist() == [False, False, True, True]
    assert describe(chunking).sentence_cuts == 2


def test_a_kept_tail_cuts_nothing_at_the_end():
    chunking = chunk(Document.from_text("abcdefghij"), ChunkingConfig("fixed", "character", 5, 3, tail="keep"))
    assert [one.text for one in chunking] == ["abcde", "cdefg", "efghi", "ghij", "ij"]
    assert chunking.word_cuts.tolist() == [True, True, True, False]
    assert describe(chunking).deepest_cover == 3


def test_no_text_has_honest_numbers():
    stats = describe(chunk(Document.from_text(""), ChunkingConfig()))
    named = ("check", "overlap_limits", "cut_levels")
    numbers = replace(stats, check=None, overlap_asked=0)
    assert all(value == 0 for name, value in vars(numbers).items() if name not in named)
    assert (stats.overlap_limits, stats.cut_levels, stats.fits) == ({}, {}, False)
    assert stats.coverage_percent == 100.0
    assert stats.check.passed


def test_white_space_alone_has_honest_numbers():
    stats = describe(chunk(Document.from_text(" \n "), ChunkingConfig("fixed", "word", 3, 1)))
    assert (stats.count, stats.smallest, stats.mean, stats.largest, stats.boundaries) == (1, 0, 0.0, 0, 0)
    assert (stats.word_cuts, stats.sentence_cuts, stats.duplicated_percent) == (0, 0, 0.0)


# --- the histogram ---------------------------------------------------------------------------------------------


@given(
    sizes=st.lists(st.integers(0, 5000), max_size=50),
    limit=st.integers(1, 4000),
    bins=st.integers(1, 40),
)
def test_a_histogram_counts_every_chunk_once(sizes, limit, bins):
    counts, width = histogram(np.array(sizes, dtype=np.int32), limit, bins)
    assert len(counts) == bins
    assert counts.sum() == len(sizes)
    edges = [(k * width + 1 if k else 0, (k + 1) * width) for k in range(bins)]
    assert counts.tolist() == [sum(low <= size <= high for size in sizes) for low, high in edges]
    assert bins * width >= max([limit, *sizes])
    assert width == 1 or bins * (width - 1) < max([limit, *sizes])


def test_a_histogram_written_out():
    counts, width = histogram(np.array([200, 240, 240, 240, 240], np.int32), 240, 10)
    assert (counts.tolist(), width) == ([0, 0, 0, 0, 0, 0, 0, 0, 1, 4], 24)
    counts, width = histogram(np.array([0, 1, 7], np.int32), 5, 3)
    assert (counts.tolist(), width) == ([2, 0, 1], 3)


# --- a self-check that can fail --------------------------------------------------------------------------------

TEXT = "abcdefgh👨‍👩‍👧ijklmnopqrst\r\nuvwxyz"


def tampered(spans: list[tuple[int, int]], tail: str = "stop") -> Chunking:
    """A chunking of `TEXT` into any spans at all."""
    prepared = prepare(Document.from_text(TEXT))
    every = np.arange(len(TEXT) + 1, dtype=np.int32)
    levels = (Level.on(prepared.ruler("character", "cl100k_base"), "character", every),)
    starts, ends = (np.array(side, dtype=np.intp) for side in zip(*spans, strict=True))
    config = ChunkingConfig("fixed", "character", 10, 2, tail=tail)
    return Chunking(prepared, config, Plan(levels, 10, 2), Packed(Places.at(0, starts), Places.at(0, ends)))


END = len(TEXT)
SOUND = [(0, 8), (6, 15), (13, 23), (21, 30), (28, END)]
BROKEN = {
    "two chunks swapped": ([SOUND[0], SOUND[2], SOUND[1], *SOUND[3:]], "in_order"),
    "a chunk twice": ([SOUND[0], *SOUND], "in_order"),
    "a chunk inside its predecessor": ([SOUND[0], (6, 15), (7, 14), *SOUND[2:]], "in_order"),
    "two chunks with one end": ([*SOUND, (30, END)], "in_order"),
    "an empty chunk": ([*SOUND[:2], (14, 14), *SOUND[2:]], "in_document"),
    "a chunk that ends before it starts": ([SOUND[0], (6, 5), *SOUND[1:]], "in_document"),
    "a gap": ([(0, 6), (7, 15), *SOUND[2:]], "no_gap"),
    "a first character lost": ([(1, 8), *SOUND[1:]], "no_gap"),
    "a last character lost": ([*SOUND[:-1], (28, END - 1)], "no_gap"),
    "a family divided by an end": ([(0, 10), (8, 15), *SOUND[2:]], "no_split_character"),
    "a family divided by a start": ([SOUND[0], (6, 15), (11, 23), *SOUND[3:]], "no_split_character"),
    "a carriage return without its line feed": ([*SOUND[:2], (13, 26), (24, 30), SOUND[4]], "no_split_character"),
}


def test_the_sound_chunking_passes():
    check = verify(tampered(SOUND))
    assert check.passed
    assert TEXT[8:13] == "👨‍👩‍👧"
    assert TEXT[25:27] == "\r\n"


@pytest.mark.parametrize(("spans", "field"), BROKEN.values(), ids=list(BROKEN))
def test_the_self_check_fails_on(spans, field):
    check = verify(tampered(spans))
    assert not getattr(check, field)
    assert not check.passed


def test_the_self_check_measures_what_is_lost():
    assert verify(tampered([(0, 15)])).coverage_percent == pytest.approx(100 * 15 / END)
    assert not verify(tampered([(0, 15)])).passed


def test_only_a_kept_tail_may_share_an_end():
    doubled = [*SOUND, (30, END)]
    assert verify(tampered(doubled, tail="keep")).passed
    assert not verify(tampered(doubled, tail="stop")).passed


def test_no_chunks_for_a_text_is_a_loss():
    chunking = tampered(SOUND)
    nothing = Packed(chunking.packed.starts[:0], chunking.packed.cuts[:0])
    check = verify(replace(chunking, packed=nothing))
    assert (check.no_gap, check.coverage_percent, check.passed) == (False, 0.0, False)


def test_offsets_beyond_the_text_are_found():
    chunking = tampered(SOUND)
    beyond = Level.on(
        chunking.prepared.ruler("character", "cl100k_base"), "character", np.arange(END + 9, dtype=np.int32)
    )
    far = Packed(chunking.packed.starts, Places.at(0, np.array([8, 15, 23, 30, END + 5], np.intp)))
    check = verify(replace(chunking, plan=Plan((beyond,), 10, 2), packed=far))
    assert not check.in_document
    assert not check.passed


# --- what is left out ------------------------------------------------------------------------------------------


def without(spans: list[tuple[int, int]], *skipped: tuple[int, int]) -> Chunking:
    """`tampered` under a configuration that leaves out the stretches `skipped`."""
    chunking = tampered(spans)
    starts = sorted({0, *(low for low, _ in skipped), *(high for _, high in skipped if high < END)})
    areas = Areas.walled(np.array(starts, np.int32), 10, "section")
    gone = np.array([start in {low for low, _ in skipped} for start in starts])
    return replace(chunking, plan=replace(chunking.plan, areas=replace(areas, skipped=gone)))


def test_what_is_left_out_is_no_gap():
    spans = [SOUND[0], (8, 15), *SOUND[3:]]
    assert not verify(tampered(spans)).passed
    check = verify(without(spans, (15, 21)))
    assert check.passed
    assert check.coverage_percent == 100.0


def test_a_loss_beside_what_is_left_out_is_found():
    spans = [SOUND[0], (8, 14), *SOUND[3:]]
    check = verify(without(spans, (15, 21)))
    assert (check.no_gap, check.passed) == (False, False)
    assert check.coverage_percent == pytest.approx(100 * (END - 7) / (END - 6))


def test_a_page_whose_navigation_is_left_out_is_whole():
    site = b"<nav><a href=/>Home</a> <b>Prices</b></nav><h1>Hours</h1><p>Open from nine.</p><footer>Imprint</footer>"
    for boilerplate, held in (("keep", True), ("leave out", False)):
        chunking = chunk(read("a.html", site), ChunkingConfig("structure", "word", 10, 0, boilerplate=boilerplate))
        assert any("Imprint" in one.text for one in chunking) is held
        assert any("Open from nine." in one.text for one in chunking)
        assert describe(chunking).check.passed
        assert bool(len(chunking.left_out[0])) is not held


# --- contexts, kinds of cuts, parents --------------------------------------------------------------------------

MARKDOWN = """# Purchases

Ask first. Then buy what you need, and keep the receipt.

## Refunds

Refunds take fourteen days. Contractors wait for the end of the month.
"""


def markdown(**settings) -> Chunking:
    document = Document.from_text(MARKDOWN, title="a.md", media_type="text/markdown")
    return chunk(document, ChunkingConfig(**settings))


@pytest.mark.parametrize("unit", ["character", "word", "token"])
def test_contexts_are_counted_with_the_blank_line_after_them(unit):
    chunking = markdown(mode="structure", unit=unit, size={"character": 120, "word": 14, "token": 30}[unit], overlap=0)
    assert any(one.context for one in chunking)
    wanted = [token_spans(f"{one.context}\n\n" if one.context else "", "cl100k_base") for one in chunking]
    assert describe(chunking).context_tokens == sum(map(len, wanted)) > 0
    assert describe(markdown(mode="structure", unit=unit, size=400, overlap=0, context=False)).context_tokens == 0


def test_contexts_are_no_part_of_the_processed_tokens():
    stats = describe(markdown(mode="structure", unit="token", size=30, overlap=0))
    assert stats.processed_tokens == stats.covered_tokens == stats.document_tokens
    assert stats.duplicated_percent == 0


@given(text=texts(), config=configs())
def test_every_boundary_is_of_some_kind(text, config):
    stats = describe(chunk(Document.from_text(text), config))
    assert sum(stats.cut_levels.values()) == stats.boundaries
    assert all(count > 0 for count in stats.cut_levels.values())


def test_kinds_of_cuts_written_out():
    text = "One two. Three four.\n\nFive six seven eight nine ten eleven twelve."
    found = chunk(Document.from_text(text), ChunkingConfig("paragraph", "word", 5, 0))
    assert [one.text for one in found] == [
        "One two. Three four.\n\n",
        "Five six seven eight nine ",
        "ten eleven twelve.",
    ]
    assert describe(found).cut_levels == {"paragraph": 1, "word": 1}


def test_parents_are_counted():
    assert describe(markdown(mode="structure", unit="word", size=6, overlap=0)).parents == 0
    chunking = markdown(mode="structure", unit="word", size=6, overlap=0, parent_size=24)
    stats = describe(chunking)
    assert stats.parents == len(chunking.parents) == len({one.parent_id for one in chunking}) > 1
    assert stats.check.passed


@pytest.mark.parametrize(
    ("text", "size", "fits"),
    [("", 5, False), ("One two three.", 3, True), ("One two three.", 2, False), ("a b c d e", 5, True)],
)
def test_what_fits_into_one_chunk_is_said_to(text, size, fits):
    for mode in ("fixed", "sentence", "structure"):
        assert describe(chunk(Document.from_text(text), ChunkingConfig(mode, "word", size, 0))).fits is fits
