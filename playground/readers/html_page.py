"""The parser's target: keeps what is visible and the state that tags share, and leaves each tag to `html_tags`.

What is not seen is left out here: scripts, styles, templates, and elements that the page hides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Final

from playground.readers.html_flow import Flow, Opened, collapse
from playground.readers.html_parts import Attributes, End
from playground.readers.html_tables import Table
from playground.readers.html_tags import SITE_ROLES, STARTS, TAKE_ROLES, start_site

_UNSEEN: Final = frozenset(["script", "style", "template", "noscript", "title", "iframe", "noframes", "noembed"])
_HIDDEN: Final = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_MOST_PADS: Final = 100_000


@dataclass(eq=False, slots=True)
class OpenList:
    """A list that is open."""

    ordered: bool
    number: int  # of the next item
    opened: Opened | None  # its block, unless a list is around it
    item: Opened | None = None  # of a description list: the terms and descriptions that belong together
    described: bool = False
    describing: bool = False


class Page:
    """A parser target that writes what is visible into `flow`."""

    def __init__(self, layout: set[int]) -> None:
        self.flow = Flow()
        self.metadata: dict[str, object] = {}
        self.lists: list[OpenList] = []
        self.tables: list[Table | None] = []  # the open ones; None for one that is there for the layout
        self.header: Opened | None = None  # the site's, while it is open and no heading came in it
        self.content = 0  # open elements in which a footer belongs to the content, not to the site
        self.pictures = 0  # open svg elements
        self.drop_newline = False
        self._layout = layout
        self._table_count = -1  # the number of the table that started last
        self._ends: list[End | None] = []  # of each open element
        self._unseen = 0  # open elements from the outermost one that is not shown
        self._title: list[str] | None = None
        self._pads = iter(range(_MOST_PADS))

    def start(self, tag: str, attributes: Attributes) -> None:
        """An element starts."""
        self._table_count += tag == "table"  # hidden ones too, as the survey counts them
        if self._unseen:
            self._unseen += 1
        elif tag in _UNSEEN or "hidden" in attributes or _HIDDEN.search(attributes.get("style", "")):
            self._unseen = 1
            if tag == "title" and not self.pictures and "title" not in self.metadata:
                self._title = []
        else:
            site = tag in TAKE_ROLES and attributes.get("role", "").strip().lower() in SITE_ROLES
            act = start_site if site else STARTS.get(tag)
            self._ends.append(act(self, tag, attributes) if act else None)

    def data(self, text: str) -> None:
        """Text comes."""
        if self._unseen:
            if self._title is not None:
                self._title.append(text)
            return
        if self.drop_newline:
            self.drop_newline = False
            text = text.removeprefix("\n")
        if not self.in_row(text):
            self.flow.text(text)

    def end(self, tag: str) -> None:
        """An element ends."""
        if not self._unseen:
            if end := self._ends.pop():
                end()
            return
        self._unseen -= 1
        if not self._unseen and self._title is not None:
            self.metadata["title"] = collapse("".join(self._title))
            self._title = None

    def close(self) -> Page:
        """The page ends."""
        return self

    @property
    def table(self) -> Table | None:
        """The innermost table, if it is one of data."""
        return self.tables[-1] if self.tables else None

    def in_row(self, text: str = " ") -> bool:
        """Whether a row of a table of data is open: then `text` has been added to its cell."""
        return self.table is not None and self.table.add(text)

    def break_line(self, lines: int = 1) -> None:
        """Let the next text start a line; within a row, a word."""
        if not self.in_row():
            self.flow.break_line(lines)

    def block(self, kind: str, *, level: int = 0, lines: int = 2) -> End:
        """Open a block, unless a row is open; return what closes it."""
        if self.in_row():
            return self.in_row
        self.flow.break_line(lines)
        self.flow.open(kind, level)
        return partial(self.close_block, lines)

    def close_block(self, lines: int) -> None:
        """Close the block opened last."""
        self.flow.close()
        self.flow.break_line(lines)

    def open_table(self) -> None:
        """Open a table, of data or for the layout."""
        data = self._table_count not in self._layout
        self.break_line(2)
        self.tables.append(Table(self.flow, self._pads) if data else None)

    def close_table(self) -> None:
        """Close the table opened last."""
        if table := self.tables.pop():
            table.end()
        self.break_line(2)

    def open_list(self, *, ordered: bool, number: int) -> End:
        """Open a list; return what closes it."""
        lines = 1 if self.lists else 2
        self.flow.break_line(lines)
        opened = None if self.lists else self.flow.open("list")
        self.lists.append(OpenList(ordered, number, opened))
        return partial(self._close_list, lines)

    def _close_list(self, lines: int) -> None:
        closed = self.lists.pop()
        if closed.item:
            self.flow.close()
        if closed.opened:
            self.flow.close()
        self.flow.break_line(lines)
