"""Reading JSON and JSON lines: exact records, the layout of one long line, what is not valid; `json` is the oracle."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.core.document import Document
from playground.readers.data import read_json, read_jsonl
from playground.readers.errors import ReadError

LAID_OUT = "The file is one line; it was laid out, two spaces a level, to be readable."


def slices(document: Document) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks]


def test_an_array_has_a_record_for_every_element():
    text = '[\n  {"id": "a", "x": [1, "]"]},\n  {"title": "b,\\"c"}, 3,\n\t[]\n]\n'
    document = read_json("d.json", text.encode())
    assert document.text == text
    assert slices(document) == ['  {"id": "a", "x": [1, "]"]}', '  {"title": "b,\\"c"}', "3", "\t[]"]
    assert [block.name for block in document.blocks] == ["a", 'b,"c', "", ""]
    assert {block.kind for block in document.blocks} == {"record"}
    assert (document.media_type, document.notices) == ("application/json", ())


def test_an_object_has_a_record_for_every_key():
    text = '{\n"a": {"b": [1]},\r\n "c":2 ,"c" : "}"}'
    document = read_json("d.json", text.encode())
    assert slices(document) == ['"a": {"b": [1]}', ' "c":2', '"c" : "}"']
    assert [block.name for block in document.blocks] == ["a", "c", "c"]


def test_one_line_is_laid_out_and_keeps_numbers_and_keys_as_written():
    document = read_json("d.json", rb'{"a":[1.50,1e5,{}],"a":"\u00e9\ud83d\ude00\ud83d \u0000","b":[]}')
    assert document.text == (
        '{\n  "a": [\n    1.50,\n    1e5,\n    {}\n  ],\n  "a": "\\u00e9\\ud83d\\ude00\\ud83d \\u0000",\n  "b": []\n}'
    )
    assert document.notices == (LAID_OUT,)
    assert read_json("d.json", rb'["\u00e9\ud83d\ude00\n"]').text == '[\n  "é😀\\n"\n]'


@pytest.mark.parametrize("text", ["3", '"a b"', "null", "[]", "{}", " [ ] "])
def test_what_holds_no_records(text: str):
    document = read_json("d.json", text.encode())
    assert document.blocks == ()
    assert document.text.replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{\n "a": 1,\n}', "line 3, column 1"),
        ("[1, 2", "line 1, column 6"),
        ("{'a': 1}", "line 1, column 2"),
        ("[" * 100_000, "nested too deeply"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_not_valid_is_plain_text(text: str, where: str):
    document = read_json("d.json", text.encode())
    assert (document.text, document.media_type, document.blocks) == (text, "text/plain", ())
    assert where in document.notices[0]


def test_depth_that_would_swell_the_layout_is_left_as_it_is():
    text = "[" * 300 + "1," * 10_000 + "1" + "]" * 300
    document = read_json("d.json", text.encode())
    assert document.text == text
    assert "not laid out" in document.notices[0]


def test_long_numbers_cost_nothing():
    assert read_json("d.json", b"[" + b"9" * 100_000 + b"]").text == "[\n  " + "9" * 100_000 + "\n]"


def test_very_many_records_are_taken_together():
    document = read_json("d.json", json.dumps(list(range(50_000))).encode())
    assert len(document.blocks) <= 20_000
    assert sum(part.count(",") + 1 for part in slices(document)) == 50_000
    assert document.notices == (LAID_OUT, "With 50,000 records, cuts can be made after every 3 of them only.")


def test_empty_files_and_pictures():
    assert read_json("d.json", b"").notices == read_jsonl("d.json", b"").notices == ("d.json is empty.",)
    for reader in (read_json, read_jsonl):
        with pytest.raises(ReadError, match="GIF"):
            reader("d.json", b"GIF89a\0\0")


def test_lines_are_records_with_names():
    text = '{"id": "a"}\n\n{"id": 5, "name": "b"}\r\n [1] \n"\u2028"'
    document = read_jsonl("d.jsonl", text.encode())
    assert document.text == text
    assert slices(document) == ['{"id": "a"}', '{"id": 5, "name": "b"}', " [1] ", '"\u2028"']
    assert [block.name for block in document.blocks] == ["a", "b", "", ""]
    assert (document.media_type, document.notices) == ("application/jsonl", ())


def test_invalid_lines_are_counted():
    document = read_jsonl("d.jsonl", b'{"id": "a"}\n\n{oops\n' + b"[" * 100_000 + b"\n[2]")
    assert len(document.blocks) == 4
    assert document.notices == ("2 lines are not valid JSON; the first is line 3.",)


def test_no_valid_line_is_plain_text():
    document = read_jsonl("d.jsonl", b"plain\nwords\n")
    assert (document.blocks, document.media_type) == ((), "text/plain")
    assert "No line is valid JSON" in document.notices[0]


def test_each_is_read_as_the_other_where_that_fits():
    lines = read_json("d.json", b'{"id": "a"}\n{"id": "b"}\n')
    assert [block.name for block in lines.blocks] == ["a", "b"]
    assert (lines.media_type, len(lines.notices)) == ("application/jsonl", 1)
    value = read_jsonl("d.jsonl", b'[\n{"id": "a"},\n{"id": "b"}]\n')
    assert [block.name for block in value.blocks] == ["a", "b"]
    assert (value.media_type, len(value.notices)) == ("application/json", 1)


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.sampled_from('ab"\\,]}é猫\n\u2028')),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(st.sampled_from('a"]:é'), max_size=3), inner),
    max_leaves=15,
)


@given(VALUES, st.booleans())
def test_the_layout_is_that_of_json(value: Any, ascii_only: bool):
    text = json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":"))
    assert read_json("d.json", text.encode()).text == json.dumps(value, indent=2, ensure_ascii=False)


@given(
    st.lists(VALUES) | st.dictionaries(st.text(st.sampled_from('a"]:é'), max_size=3), VALUES),
    st.sampled_from([None, 1, "\t"]),
)
def test_records_are_the_elements(value: Any, indent: int | str | None):
    document = read_json("d.json", json.dumps(value, indent=indent).encode())
    if isinstance(value, list):
        assert [json.loads(part) for part in slices(document)] == value
    else:
        assert [json.loads(f"{{{part}}}") for part in slices(document)] == [{key: of} for key, of in value.items()]


@given(st.lists(VALUES))
def test_lines_are_the_values(values: list[Any]):
    document = read_jsonl("d.jsonl", "\n".join(json.dumps(value) for value in values).encode())
    assert [json.loads(part) for part in slices(document)] == values
