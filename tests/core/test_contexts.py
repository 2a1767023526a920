"""What is read before a chunk: headings, a table's header, a class's, a question; and what it costs. With numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import every_cut_moves_on, unit_spans

from playground import ChunkingConfig, Document, chunk, prepare
from playground.core.contexts import Contexts
from playground.core.document import Block
from playground.core.modes import MODES
from playground.core.rulers import UNITS

HEADER = "| k | v |\n|---|---|\n"
ROWS = "".join(f"| {number} | x |\n" for number in range(9))
TABLE = f"# T\n\nwords\n\n{HEADER}{ROWS}\nafter\n"


def seen(document: Document, size: int, **settings: object) -> list[tuple[str, str]]:
    """Context and text of every chunk, measured in characters, without overlap."""
    config = ChunkingConfig(**({"mode": "structure", "unit": "character", "size": size, "overlap": 0} | settings))
    return [(one.context, one.text) for one in chunk(document, config)]


def markdown(text: str) -> Document:
    return Document(text, media_type="text/markdown")


def rows(first: int, after: int) -> str:
    return "".join(f"| {number} | x |\n" for number in range(first, after))


# --- headings --------------------------------------------------------------------------------------------------

PATH = "# One\n\nfirst\n\n## Two\n\nsecond\n"


def test_the_heading_path_is_the_context_and_is_counted():
    found = chunk(markdown(PATH), ChunkingConfig("structure", "character", 40, 0))
    assert [(one.context, one.start, one.end) for one in found] == [("One", 0, 14), ("One > Two", 14, 29)]
    assert found.context_sizes.tolist() == [5, 11]
    assert found.rooms.tolist() == [35, 29]
    assert found[1].embedded == "One > Two\n\n## Two\n\nsecond\n"
    assert found[1].path == ("One", "Two")


def test_a_path_that_takes_more_than_half_shrinks_to_its_last_heading_then_to_nothing():
    for size, expected in ((22, {"One", "One > Two"}), (21, {"One", "Two"}), (10, {"One", "Two"}), (9, {""})):
        assert {context for context, _ in seen(markdown(PATH), size)} == expected


def test_without_contexts_the_spans_have_the_whole_size():
    found = chunk(markdown(PATH), ChunkingConfig("structure", "character", 16, 0, context=False))
    assert [(one.context, one.text) for one in found] == [("", "# One\n\nfirst\n\n"), ("", "## Two\n\nsecond\n")]
    assert found.context_sizes.tolist() == [0, 0]
    assert found[1].path == ("One", "Two")


@given(text=st.text("ab 猫\n", max_size=20), unit=st.sampled_from(UNITS))
def test_a_context_costs_its_units_and_those_of_the_blank_line(text, unit):
    wanted = len(unit_spans(f"{text}\n\n", unit, "cl100k_base")) if text else 0
    assert Contexts(unit, "cl100k_base").cost(text) == wanted


# --- tables ----------------------------------------------------------------------------------------------------


def test_a_table_that_fits_stays_whole():
    whole = f"{HEADER}{ROWS}\n"
    assert ("T", whole) in seen(markdown(TABLE), len(whole) + 3)


def test_a_table_too_large_goes_by_rows_under_its_header():
    repeated = "T\n| k | v |\n|---|---|"
    assert seen(markdown(TABLE), 60) == [
        ("T", "# T\n\nwords\n\n"),
        ("T", HEADER + rows(0, 3)),
        (repeated, rows(3, 6)),
        (repeated, rows(6, 9) + "\n"),
        ("T", "after\n"),
    ]


def test_a_header_wider_than_half_falls_back_to_the_heading():
    assert seen(markdown(TABLE), 40) == [
        ("T", "# T\n\nwords\n\n"),
        ("T", HEADER + rows(0, 1)),
        ("T", rows(1, 4)),
        ("T", rows(4, 7)),
        ("T", rows(7, 9) + "\n"),
        ("T", "after\n"),
    ]


def test_without_contexts_no_header_is_repeated():
    assert seen(markdown(TABLE), 60, context=False) == [
        ("", "# T\n\nwords\n\n"),
        ("", HEADER + rows(0, 4)),
        ("", rows(4, 9) + "\n"),
        ("", "after\n"),
    ]


def test_a_heading_stays_with_the_table_right_below_it():
    first = seen(markdown(f"# Title\n\n{HEADER}{ROWS}"), 60)[0]
    assert first == ("Title", f"# Title\n\n{HEADER}{rows(0, 2)}")


def test_more_room_below_a_header_than_at_it_does_not_stall():
    # The path takes 12 of 28, path and header would take more than half, the header alone 9: rows have more room than
    # the header, so an overlap that goes back to the header must leave room there.
    text = "# abcdefghij\n\npp\n\n|h|\n|-|\n"
    blocks = [Block(0, 12, "heading", 1, "abcdefghij"), Block(14, 16, "paragraph"), Block(18, 114, "table", head=26)]
    for number in range(16):
        blocks.append(Block(len(text), len(text) + 6 - number % 2, "row"))
        text += "x" * (5 - number % 2) + "\n"
    document, config = Document(text, blocks=tuple(blocks)), ChunkingConfig("structure", "character", 28, 14)
    plan = MODES["structure"].plan(prepare(document), config)
    assert plan.areas.starts.tolist() == [0, 18, 26]
    assert plan.areas.walls.tolist() == [True, True, False]
    assert every_cut_moves_on(plan)
    assert (np.diff(chunk(document, config).ends) > 0).all()


# --- classes and questions -------------------------------------------------------------------------------------

CODE = "class A(B):\n    x = 1\n\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"
CODE_BLOCKS = (
    Block(0, 91, "class", 0, "A", 12),
    Block(12, 21, "statement"),
    Block(23, 56, "function", 0, "A.f"),
    Block(58, 91, "function", 0, "A.g"),
)


def test_methods_are_read_under_the_header_of_their_class():
    assert CODE[23:27] == CODE[58:62] == "    "
    found = seen(Document(CODE, blocks=CODE_BLOCKS), 60)
    assert found[-2:] == [("class A(B):", CODE[23:58]), ("class A(B):", CODE[58:])]
    assert "".join(text for _, text in found[:-2]) == CODE[:23]


def test_a_class_that_fits_is_one_chunk():
    assert seen(Document(CODE, blocks=CODE_BLOCKS), len(CODE)) == [("", CODE)]


FAQ = "## How?\n\n" + "So it is. " * 8 + "\n\n## Why?\n\nYes.\n\n## Who?\n\nMe.\n"


def test_an_answer_too_long_repeats_its_question():
    found = seen(Document(FAQ), 50)
    assert found[-2:] == [("", "## Why?\n\nYes.\n\n"), ("", "## Who?\n\nMe.\n")]
    assert found[0] == ("", "## How?\n\n" + "So it is. " * 4)
    assert {context for context, _ in found[1:-2]} == {"## How?"}
    assert "".join(text for _, text in found) == FAQ


@pytest.mark.parametrize("context", [True, False])
def test_a_question_is_no_chunk_of_its_own(context):
    assert "## How?" not in [text.strip() for _, text in seen(Document(FAQ), 50, context=context)]


# --- the smallest size -----------------------------------------------------------------------------------------

SMALL = "# A\n\nintro words\n\n## B\n\nbee\n\n## C\n\ncee\n\n# Z\n\nzed zed zed zed zed\n"


def test_small_sections_join_the_next_under_the_headings_they_share():
    assert seen(markdown(SMALL), 100, min_size=30) == [("A", SMALL[:40]), ("Z", SMALL[40:])]
    below = SMALL[18:]
    assert seen(markdown(f"# A\n\n{below}"), 100, min_size=12)[0][0] == "A > B"


def test_sections_with_nothing_in_common_join_without_a_context():
    text = "# A\n\na\n\n# B\n\nbbbbbbbbbbbb\n"
    assert seen(markdown(text), 100, min_size=10) == [("", text)]
    assert seen(markdown(text), 100, min_size=8) == [("A", text[:8]), ("B", text[8:])]
