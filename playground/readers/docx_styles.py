"""The styles of a Word file, for `docx_draft`: which paragraphs are headings, and which are items of a list.

A style inherits from the one that it is based on, and what a paragraph says itself comes first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from playground.readers.docx_parts import Element, first, number, value

_HEADING: Final = re.compile(r"heading ([1-9])$", re.IGNORECASE)
_LIST: Final = re.compile(r"list (?:bullet|number|continue) ([2-5])$", re.IGNORECASE)


@dataclass(frozen=True)
class Style:
    """What a style, or a paragraph itself, says of its paragraphs; None where it says nothing."""

    level: int | None = None
    list_id: str | None = None
    depth: int | None = None
    based_on: str | None = None

    @classmethod
    def of(cls, properties: Element | None, name: str = "", based_on: str | None = None) -> Style:
        """From `w:pPr` and the name of the style, which is English in every language."""
        outline = number(first(properties, "outlineLvl"))
        named = _HEADING.match(name)
        level = outline + 1 if outline is not None else int(named[1]) if named else 1 if name == "Title" else None
        listed = _LIST.match(name)
        depth = int(listed[1]) - 1 if listed else number(first(properties, "numPr", "ilvl"), most=8)
        return cls(level, value(first(properties, "numPr", "numId")), depth, based_on)


_PLAIN: Final = Style()


class Styles:
    """The styles of a file, each with what it inherits from the one that it is based on."""

    def __init__(self, root: Element | None) -> None:
        self._known: dict[str | None, Style] = {}
        for style in () if root is None else root:
            name = value(first(style, "name")) or ""
            found = Style.of(first(style, "pPr"), name, value(first(style, "basedOn")))
            self._known[value(style, "styleId")] = found

    def of(self, properties: Element | None) -> Style:
        """What holds for a paragraph with these `w:pPr`: the nearest that is said along the chain of styles."""
        if properties is None:
            return _PLAIN
        own = Style.of(properties)
        level, list_id, depth, name = own.level, own.list_id, own.depth, value(first(properties, "pStyle"))
        for _ in range(12):  # Word allows 10; a chain may go round in circles
            style = self._known.get(name)
            if style is None:
                break
            level = style.level if level is None else level
            list_id = style.list_id if list_id is None else list_id
            depth = style.depth if depth is None else depth
            if (name := style.based_on) is None:
                break
        return Style(level if level and level <= 9 else None, list_id if list_id != "0" else None, depth or 0)
