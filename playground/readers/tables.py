"""CSV and its kin: the text is the file itself, a table block with its rows lies over it.

The delimiter is the one that cuts the first rows into equally many cells. `grouped` keeps the number of blocks in
bounds for every format that has many short records; the JSON reader uses it too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from playground.core.document import Block, Document
from playground.readers.assembly import most_blocks
from playground.readers.text import read_text

_SAMPLE_ROWS, _SAMPLE_CHARACTERS = 100, 64 * 2**10
# The comma last: where decimals have commas, it cuts evenly too.
_DELIMITERS: Final = {"\t": "tab", ";": "semicolon", "|": "vertical bar", ",": "comma"}
_LINE: Final = re.compile(r"[^\r\n]*")
_NEWLINE: Final = re.compile(r"\r\n?|\n")
_NUMBER: Final = re.compile(r"[+-]?[\d.,'\s]*\d[\d.,]*(?:[eE][+-]?\d+)?\s*%?")


class _Row(NamedTuple):
    start: int
    end: int
    cells: int


def read_table(title: str, data: bytes) -> Document:
    """Return the CSV or TSV file in `data`: its text unchanged, one "table" block, a "row" block for every row.

    The table's head ends where the second row starts, or is 0 if the first row names no columns. The media type says
    whether tabs part the cells. Raises `ReadError` if `data` is no text.
    """
    document = read_text(title, data)
    text = document.text
    delimiter = _sniff(text)
    rows, unclosed = _rows(text, delimiter or ",")
    media_type = "text/tab-separated-values" if delimiter == "\t" else "text/csv"
    if not rows:
        return replace(document, media_type=media_type)
    notices = list(document.notices)
    if delimiter is None:
        notices.append("No delimiter was found (comma, semicolon, tab or vertical bar): every row is one cell.")
    notices += _oddities(text, rows, unclosed)
    head = _head(text, rows, delimiter or ",")
    if not head:
        notices.append("The first row does not name the columns (a cell is empty or a number), so there is no header.")
    groups, more = grouped([Block(row.start, row.end, "row") for row in rows], len(text), keep_first=head > 0)
    table = Block(rows[0].start, rows[-1].end, "table", head=head)
    return replace(document, media_type=media_type, blocks=(table, *groups), notices=(*notices, *more))


def grouped(
    blocks: Sequence[Block], length: int, *, keep_first: bool = False
) -> tuple[tuple[Block, ...], tuple[str, ...]]:
    """Return `blocks`, which follow each other, so that a text of `length` has not too many; and a notice if need be.

    As many neighbours as necessary become one block without a name; the first stays alone if `keep_first`.
    """
    size = -(-len(blocks) // most_blocks(length))
    if size <= 1:
        return tuple(blocks), ()
    first, rest = (blocks[:1], blocks[1:]) if keep_first else ((), blocks)
    groups = [rest[at : at + size] for at in range(0, len(rest), size)]
    joined = (Block(group[0].start, group[-1].end, group[0].kind) for group in groups)
    notice = f"With {len(blocks):,} {blocks[0].kind}s, cuts can be made after every {size} of them only."
    return (*first, *joined), (notice,)


def newlines(text: str, start: int, end: int) -> int:
    r"""Return how many line breaks (`\n`, `\r\n` or `\r`) lie within `[start, end)`."""
    return len(_NEWLINE.findall(text, start, end))


def _sniff(text: str) -> str | None:
    """The delimiter that cuts most of the first rows into equally many cells, two or more."""
    best, best_share = None, 0.0
    for delimiter in _DELIMITERS:
        rows = []
        for row in _scan(text[:_SAMPLE_CHARACTERS], delimiter, []):
            rows.append(row.cells)
            if len(rows) == _SAMPLE_ROWS:
                break
        if len(text) > _SAMPLE_CHARACTERS and len(rows) > 1:
            rows.pop()  # it may be cut off
        cells, often = Counter(rows).most_common(1)[0] if rows else (0, 0)
        if cells > 1 and often / len(rows) > best_share:
            best, best_share = delimiter, often / len(rows)
    return best


def _rows(text: str, delimiter: str) -> tuple[list[_Row], list[int]]:
    unclosed: list[int] = []
    return list(_scan(text, delimiter, unclosed)), unclosed


def _scan(text: str, delimiter: str, unclosed: list[int]) -> Iterator[_Row]:
    """The rows that are not blank; a quoted cell may hold delimiters and line breaks.

    A quote that is never closed is a character like any other, and its place goes to `unclosed`. After it no quote is
    left alone, so looking for the end in vain happens once.
    """
    cell = _cell(delimiter)
    at = 0
    while at < len(text):
        start, cells = at, 1
        line = _LINE.match(text, at)
        assert line is not None
        at = line.end()
        if '"' in line[0]:
            at = start
            while found := cell.match(text, at):
                if text.startswith('"', at) and found["quoted"] is None:
                    unclosed.append(at)
                at = found.end()
                if not text.startswith(delimiter, at):
                    break
                at += 1
                cells += 1
        else:
            cells += line[0].count(delimiter)
        if cells > 1 or text[start:at].strip():
            yield _Row(start, at, cells)
        newline = _NEWLINE.match(text, at)
        at = newline.end() if newline else at + 1


def _cell(delimiter: str) -> re.Pattern[str]:
    plain = rf"[^{re.escape(delimiter)}\r\n]*+"
    return re.compile(rf'(?P<quoted>"(?:[^"]++|"")*+"(?!"){plain})|{plain}')


def _head(text: str, rows: Sequence[_Row], delimiter: str) -> int:
    """Where the header row and its line break end; 0 if the first row names no columns."""
    first = rows[0]
    cell = _cell(delimiter)
    at = first.start
    while found := cell.match(text, at, first.end):
        name = found[0].strip().strip('"').strip()
        if not name or _NUMBER.fullmatch(name):
            return 0
        at = found.end() + 1
        if at > first.end:
            break
    return rows[1].start if len(rows) > 1 else first.end


def _oddities(text: str, rows: Sequence[_Row], unclosed: Sequence[int]) -> Iterator[str]:
    if unclosed:
        line = newlines(text, 0, unclosed[0]) + 1
        yield f"A quotation mark in line {line:,} is never closed; it was taken as a part of its cell."
    usual = rows[0].cells
    ragged = [number for number, row in enumerate(rows, 1) if row.cells != usual]
    if ragged:
        which = "1 row has" if len(ragged) == 1 else f"{len(ragged):,} rows have"
        yield f"{which} not {usual} cells as the first row has; the first such is row {ragged[0]:,}."
