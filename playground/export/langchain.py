"""Records as LangChain documents: a JSON file that LangChain's own loader turns into a list of `Document`s.

    from langchain_core.documents import Document
    from langchain_core.load import loads

    with open("chunks.langchain.json", encoding="utf-8") as file:
        documents = loads(file.read(), allowed_objects=[Document])

`page_content` is the exact text, so that `metadata["start"]` and `["end"]` hold for it, and `id` is the chunk's id. The
context is `metadata["context"]`: to embed a chunk as it was measured here, embed the context, a blank line, the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, BinaryIO

from playground.export.records import Record, compact, with_context

_DOCUMENT = ["langchain", "schema", "document", "Document"]  # the id under which LangChain files its class
_ESCAPE = "__lc_escaped__"


def write(records: Iterable[Record], out: BinaryIO) -> None:
    """A JSON list with one document a line, in UTF-8."""
    out.write(b"[")
    for number, one in enumerate(records):
        out.write(b",\n" if number else b"\n")
        out.write(compact(_document(one)).encode("utf-8"))
    out.write(b"\n]\n")


def _document(one: Record) -> dict[str, Any]:
    content = {
        "id": one["id"],
        "page_content": one["text"],
        "metadata": escaped(with_context(one)),
        "type": "Document",
    }
    return {"lc": 1, "type": "constructor", "id": _DOCUMENT, "kwargs": content}


def escaped(value: Any) -> Any:
    """`value` such that the loader gives it back as it is.

    The loader takes any dict with the key "lc" for an object to build, and a document's own metadata may have that key:
    such a dict goes into an envelope, whole.

    >>> escaped({"a": {"lc": 1}})
    {'a': {'__lc_escaped__': {'lc': 1}}}
    """
    if isinstance(value, list):
        return [escaped(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "lc" in value or list(value) == [_ESCAPE]:
        return {_ESCAPE: value}
    return {key: escaped(item) for key, item in value.items()}
