"""The text of a Word file in the making, for `docx`: its body is walked, and every piece becomes lines and blocks.

A paragraph becomes a line with a blank line after it, a list lines such as `- item`, a table lines such as `| a | b |`.
Lists and tables are closed when something else comes, and what is left out is told as a notice.
"""

from __future__ import annotations

from typing import Final

from playground.core.document import Document
from playground.readers.assembly import Assembly
from playground.readers.docx_parts import Element, Lists, first, local, number, value
from playground.readers.docx_styles import Styles
from playground.readers.docx_words import Words, visible
from playground.readers.errors import ReadError

MAX_CHARACTERS: Final = 20_000_000

_MEDIA_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_LEFT_OUT: Final = {
    "comments": "Comments were left out.",
    "hidden": "Hidden text was left out.",
    "deleted": "Text that is marked as deleted (tracked changes) was left out.",
}
# Word has no more columns than this; a cell that claims more would only make dashes.
_MOST_COLUMNS: Final = 63


class Draft:
    """The text in the making: `walk` the body, `add_notes`, then take the `document`."""

    def __init__(self, title: str, styles: Styles, lists: Lists) -> None:
        self._title, self._styles, self._lists = title, styles, lists
        self._assembly, self._words = Assembly(), Words()
        self._blocks: list[tuple[int, int, str, int, str, int]] = []
        self._items: list[tuple[int, int]] = []  # start and level of the items that are still open
        self._list: tuple[int, str] | None = None  # start and id of the list that is still open

    def walk(self, parent: Element) -> None:
        """Add every paragraph and table inside `parent`, at whatever depth."""
        for child in visible(parent, self._words.left_out):
            name = local(child)
            if name == "p":
                self._paragraph(child)
            elif name == "tbl":
                self._table(child)
            else:
                self.walk(child)

    def add_notes(self, parts: dict[str, Element | None]) -> None:
        """Add the notes that the text refers to, in the order of their numbers."""
        known = {(kind, value(note, "id")): note for kind, part in parts.items() if part is not None for note in part}
        for key, count in self._words.notes.copy().items():
            if key in known:
                text = " ".join(self._words.of(known[key]).split())
                self._close_list()
                self._block("paragraph", f"[{count}] {text}")

    def document(self, metadata: dict[str, str]) -> Document:
        """The document, with what was left out as notices."""
        self._close_list()
        # Inner ones were closed before outer ones.
        for start, end, kind, level, name, head in reversed(self._blocks):
            self._assembly.block(start, end, kind, level=level, name=name, head=head)
        if not self._assembly.length:
            self._assembly.notice("The document holds no text: perhaps pictures only.")
        for word in sorted(self._words.left_out):
            self._assembly.notice(_LEFT_OUT[word])
        return self._assembly.document(title=self._title, media_type=_MEDIA_TYPE, metadata=metadata)

    def _paragraph(self, paragraph: Element) -> None:
        boxes: list[Element] = []
        text = self._words.of(paragraph, boxes).strip("\n")
        style = self._styles.of(first(paragraph, "pPr"))
        if text.strip():
            if style.level:
                self._close_list()
                self._block("heading", text, level=min(style.level, 6), name=" ".join(text.split()))
            elif style.list_id:
                self._item(text, style.list_id, style.depth or 0)
            else:
                self._close_list()
                self._block("paragraph", text)
        for box in boxes:
            self.walk(box)

    def _item(self, text: str, list_id: str, depth: int) -> None:
        if self._list and not depth and self._list[1] != list_id:
            self._close_list()
        if not self._list:
            self._list = self._open(), list_id
        self._close_items(depth)
        indent = "  " * depth
        mark = self._lists.mark(list_id, depth)
        start, _ = self._add(f"{indent}{mark} {text}\n".replace("\n", f"\n{indent}  ").rstrip(" "))
        self._items.append((start, depth))

    def _table(self, table: Element) -> None:
        self._close_list()
        rows = [row for row in self._rows(table) if local(row) == "tr"]
        repeated = 0
        while repeated < len(rows) and first(rows[repeated], "trPr", "tblHeader") is not None:
            repeated += 1
        last_of_header = min(repeated or 1, len(rows) - 1)
        start, head = self._open(), 0
        for count, row in enumerate(rows, 1):
            cells = self._cells(row)
            if cells:
                self._blocks.append((*self._add(_line(cells)), "row", 0, "", 0))
            if cells and count == last_of_header:
                _, head = self._add(_line(["---"] * len(cells)))
        self._blocks.append((start, self._assembly.length, "table", 0, "", head))

    def _rows(self, table: Element) -> list[Element]:
        rows: list[Element] = []
        for child in visible(table, self._words.left_out):
            if local(child) != "tr":
                rows.extend(self._rows(child))
            elif first(child, "trPr", "del") is None:
                rows.append(child)
            else:
                self._words.left_out.add("deleted")
        return rows

    def _cells(self, row: Element) -> list[str]:
        """The texts of a row; a cell over several columns or rows is written once, the rest of it is empty."""
        cells = [""] * (number(first(row, "trPr", "gridBefore"), most=_MOST_COLUMNS) or 0)
        for child in visible(row, self._words.left_out):
            properties = first(child, "tcPr")
            if local(child) != "tc":
                cells.extend(self._cells(child))
                continue
            merged = first(properties, "vMerge")
            goes_on = merged is not None and value(merged) != "restart"
            text = "" if goes_on else " ".join(self._words.of(child).split())
            span = number(first(properties, "gridSpan"), most=_MOST_COLUMNS) or 1
            cells += [text.replace("|", "\\|"), *[""] * (span - 1)]
        return cells

    def _block(self, kind: str, text: str, *, level: int = 0, name: str = "") -> None:
        self._open()
        self._blocks.append((*self._add(text + "\n"), kind, level, name, 0))

    def _open(self) -> int:
        """Put a blank line before what comes next, if it is not the first; return where that starts."""
        if self._assembly.length:
            self._add("\n")
        return self._assembly.length

    def _add(self, text: str) -> tuple[int, int]:
        span = self._assembly.add(text)
        if span[1] > MAX_CHARACTERS:
            raise ReadError(
                f"{self._title} holds more than {MAX_CHARACTERS:,} characters of text. Upload a part of it."
            )
        return span

    def _close_items(self, depth: int) -> None:
        while self._items and self._items[-1][1] >= depth:
            start, level = self._items.pop()
            self._blocks.append((start, self._assembly.length, "item", level + 1, "", 0))

    def _close_list(self) -> None:
        self._close_items(0)
        if self._list:
            self._blocks.append((self._list[0], self._assembly.length, "list", 0, "", 0))
            self._list = None


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |\n"
