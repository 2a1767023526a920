"""Reading notebooks: cells in order, code and output as blocks, output cut, what is no notebook."""

from __future__ import annotations

import json
from typing import Any

import pytest

from playground.core.document import Document
from playground.core.outline.markdown import markdown_blocks
from playground.readers.errors import ReadError
from playground.readers.notebook import read_notebook


def notebook(*cells: dict[str, Any], **metadata: Any) -> Document:
    return read_notebook("n.ipynb", json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4}).encode())


def markdown(source: str | list[str]) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": source}


def code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def codes(document: Document) -> list[tuple[str, str]]:
    return [(block.name, document.text[block.start : block.end]) for block in document.blocks if block.kind == "code"]


def test_cells_come_in_order_with_blank_lines_between():
    document = notebook(
        markdown(["# A\n", "b"]), code("x = 1\n\ny"), markdown(""), {"cell_type": "raw", "source": "raw"}
    )
    assert document.text == "# A\nb\n\nx = 1\n\ny\n\nraw"
    assert codes(document) == [("", "x = 1\n\ny")]
    assert (document.media_type, document.notices) == ("application/x-ipynb+json", ())


def test_the_outline_of_prose_is_shifted_to_its_place():
    prose = "# A\n\n- b\n- c\n\n| d |\n| - |\n| e |\n"
    document = notebook(code("first"), markdown("\ufeff" + prose))
    start = document.text.index(prose)
    shifted = [(b.start - start, b.end - start, b.kind, b.level, b.name) for b in document.blocks if b.start >= start]
    assert shifted == [(b.start, b.end, b.kind, b.level, b.name) for b in markdown_blocks(prose)]
    tables = [document.text[b.start : b.head] for b in document.blocks if b.head]
    assert tables == [prose[b.start : b.head] for b in markdown_blocks(prose) if b.head]


def test_outputs_that_are_text():
    document = notebook(
        code(
            "run()",
            {"output_type": "stream", "name": "stdout", "text": ["a\n", "b\n"]},
            {"output_type": "execute_result", "data": {"text/plain": "42", "text/html": "<b>42</b>"}},
            {"output_type": "error", "ename": "ValueError", "evalue": "\x1b[31mbad\x1b[0m", "traceback": []},
            {"output_type": "display_data", "data": {"image/png": "aGk="}},
            {"output_type": "stream", "text": " \n"},
        )
    )
    assert codes(document) == [
        ("", "run()"),
        ("output", "Output:\na\nb"),
        ("output", "Output:\n42"),
        ("output", "Output:\nValueError: bad"),
    ]
    assert document.notices == ("1 output that is no text is left out.",)


@pytest.mark.parametrize(("length", "note"), [(2000, ""), (3500, "\n[1,500 more characters of output are left out]")])
def test_long_output_is_cut_and_says_so(length: int, note: str):
    document = notebook(code("x", {"output_type": "stream", "text": "a" * length}))
    assert document.text == "x\n\nOutput:\n" + "a" * 2000 + note


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        ({"kernelspec": {"language": "julia"}, "language_info": {"name": "other"}}, {"language": "julia"}),
        ({"language_info": {"name": "R"}}, {"language": "R"}),
        ({"kernelspec": 3}, {}),
    ],
)
def test_language(metadata: dict[str, Any], language: dict[str, str]):
    assert dict(notebook(code("x"), **metadata).metadata) == language


def test_the_third_version_of_the_format():
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["T"]},
        {"cell_type": "code", "input": "x", "outputs": [{"output_type": "pyout", "text": ["1"]}]},
    ]
    document = read_notebook("n.ipynb", json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}).encode())
    assert document.text == "## T\n\nx\n\nOutput:\n1"


@pytest.mark.parametrize("data", [b'{"cells": []}', b'{"cells": [{"cell_type": "code", "source": ""}]}'])
def test_a_notebook_without_text(data: bytes):
    document = read_notebook("n.ipynb", data)
    assert (document.text, document.notices) == ("", ("n.ipynb holds no text.",))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", r"line 1, column 1"),
        (b'{"cells": [', r"line 1, column 12"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "outermost value"),
        (b"{}", 'no list of "cells"'),
        (b'{"cells": {}}', 'no list of "cells"'),
        (b'{"worksheets": []}', 'no list of "cells"'),
        (b'{"cells": [1]}', "cell 1 is no object"),
        (b'{"cells": [{"source": 5}]}', "source of cell 1"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
    ],
)
def test_what_is_no_notebook_is_refused(data: bytes, why: str):
    with pytest.raises(ReadError, match=why):
        read_notebook("n.ipynb", data)
