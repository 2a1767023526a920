"""Sections and their heading paths, worked out by hand: from Markdown, from what a reader found, on pages, in code."""

from __future__ import annotations

import pytest

from playground import ChunkingConfig, Document, chunk, prepare
from playground.core.document import Block
from playground.core.modes.structure import structure_of


def markdown(text: str) -> Document:
    return Document(text, media_type="text/markdown")


def sections(document: Document, form: str = "auto") -> list[tuple[int, tuple[str, ...]]]:
    """Where each section starts, and the headings it stands under."""
    return [(section.start, section.path) for section in structure_of(prepare(document), form).sections]


def texts_of(document: Document, **settings: object) -> list[str]:
    config = ChunkingConfig(**({"mode": "structure", "unit": "character", "size": 400, "overlap": 0} | settings))
    return [one.text for one in chunk(document, config)]


# --- heading paths ---------------------------------------------------------------------------------------------

PATHS = (
    ("one below the other", "# A\n\na\n\n## B\n\nb\n", [(0, ("A",)), (8, ("A", "B"))]),
    ("a level left out", "# A\n\na\n\n### C\n\nc\n\n### D\n\nd\n", [(0, ("A",)), (8, ("A", "C")), (18, ("A", "D"))]),
    ("back up", "### C\n\nc\n\n# A\n\na\n", [(0, ("C",)), (10, ("A",))]),
    ("words before the first", "a\n\n# A\n\na\n", [(0, ()), (3, ("A",))]),
    ("markup and slashes", "# In/Out > `x`\n\na\n\n## *B*\n\nb\n", [(0, ("In/Out > x",)), (19, ("In/Out > x", "B"))]),
    ("underlined", "A\n=\n\na\n\nB\n-\n\nb\n", [(0, ("A",)), (8, ("A", "B"))]),
    ("no words in it", "# A\n\na\n\n##\n\nb\n", [(0, ("A",)), (8, ("A",))]),
    ("the same words twice", "# A\n\na\n\n## A\n\nb\n", [(0, ("A",)), (8, ("A", "A"))]),
    ("in code", "# A\n\n```\n# no\n```\n", [(0, ("A",))]),
    ("white space before it", "\n\n# A\n\na\n", [(0, ("A",))]),
    ("windows line ends", "# A\r\n\r\na\r\n\r\n## B\r\n\r\nb\r\n", [(0, ("A",)), (12, ("A", "B"))]),
)


@pytest.mark.parametrize(("name", "text", "expected"), PATHS, ids=[path[0] for path in PATHS])
def test_paths(name, text, expected):
    assert sections(markdown(text)) == expected


# --- bare headings ---------------------------------------------------------------------------------------------

BARE = (
    ("goes with the next", "# A\n\n## B\n\nb\n", [(0, ("A", "B"))]),
    ("two of them", "# A\n\n## B\n\n### C\n\nc\n", [(0, ("A", "B", "C"))]),
    ("in the middle", "# A\n\na\n\n## B\n\n## C\n\nc\n", [(0, ("A",)), (8, ("A", "C"))]),
    ("at the end", "# A\n\na\n\n## B\n", [(0, ("A",))]),
    ("nothing else", "# A\n\n## B\n", [(0, ())]),
)


@pytest.mark.parametrize(("name", "text", "expected"), BARE, ids=[bare[0] for bare in BARE])
def test_a_bare_heading_is_never_a_section_of_its_own(name, text, expected):
    assert sections(markdown(text)) == expected


def test_nothing_is_cut_between_a_heading_and_its_text():
    text = "# A heading\n\nSome words that follow it. And some more of them.\n"
    found = chunk(markdown(text), ChunkingConfig("structure", "character", 30, 0, context=False))
    assert [(one.start, one.end) for one in found] == [(0, 29), (29, 40), (40, 63)]
    assert found[0].text == "# A heading\n\nSome words that "


# --- what a reader found ---------------------------------------------------------------------------------------


def test_headings_hold_to_the_end_of_what_encloses_them():
    text = "Top\none\nIn\ntwo\nthree\n"
    blocks = (
        Block(0, 3, "heading", 1, "Top"),
        Block(4, 7, "paragraph"),
        Block(8, 14, "section"),
        Block(8, 10, "heading", 1, "In"),
        Block(11, 14, "paragraph"),
        Block(15, 20, "paragraph"),
    )
    assert sections(Document(text, blocks=blocks)) == [(0, ("Top",)), (8, ("Top", "In")), (15, ("Top",))]


NAVIGATION = (
    ("a block after it", (Block(0, 3, "boilerplate"), Block(4, 9, "paragraph"), Block(10, 14, "paragraph"))),
    ("no block after it", (Block(0, 3, "boilerplate"),)),
    ("a block later", (Block(0, 3, "boilerplate"), Block(0, 3, "paragraph"), Block(10, 14, "paragraph"))),
    ("in a section", (Block(0, 9, "section"), Block(0, 3, "boilerplate"), Block(10, 14, "paragraph"))),
    ("a symbol in it", (Block(0, 3, "boilerplate"), Block(0, 3, "function", 0, "f"), Block(4, 9, "paragraph"))),
    ("a list in it", (Block(0, 3, "boilerplate"), Block(0, 3, "list"), Block(0, 3, "item", 1), Block(4, 9, "quote"))),
)


@pytest.mark.parametrize(("name", "blocks"), NAVIGATION, ids=[row[0] for row in NAVIGATION])
def test_boilerplate_alone_is_left_out(name, blocks):
    document = Document("nav\nstray\npara\n", blocks=blocks)
    assert "".join(texts_of(document)) == "nav\nstray\npara\n"
    assert "".join(texts_of(document, boilerplate="leave out")).strip() == "stray\npara"


def test_what_is_left_out_is_named():
    document = Document("nav\nwords\n", blocks=(Block(0, 3, "boilerplate"), Block(4, 9, "paragraph")))
    found = chunk(document, ChunkingConfig("structure", "character", 20, 0, boilerplate="leave out"))
    assert [offsets.tolist() for offsets in found.left_out] == [[0], [4]]
    assert [(one.start, one.end) for one in found] == [(4, 10)]


# --- pages -----------------------------------------------------------------------------------------------------


def test_a_page_is_a_section_and_every_chunk_knows_its_own():
    document = Document("page one\npage two\n", pages=(0, 9))
    assert sections(document) == [(0, ()), (9, ())]
    found = chunk(document, ChunkingConfig("structure", "character", 40, 0))
    assert [(one.text, one.page) for one in found] == [("page one\n", 1), ("page two\n", 2)]
    assert found[0].reason == ("The whole page fits, and splitting it would only hurt. A new page starts after it.")
    whole = chunk(document, ChunkingConfig("fixed", "character", 40, 0))
    assert [(one.text, one.page) for one in whole] == [("page one\npage two\n", 1)]


def test_an_empty_page_is_counted_though_it_is_no_section():
    document = Document("one\n\n\n\nthree\n", pages=(0, 4, 7))
    found = chunk(document, ChunkingConfig("structure", "character", 40, 0))
    assert [(one.text, one.page) for one in found] == [("one\n\n\n\n", 1), ("three\n", 3)]


# --- symbols ---------------------------------------------------------------------------------------------------

CODE = (
    "import os\n\n\nclass A(B):\n    x = 1\n\n    def f(self):\n        return 1\n\n"
    "    def g(self):\n        return 2\n\n\ndef h():\n    return 3\n"
)
CODE_BLOCKS = (
    Block(0, 9, "statement"),
    Block(12, 104, "class", 0, "A", 24),
    Block(24, 33, "statement"),
    Block(35, 68, "function", 0, "A.f"),
    Block(70, 103, "function", 0, "A.g"),
    Block(106, 127, "function", 0, "h"),
)


def test_a_class_that_fits_is_one_section():
    document = Document(CODE, blocks=CODE_BLOCKS)
    assert sections(document) == [(0, ()), (12, ()), (106, ())]
    assert texts_of(document) == [CODE[:12], CODE[12:106], CODE[106:]]


def test_chunks_know_their_symbols_in_every_mode():
    found = chunk(Document(CODE, blocks=CODE_BLOCKS), ChunkingConfig("fixed", "character", 1, 0))
    at = {"A": 12, "A.f": CODE.index("def f"), "A.g": CODE.index("def g"), "h": CODE.index("def h")}
    assert {symbol: found[offset].symbol for symbol, offset in at.items()} == {symbol: symbol for symbol in at}
    assert found[0].symbol is None
    whole = chunk(Document(CODE, blocks=CODE_BLOCKS), ChunkingConfig("fixed", "character", len(CODE), 0))
    assert [one.symbol for one in whole] == ["A"]


# --- questions -------------------------------------------------------------------------------------------------


def test_a_question_and_its_answer_are_one_section_under_the_headings_above():
    text = "# Money\n\n## How?\n\nSo.\n\n## Why?\n\nThus.\n"
    assert sections(markdown(text), "faq") == [(0, ("Money",)), (23, ("Money",))]
    assert texts_of(markdown(text), form="faq", context=False) == [text[:23], text[23:]]
