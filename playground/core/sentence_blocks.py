r"""Blocks of a text for sentence detection: stretches that no sentence crosses.

A block starts after a blank line and at lines that are units of their own: a Markdown heading (the underline of a
setext heading stays with its title), a list item, a table row, a thematic break, a quotation (its lines are one
block), and every line of fenced code. A hard-wrapped line is not a new block. `sentences` cuts the blocks of prose
further and leaves headings, rows and code alone. This is a reading of lines, good for any text; what a Markdown
document is made of is for a real parser to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Block = tuple[int, int, bool]
"""(start, end, whether it is prose); the start is at a character that is not white space."""

_LINE_END = r"(?=[\r\n]|\Z)"
# What can stand at the start of a line, after its indentation. The order matters: a rule may look like a bullet.
_MARK = rf"""
    (?P<blank>(?=[\r\n]))
  | (?P<heading>\#{{1,6}}(?=\s|\Z))
  | (?P<underline>=++[ \t]*+{_LINE_END})
  | (?P<rule>(?P<of>[-_*])[ \t]*+(?:(?P=of)[ \t]*+){{2,}}+{_LINE_END})
  | (?P<bullet>[-*+•◦▪‣](?=[ \t]))
  | (?P<number>(?P<value>\d{{1,3}})[.)](?=[ \t]))
  | (?P<row>\|)
  | (?P<fence>(?P<tick>`{{3,}}+)(?=[^`\r\n]*+{_LINE_END})|(?P<tilde>~{{3,}}+))
  | (?P<quote>>)
"""
_FIRST = re.compile(rf"[^\S\r\n]*+(?:{_MARK})", re.VERBOSE)
_LINE = re.compile(rf"(?:\n|\r(?!\n))[^\S\r\n]*+(?:{_MARK})|(?P<paragraph>\u2029)", re.VERBOSE)
_QUOTED_UNIT = re.compile(r"(?:>[ \t]?)++(?:[-*+•][ \t]|\d{1,3}[.)][ \t]|#{1,6}\s|\||`{3}|~{3}|[\r\n]|\Z)")
_REST = re.compile(r"[^\r\n]*+")
_INK = re.compile(r"\S[^\r\n]*+")
_SPACE = re.compile(r"\s*+")
UNDERLINE = re.compile(rf"(?:=++|-{{2,}}+)[ \t]*+{_LINE_END}")


def blocks(text: str) -> Iterator[Block]:
    r"""Yield the blocks of `text` in order; they cover it but for the white space in front of the first one.

    >>> list(blocks("# One\nTwo\nstill two\n\nThree"))
    [(0, 6, False), (6, 21, True), (21, 26, True)]
    """
    cuts = _Cuts(text).found
    ends = [start for start, _ in cuts[1:]] + [len(text)] * bool(cuts)
    for (start, prose), end in zip(cuts, ends, strict=True):
        yield start, end, prose


class _Cuts:
    """The starts of blocks, found in one walk over the lines that begin with a mark."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[tuple[int, bool]] = []
        self.in_list = False
        self.scanned = 0
        self.quoted_until = -1
        self.fence = ""
        self.code_from = 0
        self._add(0, prose=True)
        first = _FIRST.match(text)
        if first:
            self._visit(first)
        for match in _LINE.finditer(text):
            self._visit(match)
        if self.fence:
            self._code_lines(len(text))

    def _visit(self, match: re.Match[str]) -> None:
        kind = match.lastgroup or ""
        if self.fence:
            if kind == "fence" and self._closes(match):
                self._code_lines(match.start(kind))
                self.fence = ""
                self._unit(match.start(kind))
            return
        getattr(self, f"_on_{kind}")(match, match.start(kind))

    def _add(self, position: int, *, prose: bool) -> None:
        """A block starts at the first character from `position` on that is not white space."""
        found = _SPACE.match(self.text, position)
        start = found.end() if found else position
        self.scanned = start
        if self.found and self.found[-1][0] == start:
            self.found.pop()
        if start < len(self.text):
            self.found.append((start, prose))

    def _unit(self, start: int) -> None:
        """The line of `start` is a block; prose follows."""
        self._add(start, prose=False)
        self._add(self._line_end(start), prose=True)

    def _line_end(self, position: int) -> int:
        rest = _REST.match(self.text, position)
        return rest.end() if rest else position

    # --- kinds of line -----------------------------------------------------------------------------------------

    def _on_blank(self, match: re.Match[str], start: int) -> None:
        self.in_list = False
        if start >= self.scanned:
            self._add(start, prose=True)

    _on_paragraph = _on_blank

    def _on_heading(self, match: re.Match[str], start: int) -> None:
        self.in_list = False
        self._unit(start)

    def _on_underline(self, match: re.Match[str], start: int) -> None:
        if self.found[-1][0] != start:  # a title is above
            self._add(match.end(), prose=True)

    def _on_rule(self, match: re.Match[str], start: int) -> None:
        if UNDERLINE.match(self.text, start) and self.found[-1][0] != start:
            self._on_underline(match, start)
        else:
            self._unit(start)

    def _on_row(self, match: re.Match[str], start: int) -> None:
        self._unit(start)

    def _on_bullet(self, match: re.Match[str], start: int) -> None:
        self.in_list = True
        self._add(start, prose=True)

    def _on_number(self, match: re.Match[str], start: int) -> None:
        # "The total was\n15. Then" is a wrapped line: a list interrupts a paragraph only with its first item.
        if self.in_list or match["value"] == "1" or self.found[-1][0] == start:
            self.in_list = True
            self._add(start, prose=True)

    def _on_quote(self, match: re.Match[str], start: int) -> None:
        continues = self.found[-1][0] == start == self.quoted_until
        if continues and not _QUOTED_UNIT.match(self.text, start):
            self.found.pop()
        else:
            self._add(start, prose=True)
        self._add(self._line_end(start), prose=True)
        self.quoted_until = self.scanned

    def _on_fence(self, match: re.Match[str], start: int) -> None:
        self.fence = match["tick"] or match["tilde"]
        self.in_list = False
        self._add(start, prose=False)
        self.code_from = self._line_end(start)

    # --- fenced code -------------------------------------------------------------------------------------------

    def _closes(self, match: re.Match[str]) -> bool:
        marks = match["tick"] or match["tilde"]
        rest = self.text[match.end() : self._line_end(match.end())]
        return marks[0] == self.fence[0] and len(marks) >= len(self.fence) and not rest.strip()

    def _code_lines(self, end: int) -> None:
        for line in _INK.finditer(self.text, self.code_from, end):
            self.found.append((line.start(), False))
