"""A chunk as a record and as a row: nothing lost, nothing that a file could not hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground import ChunkingConfig, Document, chunk
from playground.export.records import COLUMNS, compact, plain, record, records, row, with_context


@dataclass(frozen=True)
class Carried:
    id: str = "c1"
    text: str = "Refunds take 14 days."
    context: str = "Purchases > Refunds"
    metadata: Mapping[str, object] = field(default_factory=dict)


def test_a_record_is_what_the_chunk_carries():
    carried = Carried(metadata={"start": 3, "heading_path": ("Purchases", "Refunds"), "tokens": {"cl100k_base": 6}})
    assert record(carried) == {
        "id": "c1",
        "text": "Refunds take 14 days.",
        "context": "Purchases > Refunds",
        "metadata": {"start": 3, "heading_path": ["Purchases", "Refunds"], "tokens": {"cl100k_base": 6}},
    }


def test_records_of_several_documents_are_made_one_by_one():
    asked = []

    def chunks(*names):
        for name in names:
            asked.append(name)
            yield Carried(id=name)

    stream = records([chunks("a", "b"), chunks("c")])
    assert (next(stream)["id"], asked) == ("a", ["a"])
    assert [one["id"] for one in stream] == ["b", "c"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (("a", ("b",)), ["a", ["b"]]),
        ({"b", "a"}, ["a", "b"]),
        ({1: None, "x": True}, {"1": None, "x": True}),
        (date(2025, 6, 30), "2025-06-30"),
        (datetime(2025, 6, 30, 12, tzinfo=UTC), "2025-06-30T12:00:00+00:00"),
        (np.int32(7), 7),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.array([1, 2])[0], 1),
        (float("nan"), None),
        (float("-inf"), None),
        ("half \ud83d", "half \ufffd"),
        ("a\0b", "a\ufffdb"),
        ({"k\udc80": 1}, {"k\ufffd": 1}),
        (10**30, 10**30),
    ],
)
def test_plain_data(value, expected):
    found = plain(value)
    assert found == expected
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize("value", [b"bytes", print, np.array([1, 2]), object()])
def test_what_is_no_data_is_refused(value):
    with pytest.raises(TypeError, match="which no file format can hold"):
        record(Carried(metadata={"odd": value}))


# Lone surrogates and NULs, but no byte order mark: one goes, and a second behind it would be the text's own.
words = st.text(st.characters(codec=None, exclude_characters="\ufeff"))
json_data = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=10,
)


@given(json_data)
def test_plain_data_survives_a_file_and_stays_as_it_is(value):
    once = plain(value)
    assert json.loads(json.dumps(once, ensure_ascii=False, allow_nan=False).encode("utf-8")) == once
    assert plain(once) == once


def test_a_context_of_the_documents_own_steps_aside():
    carried = Carried(metadata={"start": 0, "context": "theirs"})
    assert with_context(record(carried)) == {"start": 0, "document_context": "theirs", "context": "Purchases > Refunds"}


# --- rows ------------------------------------------------------------------------------------------------------


def test_every_setting_has_a_column_of_its_type():
    kinds = {int: "int", str: "text", bool: "bool", float: "float", tuple: "texts"}
    for name, value in ChunkingConfig(min_size=1, parent_size=1_000).as_dict().items():
        assert COLUMNS["mode" if name == "mode" else f"setting_{name}"] == kinds[type(value)]


def test_a_row_holds_all_that_the_record_holds():
    metadata = {
        "chunk_id": "c1",
        "settings": {"size": 240, "context": False, "separators": ["\n", " "]},
        "context": "the document's own",
        "size": "the document's own",
        "page": 4,
        "heading_path": ["Purchases", "Refunds"],
        "tokens": {"cl100k_base": 6},
        "oversized": False,
        "mode": "fixed",
        "access": ["staff", "legal"],
        "last_updated": "2025-06-30",
        "author": "Ä. N. Other",
        "text": "the document's own",
        "extra": {"nested": [1]},
    }
    flat = row(record(Carried(metadata=metadata)))
    assert list(flat) == list(COLUMNS)
    filled = {name: value for name, value in flat.items() if value is not None}
    assert filled == {
        "chunk_id": "c1",
        "text": "Refunds take 14 days.",
        "context": "Purchases > Refunds",
        "setting_size": 240,
        "setting_context": False,
        "setting_separators": ["\n", " "],
        "page": 4,
        "heading_path": ["Purchases", "Refunds"],
        "tokens": {"cl100k_base": 6},
        "oversized": False,
        "mode": "fixed",
        "access": '["staff", "legal"]',
        "last_updated": "2025-06-30",
        "extra": compact(
            {
                "context": "the document's own",
                "size": "the document's own",
                "author": "Ä. N. Other",
                "text": "the document's own",
                "extra": {"nested": [1]},
            }
        ),
    }


# --- chunks ----------------------------------------------------------------------------------------------------

HANDBOOK = """# Purchases

Ask first. Then buy what you need, and keep the receipt.

## Refunds

Refunds take 14 days. Contractors wait for the end of the month. 猫😀
"""


@pytest.fixture
def chunking():
    known = {"access": "staff", "last_updated": date(2025, 6, 30), "author": "Ä", "text": "theirs"}
    document = Document.from_text(HANDBOOK, title="handbook.md", media_type="text/markdown", metadata=known)
    return chunk(document, ChunkingConfig("structure", "word", 12, 2, parent_size=40))


def test_the_record_of_a_chunk(chunking):
    held = list(records([chunking]))
    assert len(held) == len(chunking) > 2
    assert any(one["context"] for one in held)
    for one, made in zip(held, chunking, strict=True):
        assert (one["id"], one["text"], one["context"]) == (made.id, made.text, made.context)
        assert one["text"] == chunking.document.text[one["metadata"]["start"] : one["metadata"]["end"]]
        assert one["metadata"]["parent_id"] == made.parent_id is not None
        around = slice(one["metadata"]["parent_start"], one["metadata"]["parent_end"])
        assert chunking.document.text[around] == made.parent.text
        assert one["metadata"]["last_updated"] == "2025-06-30"
        assert json.loads(json.dumps(one)) == one
    assert [one["metadata"]["previous_id"] for one in held] == [None, *(one["id"] for one in held[:-1])]


def test_every_part_of_the_metadata_has_a_column_but_what_is_the_documents_own(chunking):
    for one in records([chunking]):
        flat = row(one)
        assert json.loads(flat["extra"]) == {"author": "Ä", "text": "theirs"}
        assert (flat["access"], flat["last_updated"]) == ("staff", "2025-06-30")
        for key, value in one["metadata"].items():
            if key not in ("author", "text", "settings"):
                assert flat[key] == value
        for name, value in one["metadata"]["settings"].items():
            assert flat["mode" if name == "mode" else f"setting_{name}"] == value
