"""Who a chunk is: ids that stay, and where it stands: headings, page, symbol."""

from __future__ import annotations

import ast
import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from strategies import documents, texts

from playground import ChunkingConfig, Document, chunk, read
from playground.core.identity import chunk_id, place_of, token_count
from playground.core.modes import MODES
from playground.core.prepared import prepare
from playground.resources import TOKENIZERS, encoding

SAMPLES = Path(__file__).parents[2] / "sample_docs"
HANDBOOK = """Before any heading.

# Purchases

Ask first.

## Refunds

Refunds take 14 days.

# Travel

Trains before planes.
"""


def handbook(**more) -> Document:
    return Document.from_text(HANDBOOK, **{"title": "handbook.md", "media_type": "text/markdown", **more})


# --- ids ---------------------------------------------------------------------------------------------------------


def test_an_id_is_made_of_document_span_and_context():
    document = handbook()
    parts = "\0".join((document.id, "3", "17", "Purchases"))
    expected = hashlib.sha256(parts.encode()).hexdigest()[:32]
    assert chunk_id(document, 3, 17, "Purchases") == expected
    others = {chunk_id(document, *rest) for rest in ((3, 18, "Purchases"), (4, 17, "Purchases"), (3, 17, ""))}
    assert len(others | {expected}) == 4
    assert chunk_id(handbook(title="other.md"), 3, 17, "Purchases") not in {expected, *others}


def test_an_id_outlives_a_new_version_and_a_new_name():
    first = handbook(metadata={"id": "handbook"})
    second = Document.from_text(HANDBOOK + "\nMore.", title="renamed.md", metadata={"id": "handbook"})
    assert first.id == second.id == "handbook"
    assert first.version != second.version
    assert chunk_id(first, 0, 9, "") == chunk_id(second, 0, 9, "")


def test_a_document_without_an_id_is_known_by_its_source_and_one_without_a_name_by_its_content():
    assert Document("a", title="x.txt").id == Document("b", title="x.txt").id
    assert Document("a", title="x.txt").id != Document("a", title="y.txt").id
    assert Document("a", title="x.txt", metadata={"source": "y.txt"}).id == Document("a", title="y.txt").id
    assert Document("a").id == Document("a").id != Document("b").id


def test_the_same_span_has_the_same_id_whatever_made_it():
    text = "One two three four five six seven eight."
    ids = [
        {(one.start, one.end): one.id for one in chunk(Document(text, title="a"), ChunkingConfig(mode, "word", 4, 0))}
        for mode in ("fixed", "recursive")
    ]
    shared = ids[0].keys() & ids[1].keys()
    assert shared
    assert all(ids[0][span] == ids[1][span] for span in shared)


@given(document=documents())
def test_neighbours_and_parents_are_named_by_their_ids(document):
    for mode in MODES:
        chunking = chunk(document, ChunkingConfig(mode, "word", 4, 1, parent_size=9))
        every = [one.id for one in chunking]
        assert len(set(every)) == len(every)
        assert [one.previous_id for one in chunking] == [None, *every[:-1]][: len(every)]
        assert [one.next_id for one in chunking] == [*every[1:], None][: len(every)]
        for one in chunking:
            assert one.parent_id == one.parent.id
            assert one.parent.start <= one.start < one.end <= one.parent.end


# --- where it stands ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", sorted(MODES))
def test_the_heading_path_is_known_in_every_mode(mode):
    document = handbook()
    for one in chunk(document, ChunkingConfig(mode, "word", 4, 0)):
        ink = one.start + len(one.text) - len(one.text.lstrip())
        wanted = ()
        for at, path in ((0, ()), (HANDBOOK.index("# Purchases"), ("Purchases",)),
                         (HANDBOOK.index("## Refunds"), ("Purchases", "Refunds")),
                         (HANDBOOK.index("# Travel"), ("Travel",))):  # fmt: skip
            wanted = path if at <= ink else wanted
        assert one.path == wanted, one.text


def test_white_space_before_a_heading_is_not_yet_under_it():
    prepared = prepare(handbook())
    start = HANDBOOK.index("\n\n## Refunds")
    assert place_of(prepared, start, start + 20).path == ("Purchases", "Refunds")
    assert place_of(prepared, start, start + 2).path == ("Purchases",), "white space alone"


def test_a_page_is_that_of_the_first_character_that_is_no_white_space():
    document = Document.from_text("One.\n\nTwo.\n\nThree.", pages=(0, 6, 12), title="a.pdf")
    pages = [one.page for one in chunk(document, ChunkingConfig("fixed", "character", 4, 0))]
    assert pages == [1, 2, 2, 3, 3]
    assert chunk(handbook())[0].page is None


def test_every_page_of_the_bundled_pdf_is_reached():
    document = read(SAMPLES / "survey-report.pdf")
    pages = [one.page for one in chunk(document, ChunkingConfig("fixed", "token", 60, 0))]
    assert pages == sorted(pages)
    assert set(pages) == set(range(1, len(document.pages) + 1))


def test_the_symbol_is_what_pythons_own_parser_says():
    document = read(SAMPLES / "inventory.py")
    lines = document.text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    found = {}

    def visit(node, names):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                found[".".join((*names, child.name))] = (child.body[0].lineno, child.body[-1].end_lineno)
                if isinstance(child, ast.ClassDef):
                    visit(child, (*names, child.name))

    visit(ast.parse(document.text), ())
    prepared = prepare(document)
    assert len(found) > 10
    for name, (_, last) in found.items():
        line = starts[last - 1] + len(lines[last - 1]) - len(lines[last - 1].lstrip())
        symbol = place_of(prepared, line, line + 1).symbol
        assert symbol == name or symbol.startswith(f"{name}."), "the last line of a class is in its last method"


def test_a_text_that_is_no_code_has_no_symbol():
    assert {one.symbol for one in chunk(handbook(), ChunkingConfig(size=8, overlap=0))} == {None}


# --- metadata ----------------------------------------------------------------------------------------------------


@given(document=documents())
def test_metadata_fits_into_json_and_says_where_the_text_is(document):
    for mode in MODES:
        for one in chunk(document, ChunkingConfig(mode, "word", 6, 1, parent_size=12)):
            held = one.metadata
            assert json.loads(json.dumps(held)) == held
            assert document.text[held["start"] : held["end"]] == one.text
            assert document.text[held["parent_start"] : held["parent_end"]] == one.parent.text
            assert held["parent_id"] == one.parent_id
            assert held["heading_path"] == list(one.path)
            assert (held["page"], held["symbol"]) == (one.page, one.symbol)


def test_metadata_nests_the_settings():
    config = ChunkingConfig("structure", "word", 6, 1, parent_size=12, separators=("\n", " "))
    held = chunk(handbook(), config)[0].metadata
    assert held["mode"] == held["settings"]["mode"] == "structure"
    assert held["settings"] == {**config.as_dict(), "separators": ["\n", " "]}
    assert "size" not in held


def test_without_parents_their_offsets_are_none():
    held = chunk(handbook())[0].metadata
    assert [held[name] for name in ("parent_id", "parent_start", "parent_end")] == [None] * 3


def test_the_documents_own_metadata_is_carried_but_never_hides_a_chunks():
    known = {"author": "Ä", "access": "staff", "start": "theirs", "chunk_id": "theirs", "source": "wiki/handbook"}
    one = chunk(handbook(metadata=known), ChunkingConfig("fixed", "word", 4, 0))[1]
    assert (one.metadata["author"], one.metadata["access"]) == ("Ä", "staff")
    assert (one.metadata["start"], one.metadata["chunk_id"]) == (one.start, one.id)
    assert one.metadata["source"] == "wiki/handbook"
    assert one.metadata["document_version"] == hashlib.sha256(HANDBOOK.encode()).hexdigest()


@given(text=texts())
def test_token_offsets_are_those_of_the_documents_ruler(text):
    chunking = chunk(Document.from_text(text), ChunkingConfig("fixed", "token", 3, 0))
    at = 0
    for one in chunking:
        assert one.metadata["token_start"] == at
        at = one.metadata["token_end"]
        assert at > one.metadata["token_start"]
    assert at == chunking.prepared.ruler("token", "cl100k_base").count


@given(text=texts())
def test_tokens_are_counted_by_every_tokenizer(text):
    for one in chunk(Document.from_text(text), ChunkingConfig("sentence", "word", 8, 0)):
        tokens = one.metadata["tokens"]
        assert tokens == {name: len(encoding(name).encode_ordinary(one.text)) for name in TOKENIZERS}


def test_a_million_blanks_are_counted():
    """The tokenizer itself gives up on so many in a row."""
    assert token_count(" " * 1_000_000, "cl100k_base") > 0
