"""Why a chunk ends where it ends: what is said of a whole is said of a whole, and of nothing that was taken apart."""

from __future__ import annotations

import pytest

from playground import ChunkingConfig, Document, chunk, read

ROWS = "".join(f"| row {number} | {number * 111} |\n" for number in range(8))
TABLE = f"| a | b |\n| --- | --- |\n{ROWS}\n"
METHODS = "".join(f"    def f{number}(self):\n        return {number}\n\n" for number in range(4))
CODE = (
    f'import os\n\n\nclass A(B):\n    """What it is."""\n\n    x = 1\n\n{METHODS}\ndef h():\n    return 3\n\n\ny = 2\n'
)


def structured(document: Document, size: int):
    return chunk(document, ChunkingConfig("structure", "character", size, 0))


def next_to(kind: str) -> str:
    return f"A new {kind} starts after it, and no chunk goes from one into the next."


def whole(kind: str, after: str) -> str:
    return f"The whole {kind} fits, and splitting it would only hurt. A new {after} starts after it."


def reasons(chunking, *starts: str) -> list[str]:
    """The reasons of the chunks that begin with `starts`."""
    found = [one.reason for one in chunking if one.text.startswith(starts)]
    assert len(found) == len(starts)
    return found


def test_a_section_around_a_large_table_is_called_whole_nowhere():
    text = f"# A\n\nIntro words.\n\n{TABLE}After the table.\n\n# B\n\nShort.\n\n# C\n\nEnd.\n"
    chunking = structured(Document(text, media_type="text/markdown"), 80)
    assert reasons(chunking, "# A", "After", "# B") == [
        next_to("table"),
        next_to("section"),
        whole("section", "section"),
    ]
    assert [one.reason for one in chunking if "row 7" in one.text] == [next_to("passage")]


def test_where_the_table_has_room_the_section_is_whole():
    text = f"# A\n\nIntro words.\n\n{TABLE}After the table.\n\n# B\n\nShort.\n"
    assert structured(Document(text, media_type="text/markdown"), 400)[0].reason == whole("section", "section")


@pytest.mark.parametrize("before", ["", "Intro words.\n\n"])
@pytest.mark.parametrize("after", ["", "After the table.\n\n"])
def test_no_part_of_a_section_with_a_large_table_is_a_whole_section(before, after):
    text = f"# A\n\n{before}{TABLE}{after}# B\n\nShort.\n"
    chunking = structured(Document(text, media_type="text/markdown"), 80)
    parts = [one for one in chunking if one.end <= text.index("# B")]
    assert len(parts) > 2
    assert not [one.reason for one in parts if "whole" in one.reason]
    assert parts[-1].reason == next_to("section")
    assert sum(next_to("passage") == one.reason for one in parts) == bool(after)


def test_the_head_of_a_large_class_is_not_the_whole_class():
    chunking = structured(read("a.py", CODE.encode()), 90)
    assert reasons(chunking, "import", "class A") == [next_to("class"), next_to("function")]
    assert reasons(chunking, "    def f0", "    def f3") == [whole("function", "function")] * 2
    assert reasons(chunking, "def h") == [whole("function", "statement")]


def test_a_class_that_fits_is_whole():
    assert reasons(structured(read("a.py", CODE.encode()), 400), "class A") == [whole("class", "function")]


def test_a_question_cut_between_sentences_is_not_whole():
    text = f"# Money\n\n## How?\n\n{'So it is. ' * 12}\n\n## Why?\n\nThus.\n\n## Who?\n\nAll.\n"
    chunking = structured(Document(text, media_type="text/markdown"), 60)
    parts = [one.reason for one in chunking if one.end <= text.index("## Why?")]
    assert len(parts) > 2
    assert not [reason for reason in parts if "whole" in reason]
    assert "The whole" in reasons(chunking, "## Why?")[0]
