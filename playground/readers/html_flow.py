"""The visible text of a page as it flows: spaces collapsed as a browser does, lines broken where blocks meet.

`Flow` knows no tags: the HTML reader tells it what to break, open and close, and takes the text and the blocks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from playground.core.document import Block

_SPACES: Final = re.compile(r"[ \t\n\r\f]+")
_SPACE: Final = " \t\n\r\f"
# Deeper lists are indented no further: indentation must not grow with the square of a hostile page.
_DEEPEST: Final = 20
_LONGEST_NAME, _MOST_PIECES = 200, 60


@dataclass(eq=False, slots=True)
class Opened:
    """A block whose start is where its first text will come, if any does."""

    kind: str
    level: int = 0
    start: int = -1
    piece: int = 0
    head: int = 0


@dataclass(eq=False, slots=True)
class _Prefix:
    marker: str
    written: bool = False


def collapse(text: str) -> str:
    r"""Return `text` with every run of HTML white space made one space, and none at its ends.

    >>> collapse("  one \n two\xa0three ")
    'one two\xa0three'
    """
    return _SPACES.sub(" ", text).strip(" ")


class Flow:
    """Text in the making, with the blocks that are open in it."""

    def __init__(self) -> None:
        self.length = 0
        self._blocks: dict[Opened, Block | None] = {}
        self.opened: list[Opened] = []
        self.verbatim = 0
        self._flat = 0
        self._pieces: list[str] = []
        self._waiting: list[Opened] = []
        self._prefixes: list[_Prefix] = []
        self._deeper = 0
        self._break = 0
        self._space = False
        self._held: list[str] = []

    @property
    def written(self) -> str:
        """All the text so far."""
        return "".join(self._pieces)

    @property
    def blocks(self) -> list[Block]:
        """The blocks closed so far: by start, the outer before the inner."""
        closed = [block for block in self._blocks.values() if block]
        return sorted(closed, key=lambda block: (block.start, -block.end))

    def break_line(self, lines: int = 1) -> None:
        """Let the next text start a line of its own (2: after a blank line)."""
        self._break = max(self._break, lines)
        self._held.clear()

    def new_line(self) -> None:
        """One line break, as of a `br`: two of them leave a blank line."""
        if self.verbatim:
            self._held.append("\n")
        else:
            self._break = min(self._break + 1, 2)

    def text(self, data: str) -> None:
        """Add visible text: as it is while `verbatim`, else with its white space collapsed."""
        if self.verbatim:
            self._add_verbatim(data)
            return
        data = _SPACES.sub(" ", data)
        self._space |= data.startswith(" ")
        if body := data.strip(" "):
            self._begin()
            self._write(body)
            self._space = data.endswith(" ")

    def line(self, text: str) -> None:
        """Add `text` as it is, as a line of its own."""
        self.break_line()
        self._begin()
        self._write(text)
        self.break_line()

    def open(self, kind: str, level: int = 0) -> Opened:
        """Open a block that starts with the next line of text; say `break_line` first."""
        opened = Opened(kind, level)
        self.opened.append(opened)
        self._blocks[opened] = None
        self._waiting.append(opened)
        return opened

    def close(self) -> None:
        """Close the block opened last. It is left out if no text came, or if its kind was taken away."""
        opened = self.opened.pop()
        if opened.start < 0:
            self._waiting.pop()
        elif opened.kind:
            name = self._name(opened) if opened.kind == "heading" else ""
            self._blocks[opened] = Block(opened.start, self.length, opened.kind, opened.level, name, opened.head)

    def indent(self, marker: str) -> None:
        """Put `marker` before the next text, and spaces as wide before the lines after it, until `dedent`."""
        if len(self._prefixes) < _DEEPEST:
            self._prefixes.append(_Prefix(marker))
        else:
            self._deeper += 1

    def dedent(self) -> None:
        """End the innermost `indent`."""
        if self._deeper:
            self._deeper -= 1
        else:
            self._prefixes.pop()

    def flatten(self) -> None:
        """From here to `unflatten`, lines are not indented; markers that still wait get a line of their own."""
        if not self._flat and any(prefix.marker.strip() and not prefix.written for prefix in self._prefixes):
            self._begin()
            markers = self._pieces.pop()
            self.length -= len(markers)
            self._write(markers.rstrip(" "))
            self.break_line()
        self._flat += 1

    def unflatten(self) -> None:
        """End the last `flatten`."""
        self._flat -= 1

    def _add_verbatim(self, data: str) -> None:
        body = data.rstrip(_SPACE)
        if body:
            self._begin()
            self._write("".join(self._held))
            self._held.clear()
            self._write(body)
        self._held.append(data[len(body) :])

    def _begin(self) -> None:
        if self._break or not self.length:
            if self.length:
                self._write("\n" * self._break)
            start = self.length
            self._write(self._indentation())
            for opened in self._waiting:
                opened.start, opened.piece = start, len(self._pieces)
            self._waiting.clear()
        elif self._space:
            self._write(" ")
        self._break, self._space = 0, False

    def _indentation(self) -> str:
        if self._flat:
            return ""
        parts = [" " * len(prefix.marker) if prefix.written else prefix.marker for prefix in self._prefixes]
        for prefix in self._prefixes:
            prefix.written = True
        return "".join(parts)

    def _write(self, text: str) -> None:
        if text:
            self._pieces.append(text)
            self.length += len(text)

    def _name(self, opened: Opened) -> str:
        pieces = self._pieces[opened.piece : opened.piece + _MOST_PIECES]
        return " ".join("".join(piece[:_LONGEST_NAME] for piece in pieces).split())[:_LONGEST_NAME]
