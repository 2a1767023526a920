"""The rules that every mode keeps, on awkward texts: every mode x unit x tail, any size, any overlap.

Units, graphemes and sizes are counted here a second time, slowly, from the text itself.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import configs, grapheme_bounds, texts, unit_spans

from playground import Chunking, ChunkingConfig, Document, chunk, describe, prepare
from playground.core.config import TAILS
from playground.core.modes import MODES
from playground.core.overlap import Limit
from playground.core.rulers import UNITS

KINDS = list(product(sorted(MODES), UNITS, TAILS))


class Seen:
    """A chunking, and what it should be measured against."""

    def __init__(self, chunking: Chunking) -> None:
        self.chunking = chunking
        self.config = chunking.config
        self.text = chunking.document.text
        self.spans = list(zip(chunking.starts.tolist(), chunking.ends.tolist(), strict=True))

    @cached_property
    def units(self) -> list[tuple[int, int, bool]]:
        return unit_spans(self.text, self.config.unit, self.config.tokenizer)

    def touched(self, start: int, end: int) -> int:
        """How many units have a part in `[start, end)`."""
        first, last = self._edges
        return int(np.searchsorted(first, end, "left") - np.searchsorted(last, start, "right"))

    @cached_property
    def _edges(self) -> tuple[np.ndarray, np.ndarray]:
        return np.array([unit[0] for unit in self.units], int), np.array([unit[1] for unit in self.units], int)

    @cached_property
    def graphemes(self) -> set[int]:
        return grapheme_bounds(self.text)

    @cached_property
    def unit_bounds(self) -> list[int]:
        """Where the unit itself may be cut, the end of the text included."""
        if not self.text.strip():
            return [len(self.text)]
        begins = {start for start, _, whole in self.units if whole} | {0, len(self.text)}
        return sorted(begins & self.graphemes)

    @cached_property
    def bounds(self) -> list[list[int]]:
        """Where this mode may cut, from coarse to fine."""
        if self.config.mode == "fixed" or not self.text.strip():
            return [self.unit_bounds]
        sentences = {0, len(self.text), *map(self.aligned, self.chunking.prepared.sentences.tolist())}
        words = sentences | {self.aligned(start) for start, _, _ in unit_spans(self.text, "word", "")}
        nested = (sentences, words, words | set(self.unit_bounds))
        return [sorted(offsets & self.graphemes) for offsets in nested]

    def aligned(self, start: int) -> int:
        """A start, moved back over white space to where a token begins."""
        if self.config.unit != "token":
            return start
        back = max(at for at, _, whole in self.units if whole and at <= start)
        return back if back and not self.text[back:start].strip() else start

    @cached_property
    def stopped(self) -> list[tuple[int, int]]:
        """The spans without those that the tail rule added or joined."""
        plain = Seen(chunk(self.chunking.prepared, _with(self.config, tail="stop")))
        return plain.spans


def _with(config: ChunkingConfig, **changes: object) -> ChunkingConfig:
    return ChunkingConfig(**(config.as_dict() | changes))


# --- the rules -------------------------------------------------------------------------------------------------


def chunks_move_on(seen: Seen) -> None:
    for (start, end), (next_start, next_end) in pairwise(seen.spans):
        assert start < next_start
        assert end < next_end or (seen.config.tail == "keep" and end == next_end == len(seen.text))


def nothing_is_lost(seen: Seen) -> None:
    reached = 0
    for start, end in seen.spans:
        assert start <= reached < end or (seen.config.tail == "keep" and start < reached == end)
        reached = end
    assert reached == len(seen.text)


def text_is_the_slice(seen: Seen) -> None:
    assert [one.text for one in seen.chunking] == [seen.text[start:end] for start, end in seen.spans]
    if not seen.config.overlap and seen.config.tail != "keep":
        assert "".join(one.text for one in seen.chunking) == seen.text


def size_is_what_is_touched(seen: Seen) -> None:
    assert seen.chunking.sizes.tolist() == [seen.touched(start, end) for start, end in seen.spans]


def size_is_kept_or_flagged(seen: Seen) -> None:
    merged = seen.config.tail == "merge" and len(seen.stopped) > len(seen.spans)
    for index, (start, end) in enumerate(seen.spans):
        flagged = bool(seen.chunking.oversized[index])
        assert flagged == (seen.touched(start, end) > seen.config.size)
        if flagged and not (merged and index == len(seen.spans) - 1):
            inside = [bound for bound in seen.bounds[-1] if start < bound < end]
            assert not inside, f"[{start}, {end}) could have been cut at {inside}"


def cut_is_the_coarsest_and_furthest(seen: Seen) -> None:
    for start, end in seen.stopped:
        for bounds in seen.bounds:
            fitting = [at for at in bounds if start < at and seen.touched(start, at) <= seen.config.size]
            if fitting:
                assert end == fitting[-1]
                break
        else:
            assert end == min(at for at in seen.bounds[-1] if at > start)


def tail_is_as_asked(seen: Seen) -> None:
    if seen.config.tail == "stop":
        assert seen.spans == seen.stopped
    elif seen.config.tail == "keep":
        assert seen.spans[: len(seen.stopped)] == seen.stopped
        added = seen.spans[len(seen.stopped) :]
        assert all(end == len(seen.text) and start in seen.bounds[0] for start, end in added)
    else:
        *before, (start, end) = seen.stopped
        small = bool(before) and seen.touched(start, end) < seen.config.smallest_tail
        assert seen.spans == ([*before[:-1], (before[-1][0], end)] if small else seen.stopped)


def overlap_is_at_most_what_was_asked(seen: Seen) -> None:
    asked = seen.config.overlap
    for index, ((_, end), (start, _)) in enumerate(pairwise(seen.spans)):
        achieved = seen.touched(start, end) if start < end else 0
        assert seen.chunking.overlaps[index] == achieved <= asked
        full = seen.chunking.overlap_limits[index] == Limit.NONE
        assert full == (achieved >= asked), f"boundary {index}: {achieved} of {asked}"
        assert seen.chunking[index + 1].overlap_before == achieved


def no_cut_inside_a_character(seen: Seen) -> None:
    for offset in {offset for span in seen.spans for offset in span}:
        assert offset in seen.graphemes
        assert seen.text[offset - 1 : offset + 1] != "\r\n" or offset == 0


def unit_is_cut_only_where_it_begins(seen: Seen) -> None:
    if seen.config.mode == "fixed":
        assert {offset for span in seen.spans for offset in span} <= {0, *seen.unit_bounds}


def every_chunk_says_why(seen: Seen) -> None:
    for index, one in enumerate(seen.chunking):
        assert one.reason.endswith(".")
        short = index > 0 and seen.chunking.overlap_limits[index - 1] != Limit.NONE
        assert bool(one.overlap_reason) == short


def self_check_passes(seen: Seen) -> None:
    stats = describe(seen.chunking)
    assert stats.check.passed
    assert stats.coverage_percent == 100.0
    assert stats.covered_tokens == stats.document_tokens


RULES = (
    chunks_move_on,
    nothing_is_lost,
    text_is_the_slice,
    size_is_what_is_touched,
    size_is_kept_or_flagged,
    cut_is_the_coarsest_and_furthest,
    tail_is_as_asked,
    overlap_is_at_most_what_was_asked,
    no_cut_inside_a_character,
    unit_is_cut_only_where_it_begins,
    every_chunk_says_why,
    self_check_passes,
)


@pytest.mark.parametrize(("mode", "unit", "tail"), KINDS)
def test_every_rule_holds_on_awkward_texts(mode, unit, tail):
    @given(text=texts().filter(bool), config=configs(mode=mode, unit=unit, tail=tail))
    def check(text, config):
        document = Document.from_text(text)
        if document.text:
            seen = Seen(chunk(document, config))
            for rule in RULES:
                rule(seen)

    check()


# --- the same for all ------------------------------------------------------------------------------------------


def _everything(chunking: Chunking) -> tuple[object, ...]:
    return (
        chunking.starts.tolist(),
        chunking.ends.tolist(),
        chunking.sizes.tolist(),
        chunking.overlaps.tolist(),
        chunking.overlap_limits.tolist(),
        [(one.text, one.reason, one.overlap_reason) for one in chunking],
        describe(chunking),
    )


@given(text=texts(), several=st.lists(configs(), min_size=2, max_size=5))
def test_a_prepared_document_chunks_as_a_fresh_one_whatever_was_asked_before(text, several):
    document = Document.from_text(text)
    prepared = prepare(document)
    used = [_everything(chunk(prepared, config)) for config in several]
    assert used == [_everything(chunk(document, config)) for config in several]
    assert used == [_everything(chunk(prepared, config)) for config in several]


@given(config=configs())
def test_no_text_gives_no_chunks(config):
    chunking = chunk(Document.from_text(""), config)
    assert len(chunking) == 0
    assert list(chunking) == []
    assert describe(chunking).count == 0


@given(text=st.text(" \t\n\r\f\v\u00a0\u2028\u3000\u2009", min_size=1, max_size=80), config=configs())
def test_white_space_alone_gives_one_chunk(text, config):
    chunking = chunk(Document.from_text(text), config)
    assert [(one.start, one.end) for one in chunking] == [(0, len(text))]
    assert chunking[0].reason == "The document holds only white space."
    assert "only white space" in chunking.document.notices[-1]
    assert describe(chunking).check.passed


@given(config=configs(mode="sentence"))
def test_one_sentence_that_fits_gives_one_chunk(config):
    roomy = _with(config, size=60, overlap=min(config.overlap, 59))
    text = "The bell rang twice before anyone moved."
    assert [one.text for one in chunk(Document.from_text(text), roomy)] == [text]


@given(text=texts().filter(str.strip), config=configs())
def test_an_overlap_as_large_as_it_can_be_still_moves_on(text, config):
    document = Document.from_text(text)
    widest = _with(config, overlap=config.size - 1)
    chunking = chunk(document, widest)
    assert len(chunking) <= max(1, len(document) + 1)
    assert (np.diff(chunking.starts) > 0).all()
