"""A chunk as a record: plain data that every file format can hold, and the flat row that tables show.

`playground.export.files` writes records; nothing here knows of files.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from datetime import date
from types import MappingProxyType
from typing import Any, TypedDict

from playground.core.chunking import Chunk
from playground.core.config import ChunkingConfig
from playground.core.document import clean


class Record(TypedDict):
    """What leaves of a chunk.

    `text` is the exact slice of the document and `context` what is put before it when it is embedded ("": nothing).
    `metadata` is JSON: strings, finite numbers, booleans, None, lists, and dicts with string keys.
    """

    id: str
    text: str
    context: str
    metadata: dict[str, Any]


def record(chunk: Chunk) -> Record:
    """The record of `chunk`. Raises TypeError for metadata that is no data (a function, bytes)."""
    metadata: dict[str, Any] = plain(chunk.metadata)
    return {"id": chunk.id, "text": chunk.text, "context": chunk.context, "metadata": metadata}


def records(chunkings: Iterable[Iterable[Chunk]]) -> Iterator[Record]:
    """The records of all chunks of several chunkings, one after the other, made as they are asked for."""
    return (record(chunk) for chunking in chunkings for chunk in chunking)


def plain(value: object) -> Any:
    """`value` as JSON data that reads back equal: tuples as lists, dates in ISO format, numpy scalars as numbers.

    A number that JSON has no word for (NaN, infinity) becomes None. Strings are cleaned as a document's text is: half a
    surrogate pair, which no file can hold, becomes U+FFFD.

    >>> plain({"path": ("a", "b"), 1: float("nan")})
    {'path': ['a', 'b'], '1': None}
    """
    if isinstance(value, str):
        return clean(value)[0]
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {clean(str(key))[0]: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in (sorted(value, key=repr) if isinstance(value, set | frozenset) else value)]
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return plain(value.item())
    raise TypeError(f"metadata holds {value!r}, a {type(value).__name__}, which no file format can hold.")


def compact(value: object) -> str:
    """`value` as JSON on one line, every character as it is."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def with_context(one: Record) -> dict[str, Any]:
    """The metadata of a record with its context as "context"; a document's own key of that name steps aside."""
    named = {"document_context" if key == "context" else key: value for key, value in one["metadata"].items()}
    return {**named, "context": one["context"]}


# --- rows ------------------------------------------------------------------------------------------------------

_FIXED = {
    "chunk_id": "text",
    "text": "text",
    "context": "text",
    "document_id": "text",
    "document_version": "text",
    "source": "text",
    "title": "text",
    "media_type": "text",
    "heading_path": "texts",
    "page": "int",
    "symbol": "text",
    "start": "int",
    "end": "int",
    "token_start": "int",
    "token_end": "int",
    "index": "int",
    "total": "int",
    "previous_id": "text",
    "next_id": "text",
    "parent_id": "text",
    "parent_start": "int",
    "parent_end": "int",
    "mode": "text",
    "oversized": "bool",
    "oversized_reason": "text",
    "reason": "text",
    "tokens": "counts",
    "access": "text",
    "last_updated": "text",
}
_ANNOTATIONS = {"int": "int", "float": "float", "bool": "bool", "str": "text", "tuple[str, ...]": "texts"}


def _settings() -> dict[str, str]:
    """A column for every setting of a configuration (the mode has one already), with its kind."""
    named = {field.name: str(field.type).removesuffix(" | None") for field in fields(ChunkingConfig)}
    return {f"setting_{name}": _ANNOTATIONS.get(kind, "text") for name, kind in named.items() if name != "mode"}


COLUMNS: Mapping[str, str] = MappingProxyType({**_FIXED, **_settings(), "extra": "text"})
"""The columns of a table of chunks and the kind of each: text, texts (a list), int, float, bool, counts (name -> int).

The same for every document, so that tables can be put under each other. "setting_size" is the setting `size`, and so
on. "extra" is a JSON object with all metadata that has no column: what the document itself brought along.
"""

_NOT_OF_THE_METADATA = ("text", "context")


def row(one: Record) -> dict[str, Any]:
    """The record as a flat row: every name of `COLUMNS`, None where there is no value.

    In a text column a string stands as it is, and any other value as JSON.
    """
    metadata = {key: value for key, value in one["metadata"].items() if key != "settings"}
    settings = {f"setting_{name}": value for name, value in one["metadata"].get("settings", {}).items()}
    extra = {key: value for key, value in metadata.items() if key not in _FIXED or key in _NOT_OF_THE_METADATA}
    own = {"chunk_id": one["id"], "text": one["text"], "context": one["context"], "extra": extra}
    values = {**{name: metadata.get(name) for name in _FIXED}, **settings, **own}
    return {name: _CELLS.get(kind, _same)(values.get(name)) for name, kind in COLUMNS.items()}


def _same(value: Any) -> Any:
    return value


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else compact(value)


_CELLS: Mapping[str, Callable[[Any], Any]] = {"text": _text}
