"""The text of a lesson: a little Markdown with facts in braces, as blocks of parts that the page draws as text.

`{count}` stands for the number of chunks at the moment, `{count|chunk}` for "5 chunks". CommonMark is read by
markdown-it; what the page has no place for (pictures, HTML, tables) is an error of the lesson.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from playground.lessons.conditions import LessonError

_MARKDOWN = MarkdownIt("commonmark", {"html": False})
_FACT = re.compile(r"\{(\w+)(?:\|([\w ]+))?\}")
_STYLES = {"strong": "strong", "em": "em"}
_FRAMES = {"paragraph_close", "bullet_list_open", "bullet_list_close", "list_item_close"}

Part = dict[str, Any]


@dataclass(frozen=True)
class Block:
    """A paragraph ("p") or an item of a list ("li"): parts with `text`, or a `fact` and the `noun` that it counts."""

    kind: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Prose:
    """Blocks, in order."""

    blocks: tuple[Block, ...] = ()

    @property
    def facts(self) -> set[str]:
        """The names of the facts in it."""
        return {str(part["fact"]) for block in self.blocks for part in block.parts if "fact" in part}

    def as_rows(self) -> list[dict[str, Any]]:
        """It as JSON for the page."""
        return [{"kind": block.kind, "parts": list(block.parts)} for block in self.blocks]


def read_prose(text: str, known: Collection[str]) -> Prose:
    """The blocks of `text`, whose facts must be in `known`. Raises LessonError."""
    blocks: list[Block] = []
    is_item = False
    for token in _MARKDOWN.parse(text):
        if token.type == "list_item_open":
            is_item = True
        elif token.type == "paragraph_open":
            continue
        elif token.type == "inline":
            parts = tuple(part for one in _inline(token.children or ()) for part in _with_facts(one, known))
            blocks.append(Block("li" if is_item else "p", parts))
        elif token.type == "list_item_close":
            is_item = False
        elif token.type not in _FRAMES:
            raise LessonError(f"A lesson's text has paragraphs and lists only; it holds {_told(token)}.")
    return Prose(tuple(blocks))


def _inline(tokens: Sequence[Token]) -> Iterator[Part]:
    """The runs of one style in a line of Markdown."""
    style: Part = {}
    for token in tokens:
        name, _, way = token.type.rpartition("_")
        if token.type == "text":
            if token.content:
                yield {"text": token.content, **style}
        elif token.type in ("softbreak", "hardbreak"):
            yield {"text": " ", **style}
        elif token.type == "code_inline":
            yield {"text": token.content, **style, "code": True}
        elif name in _STYLES and way == "open":
            style = {**style, _STYLES[name]: True}
        elif name in _STYLES:
            style = {key: value for key, value in style.items() if key != _STYLES[name]}
        else:
            raise LessonError(f"A lesson's text has bold, italics and code only; it holds {_told(token)}.")


def _with_facts(part: Part, known: Collection[str]) -> Iterator[Part]:
    """The part, parted where facts stand in it; code is left as it is."""
    if part.get("code"):
        yield part
        return
    style = {key: value for key, value in part.items() if key != "text"}
    text, at = str(part["text"]), 0
    for match in _FACT.finditer(text):
        name, noun = match.groups()
        if name not in known:
            raise LessonError(f"“{match[0]}”: there is no fact “{name}”.")
        if match.start() > at:
            yield {"text": text[at : match.start()], **style}
        yield {"fact": name, **({"noun": noun} if noun else {}), **style}
        at = match.end()
    if at < len(text):
        yield {"text": text[at:], **style}


def _told(token: Token) -> str:
    where = f" in line {token.map[0] + 1}" if token.map else ""
    return f"“{token.type}”{where}"
