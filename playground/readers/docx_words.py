"""The words inside the elements of a Word file, for `docx_draft`: what a reader sees, and nothing twice.

Properties and deleted text are passed over; symbols, tabs and line ends become characters, and references to notes
become numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from playground.readers.docx_parts import Element, first, local, value

_MARKS: Final = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\N{NON-BREAKING HYPHEN}"}
# Properties, what a tracked change took away, the codes of fields, the reading aids over East Asian characters.
SKIPPED: Final = {"pPr", "rPr", "tblPr", "trPr", "tcPr", "sdtPr", "del", "moveFrom", "instrText", "delText", "rt"}
_SYMBOLS: Final = {
    "symbol": dict(
        zip(
            "abcdefghiklmnopqrstuwxyzABCDEFGHIKLMNOPQRSTUWXYZ",
            "αβχδεφγηικλμνοπθρστυωξψζΑΒΧΔΕΦΓΗΙΚΛΜΝΟΠΘΡΣΤΥΩΞΨΖ",
            strict=True,
        )
    )
    | dict(zip("\xa3\xae\xb0\xb1\xb3\xb4\xb7\xb9", "≤→°±≥×•≠", strict=True)),
    "wingdings": dict(zip("\xa7\xa8\xe0\xfb\xfc\xfd\xfe", "▪☐→✗✓☒☑", strict=True)),
}


@dataclass
class Words:
    """Takes the words out of elements, and keeps which notes they refer to and what was left out."""

    notes: dict[tuple[str, str], int] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)

    def of(self, element: Element, boxes: list[Element] | None = None) -> str:
        """The text inside `element`; text boxes go to `boxes` if it is given, else into the text."""
        pieces: list[str] = []
        self._gather(element, pieces, boxes)
        return "".join(pieces)

    def _gather(self, element: Element, pieces: list[str], boxes: list[Element] | None) -> None:
        for child in visible(element, self.left_out):
            name = local(child)
            if name == "t":
                pieces.append(child.text or "")
            elif name in _MARKS:
                pieces.append(_MARKS[name])
            elif name == "sym":
                pieces.append(_symbol(child))
            elif name in ("footnoteReference", "endnoteReference"):
                key = (name.removesuffix("Reference"), value(child, "id") or "")
                pieces.append(f"[{self.notes.setdefault(key, len(self.notes) + 1)}]")
            elif name == "txbxContent" and boxes is not None:
                boxes.append(child)
            else:
                self._gather(child, pieces, boxes)
                if name in ("p", "tc"):
                    pieces.append(" ")


def visible(element: Element, left_out: set[str]) -> Iterator[Element]:
    """The children that a reader sees: no properties, no deleted or hidden text, one of several alternatives."""
    for child in element:
        name = local(child)
        if name in ("del", "moveFrom"):
            left_out.add("deleted")
        elif name == "r" and _hidden(child):
            left_out.add("hidden")
        elif name == "commentReference":
            left_out.add("comments")
        elif name == "AlternateContent":
            yield from list(child)[:1]
        elif name not in SKIPPED:
            yield child


def _hidden(run: Element) -> bool:
    vanish = first(run, "rPr", "vanish")
    return vanish is not None and value(vanish) not in ("0", "false", "off")


def _symbol(element: Element) -> str:
    try:
        code = int(value(element, "char") or "", 16) & 0xFFFF
    except ValueError:
        return ""
    # Fonts of symbols put their characters into a private area, from U+F000 on.
    plain = chr(code - 0xF000 if 0xF000 <= code <= 0xF0FF else code)
    return _SYMBOLS.get((value(element, "font") or "").lower(), {}).get(plain, chr(code))
