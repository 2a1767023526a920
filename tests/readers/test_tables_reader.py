"""Reading CSV and TSV: the text stays the file, delimiters are found, rows are blocks; `csv` is the oracle."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.core.document import Document
from playground.readers.errors import ReadError
from playground.readers.tables import read_table


def table(text: str) -> Document:
    return read_table("t.csv", text.encode())


def rows(document: Document) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks if block.kind == "row"]


def head(document: Document) -> str:
    return document.text[document.blocks[0].start : document.blocks[0].head]


@pytest.mark.parametrize(
    ("text", "cut", "header"),
    [
        ("a,b\n1,2\n", ["a,b", "1,2"], "a,b\n"),
        ("a;b\n1,5;2,5\n2,5;3,5", ["a;b", "1,5;2,5", "2,5;3,5"], "a;b\n"),
        ("a\tb, c, d\n1\t2\n", ["a\tb, c, d", "1\t2"], "a\tb, c, d\n"),
        ("a|b\r\n1|2\r\n", ["a|b", "1|2"], "a|b\r\n"),
        ('a,b\n"x\ny, ""z""",2\n3,4', ["a,b", '"x\ny, ""z""",2', "3,4"], "a,b\n"),
        ('"a\nb",c\r1,2\r', ['"a\nb",c', "1,2"], '"a\nb",c\r'),
        ("\n a,b\n\n\n1,2\n", [" a,b", "1,2"], " a,b\n\n\n"),
        ("a,b", ["a,b"], "a,b"),
    ],
)
def test_rows_and_header(text: str, cut: list[str], header: str):
    document = table(text)
    assert document.text == text
    assert rows(document) == cut
    assert head(document) == header
    assert document.notices == ()


def test_the_media_type_says_whether_tabs_part_the_cells():
    assert table("a\tb\n1\t2").media_type == "text/tab-separated-values"
    assert table("a,b\n1,2").media_type == "text/csv"


@pytest.mark.parametrize("first", ["1,a", "a,", ',"b"', "-1.5,a", "a,12 %", "2 000,a"])
def test_a_first_row_that_names_no_columns_is_no_header(first: str):
    document = table(f"{first}\nx,y\n")
    assert document.blocks[0].head == 0
    assert "no header" in document.notices[0]


@pytest.mark.parametrize("first", ["2024-05-01,a", "Q1,Q2", "a1,b"])
def test_names_may_hold_digits(first: str):
    assert head(table(f"{first}\nx,y\n")) == f"{first}\n"


def test_ragged_rows_are_counted():
    assert table("a,b\n1,2\n3\n4,5,6\n7,8\n").notices == (
        "2 rows have not 2 cells as the first row has; the first such is row 3.",
    )


def test_a_quote_that_is_never_closed_is_a_character():
    document = table('a,b\n1,"2\n3,4\n5,6\n')
    assert rows(document) == ["a,b", '1,"2', "3,4", "5,6"]
    assert document.notices == ("A quotation mark in line 2 is never closed; it was taken as a part of its cell.",)


def test_no_delimiter_at_all():
    document = table("name\nx\ny\n")
    assert rows(document) == ["name", "x", "y"]
    assert "No delimiter was found" in document.notices[0]


def test_empty_files_and_pictures():
    assert table("").blocks == table("\n \n").blocks == ()
    assert table("").notices == ("t.csv is empty.",)
    with pytest.raises(ReadError, match="GIF"):
        read_table("t.csv", b"GIF89a\0\0")


def test_an_encoding_is_said():
    document = read_table("t.csv", "Straße;Größe\nAm Öhr;5\n".encode("cp1252"))
    assert head(document) == "Straße;Größe\n"
    assert document.notices == ("Read as Windows-1252, because the file is not UTF-8.",)


def test_very_many_rows_are_taken_together():
    document = table("a,b\n" + "1,2\n" * 50_000)
    cut = rows(document)
    assert cut[:2] == ["a,b", "1,2\n1,2\n1,2"]
    assert len(cut) <= 20_001
    assert "".join(cut).count("1,2") == 50_000
    assert document.notices == ("With 50,001 rows, cuts can be made after every 3 of them only.",)


@pytest.mark.parametrize(
    "text", ['"' * 200_001, '"a\n' * 100_001, '"a""\n' * 100_000, 'a,"' * 100_000, ',"\n' * 100_000]
)
def test_hostile_quotes_are_read(text: str):
    document = table(text)
    assert document.text == text
    assert len(document.blocks) <= 20_001


CELLS = st.text(st.sampled_from('ab,;|\t"\n\r é猫'), max_size=6).map(lambda cell: f"k{cell}")


@given(st.integers(2, 4).flatmap(lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=1, max_size=8)))
def test_what_csv_writes_is_cut_as_csv_reads_it(cells: list[list[str]]):
    file = io.StringIO()
    csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL).writerows(cells)
    document = table(file.getvalue())
    assert [next(csv.reader(io.StringIO(row, newline=""), delimiter="\t")) for row in rows(document)] == cells


@given(st.text(st.sampled_from('ab1,;"\n\r \t'), max_size=60))
def test_any_text_is_read_and_rows_cover_its_ink(text: str):
    document = table(text)
    assert document.text == text
    ends = [0]
    for block in document.blocks[1:]:
        assert not text[ends[-1] : block.start].strip()
        ends += [block.end]
        assert block.end > block.start
    assert not text[ends[-1] :].strip()
