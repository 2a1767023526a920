"""The rules that every mode keeps, on awkward documents: every mode x unit, any size, overlap, tail, parents, snapping.

Units, graphemes, sizes and contexts are counted here a second time, slowly, from the text itself; where a mode may cut
and what it walls off is taken from its plan, and what follows from that is worked out again by `by_the_rules`.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from functools import cached_property
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import (
    Span,
    all_settings,
    by_the_rules,
    documents,
    grapheme_bounds,
    merged_by_the_rules,
    nested_blocks,
    texts,
    unit_spans,
)

from playground import Chunking, ChunkingConfig, Document, chunk, describe, prepare
from playground.core.modes import MODES
from playground.core.modes.structure import structure_of
from playground.core.overlap import Limit
from playground.core.rulers import UNITS

KINDS = list(product(sorted(MODES), UNITS))


class Seen:
    """A chunking, what it should be measured against, and what the rules of packing speak of."""

    def __init__(self, chunking: Chunking) -> None:
        self.chunking = chunking
        self.config = chunking.config
        self.text = chunking.document.text
        self.spans = list(zip(chunking.starts.tolist(), chunking.ends.tolist(), strict=True))
        self.overlap = chunking.config.overlap
        self.strict = chunking.plan.strict

    @cached_property
    def units(self) -> list[tuple[int, int, bool]]:
        return unit_spans(self.text, self.config.unit, self.config.tokenizer)

    def touched(self, start: int, end: int) -> int:
        """How many units have a part in `[start, end)`."""
        begun, ended = self._counts
        return begun[end] - ended[start]

    @cached_property
    def _counts(self) -> tuple[list[int], list[int]]:
        """For each offset the units that start before it, and those that end at or before it."""
        every = np.arange(len(self.text) + 1)
        first, last = (np.array([unit[side] for unit in self.units], int) for side in (0, 1))
        return np.searchsorted(first, every, "left").tolist(), np.searchsorted(last, every, "right").tolist()

    @cached_property
    def graphemes(self) -> set[int]:
        return grapheme_bounds(self.text)

    @cached_property
    def unit_bounds(self) -> list[int]:
        """Where the unit itself may be cut, the end of the text included."""
        begins = {start for start, _, whole in self.units if whole} | {0, len(self.text)}
        return sorted(begins & self.graphemes)

    @cached_property
    def known_bounds(self) -> list[list[int]]:
        """Where the modes "fixed" and "sentence" may cut, found here."""
        if self.config.mode == "fixed":
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

    # --- what the plan says

    @cached_property
    def bounds(self) -> list[list[int]]:
        """Where this mode may cut, from coarse to fine."""
        return [level.offsets.tolist() for level in self.chunking.levels]

    @cached_property
    def snaps(self) -> list[int] | None:
        snap = self.chunking.plan.snap
        return None if snap is None else snap.offsets.tolist()

    @cached_property
    def areas(self) -> list[tuple[int, bool, int, bool]]:
        """The start, the wall, the room and whether it is left out, of each area."""
        areas = self.chunking.plan.areas
        if areas is None:
            return [(0, True, self.config.size, False)]
        skipped = [False] * len(areas.starts) if areas.skipped is None else areas.skipped.tolist()
        return list(zip(areas.starts.tolist(), areas.walls.tolist(), areas.rooms.tolist(), skipped, strict=True))

    @cached_property
    def walls(self) -> list[int]:
        return [start for start, wall, _, _ in self.areas if wall]

    @cached_property
    def _area_starts(self) -> list[int]:
        return [area[0] for area in self.areas]

    def room(self, at: int) -> int:
        return self.areas[bisect_right(self._area_starts, at) - 1][2]

    def skips(self, at: int) -> bool:
        return self.areas[bisect_right(self._area_starts, at) - 1][3]

    def wall_before(self, at: int) -> int:
        return max((wall for wall in self.walls if wall <= at), default=0)

    def wall_after(self, at: int) -> int:
        return min((wall for wall in self.walls if wall > at), default=len(self.text))

    @cached_property
    def stopped(self) -> list[Span]:
        """The chunks before the tail rule and before anything is left out."""
        return by_the_rules(self)


# --- the rules -------------------------------------------------------------------------------------------------


def boundaries_are_those_of_the_mode(seen: Seen) -> None:
    if seen.config.mode in ("fixed", "sentence") and seen.text.strip():
        assert seen.bounds == seen.known_bounds
    for coarse, fine in pairwise(seen.bounds):
        assert set(coarse) <= set(fine)
    if seen.text.strip():
        assert set(seen.unit_bounds) <= set(seen.bounds[-1]) <= seen.graphemes
    assert seen.walls[0] == 0
    assert set(seen.walls) <= set(seen.bounds[-1]), "a wall stands where nothing can be cut"


def chunks_move_on(seen: Seen) -> None:
    for (start, end), (next_start, next_end) in pairwise(seen.spans):
        assert start < next_start
        assert end < next_end or (seen.config.tail == "keep" and end == next_end == len(seen.text))


def nothing_is_lost_but_what_is_left_out(seen: Seen) -> None:
    covered = np.zeros(len(seen.text), bool)
    for start, end in seen.spans:
        covered[start:end] = True
    assert covered.tolist() == [not seen.skips(at) for at in range(len(seen.text))]
    left_out = [at for start, end in zip(*seen.chunking.left_out, strict=True) for at in range(start, end)]
    assert left_out == np.flatnonzero(~covered).tolist()
    if seen.config.boilerplate == "keep" or seen.config.mode != "structure":
        assert covered.all()


def boilerplate_alone_is_left_out(seen: Seen) -> None:
    if seen.config.mode != "structure" or seen.config.boilerplate == "keep" or seen.config.unit != "character":
        return
    inside = np.zeros(len(seen.text), bool)
    for block in structure_of(seen.chunking.prepared, seen.config.form).outline.blocks:
        if block.kind == "boilerplate":
            inside[block.start : block.end] = True
    lost = [at for at, character in enumerate(seen.text) if seen.skips(at) and not character.isspace()]
    assert all(inside[at] for at in lost), f"{[at for at in lost if not inside[at]]} are no boilerplate"


def text_is_the_slice(seen: Seen) -> None:
    assert [one.text for one in seen.chunking] == [seen.text[start:end] for start, end in seen.spans]
    if not seen.config.overlap and seen.config.tail != "keep" and not len(seen.chunking.left_out[0]):
        assert "".join(one.text for one in seen.chunking) == seen.text


def size_is_what_is_touched(seen: Seen) -> None:
    assert seen.chunking.sizes.tolist() == [seen.touched(start, end) for start, end in seen.spans]


def size_with_context_is_kept_or_flagged(seen: Seen) -> None:
    added = {span for span in seen.spans if span not in {(start, end) for start, end, _ in seen.stopped}}
    for index, (start, end) in enumerate(seen.spans):
        flagged = bool(seen.chunking.oversized[index])
        taken = seen.touched(start, end) + int(seen.chunking.context_sizes[index])
        assert flagged == (taken > seen.config.size)
        assert bool(seen.chunking[index].oversized_reason) == flagged
        if flagged and (start, end) not in added:
            inside = [bound for bound in seen.bounds[-1] if start < bound < end]
            assert not inside, f"[{start}, {end}) could have been cut at {inside}"


def chunks_are_those_of_the_rules(seen: Seen) -> None:
    """The coarsest and furthest cut, no wall crossed, the overlap as large as it can be, the tail as asked."""
    expected = seen.stopped
    if seen.config.tail == "merge":
        expected = merged_by_the_rules(seen, expected, seen.config.smallest_tail)
    wanted = [(start, end) for start, end, _ in expected if not seen.skips(start)]
    assert seen.spans[: len(wanted)] == wanted
    added = seen.spans[len(wanted) :]
    assert not added or seen.config.tail == "keep"
    assert all(end == len(seen.text) and start in seen.bounds[0] for start, end in added)


def no_wall_is_crossed(seen: Seen) -> None:
    for start, end in seen.spans:
        assert seen.wall_after(start) >= end


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


def every_chunk_says_why(seen: Seen) -> None:
    for index, one in enumerate(seen.chunking):
        assert one.reason.endswith(".")
        short = index > 0 and seen.chunking.overlap_limits[index - 1] != Limit.NONE
        assert bool(one.overlap_reason) == short


def contexts_are_counted(seen: Seen) -> None:
    asked = seen.config.mode == "structure" and seen.config.context
    for index, one in enumerate(seen.chunking):
        cost = unit_spans(f"{one.context}\n\n", seen.config.unit, seen.config.tokenizer) if one.context else []
        assert seen.chunking.context_sizes[index] == len(cost)
        assert 2 * len(cost) <= seen.config.size
        assert seen.chunking.rooms[index] == seen.config.size - len(cost)
        assert one.embedded == (f"{one.context}\n\n{one.text}" if one.context else one.text)
        assert asked or not one.context


def children_lie_in_their_parents(seen: Seen) -> None:
    parents = seen.chunking.parents
    assert (parents is None) == (seen.config.parent_size is None)
    for index, one in enumerate(seen.chunking):
        if parents is None:
            assert one.parent is one.parent_id is None
            continue
        assert one.parent.index == seen.chunking.parent_numbers[index]
        assert one.parent.start <= one.start
        assert one.end <= one.parent.end
        assert one.parent_id == one.parent.id
    if parents is not None:
        assert parents.config.size == seen.config.parent_size
        assert not parents.overlaps.any()


def ids_are_one_for_each_span_and_stay(seen: Seen) -> None:
    ids = [one.id for one in seen.chunking]
    assert len(set(ids)) == len(ids)
    again = chunk(replace(seen.chunking.document), seen.config)
    assert [one.id for one in again] == ids
    if ids:
        assert [one.next_id for one in seen.chunking] == [*ids[1:], None]
        assert [one.previous_id for one in seen.chunking] == [None, *ids[:-1]]


def self_check_passes(seen: Seen) -> None:
    stats = describe(seen.chunking)
    assert stats.check.passed
    assert stats.coverage_percent == 100.0
    assert len(seen.chunking.left_out[0]) or stats.covered_tokens == stats.document_tokens


RULES = (
    boundaries_are_those_of_the_mode,
    chunks_move_on,
    nothing_is_lost_but_what_is_left_out,
    boilerplate_alone_is_left_out,
    text_is_the_slice,
    size_is_what_is_touched,
    size_with_context_is_kept_or_flagged,
    chunks_are_those_of_the_rules,
    no_wall_is_crossed,
    overlap_is_at_most_what_was_asked,
    no_cut_inside_a_character,
    every_chunk_says_why,
    contexts_are_counted,
    children_lie_in_their_parents,
    ids_are_one_for_each_span_and_stay,
    self_check_passes,
)


@pytest.mark.parametrize(("mode", "unit"), KINDS)
def test_every_rule_holds_on_awkward_documents(mode, unit):
    @settings(max_examples=60)
    @given(document=documents(), config=all_settings(mode=mode, unit=unit))
    def check(document, config):
        if document.text:
            seen = Seen(chunk(document, config))
            for rule in RULES:
                rule(seen)

    check()


@settings(max_examples=100)
@given(data=st.data(), text=texts().filter(str.strip))
def test_nothing_but_boilerplate_is_ever_left_out(data, text):
    text = Document.from_text(text).text
    blocks = data.draw(nested_blocks(text, ("boilerplate", "boilerplate", "heading", "paragraph", "section", "list")))
    config = ChunkingConfig("structure", "character", data.draw(st.integers(1, 90)), 0, boilerplate="leave out")
    seen = Seen(chunk(Document(text, blocks=blocks), config))
    nothing_is_lost_but_what_is_left_out(seen)
    boilerplate_alone_is_left_out(seen)


# --- the same for all ------------------------------------------------------------------------------------------


def _everything(chunking: Chunking) -> tuple[object, ...]:
    return (
        chunking.starts.tolist(),
        chunking.ends.tolist(),
        chunking.sizes.tolist(),
        chunking.overlaps.tolist(),
        chunking.overlap_limits.tolist(),
        [(one.id, one.text, one.context, one.parent_id, one.reason, one.overlap_reason) for one in chunking],
        describe(chunking),
    )


@given(document=documents(), several=st.lists(all_settings(), min_size=2, max_size=4))
def test_a_prepared_document_chunks_as_a_fresh_one_whatever_was_asked_before(document, several):
    prepared = prepare(document)
    used = [_everything(chunk(prepared, config)) for config in several]
    assert used == [_everything(chunk(document, config)) for config in several]
    assert used == [_everything(chunk(prepared, config)) for config in several]


@given(config=all_settings())
def test_no_text_gives_no_chunks(config):
    chunking = chunk(Document.from_text(""), config)
    assert len(chunking) == 0
    assert list(chunking) == []
    assert describe(chunking).count == 0


@given(text=st.text(" \t\n\r\f\v\u00a0\u2028\u3000\u2009", min_size=1, max_size=80), config=all_settings())
def test_white_space_alone_gives_one_chunk(text, config):
    chunking = chunk(Document.from_text(text), config)
    assert [(one.start, one.end) for one in chunking] == [(0, len(text))]
    assert chunking[0].reason == "The document holds only white space."
    assert "only white space" in chunking.document.notices[-1]
    assert describe(chunking).check.passed


@given(config=all_settings(mode="sentence"))
def test_one_sentence_that_fits_gives_one_chunk(config):
    roomy = replace(config, size=60, overlap=min(config.overlap, 59), parent_size=60)
    text = "The bell rang twice before anyone moved."
    assert [one.text for one in chunk(Document.from_text(text), roomy)] == [text]


@given(text=texts().filter(str.strip), config=all_settings())
def test_an_overlap_as_large_as_it_can_be_still_moves_on(text, config):
    document = Document.from_text(text)
    widest = replace(config, overlap=config.size - 1)
    chunking = chunk(document, widest)
    assert len(chunking) <= max(1, len(document) + 1)
    assert (np.diff(chunking.starts) > 0).all()
