"""What notebooks and scripts rely on: the names, their shapes, and the example in the package's own words."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

import playground
from playground import (
    Chunk,
    Chunking,
    ChunkingConfig,
    ChunkingStats,
    Document,
    Prepared,
    chunk,
    describe,
    prepare,
    read,
)
from playground.core.modes import MODES

NAMES = {
    "Block",
    "Chunk",
    "Chunking",
    "ChunkingConfig",
    "ChunkingStats",
    "ConfigError",
    "Document",
    "Prepared",
    "ReadError",
    "chunk",
    "describe",
    "prepare",
    "read",
}
HANDBOOK = Path(__file__).parents[2] / "sample_docs" / "company-handbook.md"


def test_every_name_is_there_and_documented():
    assert set(playground.__all__) >= NAMES
    assert playground.__all__ == sorted(playground.__all__)
    for name in playground.__all__:
        assert inspect.getdoc(getattr(playground, name)), name


def test_every_public_member_is_documented():
    for owner in (Chunking, Chunk, Document, Prepared, ChunkingConfig, ChunkingStats):
        for name, member in inspect.getmembers(owner):
            if not name.startswith("_") and (callable(member) or isinstance(member, property)):
                assert inspect.getdoc(member), f"{owner.__name__}.{name}"


def test_the_example_in_the_package(tmp_path):
    document = read(HANDBOOK)
    chunking = chunk(document, ChunkingConfig(mode="sentence", unit="token", size=240, overlap=40))
    first = chunking[0]
    assert document.text.startswith(first.text)
    assert (first.start, first.end) == (chunking.starts[0], chunking.ends[0])
    assert first.reason.startswith("The next sentence (")
    assert describe(chunking).duplicated_percent > 0
    assert document.media_type == "text/markdown"


def test_a_document_can_be_read_from_bytes():
    assert read("notes.txt", data="Ünï".encode()).text == "Ünï"
    assert read("notes.txt", b"plain").title == "notes.txt"


def test_a_document_or_a_prepared_one_may_be_chunked():
    document = Document.from_text("One two. Three four.")
    config = ChunkingConfig("sentence", "word", 2, 0)
    prepared = prepare(document)
    assert isinstance(prepared, Prepared)
    for given in (document, prepared):
        chunking = chunk(given, config)
        assert isinstance(chunking, Chunking)
        assert chunking.document is document
        assert chunking.config is config
        assert [one.text for one in chunking] == ["One two. ", "Three four."]
    assert chunk(prepared, config).prepared is prepared


def test_without_settings_a_document_is_chunked_under_the_defaults():
    assert chunk(Document.from_text("One.")).config == ChunkingConfig()


def test_a_chunking_is_a_row_of_chunks_and_arrays():
    chunking = chunk(read(HANDBOOK), ChunkingConfig("fixed", "token", 100, 20))
    assert isinstance(chunking, Iterable)
    for array in (chunking.starts, chunking.ends, chunking.sizes):
        assert array.dtype == np.int32
        assert array.shape == (len(chunking),)
    assert chunking.oversized.dtype == bool
    assert chunking.overlaps.shape == chunking.overlap_limits.shape == (len(chunking) - 1,)
    assert [one.index for one in chunking] == list(range(len(chunking)))
    assert chunking[len(chunking) - 1] == chunking[-1]
    assert list(chunking)[3] == chunking[3]


def test_a_chunk_is_made_of_plain_values():
    one = chunk(read(HANDBOOK), ChunkingConfig("fixed", "token", 100, 20))[1]
    assert isinstance(one, Chunk)
    plain = (
        one.start,
        one.end,
        one.size,
        one.tokens,
        one.overlap_before,
        one.index,
        one.oversized,
        one.text,
        one.reason,
    )
    assert [type(value) for value in plain] == [int, int, int, int, int, int, bool, str, str]
    assert list(one.metadata)[:5] == ["chunk_id", "document_id", "document_version", "source", "title"]


def test_numbers_are_plain_values():
    stats = describe(chunk(read(HANDBOOK), ChunkingConfig("sentence", "token", 100, 20)))
    assert isinstance(stats, ChunkingStats)
    for name, value in vars(stats).items():
        if name not in ("check", "overlap_limits", "cut_levels"):
            assert type(value) in (int, float, bool), name
    assert {type(value) for value in vars(stats.check).values()} == {bool, float}


@pytest.mark.parametrize("name", sorted(MODES))
def test_every_mode_has_words_for_people(name):
    mode = MODES[name]
    assert mode.name == name
    assert mode.label
    assert mode.summary.endswith(".")


def test_modes_cannot_be_changed_by_accident():
    with pytest.raises(TypeError):
        MODES["mine"] = MODES["fixed"]
