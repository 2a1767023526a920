"""The rules of Markdown's block phase that are written anew, to be light, and the state that all rules write to.

A paragraph, a table and a thematic break, each with markdown-it's result but without its tokens and content. The
state records an opening with its lines, as `Lines`, and drops all other tokens. `markdown_parser` asks the rules.
"""

from __future__ import annotations

from typing import Any, Literal

from markdown_it import MarkdownIt, rules_block
from markdown_it.common.utils import mdTrim
from markdown_it.rules_block import StateBlock

WANTED = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "html_block": "paragraph",
    "blockquote_open": "quote",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "table_open": "table",
    "tr_open": "row",
    "code_block": "code",
    "fence": "code",
    "hr": "rule",
}
"""The tokens that become blocks, and the kind of each."""


class Lines:
    """A block by its lines: `map` is `[first, after the last]`, filled in by the rule that opened it.

    Some slots are only written, by markdown-it's rules.
    """

    __slots__ = ("attrs", "children", "content", "depth", "info", "kind", "map", "markup", "meta", "tag")

    def __init__(self, kind: str = "", tag: str = "", depth: int = 0) -> None:
        self.kind, self.tag, self.depth = kind, tag, depth
        self.map: list[int] = [0, 0]
        self.content = ""


class OutlineState(StateBlock):
    """A state whose `found` holds the blocks' lines, while `tokens` stays empty; lines' starts and ends are kept."""

    def __init__(self, text: str, parser: MarkdownIt, env: dict[str, Any]) -> None:
        super().__init__(text, parser, env, [])
        self.found: list[Lines] = []
        self.spare = Lines()
        self.starts, self.ends = self.bMarks.copy(), self.eMarks.copy()
        self.blank = [
            start + shift >= end for start, shift, end in zip(self.bMarks, self.tShift, self.eMarks, strict=True)
        ]

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Any:
        """Record the token if it opens a block; rules may write to what comes back."""
        if nesting < 0:
            self.level -= 1
            if ttype == "heading_close":
                self.found[-1].content = self.spare.content
            return self.spare
        kind = WANTED.get(ttype)
        token = Lines(kind, tag, self.level) if kind else self.spare
        if kind:
            self.found.append(token)
        self.level += nesting
        return token

    def getLines(self, begin: int, end: int, indent: int, keepLastLF: bool) -> str:
        """No content: only headings need theirs, and `paragraph` asks for it elsewhere."""
        return ""


def paragraph(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """A paragraph or a setext heading: markdown-it's two rules in one pass over the lines, with equal results."""
    parent, state.parentType = state.parentType, "paragraph"
    (interrupts,) = state.md.block.ruler.getRules("paragraph")
    line, level = first + 1, 0
    while line < state.lineMax and not state.isEmpty(line):
        indent = state.sCount[line]
        if indent - state.blkIndent <= 3:
            level = _underline(state, line) if line < end and indent >= state.blkIndent else 0
            if level or (indent >= 0 and interrupts(state, line, state.lineMax, True)):
                break
        line += 1
    if level:
        token = state.push("heading_open", f"h{level}", 1)
        state.push("inline", "", 0).content = mdTrim(StateBlock.getLines(state, first, line, state.blkIndent, False))
        state.push("heading_close", f"h{level}", -1)
        line += 1
    else:
        token = state.push("paragraph_open", "p", 1)
        state.push("paragraph_close", "p", -1)
    token.map = [first, line]
    state.line = line
    state.parentType = parent
    return True


def _underline(state: StateBlock, line: int) -> int:
    """The level of the heading that this line underlines; 0 if it does not."""
    text = _text(state, line)
    marker = text[:1]
    if marker not in ("-", "=") or text.rstrip(" \t").strip(marker):
        return 0
    return 1 if marker == "=" else 2


def thematic_break(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """A thematic break; a line that holds anything else is refused without a walk along it."""
    text = _text(state, line)
    return not text.strip(text[0] + " \t") and rules_block.hr(state, line, end, silent)


_LONGEST_LABEL = 2_000
_MOST_LINES = 50


def reference(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """A link's definition. CommonMark ends a label at 999 characters; neither label nor title goes on for many lines.

    So a long paragraph that starts like a definition is not searched to its end.
    """
    at = state.bMarks[line] + state.tShift[line]
    if state.src.find("]:", at, at + _LONGEST_LABEL) < 0:
        return False
    lines, state.lineMax = state.lineMax, min(state.lineMax, line + _MOST_LINES)
    found = rules_block.reference(state, line, end, silent)
    state.lineMax = lines
    return found


# markdown-it fills up rows that are too short, and ends a table when that becomes too much: 65,536 cells.
_MOST_FILLED = 0x10000


def table(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """A table: markdown-it judges its header; of the rows, only the cells are counted."""
    second = state.bMarks[first + 1] + state.tShift[first + 1]
    if state.src[second : second + 1] not in ("|", "-", ":") or not rules_block.table(state, first, end, True):
        return False
    if silent:
        return True
    parent, state.parentType = state.parentType, "table"
    whole = state.push("table_open", "table", 1)
    state.push("tr_open", "tr", 0).map = [first, first + 2]
    width = sum(map(bool, map(mdTrim, _text(state, first + 1).split("|"))))
    line, filled = first + 2, 0
    while line < end and _is_row(state, line, end):
        filled += width - _cells(mdTrim(_text(state, line)))
        if filled > _MOST_FILLED:
            break
        state.push("tr_open", "tr", 0).map = [line, line + 1]
        line += 1
    state.push("table_close", "table", -1)
    whole.map = [first, line]
    state.parentType = parent
    state.line = line
    return True


def _text(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _is_row(state: StateBlock, line: int, end: int) -> bool:
    if state.sCount[line] < state.blkIndent or state.is_code_block(line) or not mdTrim(_text(state, line)):
        return False
    return not state.md.block.ruler.getRules("blockquote")[0](state, line, end, True)


def _cells(row: str) -> int:
    """How many cells a row without outer white space has; bars at its ends enclose, and a backslash hides a bar."""
    bars = row.count("|") - row.count("\\|")
    return bars + 1 - row.startswith("|") - (row.endswith("|") and not row.endswith("\\|"))
