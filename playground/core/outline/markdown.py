"""The outline of Markdown: its headings, lists, tables, code, quotes and paragraphs, as blocks of characters.

CommonMark with the tables that GitHub added; which lines are what comes from `markdown_parser`. A heading's name is its
text without markup. Front matter is one record, and no part of the Markdown.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from playground.core.document import Block
from playground.core.outline.front_matter import front_matter
from playground.core.outline.markdown_parser import outline_state
from playground.core.outline.markdown_rules import Lines, OutlineState

_LINE_END = re.compile(r"\r\n?|\n")
_MARKUP = re.compile(r"[\\`*_\[\]<>&\n]")
_LONGEST_NAME = 1_000
_INLINE = MarkdownIt("commonmark")
_BREAKS = frozenset({"softbreak", "hardbreak"})


def markdown_blocks(text: str) -> tuple[Block, ...]:
    r"""Return the blocks of `text`, outer before inner, each from the start of a line to before its last line's end.

    A quote or a list item with a heading directly inside is a section too. A paragraph that is all of its item is left
    out. HTML counts as a paragraph. Linear in the length; from 40 levels of lists and quotes on, none opens inside.

    >>> [(block.kind, block.name, block.start, block.end) for block in markdown_blocks("# *One*\n\ntext\n")]
    [('heading', 'One', 0, 7), ('paragraph', '', 9, 13)]
    """
    offset, _ = front_matter(text)
    front = (Block(0, len(text[:offset].rstrip("\r\n")), "record", 0, "front matter"),) if offset else ()
    source = text[offset:].replace("\0", "\N{REPLACEMENT CHARACTER}")
    state = outline_state(_LINE_END.sub("\n", source) if "\r" in source else source)
    return front + tuple(_Outline(state, *_line_spans(source, state, offset)).blocks())


def _line_spans(source: str, state: OutlineState, offset: int) -> tuple[list[int], list[int]]:
    """Where each line starts and ends in the text as it was, before line ends were made equal."""
    if "\r" in source:
        starts = [0, *(found.end() for found in _LINE_END.finditer(source)), len(source)]
        ends = [*(found.start() for found in _LINE_END.finditer(source)), len(source)]
    else:
        starts, ends = state.starts, state.ends
    return [start + offset for start in starts], [end + offset for end in ends]


class _Outline:
    """Lines of blocks on their way to blocks of characters."""

    def __init__(self, state: OutlineState, starts: list[int], ends: list[int]) -> None:
        self.found, self.blank, self.env = state.found, state.blank, state.env
        self.starts, self.ends = starts, ends
        self.names: dict[str, str] = {}

    def blocks(self) -> list[Block]:
        """All blocks, in order."""
        made: list[Block | None] = []
        holders: list[tuple[Lines, int]] = []
        for lines in self.found:
            while holders and holders[-1][0].depth >= lines.depth:
                holders.pop()
            if lines.kind == "heading" and holders:
                holder = made[holders[-1][1]]
                if holder:
                    made[holders[-1][1] - 1] = Block(holder.start, holder.end, "section")
            block = self._block(lines, [holder.kind for holder, _ in holders])
            if lines.kind in ("quote", "item"):
                made.append(None)
            if not (lines.kind == "paragraph" and holders and _is_all_of(block, made[holders[-1][1]])):
                made.append(block)
            if lines.kind in ("quote", "item", "list"):
                holders.append((lines, len(made) - 1))
        return [block for block in made if block]

    def _block(self, lines: Lines, inside: list[str]) -> Block | None:
        """The block of some lines, without blank lines at its end; a list in a list is none."""
        first, end = lines.map
        while end > first + 1 and self.blank[end - 1]:
            end -= 1
        start, stop = self.starts[first], self.ends[end - 1]
        match lines.kind:
            case "heading":
                return Block(start, stop, "heading", int(lines.tag[1:]), self._name(lines.content))
            case "list":
                return None if "list" in inside else Block(start, stop, "list")
            case "item":
                return Block(start, stop, "item", inside.count("item") + 1)
            case "table":
                return Block(start, stop, "table", head=min(self.starts[first + 2], stop))
            case kind:
                return Block(start, stop, kind)

    def _name(self, content: str) -> str:
        """A heading's text without markup, on one line."""
        if content not in self.names:
            self.names[content] = plain_text(content, self.env)
        return self.names[content]


def plain_text(content: str, env: MutableMapping[str, Any] | None = None) -> str:
    """The first 1,000 characters of inline Markdown as words on one line; `env` holds what links may refer to.

    >>> plain_text("*Ask* for [`help`](https://example.com)")
    'Ask for help'
    """
    content = content[:_LONGEST_NAME]
    words = _plain(_INLINE.parseInline(content, env)) if _MARKUP.search(content) else content
    return " ".join(words.split())


def _is_all_of(block: Block | None, holder: Block | None) -> bool:
    if block is None or holder is None or holder.kind != "item":
        return False
    return (block.start, block.end) == (holder.start, holder.end)


def _plain(tokens: Sequence[Token] | None) -> str:
    """The text of inline tokens: of links their words, of images what stands for them, of HTML tags nothing."""
    return "".join(
        " " if token.type in _BREAKS else "" if token.type == "html_inline" else _plain(token.children) or token.content
        for token in tokens or ()
    )
