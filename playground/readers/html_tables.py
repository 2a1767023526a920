"""HTML tables as rows of Markdown: cells between pipes, and a delimiter row after the header.

`Survey` tells tables of data from those that only lay out a page; `Table` writes the former into the `Flow`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from playground.readers.html_flow import Flow, collapse

_HEADINGS: Final = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
# What no cell of a table of data holds; a header cell may hold a heading.
_LAYOUT: Final = _HEADINGS | frozenset(
    ("table", "pre", "textarea", "nav", "main", "article", "section", "aside", "header", "footer")
)
_MOST_BREAKS: Final = 4
_WIDEST: Final = 1000


class Survey:
    """A parser target that finds which tables (by number, in source order) are there for the layout only."""

    def __init__(self) -> None:
        self.layout: set[int] = set()
        self._count = 0
        self._open: list[tuple[int, list[int]]] = []  # of each open table: its number, and [th open, breaks in a cell]

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Note what a table holds."""
        if self._open:
            number, cell = self._open[-1]
            if tag in ("td", "th"):
                cell[:] = tag == "th", 0
            cell[1] += tag in ("p", "br")
            if (tag in _LAYOUT and not (cell[0] and tag in _HEADINGS)) or cell[1] > _MOST_BREAKS:
                self.layout.add(number)
        if tag == "table":
            if attributes.get("role", "").strip().lower() in ("presentation", "none"):
                self.layout.add(self._count)
            self._open.append((self._count, [False, 0]))
            self._count += 1

    def end(self, tag: str) -> None:
        """Leave a table."""
        if tag == "table" and self._open:
            self._open.pop()

    def close(self) -> set[int]:
        """Return the numbers of the tables for layout."""
        return self.layout


class Table:
    """One table of data, written row by row; `pads` yields once for every cell that may be added for a span."""

    def __init__(self, flow: Flow, pads: Iterator[int]) -> None:
        flow.break_line(2)
        flow.flatten()
        self._flow = flow
        self._pads = pads
        self._opened = flow.open("table")
        self._cells: list[str] | None = None  # of the open row, if one is
        self._cell: list[str] | None = None  # what the open cell holds, if one is
        self._span = (1, 1)
        self._only_headers = True
        self._covered: dict[int, int] = {}  # column -> the last row that a cell further up still covers
        self._row = 0
        self._header = -1  # columns of the header; -1 as long as no row is written, 0 once the header has ended
        self.in_head = False

    def add(self, text: str) -> bool:
        """Put `text` into the open cell, or into an implied one within a row; outside of rows return False."""
        if self._cell is None and self._cells is not None and collapse(text):
            self._cell, self._span, self._only_headers = [], (1, 1), False
        if self._cell is not None:
            self._cell.append(text)
        return self._cells is not None

    def start_row(self) -> None:
        """Open a row; an open one ends."""
        self.end_row()
        self._cells, self._only_headers = [], True

    def start_cell(self, *, header: bool, across: int, down: int) -> None:
        """Open a cell that covers so many columns and rows."""
        if self._cells is None:
            self.start_row()
        self.end_cell()
        self._only_headers &= header
        self._cell, self._span = [], (min(across, _WIDEST), down)

    def end_cell(self) -> None:
        """Close the open cell, if one is."""
        if self._cells is None or self._cell is None:
            return
        text = collapse("".join(self._cell)).replace("|", "\\|")
        across, down = self._span
        self._cell = None
        self._skip_covered(self._cells)
        for further in range(across):
            if further and next(self._pads, None) is None:
                break
            if down > 1:
                self._covered[len(self._cells)] = self._row + down - 1
            self._cells.append("" if further else text)

    def end_row(self) -> None:
        """Close the open row, if one is, and write it unless it is empty."""
        if self._cells is None:
            return
        self.end_cell()
        cells, self._cells = self._cells, None
        self._skip_covered(cells)
        self._row += 1
        if not any(cells):
            return
        if self._header and (self.in_head or (self._header < 0 and self._only_headers)):
            self._header = max(self._header, len(cells))
            self._write(cells)
        else:
            self._end_header()
            self._write(cells)

    def end(self) -> None:
        """Close the table."""
        self.end_row()
        self._end_header()
        if self._opened.head < 0:
            self._opened.head = self._flow.length
        self._flow.unflatten()
        self._flow.close()
        self._flow.break_line(2)

    def _end_header(self) -> None:
        if self._header > 0:
            self._flow.line("|" + " --- |" * self._header)
            self._opened.head = -1  # where the next row starts
        self._header = 0

    def _write(self, cells: list[str]) -> None:
        self._flow.break_line()
        row = self._flow.open("row")
        self._flow.line(f"| {' | '.join(cells)} |")
        self._flow.close()
        if self._opened.head < 0:
            self._opened.head = row.start

    def _skip_covered(self, cells: list[str]) -> None:
        while self._covered.get(len(cells), -1) >= self._row and next(self._pads, None) is not None:
            cells.append("")
