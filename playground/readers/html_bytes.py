"""The encoding of a page: a byte order mark, then what the page says of itself, then what its bytes look like."""

from __future__ import annotations

import codecs
import re
from typing import Final

from playground.core.document import REPLACEMENT, clean
from playground.readers.errors import is_binary, kind_of_binary, no_text
from playground.readers.text import read_text

_SAID: Final = re.compile(
    rb"""\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]+)|<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]+)""",
    re.IGNORECASE,
)
_SAMPLE_BYTES: Final = 4096
_MARKS: Final = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
# Browsers read these as the wider encoding that pages mean by them. UTF-8 and UTF-16 are recognised without being told.
_WIDER: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
}
_KEPT: Final = frozenset(
    [
        "cp866",
        "cp874",
        "cp932",
        "cp949",
        "euc_jp",
        "gb18030",
        "big5hkscs",
        "iso2022_jp",
        "koi8-r",
        "koi8-u",
        "mac-roman",
        "mac-cyrillic",
    ]
    + [f"cp{page}" for page in range(1250, 1259)]
    + [f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)]
)


def decode(title: str, data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the text of the page in `data`, and notices on how it was decoded.

    Raises `ReadError` if `data` is no text.
    """
    return _as_said(title, data) or _as_found(title, data)


def _as_said(title: str, data: bytes) -> tuple[str, tuple[str, ...]] | None:
    said = _SAID.search(data, 0, _SAMPLE_BYTES)
    codec = _codec((said[1] or said[2]).decode("ascii", "replace")) if said else None
    if not said or not codec or data.startswith(_MARKS):
        return None
    if kind := kind_of_binary(data):
        raise no_text(title, kind)
    text = data.decode(codec, "replace")
    replaced = text.count(REPLACEMENT)
    if is_binary(data, one_in=20) or replaced > 1 + len(text) // 200:
        return None
    text, notices = clean(text)
    name = (said[1] or said[2]).decode("ascii").lower()
    if not data.isascii():
        notices = (f"Read as {name}, as the page says, because it is not UTF-8.", *notices)
    if replaced:
        what = "1 place was" if replaced == 1 else f"{replaced:,} places were"
        notices = (*notices, f"{what} not valid {name} and became {REPLACEMENT}.")
    return text, notices


def _as_found(title: str, data: bytes) -> tuple[str, tuple[str, ...]]:
    document = read_text(title, data)
    return document.text, document.notices


def _codec(label: str) -> str | None:
    try:
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        return None
    name = _WIDER.get(name, name)
    return name if name in _KEPT else None
