"""JSON Lines, CSV and Parquet, read back by other programs' readers: every text and every value exactly."""

from __future__ import annotations

import csv
import io
import json

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from strategies import texts

from playground import Document
from playground.export.files import EXPORTS, parquet_schema
from playground.export.records import COLUMNS, row

AWKWARD = {
    "emoji": "👩‍👩‍👧 naïve 🇩🇪 \U0010ffff",
    "nul": Document.from_text("a\0b").text,
    "quotes": '"quoted", \'single\', ""twice"" \\n',
    "newlines": "a\nb\r\nc\rd\n",
    "lone carriage return": "\r",
    "line separators": "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg",
    "markup": "<script>alert('&amp;')</script>",
    "formula": '=HYPERLINK("http://x","y")',
    "formula in full width": "＝1+1",
    "formulas": ["+1", "-1", "@SUM(A1)", "\t=1", "\r=1"],
    "apostrophe": "'=1",
    "list item": "- milk\n- bread",
    "space": "  \t ",
    "number": "007",
    "null": "null",
    "nan": "NaN",
    "empty object": "{}",
    "special token": "<|endoftext|>",
    "byte order mark": "\ufeffa",
    "long": 'word, "and" 猫\n' * 60_000,
}
TEXTS = [text for value in AWKWARD.values() for text in ([value] if isinstance(value, str) else value)]


def made(text, number=0, **metadata):
    own = {
        "chunk_id": f"id-{number}",
        "document_id": "doc",
        "title": text[:100],
        "heading_path": [text[:20], "b"],
        "page": None,
        "start": number,
        "end": number + len(text),
        "oversized": number % 2 == 1,
        "tokens": {"cl100k_base": number, "o200k_base": 2},
        "mode": "structure",
        "settings": {"mode": "structure", "size": 240, "separators": ["\n\n", text[:5]], "context": True},
        "author": text[:50],
        "nested": {"deep": [1, 2.5, None, {"x": text[:10]}]},
    }
    return {"id": f"id-{number}", "text": text, "context": text[:30], "metadata": {**own, **metadata}}


RECORDS = [made(text, number) for number, text in enumerate(TEXTS)]


def written(name, records):
    out = io.BytesIO()
    EXPORTS[name].write(iter(records), out)
    return out.getvalue()


def test_the_registry():
    assert list(EXPORTS) == ["jsonl", "csv", "parquet", "langchain", "llamaindex"]
    for name, export in EXPORTS.items():
        assert export.name == name
        assert export.extension.startswith(".")
        assert "/" in export.media_type
        assert export.label
    assert len({export.extension for export in EXPORTS.values()}) == len(EXPORTS)


@pytest.mark.parametrize("name", EXPORTS)
def test_the_file_stays_open_and_what_was_in_it_stays(name):
    out = io.BytesIO()
    EXPORTS[name].write(RECORDS[:2], out)
    first = out.getvalue()
    assert not out.closed
    out.write(b"more")
    assert out.getvalue() == first + b"more"


class Counting(io.BytesIO):
    """A file that knows how much it was given."""

    def __init__(self):
        super().__init__()
        self.given = 0

    def write(self, data):
        self.given += len(data)
        return super().write(data)


@pytest.mark.parametrize("name", ["jsonl", "csv", "langchain", "llamaindex"])
def test_a_record_is_written_before_the_next_is_asked_for(name):
    out, seen = Counting(), []

    def stream():
        for number in range(5):
            seen.append(out.given)
            yield made("some text", number)

    EXPORTS[name].write(stream(), out)
    assert seen == sorted(set(seen))
    assert len(seen) == 5


# --- JSON Lines ------------------------------------------------------------------------------------------------


def test_json_lines_read_back_exactly():
    data = written("jsonl", RECORDS)
    assert data.endswith(b"\n")
    assert [json.loads(line) for line in data.decode("utf-8").splitlines()] == RECORDS
    assert [json.loads(line) for line in data.split(b"\n")[:-1]] == RECORDS


def test_json_lines_are_read_by_pandas():
    frame = pd.read_json(io.BytesIO(written("jsonl", RECORDS)), lines=True, dtype=False)
    assert frame["text"].tolist() == TEXTS
    assert frame["metadata"].tolist() == [one["metadata"] for one in RECORDS]


def test_json_lines_written_out():
    one = {"id": "c1", "text": "猫\u2028\n", "context": "", "metadata": {"page": None}}
    expected = '{"id": "c1", "text": "猫\\u2028\\n", "context": "", "metadata": {"page": null}}\n'
    assert written("jsonl", [one]) == expected.encode()
    assert written("jsonl", []) == b""


@given(texts())
def test_any_text_in_json_lines(text):
    one = made(Document.from_text(text).text)
    assert [json.loads(line) for line in written("jsonl", [one]).decode().splitlines()] == [one]


# --- CSV -------------------------------------------------------------------------------------------------------


@pytest.fixture
def large_fields():
    before = csv.field_size_limit(10_000_000)
    yield
    csv.field_size_limit(before)


def rows_of(data):
    """The rows of a CSV file with their guards taken off, as `write_csv` says."""
    table = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    for cells in table:
        for name in cells.pop("guarded").split():
            assert cells[name].startswith("'")
            cells[name] = cells[name][1:]
    return table


def as_cells(flat):
    """What a row should look like in CSV."""
    return {
        name: "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in flat.items()
    }


@pytest.mark.usefixtures("large_fields")
def test_csv_reads_back_exactly():
    assert rows_of(written("csv", RECORDS)) == [as_cells(row(one)) for one in RECORDS]


@pytest.mark.usefixtures("large_fields")
def test_no_cell_is_a_formula():
    table = csv.DictReader(io.StringIO(written("csv", RECORDS).decode("utf-8-sig"), newline=""))
    cells = [cell for line in table for cell in line.values()]
    assert [cell for cell in cells if cell.startswith(tuple("=+-@\t\r＝"))] == []
    assert len([cell for cell in cells if cell.startswith("'=")]) >= 2


def test_csv_is_read_by_pandas():
    frame = pd.read_csv(io.BytesIO(written("csv", RECORDS)), dtype=str, keep_default_na=False)
    assert list(frame.columns) == [*COLUMNS, "guarded"]
    guarded = frame["guarded"].str.split().map(lambda names: "text" in names)
    assert frame["text"].where(~guarded, frame["text"].str[1:]).tolist() == TEXTS
    assert frame["start"].tolist() == [str(number) for number in range(len(RECORDS))]


def test_csv_written_out():
    data = written(
        "csv", [{"id": "c1", "text": "- a\n- b", "context": "=x", "metadata": {"page": 3, "oversized": True}}]
    )
    assert data.startswith(b'\xef\xbb\xbf"chunk_id","text","context",')
    header, body = data.decode("utf-8-sig").split("\n", 1)
    assert header.endswith('"extra","guarded"')
    assert body.startswith('"c1","\'- a\n- b","\'=x","",')
    assert body.endswith('"{}","text context"\n')
    (cells,) = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    assert (cells["page"], cells["oversized"]) == ("3", "true")


def test_csv_without_records_has_its_header():
    assert written("csv", []).decode("utf-8-sig") == ",".join(f'"{name}"' for name in [*COLUMNS, "guarded"]) + "\n"


@given(texts())
def test_any_text_in_csv(text):
    one = made(Document.from_text(text).text)
    assert rows_of(written("csv", [one])) == [as_cells(row(one))]


# --- Parquet ---------------------------------------------------------------------------------------------------


def as_rows(data):
    table = pq.read_table(io.BytesIO(data))
    return [
        {**one, "tokens": None if one["tokens"] is None else dict(one["tokens"])} for one in table.to_pylist()
    ], table.schema


def test_parquet_reads_back_exactly_and_typed():
    rows, schema = as_rows(written("parquet", RECORDS))
    assert rows == [row(one) for one in RECORDS]
    assert schema.equals(parquet_schema())
    assert schema.field("start").type == pa.int64()
    assert schema.field("oversized").type == pa.bool_()
    assert schema.field("heading_path").type == pa.list_(pa.string())
    assert schema.field("tokens").type == pa.map_(pa.string(), pa.int64())


def test_parquet_without_records_has_the_same_schema():
    rows, schema = as_rows(written("parquet", []))
    assert (rows, schema) == ([], parquet_schema())


def test_parquet_in_groups():
    many = [made("text", number) for number in range(2_001)]
    data = written("parquet", many)
    assert pq.ParquetFile(io.BytesIO(data)).metadata.num_row_groups == 3
    assert [one["chunk_id"] for one in as_rows(data)[0]] == [one["id"] for one in many]


def test_parquet_with_bare_metadata():
    (flat,), _ = as_rows(written("parquet", [{"id": "c1", "text": "t", "context": "", "metadata": {}}]))
    assert {name: value for name, value in flat.items() if value is not None} == {
        "chunk_id": "c1",
        "text": "t",
        "context": "",
        "extra": "{}",
    }


@given(texts())
def test_any_text_in_parquet(text):
    one = made(Document.from_text(text).text)
    assert as_rows(written("parquet", [one]))[0] == [row(one)]
