"""Records as LlamaIndex nodes: a file in the form in which LlamaIndex keeps a document store.

    from llama_index.core.storage.docstore import SimpleDocumentStore

    store = SimpleDocumentStore.from_persist_path("chunks.llamaindex.json")
    nodes = list(store.docs.values())                  # TextNodes, in the order of the chunks

A node's text is the exact text, with `start_char_idx` and `end_char_idx` in the document; SOURCE, PREVIOUS, NEXT and
PARENT are set; a parent is named by its id, and its text is not in the file. LlamaIndex puts metadata before the text
when it embeds: all keys but the context are excluded from that, so that it embeds the context, a blank line, the text
(with the ends stripped if there is a context, which is LlamaIndex's way).
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, BinaryIO

from playground.export.records import Record, compact, with_context

# LlamaIndex's names for relationships and kinds of nodes, as it writes them.
_SOURCE, _PREVIOUS, _NEXT, _PARENT = "1", "2", "3", "4"
_TEXT, _DOCUMENT = "1", "4"
_OF_THE_DOCUMENT = ("source", "title", "media_type", "document_version")


def write(records: Iterable[Record], out: BinaryIO) -> None:
    """A persisted document store, in UTF-8, one node a line.

    A chunk that comes twice, the same in all it carries, is written once. Raises ValueError if two different chunks
    have one id, since one of them would be lost.
    """
    hashes: dict[str, dict[str, str]] = {}
    documents: dict[str, dict[str, Any]] = {}
    out.write(b'{"docstore/data": {')
    for one in records:
        node, source = _node(one), one["metadata"].get("document_id")
        known = {"doc_hash": _hash(node), **({"ref_doc_id": source} if source else {})}
        if (before := hashes.get(one["id"])) is not None:
            if before != known:
                raise ValueError(f"Two different chunks have the id {one['id']}: export their documents one by one.")
            continue
        out.write(b",\n" if hashes else b"\n")
        out.write(f"{compact(one['id'])}: {compact({'__data__': node, '__type__': _TEXT})}".encode())
        hashes[one["id"]] = known
        if source:
            documents.setdefault(source, _document(one))["node_ids"].append(one["id"])
    rest = f'\n}},\n"docstore/metadata": {compact(hashes)},\n"docstore/ref_doc_info": {compact(documents)}}}\n'
    out.write(rest.encode())


def _node(one: Record) -> dict[str, Any]:
    metadata = with_context(one)
    excluded = [key for key in metadata if key != "context"]
    return {
        "id_": one["id"],
        "metadata": metadata,
        "excluded_embed_metadata_keys": excluded,
        "excluded_llm_metadata_keys": excluded,
        "relationships": _relationships(one["metadata"]),
        "metadata_template": "{value}",
        "text": one["text"],
        "start_char_idx": metadata.get("start"),
        "end_char_idx": metadata.get("end"),
        "class_name": "TextNode",
    }


def _relationships(metadata: dict[str, Any]) -> dict[str, dict[str, Any]]:
    links = {_PREVIOUS: "previous_id", _NEXT: "next_id", _PARENT: "parent_id"}
    related = {key: _related(metadata[name], _TEXT) for key, name in links.items() if metadata.get(name)}
    if metadata.get("document_id"):
        source = _related(metadata["document_id"], _DOCUMENT, metadata.get("document_version"))
        return {_SOURCE: source, **related}
    return related


def _related(node_id: str, kind: str, version: str | None = None) -> dict[str, Any]:
    return {"node_id": node_id, "node_type": kind, "metadata": {}, "hash": version, "class_name": "RelatedNodeInfo"}


def _hash(node: dict[str, Any]) -> str:
    """The hash of a `TextNode`, by which LlamaIndex notices that a node changed."""
    return sha256(f"{node['text']}{node['metadata']}".encode()).hexdigest()


def _document(one: Record) -> dict[str, Any]:
    metadata = {key: one["metadata"][key] for key in _OF_THE_DOCUMENT if key in one["metadata"]}
    return {"node_ids": [], "metadata": metadata}
