"""JSON and JSON lines: the text is the file itself, with a block for every record.

A JSON file without line breaks is laid out first, token by token, so that it can be read and cut; numbers stay as they
are written. What is not valid is kept as plain text, and a notice says where it breaks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from playground.core.document import Block, Document
from playground.readers.tables import grouped, newlines
from playground.readers.text import read_text

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_LINE: Final = re.compile(r"[^\r\n]+")
_TOKEN: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[][{},:]|[^][{},:"\s]+')
_NAMES: Final = ("id", "title", "name")
_LONGEST_NAME: Final = 200
# Laid out text may be so many times as long as the file: deep nesting would make it grow with the square.
_MOST_GROWTH: Final = 8


def _no_number(_digits: str) -> None:
    """Numbers are not needed, and long ones cost a lot to convert."""


_DECODER: Final = json.JSONDecoder(parse_int=_no_number, parse_float=_no_number, parse_constant=_no_number)


def read_json(title: str, data: bytes) -> Document:
    """Return the JSON file in `data` with a "record" block for every element, or for every key, of its outermost value.

    Raises `ReadError` if `data` is no text. What is not valid JSON becomes plain text with a notice.
    """
    document = read_text(title, data)
    fault = _fault(document.text)
    if fault and (lines := _as_lines(document)):
        return _with_notices(lines, "One JSON value a line: read as JSONL.")
    if fault:
        plain = replace(document, media_type="text/plain")
        return _with_notices(plain, f"This is not valid JSON ({fault}), so it is read as plain text.")
    document = replace(document, media_type="application/json")
    if not re.search(r"[\r\n]", document.text.strip()):
        document = _laid_out(document)
    blocks, notices = grouped(list(_records(document.text)), len(document.text))
    return _with_notices(replace(document, blocks=blocks), *notices)


def read_jsonl(title: str, data: bytes) -> Document:
    """Return the JSON lines in `data` with a "record" block for every line that is not blank.

    A block's name is the record's id, title or name. Raises `ReadError` if `data` is no text; a notice counts the lines
    that are not valid JSON.
    """
    document = read_text(title, data)
    blocks, invalid = _lines(document.text)
    if invalid and not _fault(document.text):
        return _with_notices(read_json(title, data), "The file is one JSON value, not one a line: read as JSON.")
    if invalid and len(invalid) == len(blocks):
        plain = replace(document, media_type="text/plain")
        return _with_notices(plain, "No line is valid JSON, so this is read as plain text.")
    kept, notices = grouped(blocks, len(document.text))
    if invalid:
        lines = "1 line is" if len(invalid) == 1 else f"{len(invalid):,} lines are"
        notices = (*notices, f"{lines} not valid JSON; the first is line {invalid[0]:,}.")
    return _with_notices(replace(document, media_type="application/jsonl", blocks=kept), *notices)


def _with_notices(document: Document, *notices: str) -> Document:
    return replace(document, notices=(*document.notices, *notices))


def _fault(text: str) -> str:
    """What is wrong with `text` as JSON, and where; nothing if it is valid or blank."""
    try:
        if text.strip():
            _DECODER.decode(text)
    except json.JSONDecodeError as error:
        return f"line {error.lineno:,}, column {error.colno:,}: {error.msg}"
    except RecursionError:
        return "it is nested too deeply"
    return ""


def _as_lines(document: Document) -> Document | None:
    blocks, invalid = _lines(document.text)
    if invalid or len(blocks) < 2:
        return None
    kept, notices = grouped(blocks, len(document.text))
    return _with_notices(replace(document, media_type="application/jsonl", blocks=kept), *notices)


def _lines(text: str) -> tuple[list[Block], list[int]]:
    """A record for every line that is not blank, and the numbers of the lines that are not valid."""
    blocks, invalid = [], []
    at, number = 0, 1
    for line in _LINE.finditer(text):
        if not line[0].strip():
            continue
        number += newlines(text, at, line.start())
        at = line.start()
        try:
            name = _name(_DECODER.decode(line[0]))
        except (json.JSONDecodeError, RecursionError):
            invalid.append(number)
            name = ""
        blocks.append(Block(line.start(), line.end(), "record", name=name))
    return blocks, invalid


def _records(text: str) -> Iterator[Block]:
    """The elements of the outermost array, or the members of the outermost object, each from the start of its line."""
    at = _skip(text, 0)
    opening = text[at : at + 1]
    if opening not in ("[", "{"):
        return
    at = _skip(text, at + 1)
    while text[at] not in "]}":
        start, key = at, None
        if opening == "{":
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        value, end = _DECODER.raw_decode(text, at)
        name = _name(value) if key is None else _short(key)
        yield Block(_line_start(text, start), end, "record", name=name)
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _line_start(text: str, at: int) -> int:
    """The start of the line of `at`, if only spaces lie between."""
    start = at
    while start and text[start - 1] in " \t":
        start -= 1
    return start if start and text[start - 1] in "\r\n" else at


def _name(value: Any) -> str:
    named = (value.get(key) for key in _NAMES) if isinstance(value, dict) else ()
    return _short(next((name for name in named if isinstance(name, str) and name), ""))


def _short(name: str) -> str:
    return " ".join(name.encode("utf-8", "replace").decode()[:_LONGEST_NAME].split())


def _laid_out(document: Document) -> Document:
    pieces: list[str] = []
    most = _MOST_GROWTH * len(document.text) + 1000
    length = 0
    for piece in _layout(document.text):
        length += len(piece)
        if length > most:
            return _with_notices(document, "The file is one line, nested so deeply that it was not laid out.")
        pieces.append(piece)
    text = "".join(pieces)
    if text == document.text:
        return document
    laid_out = Document.from_text(text, title=document.title, media_type=document.media_type, notices=document.notices)
    return _with_notices(laid_out, "The file is one line; it was laid out, two spaces a level, to be readable.")


def _layout(text: str) -> Iterator[str]:
    depth, before = 0, ""
    for found in _TOKEN.finditer(text):
        token = found[0]
        closing = token in "]}"
        depth -= closing
        if before and ((before in "[{" and not closing) or (closing and before not in "[{") or before == ","):
            yield "\n" + "  " * depth
        depth += token in "[{"
        yield _readable(token) if "\\u" in token else ": " if token == ":" else token
        before = token


def _readable(string: str) -> str:
    """A JSON string with its escapes for letters written out, unless they are halves of characters."""
    written = json.dumps(json.loads(string), ensure_ascii=False)
    return string if re.search("[\0\ud800-\udfff]", written) else written
