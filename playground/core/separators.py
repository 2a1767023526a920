r"""Ladders of separators for the recursive mode: what each is called, where it cuts, and ready-made ones.

A separator is plain text. The cut comes after it; but one that opens a piece, such as "\n## " or "\nclass ", stays with
what it opens, and the cut comes after its line breaks. Two names in braces stand for what no text can say:
`{sentence}` cuts where a sentence starts, `{clause}` after a comma, a semicolon, a colon or a dash.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from playground.core.cuts import Cuts
from playground.core.prepared import Prepared
from playground.core.rulers import Offsets

PRESETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "prose": ("\n\n", "\n", "{sentence}", " "),
        "classic": ("\n\n", "\n", " "),
        "markdown": ("\n# ", "\n## ", "\n### ", "\n#### ", "\n```", "\n\n", "\n", "{sentence}", " "),
        "python": ("\nclass ", "\ndef ", "\nasync def ", "\n    def ", "\n    async def ", "\n\n", "\n", " "),
        "javascript": ("\nclass ", "\nexport ", "\nfunction ", "\nasync function ", "\nconst ", "\n\n", "\n", ";", " "),
        "html": ("<h1", "<h2", "<h3", "<section", "<table", "<ul", "<p", "<tr", "<li", "<div", "\n", " "),
        "cjk": ("\n\n", "\n", "{sentence}", "；", "，", "、", " "),
    }
)
"""Ladders by name, coarsest first. Below the last rung a cut may fall between any two characters."""

MOST = 12
LONGEST = 40
"""How many rungs a ladder may have, and how many characters a separator."""
SHOWN = 12
"""How many characters of a separator stand in the name of its pieces."""

_CLAUSE = re.compile(r"[,;:，、；：،؛](?=\s)\s*|[，、；：،؛]|[–—]\s*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "s": " ", "\\": "\\"}


def rung(separator: str) -> str | Cuts:
    """The kind of boundary that `separator` makes."""
    if separator == "{sentence}":
        return "sentence"
    if separator == "{clause}":
        return Cuts("clause", "{clause}", lambda prepared: _ends(_CLAUSE, prepared.document.text))
    return Cuts(label(separator), ("separator", separator), lambda prepared: _cuts(prepared, separator))


def label(separator: str) -> str:
    """What a piece that `separator` parts is called: "paragraph", "line", "word", or by the separator in quotes."""
    names = {"\n\n": "paragraph", "\n": "line", " ": "word"}
    shown = spelled(separator.strip() or separator)
    return names.get(separator, f"“{shown if len(shown) <= SHOWN else shown[:SHOWN] + '…'}” piece")


def spelled(separator: str) -> str:
    r"""`separator` on one line: a line break as \n, a leading or trailing space as \s.

    >>> spelled("\n# "), spelled(" ")
    ('\\n#\\s', '\\s')
    """
    text = separator.replace("\\", "\\\\")
    for letter in "ntrf":
        text = text.replace(_ESCAPES[letter], f"\\{letter}")
    return re.sub("^ | $", lambda _: "\\s", text)


def read_ladder(text: str) -> tuple[str, ...]:
    r"""The separators that `text` spells, one a line, without empty lines; `\n`, `\t` and `\s` are read as meant.

    >>> read_ladder("\\n\\n\n\\n\n\\s")
    ('\n\n', '\n', ' ')
    """
    found = re.sub(r"\\([ntrfs\\])", lambda match: "\x00" + match[1], text.replace("\x00", "")).split("\n")
    lines = (re.sub("\x00(.)", lambda match: _ESCAPES[match[1]], line.rstrip("\r")) for line in found)
    return tuple(dict.fromkeys(line for line in lines if line))


def _cuts(prepared: Prepared, separator: str) -> Offsets:
    """The offsets where `separator` cuts, found from left to right without overlaps."""
    opening = separator.lstrip("\n")
    keeps = len(separator) - len(opening) if separator.startswith(("\n", "<")) and opening else len(separator)
    return _found(prepared.document.text, separator) + np.int32(keeps)


def _found(text: str, separator: str) -> Offsets:
    found, at = [], text.find(separator)
    while at >= 0:
        found.append(at)
        at = text.find(separator, at + len(separator))
    return np.array(found, dtype=np.int32)


def _ends(pattern: re.Pattern[str], text: str) -> Offsets:
    return np.array([match.end() for match in pattern.finditer(text)], dtype=np.int32)
