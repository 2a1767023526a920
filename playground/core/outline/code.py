"""The outline of source code: classes, functions and what stands between them, from a syntax tree.

A syntax tree counts bytes and goes into every bracket; here it is read only as deep as classes go, comments and
decorators join the symbol that follows, and the offsets become characters. Code that cannot be parsed is given line by
line. The structure mode packs what this gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from tree_sitter import Node

from playground.core.document import Block
from playground.core.outline.languages import LANGUAGES, Language, Rule
from playground.core.outline.lines import line_blocks, most_blocks
from playground.core.outline.symbols import flat, inside
from playground.core.outline.syntax import Failure, parse

__all__ = ["LANGUAGES", "Outline", "code_blocks"]

_DEPTH = 16  # classes inside classes
_REST_OF_LINE = re.compile(rb"[ \t\f]*(\r\n|\n|\r)")
_INK = re.compile(rb"\S")


@dataclass(frozen=True)
class Outline:
    """Blocks, sorted by start with the outer before the inner, and what a person should know about them."""

    blocks: tuple[Block, ...]
    notices: tuple[str, ...] = ()


@dataclass(slots=True)
class _Part:
    """A symbol, or a run of other code (no rule): `[start, end)` in bytes, and the node that names members."""

    start: int
    end: int
    rule: Rule | None = None
    name: str = ""
    node: Node | None = None


def code_blocks(text: str, language: str) -> Outline:
    r"""The outline of `text`, written in `language` (a name in `LANGUAGES`; another one raises `KeyError`).

    Every character that is not white space lies in one of the outermost blocks: "class", "function" or "statement".
    Text that is no valid code, or nothing but symbols of a few characters, is given in "line" blocks, with a notice.

    >>> [(block.kind, block.name) for block in code_blocks("import os\n\ndef f(): pass\n", "python").blocks]
    [('statement', ''), ('function', 'f')]
    """
    known = LANGUAGES[language]
    # Half a character becomes "?", so that characters still count right; some grammars want a line end at the end.
    source = text.encode("utf-8", "replace") + b"\n"
    tree = parse(source, known)
    if isinstance(tree, Failure):
        return _by_lines(text, tree.reason)
    limit = most_blocks(text)
    blocks = _Reader(source, known, limit).read(tree.root_node)
    if len(blocks) > limit:
        return _by_lines(text, f"There are more than {limit:,} symbols")
    return Outline(_in_characters(blocks, text, source))


def _by_lines(text: str, reason: str) -> Outline:
    return Outline(line_blocks(text), (f"{reason}, so it is divided by lines instead of classes and functions.",))


def _in_characters(blocks: Sequence[Block], text: str, source: bytes) -> tuple[Block, ...]:
    """`blocks`, whose offsets count bytes of `source`, with offsets that count characters of `text`."""
    if text.isascii():
        return tuple(blocks)
    before = np.zeros(len(source) + 1, dtype=np.int32)
    np.cumsum((np.frombuffer(source, dtype=np.uint8) & 0xC0) != 0x80, out=before[1:])
    spots = before[np.array([(block.start, block.end, block.head) for block in blocks], dtype=np.int64)].tolist()
    return tuple(
        replace(block, start=start, end=end, head=head) for block, (start, end, head) in zip(blocks, spots, strict=True)
    )


class _Reader:
    """Reads one tree into blocks whose offsets count bytes; stops once there are more than `limit`."""

    def __init__(self, source: bytes, language: Language, limit: int) -> None:
        self.source, self.language, self.limit = source, language, limit
        self.blocks: list[Block] = []

    def read(self, root: Node) -> list[Block]:
        """The blocks of the whole tree; the outermost ones cover everything that is not white space."""
        _, parts = self._parts(root.children, 0)
        ink = _INK.search(self.source)
        if ink and not parts:
            parts = [_Part(ink.start(), ink.start())]
        if ink and parts:
            parts[0].start = min(parts[0].start, ink.start())
        for i, part in enumerate(parts):
            rest = self.source[part.end : parts[i + 1].start if i + 1 < len(parts) else None]
            part.end += len(rest.rstrip())
        self._add(parts, "", 0)
        return self.blocks

    def _add(self, parts: Iterable[_Part], owner: str, depth: int) -> None:
        for part in parts:
            if len(self.blocks) > self.limit:
                return
            name = f"{owner}.{part.name}" if owner and part.name else part.name
            if part.rule is None:
                self.blocks.append(Block(part.start, part.end, "statement"))
            elif part.rule.kind == "function" or part.node is None:
                self.blocks.append(Block(part.start, part.end, part.rule.kind, name=name))
            else:
                self._add_class(part, part.node, name, depth)

    def _add_class(self, part: _Part, node: Node, name: str, depth: int) -> None:
        found = inside(node, self.language)
        if found is None:
            self.blocks.append(Block(part.start, part.end, "class", name=name))
            return
        opener, nodes = found
        edge, parts = self._parts(nodes, opener.end_byte)
        line = _REST_OF_LINE.match(self.source, edge, parts[0].start if parts else part.end)
        self.blocks.append(Block(part.start, part.end, "class", name=name, head=line.end() if line else edge))
        if depth < _DEPTH:
            self._add(parts, name, depth + 1)

    def _parts(self, nodes: Iterable[Node], edge: int) -> tuple[int, list[_Part]]:
        """Symbols and the runs between them, in order; and `edge`, where they may begin, after comments on its line."""
        parts: list[_Part] = []
        waiting: _Part | None = None  # comments and marks, until it is known what they belong to
        bound = False  # a mark waits: a blank line after it changes nothing
        last = edge
        for node, found in flat(nodes, self.language, self.source):
            start, end = self._trimmed(node)
            if start >= end:
                continue
            gap = self.source[last:start]
            comment, mark = node.type in self.language.comments, node.type in self.language.marks
            if (comment or node.type == ";") and waiting is None and last and not _breaks(gap):
                if parts:
                    parts[-1].end = end
                else:
                    edge = end
                last = end
                continue
            if waiting and not bound and _breaks(gap) > 1:
                _extend(parts, waiting)
                waiting = None
            part = waiting or _Part(self._line_start(last, start), end)
            part.end = end
            if comment or mark:
                waiting, bound = part, bound or mark
            else:
                if found:
                    part.rule, part.name, part.node = found
                    parts.append(part)
                else:
                    _extend(parts, part)
                waiting, bound = None, False
            last = end
        if waiting:
            _extend(parts, waiting)
        return edge, parts

    def _trimmed(self, node: Node) -> tuple[int, int]:
        """Where `node` starts and ends, without the white space that some grammars count in."""
        start, end = node.start_byte, node.end_byte
        while end > start and self.source[end - 1] in b" \t\r\n\f":
            end -= 1
        return start, end

    def _line_start(self, last: int, start: int) -> int:
        """`start`, or the start of its line where only white space stands before it; `last` is where code ended."""
        line = max(self.source.rfind(b"\n", last, start), self.source.rfind(b"\r", last, start)) + 1
        return line if line or last == 0 else start


def _breaks(gap: bytes) -> int:
    """The number of line breaks in `gap`."""
    return max(gap.count(b"\n"), gap.count(b"\r"))


def _extend(parts: list[_Part], part: _Part) -> None:
    """Add other code to the run at the end of `parts`, or begin one."""
    if parts and parts[-1].rule is None:
        parts[-1].end = part.end
    else:
        parts.append(part)
