"""Prepare once, chunk often: the slow work is done once for a document, whoever asks and however often."""

from __future__ import annotations

import random
import threading
import tracemalloc
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import all_settings, documents, grapheme_bounds, texts

from playground import ChunkingConfig, Document, chunk, describe, prepare, read
from playground.core import contexts
from playground.core import prepared as module
from playground.core.config import SNAPS, TAILS
from playground.core.modes import MODES
from playground.core.modes import structure as structure_mode
from playground.core.outline.forms import FORMS
from playground.core.rulers import UNITS
from playground.core.sentences import sentence_starts
from playground.core.separators import PRESETS
from playground.core.thresholds import THRESHOLDS
from playground.core.vectors import SpanVectors
from playground.resources import TOKENIZERS

SAMPLES = Path(__file__).parents[2] / "sample_docs"
SLOW = (
    (module, "token_ruler"),
    (module, "word_ruler"),
    (module, "character_ruler"),
    (module, "inside_clusters"),
    (module, "sentence_starts"),
    (structure_mode, "outline"),
    (structure_mode, "structure"),
    (SpanVectors, "of"),
)


@pytest.fixture
def calls(monkeypatch):
    """How often each slow step was taken."""
    counts: Counter[str] = Counter()

    def counted(name, real):
        def wrapper(*args):
            counts[name] += 1
            return real(*args)

        return wrapper

    for owner, name in SLOW:
        monkeypatch.setattr(owner, name, counted(name, getattr(owner, name)))
    return counts


def settings_of_every_kind() -> list[ChunkingConfig]:
    plain = [
        ChunkingConfig(mode, unit, size, overlap, tokenizer)
        for mode, unit, (size, overlap), tokenizer in product(MODES, UNITS, ((5, 4), (240, 40)), TOKENIZERS)
    ]
    usual = [ChunkingConfig(mode, "token", 60, 20) for mode in MODES]
    return plain + [
        replace(config, **changes)
        for config in usual
        for changes in (
            *({"tail": tail} for tail in TAILS),
            *({"snap": snap} for snap in SNAPS),
            *({"form": form, "context": False} for form in FORMS),
            *({"threshold": threshold, "amount": None, "window": 2} for threshold in THRESHOLDS),
            *({"separators": ladder} for ladder in PRESETS.values()),
            {"parent_size": 300},
            {"min_size": 30},
        )
    ]


# --- the amount of work ----------------------------------------------------------------------------------------


def test_one_encode_for_each_tokenizer_however_often_a_document_is_chunked(calls):
    prepared = prepare(read(SAMPLES / "thousand-tokens.txt"))
    assert (prepared.encodes, calls) == (0, Counter())
    for _ in range(2):
        for config in settings_of_every_kind():
            describe(chunk(prepared, config))
    assert prepared.encodes == len(TOKENIZERS)
    assert calls == {
        "token_ruler": len(TOKENIZERS),
        "word_ruler": 1,
        "character_ruler": 1,
        "inside_clusters": 1,
        "sentence_starts": 1,
        "outline": len(FORMS),
        "structure": len(FORMS),
        "of": 1,
    }


def test_contexts_are_measured_once(calls):
    document = Document("# One\n\nFirst words.\n\n## Two\n\nSecond words.\n", media_type="text/markdown")
    prepared = prepare(document)
    with pytest.MonkeyPatch.context() as patch:
        measured = []
        real = contexts.Contexts._measured
        patch.setattr(contexts.Contexts, "_measured", lambda self, text: measured.append(text) or real(self, text))
        for size in (20, 24, 28, 32):
            chunk(prepared, ChunkingConfig("structure", "token", size, 0))
    assert sorted(measured) == ["One\n\n", "One > Two\n\n"], "the shorter ones only where these do not fit"


@given(document=documents(), several=st.lists(all_settings(mode="structure"), min_size=2, max_size=4))
def test_an_outline_is_found_once_for_a_form(document, several):
    prepared = prepare(document)
    for form in {config.form for config in several}:
        first = structure_mode.structure_of(prepared, form)
        for config in several:
            chunk(prepared, config)
        assert structure_mode.structure_of(prepared, form) is first


def test_chunking_does_only_what_it_needs(calls):
    prepared = prepare(read(SAMPLES / "thousand-tokens.txt"))
    chunk(prepared, ChunkingConfig("fixed", "character", 240, 40))
    assert calls == {"character_ruler": 1, "word_ruler": 1, "inside_clusters": 1}
    chunk(prepared, ChunkingConfig("fixed", "token", 240, 40))
    assert calls["token_ruler"] == 1
    assert calls["sentence_starts"] == calls["outline"] == calls["of"] == 0
    chunk(prepared, ChunkingConfig("paragraph", "token", 240, 40))
    assert calls["outline"] == calls["of"] == 0


def test_a_chunk_call_finds_sentences_once(calls):
    for unit in UNITS:
        calls.clear()
        chunk(read(SAMPLES / "thousand-tokens.txt"), ChunkingConfig("sentence", unit, 50, 10))
        assert calls["sentence_starts"] == 1


@given(text=texts(), tokenizer=st.sampled_from(TOKENIZERS))
def test_levels_are_made_once(text, tokenizer):
    prepared = prepare(Document.from_text(text))
    for unit in UNITS:
        first = prepared.levels(("sentence", "word", "unit"), unit, tokenizer)
        again = prepared.levels(("sentence", "word", "unit"), unit, tokenizer)
        assert all(one is other for one, other in zip(first, again, strict=True))


def test_many_threads_share_one_prepared_document(calls):
    document = read(SAMPLES / "thousand-tokens.txt")
    every = settings_of_every_kind()[::7]
    alone = [chunk(document, config).starts.tolist() for config in every]
    calls.clear()
    prepared = prepare(document)
    start = threading.Barrier(8)

    def work(seed: int) -> list[list[int]]:
        order = list(enumerate(every))
        random.Random(seed).shuffle(order)
        start.wait()
        found = {index: chunk(prepared, config).starts.tolist() for index, config in order}
        return [found[index] for index in range(len(every))]

    with ThreadPoolExecutor(8) as pool:
        assert all(found == alone for found in pool.map(work, range(8)))
    assert prepared.encodes == len(TOKENIZERS)
    assert max(calls[name] for _, name in SLOW if name not in ("token_ruler", "outline", "structure")) == 1
    assert calls["outline"] == calls["structure"] <= len(FORMS)


# --- levels ----------------------------------------------------------------------------------------------------


@given(text=texts().filter(str.strip), unit=st.sampled_from(UNITS), tokenizer=st.sampled_from(TOKENIZERS))
def test_levels_are_nested_and_know_their_place(text, unit, tokenizer):
    prepared = prepare(Document.from_text(text))
    ruler = prepared.ruler(unit, tokenizer)
    graphemes = grapheme_bounds(prepared.document.text)
    coarser: list[int] = []
    for level in prepared.levels(("sentence", "word", "unit"), unit, tokenizer):
        offsets = level.offsets.tolist()
        assert offsets == sorted(set(offsets))
        assert (offsets[0], offsets[-1]) == (0, len(prepared.document))
        assert set(coarser) <= set(offsets) <= graphemes
        assert level.before.tolist() == ruler.before(level.offsets).tolist()
        assert level.within.tolist() == ruler.within(level.offsets).tolist()
        coarser = offsets


def test_names_of_levels_are_for_people():
    prepared = prepare(Document.from_text("One two. Three."))
    for unit in UNITS:
        names = [level.name for level in prepared.levels(("sentence", "word", "unit"), unit, "cl100k_base")]
        assert names == ["sentence", "word", unit]


@given(texts())
def test_sentences_end_after_their_last_ink(text):
    prepared = prepare(Document.from_text(text))
    text = prepared.document.text
    starts = sentence_starts(text).tolist()
    assert prepared.sentences.tolist() == starts
    ends = [*starts[1:], len(text)][: len(starts)]
    if text.strip():
        assert prepared.sentence_ends().tolist() == [len(text[:end].rstrip()) for end in ends]


@given(texts())
def test_blank_is_what_strip_leaves_empty(text):
    prepared = prepare(Document.from_text(text))
    assert prepared.is_blank == (not prepared.document.text.strip())


# --- the offsets of JavaScript ---------------------------------------------------------------------------------


def utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@given(texts())
def test_utf16_offsets_are_lengths_in_utf16(text):
    prepared = prepare(Document.from_text(text))
    text = prepared.document.text
    offsets = np.arange(len(text) + 1, dtype=np.int32)
    assert prepared.utf16(offsets).tolist() == [utf16_length(text[:offset]) for offset in offsets]
    assert [prepared.from_utf16(int(unit)) for unit in prepared.utf16(offsets)] == offsets.tolist()


@given(texts())
def test_an_offset_inside_a_surrogate_pair_is_that_of_its_character(text):
    prepared = prepare(Document.from_text(text))
    text = prepared.document.text
    owner = [index for index, character in enumerate(text) for _ in range(utf16_length(character))]
    units = range(len(owner) + 1)
    assert [prepared.from_utf16(unit) for unit in units] == [*owner, len(text)]


def test_utf16_written_out():
    prepared = prepare(Document.from_text("a😀b"))
    assert prepared.utf16(np.array([0, 1, 2, 3], np.int32)).tolist() == [0, 1, 3, 4]
    assert [prepared.from_utf16(unit) for unit in range(5)] == [0, 1, 1, 2, 3]


def test_utf16_offsets_from_elsewhere_are_brought_into_the_text():
    prepared = prepare(Document.from_text("a😀b"))
    assert [prepared.from_utf16(unit) for unit in (-7, 5, 10**9)] == [0, 3, 3]
    assert prepare(Document.from_text("")).from_utf16(4) == 0


# --- memory ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", sorted(MODES))
def test_the_memory_named_is_about_the_memory_held(mode):
    # A store that is bounded in bytes relies on it.
    document = Document.from_text("A few words make a sentence. " * 8_000)
    describe(chunk(Document.from_text("Warm up, 漢字."), ChunkingConfig(mode, "token", 24, 4)))
    tracemalloc.start()
    try:
        prepared = prepare(document)
        for unit in UNITS:
            describe(chunk(prepared, ChunkingConfig(mode, unit, 24, 4)))
            describe(chunk(prepared, ChunkingConfig(mode, unit, 5000, 4000)))
        held = tracemalloc.get_traced_memory()[0] + len(document)
    finally:
        tracemalloc.stop()
    assert 0.6 * held < prepared.nbytes < 1.6 * held
