"""Inputs that are known to break chunkers, each with its right value written out: formats, links and exported code.

The numbers in the comments name the cases; those of plain text, and where the others are proven, are in
tests/core/test_cases.py. Sizes are in characters unless said.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from playground import Chunking, ChunkingConfig, Document, chunk, describe, prepare, read
from playground.core.contexts import contexts_in
from playground.core.modes import MODES
from playground.core.modes.structure import structure_of
from playground.core.rulers import UNITS
from playground.core.stats import verify
from playground.export.snippets import TARGETS, snippet
from playground.live.store import SAMPLES, sample_names
from playground.resources import RANKS
from playground.settings import parse, to_config


def chunked(name: str, text: str | bytes, size: int, unit: str = "character", **settings: object) -> Chunking:
    """The file `name` that holds `text`, by its structure, without overlap."""
    data = text if isinstance(text, bytes) else text.encode()
    return chunk(
        read(name, data), ChunkingConfig(**({"mode": "structure", "unit": unit, "size": size, "overlap": 0} | settings))
    )


def seen(name: str, text: str | bytes, size: int, **settings: object) -> list[tuple[str, str]]:
    """Context and text of every chunk."""
    return [(one.context, one.text) for one in chunked(name, text, size, **settings)]


def joined(chunking: Chunking) -> str:
    return "".join(one.text for one in chunking)


# --- headings and code in Markdown -------------------------------------------------------------------------------

FENCES = {
    "a fence": ("# A\n\n```\n# not a heading\n```\n\nend\n\n", "# B\n\nb\n"),
    "a fence of tildes that holds the other fence": ("# A\n\n~~~\n# no\n```\n# no\n~~~\n\n", "# B\n\nb\n"),
    "a longer closing fence": ("# A\n\n````\n# no\n```\n# no\n`````\n\n", "# B\n\nb\n"),
    "a fence in a list": ("# A\n\n- one\n\n  ```\n  # no\n  ```\n\n", "# B\n\nb\n"),
    "indented code": ("# A\n\nwords\n\n    # no\n\n", "# B\n\nb\n"),
    "a comment": ("# A\n\n<!--\n# no\n-->\n\n", "# B\n\nb\n"),
}


@pytest.mark.parametrize(("first", "second"), FENCES.values(), ids=list(FENCES))
def test_a_number_sign_in_code_is_no_heading(first, second):
    # case 29
    assert seen("a.md", first + second, 400) == [("A", first), ("B", second)]


def test_a_fence_that_is_never_closed_goes_to_the_end():
    # case 29
    text = "# A\n\n```\n# no\n\n# nor this\n\nb\n"
    assert seen("a.md", text, 400) == [("A", text)]


NESTED = "- a\n  - b\n    - c\n\n      more of c\n- d\n\n"
INDENTED = "    code\n      deeper\n\n    after a blank line\n\n"


def test_indentation_is_kept():
    # case 30: no white space is lost where lists and code are cut, whole or by lines
    text = f"{NESTED}Words and words.\n\n{INDENTED}The end.\n"
    assert seen("a.md", text, 48) == [("", NESTED), ("", "Words and words.\n\n"), ("", INDENTED), ("", "The end.\n")]
    assert seen("a.md", text, 24) == [
        ("", "- a\n  - b\n    - c\n\n"),
        ("", "      more of c\n- d\n\n"),
        ("", "Words and words.\n\n"),
        ("", "    code\n      deeper\n\n"),
        ("", "    after a blank line\n\n"),
        ("", "The end.\n"),
    ]
    for size in range(1, 60):
        assert joined(chunked("a.md", text, size)) == text


def test_a_level_left_out_makes_no_parents():
    # case 31
    text = "# A\n\na\n\n### C\n\nc\n\n### D\n\nd\n"
    chunking = chunked("a.md", text, 400)
    assert [one.context for one in chunking] == ["A", "A > C", "A > D"]
    assert [one.path for one in chunking] == [("A",), ("A", "C"), ("A", "D")]


def test_a_path_is_a_list_whatever_is_in_its_headings():
    # case 32
    chunking = chunked("a.md", "# Input/Output > files\n\n## a > b / c\n\ntext\n", 400)
    assert [one.path for one in chunking] == [("Input/Output > files", "a > b / c")]
    assert chunking[0].metadata["heading_path"] == ["Input/Output > files", "a > b / c"]
    assert chunking[0].context == "Input/Output > files > a > b / c"


def test_a_bare_heading_goes_forward():
    # case 33
    sentence = "Word after word. "
    text = f"# A\n\na\n\n## Bare\n\n## B\n\n{sentence * 8}\n"
    assert seen("a.md", text, 100) == [
        ("A", "# A\n\na\n\n"),
        ("A > B", f"## Bare\n\n## B\n\n{sentence * 4}"),
        ("A > B", f"{sentence * 4}\n"),
    ]


@pytest.mark.parametrize("size", range(4, 40))
def test_no_chunk_is_a_bare_heading(size):
    # case 33: at any size that has room for the heading and a word
    text = "# A\n\n## B\n\nwords and more words\n"
    found = [part.strip("# \n") for _, part in seen("a.md", text, size, context=False)]
    assert size < 17 or found[0].startswith("A\n\n## B\n\nw")
    assert joined(chunked("a.md", text, size)) == text


# --- the work grows with the text ------------------------------------------------------------------------------


def calls(work: Callable[[], object]) -> int:
    """How many functions `work` calls: the same on every machine."""
    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


GROWING = {
    "paragraphs": ("a.md", lambda count: "# A\n\n" + "Short.\n\n" * count),
    "headings": ("a.md", lambda count: "## B\n\nb\n\n" * count),
    "rows": ("a.md", lambda count: "| k |\n|---|\n" + "| v |\n" * count),
    "items": ("a.md", lambda count: "- one\n  - two\n" * count),
    "questions": ("a.md", lambda count: "## Why?\n\nBecause.\n\n" * count),
    "functions": ("a.py", lambda count: "def f():\n    return 1\n\n" * count),
    "methods": ("a.py", lambda count: "class C:\n" + "    def f(self):\n        return 1\n\n" * count),
    "records": ("a.jsonl", lambda count: '{"a": 1}\n' * count),
    "cells": ("a.csv", lambda count: "k,v\n" + "1,2\n" * count),
    "sections": ("a.html", lambda count: "<h1>A</h1>" + "<section><h2>B</h2><p>b</p></section>" * count),
}


@pytest.mark.parametrize(("name", "text"), GROWING.values(), ids=list(GROWING))
def test_twice_the_text_is_twice_the_work(name, text):
    # case 34: nothing is walked through again for every paragraph of a section, every row of a table
    def work(count: int) -> int:
        return calls(lambda: chunked(name, text(count), 100).sizes)

    work(10)
    assert work(1000) < 2.5 * work(500)


def test_two_thousand_short_paragraphs():
    # case 34
    text = "# A\n\n" + "Short.\n\n" * 2000
    chunking = chunked("a.md", text, 803)
    assert [len(one.text) for one in chunking] == [797, *[800] * 19, 8]
    assert {one.context for one in chunking} == {"A"}
    assert verify(chunking).passed


LINES = dict.fromkeys(("a.md", "a.html", "a.csv"), "x.\n" * 100000) | {
    "a.py": "x = 1\n" * 20_000,
    "a.jsonl": '{"a": 1}\n' * 20_000,
    "b.md": "a" * 1_000_000,
    "c.md": " " * 1_000_000,
    "d.md": "🇩🇪" * 50_000,
}


@pytest.mark.parametrize(("name", "text"), LINES.items(), ids=list(LINES))
def test_a_large_file_of_any_format(name, text):
    # case 27
    chunking = chunked(name, text, 500, overlap=50)
    assert len(chunking) > 1 or not text.strip()
    assert describe(chunking).check.passed
    assert not chunking.oversized.any() or not text.strip()


HOSTILE = {
    "tags never closed": ("a.html", '"<a "' * 16_000),
    "the same in Markdown": ("a.md", '"<a "' * 16_000),
    "a hundred thousand nested elements": ("a.html", "<div>" * 100_000 + "deep" + "</div>" * 100_000),
    "nested quotations": ("a.md", "> " * 50_000 + "deep"),
    "nested items": ("a.md", "".join("  " * depth + "- x\n" for depth in range(400))),
    "brackets": ("a.md", "[" * 50_000 + "x" + "](" * 50_000),
    "marks": ("a.md", "*a_ " * 20_000),
    "nested calls": ("a.py", "f(" * 50_000 + ")" * 50_000),
    "nested arrays": ("a.json", "[" * 50_000 + "]" * 50_000),
    "one row of many cells": ("a.md", "|" * 50_000 + "\n" + "|-" * 50_000 + "|\n"),
    "quotation marks": ("a.csv", '"' * 80_001),
}


@pytest.mark.parametrize(("name", "text"), HOSTILE.values(), ids=list(HOSTILE))
def test_text_made_to_hurt_is_chunked(name, text):
    # case 40: that this ends is what is tested; a text that an outline gives up on is still chunked whole
    chunking = chunked(name, text, 500)
    assert verify(chunking).passed
    assert joined(chunking) == chunking.document.text


def test_depth_hides_no_text():
    # case 40
    assert seen("a.html", "<div>" * 100_000 + "deep" + "</div>" * 100_000, 500) == [("", "deep")]
    assert seen("a.html", "<p>before</p>" + '"<a "' * 16_000 + "<p>after</p>", 500) == [("", 'before\n\n"after')]


def test_a_page_without_text_says_so():
    # case 40
    document = read("a.html", b'"<a "'[1:] * 16_000)
    assert (document.text, document.notices) == ("", ("a.html holds no visible text.",))
    assert len(chunk(document)) == 0


# --- tables ----------------------------------------------------------------------------------------------------

HEADER = "| k | v |\n|---|---|\n"


def rows(first: int, after: int) -> str:
    return "".join(f"| {number} | x |\n" for number in range(first, after))


def test_a_table_that_fits_is_whole():
    # case 35
    text = f"# T\n\nWords.\n\n{HEADER}{rows(0, 9)}\nMore.\n"
    # 114: the table's 110, the blank line after it, and 3 for its context
    assert seen("a.md", text, 114) == [("T", "# T\n\nWords.\n\n"), ("T", f"{HEADER}{rows(0, 9)}\n"), ("T", "More.\n")]
    assert seen("a.md", text, 400) == [("T", text)]


def test_a_table_too_large_repeats_its_header_as_context():
    # case 35
    text = f"# T\n\n{HEADER}{rows(0, 9)}"
    chunking = chunked("a.md", text, 70)
    assert [(one.context, one.text) for one in chunking] == [
        ("T", f"# T\n\n{HEADER}{rows(0, 4)}"),
        ("T\n| k | v |\n|---|---|", rows(4, 8)),
        ("T\n| k | v |\n|---|---|", rows(8, 9)),
    ]
    assert joined(chunking) == text
    assert chunking[1].embedded == f"T\n{HEADER}\n{rows(4, 8)}"


def test_the_columns_of_a_file_are_its_context():
    # case 35
    text = "k,v\n" + "".join(f"{number},x\n" for number in range(8))
    assert seen("a.csv", text, 20) == [
        ("", "k,v\n0,x\n1,x\n2,x\n3,x\n"),
        ("k,v", "4,x\n5,x\n6,x\n"),
        ("k,v", "7,x\n"),
    ]


def test_a_table_of_a_page_repeats_its_header():
    # case 35
    cells = "".join(f"<tr><td>{number}</td></tr>" for number in range(6))
    assert seen("a.html", f"<table><tr><th>k</th></tr>{cells}</table>", 32) == [
        ("", "| k |\n| --- |\n| 0 |\n| 1 |\n| 2 |\n"),
        ("| k |\n| --- |", "| 3 |\n| 4 |\n| 5 |"),
    ]


REPEATED = {
    "a table after words": ("a.md", f"# T\n\nWords.\n\n{HEADER}{rows(0, 9)}\nMore.\n"),
    "a table right under its heading": ("a.md", f"# T\n\n{HEADER}{rows(0, 9)}\nMore.\n"),
    "a table under two headings and before blank lines": (
        "a.md",
        f"# T\n\n## U\n\n{HEADER}{rows(0, 9)}\n\n\n\nMore.\n",
    ),
    "rows": ("a.csv", "k,v\n" + "".join(f"{number},x\n" for number in range(20))),
    "a class before blank lines": ("a.py", "class A:\n    x = 1\n\n    def f(self):\n        return 1\n\n\n\nx = 1\n"),
    "questions": ("a.md", "# F\n\n" + "".join(f"## Why {n}?\n\nBecause. And so. And on.\n\n\n" for n in range(4))),
    "the bundled questions": ("faq.md", (SAMPLES / "faq.md").read_text(encoding="utf-8")),
}


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(("name", "text"), REPEATED.values(), ids=list(REPEATED))
def test_what_is_taken_apart_repeats_its_head_at_every_size(name, text, unit):
    # cases 35, 38 and 41: a header, a class's first line, a question is in the chunk or before it, wherever it fits
    prepared = prepare(read(name, text.encode()))
    measured = contexts_in(prepared, unit, "cl100k_base")
    heads = [block for block in structure_of(prepared, "auto").holders if block.head]
    names = [text[block.start : block.head].strip("\r\n") for block in heads]
    assert heads
    for size in range(5, 160):
        chunking = chunk(prepared, ChunkingConfig("structure", unit, size, 0))
        for block, head in zip(heads, names, strict=True):
            low, high = np.searchsorted(chunking.starts, [block.head, block.end])
            for one in chunking[low:high] if 2 * measured.cost(head) <= size else ():
                assert head in one.context or not text[one.start : block.end].strip(), (size, one.context, one.text)


CRLF = {
    "a table": ("a.md", f"{HEADER}{rows(0, 9)}", 66, "| k | v |\r\n|---|---|"),
    "rows": ("a.csv", "k,v\n" + "1,2\n" * 9, 20, "k,v"),
    "a class": ("a.py", "class A:\n    x = 1\n\n    def f(self):\n        return 1\n", 50, "class A:"),
    "a question": (
        "a.txt",
        "Q: Why?\nA: Because. So. And so.\n\nQ: What?\nA: This.\n\nQ: Who?\nA: You.\n",
        30,
        "Q: Why?",
    ),
}


@pytest.mark.parametrize(("name", "text", "size", "context"), CRLF.values(), ids=list(CRLF))
def test_a_head_is_repeated_without_its_line_end(name, text, size, context):
    # cases 35, 38 and 41: the same in a file whose lines end in a carriage return and a line feed
    text = text.replace("\n", "\r\n")
    chunking = chunked(name, text, size)
    assert {one.context for one in chunking} == {"", context}
    assert joined(chunking) == text


def test_a_header_wider_than_the_size_is_cut_and_not_repeated():
    # case 36
    header = f"| {'wide ' * 20}| v |\n"
    text = f"{header}|---|---|\n| 1 | x |\n| 2 | y |\n"
    chunking = chunked("a.md", text, 60)
    assert [(one.context, one.text) for one in chunking] == [
        ("", header[:57]),
        ("", header[57:]),
        ("", "|---|---|\n| 1 | x |\n| 2 | y |\n"),
    ]
    assert chunking[0].reason == "The sentence is larger than 60 characters, so it is cut between words."
    assert not chunking.oversized.any()


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 21, 34])
def test_a_wide_header_never_stalls(unit, size):
    # case 36
    text = f"# T\n\n| {'w' * 100} | v |\n|---|---|\n{rows(0, 9)}"
    chunking = chunked("a.md", text, size, unit)
    assert verify(chunking).passed
    assert joined(chunking) == text
    assert not chunking.oversized.any()


# --- contexts count --------------------------------------------------------------------------------------------


def test_the_path_counts_in_the_size():
    # case 37: "One > Two" and the blank line after it are 11 of the 50
    chunking = chunked("a.md", "# One\n\n## Two\n\n" + "word " * 40 + "\n", 50)
    assert {one.context for one in chunking} == {"One > Two"}
    assert [one.size for one in chunking] == [35, 35, 35, 35, 35, 35, 6]
    assert max(len(one.embedded) for one in chunking) == 46


@pytest.mark.parametrize("name", sample_names())
def test_context_and_text_fit_together(name):
    # case 37
    prepared = prepare(read(SAMPLES / name))
    for size in (12, 60, 130, 500):
        for unit in UNITS:
            chunking = chunk(prepared, ChunkingConfig("structure", unit, size))
            fits = chunking.sizes + chunking.context_sizes <= size
            assert (fits | chunking.oversized).all()
            if unit == "character":
                assert not chunking.oversized.any()
                assert max(len(one.embedded) for one in chunking) <= size


# --- code ------------------------------------------------------------------------------------------------------

MODULE = '''"""A module.

def not_me(): ...
"""
import os


'''
FIRST = '''@cache
@other(1)
def first():
    """Holds

    def nothing(): pass
    """
    def nested():
        return "😀"
    return nested

'''
SECOND = '# 😀\ndef second(): return "é"\n\f\n'
CLASS = '''class Store:
    """Keeps."""

    limit = 3

'''
SIZE = "    @property\n    def size(self):\n        return 1\n\n"
PUT = "    def put(self, what):\n        return what\n"


def test_symbols_are_whole_with_their_decorators():
    # case 38: what a docstring or a function holds is no symbol; an emoji before `def` shifts nothing
    chunking = chunked("a.py", MODULE + FIRST + SECOND + CLASS + SIZE + PUT, 200)
    assert [one.text for one in chunking] == [MODULE, FIRST, SECOND, CLASS + SIZE + PUT]
    assert [one.symbol for one in chunking] == [None, "first", "second", "Store"]


def test_a_class_too_large_goes_by_its_methods_under_its_header():
    # case 38
    chunking = chunked("a.py", CLASS + SIZE + PUT, 100)
    assert [(one.context, one.text, one.symbol) for one in chunking] == [
        ("", CLASS, "Store"),
        ("class Store:", SIZE, "Store.size"),
        ("class Store:", PUT, "Store.put"),
    ]


@pytest.mark.parametrize("size", range(1, 70, 3))
def test_code_is_never_shifted(size):
    # case 38
    text = MODULE + FIRST + SECOND + CLASS + SIZE + PUT
    chunking = chunked("a.py", text, size)
    assert joined(chunking) == text
    assert verify(chunking).passed


def test_a_syntax_error_leaves_lines_and_a_notice():
    # case 38
    chunking = chunked("a.py", "def a():\n    return 1\n\ndef b(:\n    return 2\n\ndef c():\n    return 3\n", 30)
    assert [one.text for one in chunking] == [
        "def a():\n    return 1\n\n",
        "def b(:\n    return 2\n\n",
        "def c():\n    return 3\n",
    ]
    assert structure_of(chunking.prepared, "auto").notices == (
        "This is not valid Python (near line 4), so it is divided by lines instead of classes and functions.",
    )


# --- pages of the web ------------------------------------------------------------------------------------------

PAGE = """<html><head><title>T</title><style>p{}</style><script>var x = "<p>no</p>"</script></head><body>
<nav><a href="/">Home</a></nav><h1>A</h1><!-- no --><p>one <b>two</b> three</p>
<template><h2>hidden</h2><p>no</p></template>
<section><h2>B</h2><p>in b</p><section><h3>C</h3><p>in c</p></section><p>back in b</p></section><p>back in a</p>
<footer>the foot</footer></body></html>"""
CONTENT = [
    ("A", "A\n\none two three\n\n"),
    ("A > B", "B\n\nin b\n\n"),
    ("A > B > C", "C\n\nin c\n\n"),
    ("A > B", "back in b\n\n"),
    ("A", "back in a\n\n"),
]


def test_visible_text_in_order_under_its_headings():
    # case 39
    assert seen("a.html", PAGE, 400) == [("", "Home\n\n"), *CONTENT, ("A", "the foot")]
    assert seen("a.html", PAGE, 400, boilerplate="leave out") == CONTENT
    assert read("a.html", PAGE.encode()).metadata["title"] == "T"


# --- questions and answers -------------------------------------------------------------------------------------

SENTENCE = "You can always cancel. "
FAQ = [
    "# FAQ\n\n## How do I pay?\n\nBy card.\n\n",
    f"## Can I cancel?\n\n{SENTENCE * 6}\n\n",
    "## Is it open?\n\nYes.\n",
]


def test_a_question_stays_with_its_answer():
    # case 41
    assert seen("a.md", "".join(FAQ), 400) == [("FAQ", pair) for pair in FAQ]


def test_an_answer_too_long_repeats_its_question():
    # case 41
    assert seen("a.md", "".join(FAQ), 90) == [
        ("FAQ", FAQ[0]),
        ("FAQ", f"## Can I cancel?\n\n{SENTENCE * 2}"),
        ("FAQ\n## Can I cancel?", SENTENCE * 2),
        ("FAQ\n## Can I cancel?", f"{SENTENCE * 2}\n\n"),
        ("FAQ", FAQ[2]),
    ]


def test_questions_in_plain_text():
    # case 41
    pairs = ["Q: How do I pay?\nA: By card.\n\n", f"Q: Why?\nA: {'Because. ' * 4}\n\n", "Q: When?\nA: Now.\n"]
    assert seen("a.txt", "".join(pairs), 60) == [("", pair) for pair in pairs]
    assert seen("a.txt", "".join(pairs), 40) == [
        ("", pairs[0]),
        ("", "Q: Why?\nA: Because. Because. Because. "),
        ("Q: Why?", "Because. \n\n"),
        ("", pairs[2]),
    ]


# --- links and exported code -----------------------------------------------------------------------------------


def test_a_link_that_cannot_be_becomes_the_nearest_that_can():
    # case 46
    values, notices = parse({"mode": "foo", "size": "-5", "overlap": "100", "unit": "token"})
    assert {name: values[name] for name in ("mode", "unit", "size", "overlap")} == {
        "mode": "fixed",
        "unit": "token",
        "size": 8,
        "overlap": 90,
    }
    assert notices == [
        "Mode: “foo” is not known (fixed, sentence, paragraph, recursive, structure, semantic); fixed is used.",
        "Size: “-5” is outside 8 to 2,048; 8 is used.",
        "Overlap: “100” is outside 0 to 90; 90 is used.",
    ]
    assert (to_config(values).size, to_config(values).overlap) == (8, 7)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("unit", UNITS)
def test_no_link_asks_for_an_overlap_as_large_as_the_size(mode, unit):
    # case 46
    for size in ("-5", "0", "8", "1e9", "nan"):
        for overlap in ("-1", "99", "100", "1e400"):
            config = to_config(parse({"mode": mode, "unit": unit, "size": size, "overlap": overlap})[0])
            assert 0 <= config.overlap < config.size


CODE = [
    ChunkingConfig(mode, *sizes)
    for mode in MODES
    for sizes in (("token", 120, 18, "cl100k_base"), ("character", 300, 0, "cl100k_base", "merge", None, 900))
]


def printed(code: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """What the script prints for the file."""
    monkeypatch.setattr(sys, "argv", ["script.py", str(path)])
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(RANKS))
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "script.py", "exec"), {"__name__": "__main__"})
    found: list[list[int]] = json.loads(out.getvalue())
    return found


@pytest.mark.parametrize("name", sample_names())
def test_exported_code_makes_the_chunks_that_are_shown(name, monkeypatch):
    # case 47: in every mode and every format
    prepared = prepare(read(SAMPLES / name))
    for config in CODE:
        expected = [[one.start, one.end] for one in chunk(prepared, config)]
        written = snippet(config, "playground", name)
        assert written.same
        assert printed(written.code, SAMPLES / name, monkeypatch) == expected


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_code_for_elsewhere_makes_the_same_chunks_or_says_why_not(target, monkeypatch, tmp_path):
    # case 47
    text = "食べ物 😀👨‍👩‍👧 e\u0301\r\n\r\nA. B.\n\nsee <|endoftext|> here   \n" * 9
    path = tmp_path / "hard.txt"
    path.write_bytes(text.encode())
    for config in CODE:
        written = snippet(config, target, "hard.txt")
        spans = [[one.start, one.end] for one in chunk(Document.from_text(text), config)]
        assert written.differences or printed(written.code, path, monkeypatch) == spans
