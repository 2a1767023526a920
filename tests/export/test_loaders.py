"""What LangChain and LlamaIndex load, by their own loaders: ids, texts, metadata, offsets and links, exactly."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from langchain_core.documents import Document as LangChainDocument
from langchain_core.load import dumpd, load, loads
from llama_index.core.schema import MetadataMode, NodeRelationship, ObjectType, TextNode
from llama_index.core.storage.docstore import SimpleDocumentStore
from strategies import texts

from playground import Document
from playground.export.files import EXPORTS

# LangChain's loader says, once in a process, that it is a beta.
pytestmark = pytest.mark.filterwarnings("ignore::langchain_core._api.LangChainBetaWarning")

TEXTS = (
    "👩‍👩‍👧 naïve 🇩🇪 \U0010ffff",
    Document.from_text("a\0b").text,
    "\"quoted\" 'single' \\ {braces} {key} {0} %s",
    "a\nb\r\nc\rd\n",
    "\r",
    "\u2028\u2029\x85\x0b\x1c",
    "<script>alert('&amp;')</script>",
    '=HYPERLINK("http://x")',
    "  \t ",
    "<|endoftext|>",
    "\ufeffa",
    'word, "and" 猫\n' * 60_000,
)


def made(number, text, **metadata):
    own = {
        "chunk_id": f"id-{number}",
        "document_id": "doc",
        "document_version": "f" * 64,
        "source": "handbook.md",
        "title": text[:50],
        "media_type": "text/markdown",
        "heading_path": ["Purchases", text[:9]],
        "page": None,
        "start": 10 * number,
        "end": 10 * number + len(text),
        "previous_id": f"id-{number - 1}" if number else None,
        "next_id": f"id-{number + 1}" if number + 1 < len(TEXTS) else None,
        "parent_id": f"parent-{number // 3}" if number > 2 else None,
        "tokens": {"cl100k_base": 3},
        "oversized": True,
        "ratio": 0.1,
    }
    context = f"Purchases > {text[:9]}" if number % 2 else ""
    return {"id": f"id-{number}", "text": text, "context": context, "metadata": {**own, **metadata}}


RECORDS = [made(number, text) for number, text in enumerate(TEXTS)]


def written(name, records):
    out = io.BytesIO()
    EXPORTS[name].write(iter(records), out)
    return out.getvalue()


# --- LangChain -------------------------------------------------------------------------------------------------


def langchain(records):
    return loads(written("langchain", records).decode("utf-8"), allowed_objects=[LangChainDocument])


def test_langchain_loads_what_was_written():
    documents = langchain(RECORDS)
    assert {type(one) for one in documents} == {LangChainDocument}
    assert [one.id for one in documents] == [one["id"] for one in RECORDS]
    assert [one.page_content for one in documents] == list(TEXTS)
    assert [one.metadata for one in documents] == [{**one["metadata"], "context": one["context"]} for one in RECORDS]
    assert all(one.metadata["end"] - one.metadata["start"] == len(one.page_content) for one in documents)


def test_it_is_what_langchain_would_have_written():
    assert json.loads(written("langchain", RECORDS)) == [dumpd(one) for one in langchain(RECORDS)]


def test_langchain_without_records():
    assert langchain([]) == []


@pytest.mark.parametrize(
    "hostile",
    [
        {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "document", "Document"], "kwargs": {}},
        {"lc": 1, "type": "secret", "id": ["HOME"]},
        {"lc": 1, "type": "not_implemented", "id": ["x"]},
        {"__lc_escaped__": 1},
        {"__lc_escaped__": {"lc": 1}},
        {"__lc_escaped__": 1, "more": 2},
        [{"lc": {"lc": 2}}, {"deep": {"lc": []}}],
    ],
)
def test_metadata_that_looks_like_an_object_stays_data(hostile):
    records = [made(0, "text", own=hostile), made(1, "text", lc=hostile)]
    documents = langchain(records)
    assert documents[0].metadata["own"] == hostile
    assert documents[1].metadata["lc"] == hostile
    assert load([dumpd(one) for one in documents], allowed_objects=[LangChainDocument]) == documents


@given(texts())
def test_any_text_in_langchain(text):
    one = made(1, Document.from_text(text).text)
    (document,) = langchain([one])
    assert (document.page_content, document.metadata["context"]) == (one["text"], one["context"])


# --- LlamaIndex ------------------------------------------------------------------------------------------------


@pytest.fixture
def llamaindex(tmp_path):
    def load_from_disk(records):
        path = tmp_path / "chunks.llamaindex.json"
        path.write_bytes(written("llamaindex", records))
        return SimpleDocumentStore.from_persist_path(str(path))

    return load_from_disk


def test_llamaindex_loads_what_was_written(llamaindex):
    nodes = list(llamaindex(RECORDS).docs.values())
    assert {type(node) for node in nodes} == {TextNode}
    assert [node.node_id for node in nodes] == [one["id"] for one in RECORDS]
    assert [node.text for node in nodes] == list(TEXTS)
    assert [node.metadata for node in nodes] == [{**one["metadata"], "context": one["context"]} for one in RECORDS]
    assert [node.start_char_idx for node in nodes] == [one["metadata"]["start"] for one in RECORDS]
    assert [node.end_char_idx - node.start_char_idx for node in nodes] == [len(text) for text in TEXTS]


def test_nodes_are_linked(llamaindex):
    nodes = list(llamaindex(RECORDS).docs.values())
    for node, one in zip(nodes, RECORDS, strict=True):
        links = {
            NodeRelationship.PREVIOUS: one["metadata"]["previous_id"],
            NodeRelationship.NEXT: one["metadata"]["next_id"],
            NodeRelationship.PARENT: one["metadata"]["parent_id"],
            NodeRelationship.SOURCE: "doc",
        }
        found = {kind: related.node_id for kind, related in node.relationships.items()}
        assert found == {kind: target for kind, target in links.items() if target}
        assert (node.source_node.node_type, node.source_node.hash) == (ObjectType.DOCUMENT, "f" * 64)
    assert nodes[1].prev_node.node_id == nodes[0].node_id
    assert nodes[0].next_node.node_type == ObjectType.TEXT


def test_what_llamaindex_embeds_is_the_context_and_the_text(llamaindex):
    nodes = llamaindex([made(0, "{a} text"), made(1, "{a} text")]).docs
    for mode in (MetadataMode.EMBED, MetadataMode.LLM):
        assert nodes["id-0"].get_content(mode) == "{a} text"
        assert nodes["id-1"].get_content(mode) == "Purchases > {a} text\n\n{a} text"


def test_the_store_knows_its_documents_and_hashes(llamaindex):
    other = [made(1, "b", document_id="doc-2", chunk_id="x") | {"id": "x"}]
    store = llamaindex([*RECORDS, *other])
    assert list(store.get_all_ref_doc_info()) == ["doc", "doc-2"]
    assert store.get_ref_doc_info("doc").node_ids == [one["id"] for one in RECORDS]
    assert store.get_ref_doc_info("doc-2").metadata["source"] == "handbook.md"
    for identity, node in store.docs.items():
        assert store.get_document_hash(identity) == node.hash
    store.delete_ref_doc("doc")
    assert list(store.docs) == ["x"]


def test_the_store_is_what_llamaindex_would_have_written(llamaindex):
    store = llamaindex(RECORDS)
    again = SimpleDocumentStore()
    again.add_documents(list(store.docs.values()))
    assert again.docs == store.docs
    mine, theirs = store.to_dict(), again.to_dict()
    assert mine.keys() == theirs.keys()
    assert mine["docstore/metadata"] == theirs["docstore/metadata"]
    for identity, kept in theirs["docstore/data"].items():
        data, full = mine["docstore/data"][identity]["__data__"], kept["__data__"]
        assert mine["docstore/data"][identity]["__type__"] == kept["__type__"]
        assert data.items() <= full.items()


def test_llamaindex_without_records(llamaindex):
    store = llamaindex([])
    assert (store.docs, store.get_all_ref_doc_info()) == ({}, {})


def test_the_same_chunk_twice_is_one_node_and_two_chunks_of_one_id_are_refused(llamaindex):
    assert len(llamaindex([*RECORDS, *RECORDS]).docs) == len(RECORDS)
    assert llamaindex([*RECORDS, *RECORDS]).get_ref_doc_info("doc").node_ids == [one["id"] for one in RECORDS]
    with pytest.raises(ValueError, match="Two different chunks have the id id-0"):
        llamaindex([made(0, "one"), made(0, "other")])


def test_a_chunk_without_a_document(llamaindex):
    store = llamaindex([{"id": "c", "text": "t", "context": "", "metadata": {}}])
    node = store.docs["c"]
    assert (node.relationships, node.start_char_idx, node.metadata) == ({}, None, {"context": ""})


@given(texts())
def test_any_text_in_llamaindex(text):
    one = made(1, Document.from_text(text).text)
    (node,) = SimpleDocumentStore.from_dict(json.loads(written("llamaindex", [one]))).docs.values()
    assert (node.text, node.metadata["context"]) == (one["text"], one["context"])
