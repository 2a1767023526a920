"""Records as files: one registry of formats, each with what a page or a command needs to offer it.

Every writer takes records one at a time and writes bytes as it goes, so that a large export needs no memory to speak
of. JSON Lines, CSV and Parquet are here; what other libraries load is in modules of their own.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO

from playground.export import langchain, llamaindex
from playground.export.records import COLUMNS, Record, compact, row

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

Write = Callable[[Iterable[Record], BinaryIO], None]


@dataclass(frozen=True, slots=True)
class Export:
    """A file format. `write(records, out)` writes to the open binary file `out` and leaves it open.

    `by_id`: the file holds one chunk for each id, and `write` raises ValueError for two that are different.
    """

    name: str
    label: str
    extension: str
    media_type: str
    write: Write
    by_id: bool = False


# --- JSON Lines ------------------------------------------------------------------------------------------------

# Legal in JSON, and a line end to some readers of lines.
_LINE_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def write_jsonl(records: Iterable[Record], out: BinaryIO) -> None:
    """One record a line, as JSON in UTF-8: the format to build a pipeline on. Everything reads back exactly."""
    for one in records:
        out.write(compact(one).translate(_LINE_ENDS).encode("utf-8") + b"\n")


# --- CSV -------------------------------------------------------------------------------------------------------

GUARDED = "guarded"
_FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")


def write_csv(records: Iterable[Record], out: BinaryIO) -> None:
    """One row a chunk under `COLUMNS`: the format to look at in a spreadsheet.

    UTF-8 with a byte order mark, since Excel takes a file without one for the code page of the machine and spoils every
    letter beyond ASCII. Rows end with a newline. Lists and mappings are JSON; None is an empty cell.

    A spreadsheet runs a cell that starts with = + - or @ (or a tab or line end before them) as a formula, and a chunk
    may be anyone's text. Such a cell gets an apostrophe in front, and the last column, `guarded`, names the cells of
    the row that did (separated by a space). Drop one character from each of these and the row is exact again.
    Spreadsheets cut a cell off after 32,767 characters; the file holds all of them.
    """
    table = csv.writer(codecs.getwriter("utf-8-sig")(out), lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    table.writerow([*COLUMNS, GUARDED])
    for one in records:
        cells = {name: _cell(value) for name, value in row(one).items()}
        guarded = [name for name, cell in cells.items() if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS)]
        cells.update({name: f"'{cells[name]}" for name in guarded})
        table.writerow([*cells.values(), " ".join(guarded)])


def _cell(value: Any) -> Any:
    return compact(value) if isinstance(value, bool | list | dict) else value


# --- Parquet ---------------------------------------------------------------------------------------------------

_ROWS_AT_ONCE = 1_000


def parquet_schema() -> pa.Schema:
    """The columns of `COLUMNS`, typed: the same for any records and for none."""
    import pyarrow as pa  # here, because it takes longer to load than the rest of the page's core

    types = {
        "text": pa.string(),
        "int": pa.int64(),
        "float": pa.float64(),
        "bool": pa.bool_(),
        "texts": pa.list_(pa.string()),
        "counts": pa.map_(pa.string(), pa.int64()),
    }
    required = ("chunk_id", "text", "context")
    return pa.schema([pa.field(name, types[kind], nullable=name not in required) for name, kind in COLUMNS.items()])


def write_parquet(records: Iterable[Record], out: BinaryIO) -> None:
    """One row a chunk under `COLUMNS`, typed and compressed, in groups of 1,000 rows: the format for data tools."""
    import pyarrow as pa
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    schema = parquet_schema()
    counts = [name for name, kind in COLUMNS.items() if kind == "counts"]
    with pq.ParquetWriter(out, schema, compression="zstd") as table:
        rows = map(row, records)
        while group := list(islice(rows, _ROWS_AT_ONCE)):
            for one in group:
                one.update({name: list(one[name].items()) for name in counts if one[name] is not None})
            table.write_table(pa.Table.from_pylist(group, schema=schema))


# --- all of them -----------------------------------------------------------------------------------------------

_FORMATS = (
    Export("jsonl", "JSON Lines", ".jsonl", "application/x-ndjson", write_jsonl),
    Export("csv", "CSV (spreadsheet)", ".csv", "text/csv", write_csv),
    Export("parquet", "Parquet", ".parquet", "application/vnd.apache.parquet", write_parquet),
    Export("langchain", "LangChain documents", ".langchain.json", "application/json", langchain.write),
    Export("llamaindex", "LlamaIndex nodes", ".llamaindex.json", "application/json", llamaindex.write, by_id=True),
)

EXPORTS: Mapping[str, Export] = MappingProxyType({export.name: export for export in _FORMATS})
"""The formats by name, in the order in which a person needs them."""
