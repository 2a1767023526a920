"""What a Word file is made of, for the other modules of `docx`: its XML without tricks, and the numbers of its lists.

Names are compared without their namespaces, because there are two sets of them (transitional and strict).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from lxml import etree

Element = etree._Element

MAX_MARKS: Final = 2_000_000


class Unreadable(ValueError):
    """XML that is broken, or made to do harm; the message is the end of a sentence on a part of the file."""


def parse(data: bytes) -> Element:
    """Return the root of an XML part. Raises `Unreadable`; needs about 100 bytes of memory a mark."""
    if data.count(b"<") + data.count(b"=") > MAX_MARKS:
        raise Unreadable("has too much markup inside")
    parser = etree.XMLParser(
        # The format has only these two; in another, the marks would not have been counted.
        encoding="utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        deep = "depth" in str(error).lower()
        raise Unreadable("is nested too deeply" if deep else "is damaged inside") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise Unreadable("declares entities of its own, which no word processor writes")
    return root


def local(element: Element) -> str:
    """The name without its namespace."""
    return _bare(element.tag)


@lru_cache(1024)
def _bare(name: object) -> str:
    return str(name).rpartition("}")[2]


def value(element: Element | None, name: str = "val") -> str | None:
    """An attribute by its name without its namespace."""
    if element is None:
        return None
    return next((str(text) for key, text in element.items() if _bare(key) == name), None)


def number(element: Element | None, name: str = "val", *, most: int = 10**9) -> int | None:
    """An attribute that is a whole number from 0 to `most`, else None."""
    text = value(element, name)
    return min(int(text), most) if text and text.isascii() and text.isdigit() and len(text) < 19 else None


def first(element: Element | None, *path: str) -> Element | None:
    """The first child of the first child ... along the names of `path`."""
    for name in path:
        for child in () if element is None else element:
            if _bare(child.tag) == name:
                element = child
                break
        else:
            return None
    return element


class Lists:
    """The numbering of a file; it counts as the items come."""

    def __init__(self, root: Element | None) -> None:
        parts = [] if root is None else list(root)
        self._abstract = {value(part, "abstractNumId"): _levels(part) for part in parts if local(part) == "abstractNum"}
        lists = {value(part, "numId"): part for part in parts if local(part) == "num"}
        self._abstract_of = {name: value(first(part, "abstractNumId")) for name, part in lists.items()}
        self._restarts = {name: _restarts(part) for name, part in lists.items()}
        self._counts: dict[str | None, dict[int, int]] = {}
        self._begun: set[str] = set()

    def mark(self, list_id: str, depth: int) -> str:
        """`-`, or the number of the next item of this list at this depth, as `1.`, `b.` or `iv.`."""
        abstract = self._abstract_of.get(list_id)
        form, start = self._abstract.get(abstract, {}).get(depth, ("bullet", 1))
        counts = self._counts.setdefault(abstract, {})
        if list_id not in self._begun:
            self._begun.add(list_id)
            counts.update(self._restarts.get(list_id, {}))
        counts[depth] = counts.get(depth, start - 1) + 1
        for deeper in [other for other in counts if other > depth]:
            del counts[deeper]
        return "-" if form in ("bullet", "none") else _FORMS.get(form, str)(counts[depth]) + "."


def _levels(abstract: Element) -> dict[int, tuple[str, int]]:
    """Depth -> the format of its numbers and the first of them."""
    found = {}
    for level in abstract:
        if local(level) == "lvl":
            start = number(first(level, "start"))
            form = value(first(level, "numFmt")) or "decimal"
            found[number(level, "ilvl", most=8) or 0] = form, 1 if start is None else start
    return found


def _restarts(part: Element) -> dict[int, int]:
    """Depth -> one less than the number at which a list begins anew."""
    found = {}
    for override in part:
        start = number(first(override, "startOverride"))
        if start is not None:
            found[number(override, "ilvl", most=8) or 0] = start - 1
    return found


def _letter(count: int) -> str:
    return chr(96 + count) if 1 <= count <= 26 else str(count)


def _roman(count: int) -> str:
    if not 1 <= count <= 399:
        return str(count)
    tens, ones = divmod(count % 100, 10)
    digits = ("", "{0}", "{0}{0}", "{0}{0}{0}", "{0}{1}", "{1}", "{1}{0}", "{1}{0}{0}", "{1}{0}{0}{0}", "{0}{2}")
    return "c" * (count // 100) + digits[tens].format("x", "l", "c") + digits[ones].format("i", "v", "x")


_FORMS: Final[dict[str, Callable[[int], str]]] = {
    "lowerLetter": _letter,
    "upperLetter": lambda count: _letter(count).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda count: _roman(count).upper(),
}
