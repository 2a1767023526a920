"""Jupyter notebooks: cells in order, prose as it is, code and what it printed as code blocks.

Headings and lists of the prose are found by the Markdown outline. Output that is no text, such as pictures, is counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from playground.core.document import Document, clean
from playground.core.outline.markdown import markdown_blocks
from playground.readers.assembly import Assembly
from playground.readers.errors import ReadError
from playground.readers.text import read_text

_MOST_OUTPUT: Final = 2000
_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def read_notebook(title: str, data: bytes) -> Document:
    """Return the notebook in `data` as one text, a blank line between its parts; metadata: "language" of its kernel.

    Raises `ReadError` if `data` is no notebook.
    """
    source = read_text(title, data)
    notebook = _parsed(title, source.text)
    assembly = Assembly()
    for notice in source.notices:
        assembly.notice(notice)
    others = 0
    for number, cell in enumerate(_cells(title, notebook), 1):
        others += _add_cell(assembly, title, number, cell)
    if others:
        what = "1 output that is no text is" if others == 1 else f"{others:,} outputs that are no text are"
        assembly.notice(f"{what} left out.")
    if not assembly.length:
        assembly.notice(f"{title} holds no text.")
    language = _language(notebook)
    metadata = {"language": language} if language else None
    return assembly.document(title=title, media_type="application/x-ipynb+json", metadata=metadata)


def _parsed(title: str, text: str) -> dict[str, Any]:
    try:
        notebook = json.loads(text, parse_int=_short_number)
    except json.JSONDecodeError as error:
        raise _refusal(title, f"it is not valid JSON (line {error.lineno:,}, column {error.colno:,})") from error
    except RecursionError as error:
        raise _refusal(title, "it is nested too deeply") from error
    if not isinstance(notebook, dict):
        raise _refusal(title, "its outermost value is no object")
    return notebook


def _short_number(digits: str) -> int | None:
    """A number that may be a heading's level; very long ones would be slow to convert, or refused."""
    return int(digits) if len(digits) < 10 else None


def _refusal(title: str, why: str) -> ReadError:
    return ReadError(f"{title} is not a notebook: {why}. Save it again as .ipynb, or upload its text.")


def _cells(title: str, notebook: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The cells; those of the third version of the format lie in worksheets."""
    held = notebook.get("worksheets")
    holders = held if isinstance(held, list) else [notebook]
    lists: list[Any] = [holder.get("cells") for holder in holders if isinstance(holder, dict)]
    if not lists or not all(isinstance(cells, list) for cells in lists):
        raise _refusal(title, 'it has no list of "cells"')
    for cells in lists:
        for number, cell in enumerate(cells, 1):
            if not isinstance(cell, dict):
                raise _refusal(title, f"cell {number:,} is no object")
            yield cell


def _add_cell(assembly: Assembly, title: str, number: int, cell: dict[str, Any]) -> int:
    """Add a cell and what it printed; return how many outputs are no text."""
    kind = cell.get("cell_type")
    source = _joined(cell.get("source", cell.get("input", "")))
    if source is None:
        raise _refusal(title, f"the source of cell {number:,} is no text")
    if kind == "heading":
        source, kind = f"{'#' * _level(cell)} {source}", "markdown"
    start, end = _add_part(assembly, source)
    if kind == "markdown":
        cleaned, _ = clean(source)
        for block in markdown_blocks(cleaned.lstrip("\ufeff")):
            head = block.head + start if block.head else 0
            assembly.block(
                block.start + start, block.end + start, block.kind, level=block.level, name=block.name, head=head
            )
    if kind != "code":
        return 0
    assembly.block(start, end, "code")
    outputs = cell.get("outputs", [])
    return sum(_add_output(assembly, output) for output in outputs) if isinstance(outputs, list) else 0


def _add_part(assembly: Assembly, text: str) -> tuple[int, int]:
    """Add `text` after a blank line, unless it is blank."""
    text = text.lstrip("\ufeff")
    if not text.strip():
        return assembly.length, assembly.length
    if assembly.length:
        assembly.add("\n\n")
    return assembly.add(text)


def _add_output(assembly: Assembly, output: Any) -> bool:
    """Add the text of an output; return whether there is an output, but no text."""
    if not isinstance(output, dict):
        return False
    data = output.get("data", output)
    candidates = (output.get("text"), data.get("text/plain") if isinstance(data, dict) else None, _error(output))
    text = next((joined for each in candidates if (joined := _joined(each)) is not None), None)
    if text is None:
        return True
    text = _COLOURS.sub("", text).strip("\r\n")
    if text.strip():
        more = len(text) - _MOST_OUTPUT
        cut = f"\n[{more:,} more characters of output are left out]" if more > 0 else ""
        start, end = _add_part(assembly, f"Output:\n{text[:_MOST_OUTPUT]}{cut}")
        assembly.block(start, end, "code", name="output")
    return False


def _error(output: dict[str, Any]) -> str | None:
    if output.get("output_type") not in ("error", "pyerr"):
        return None
    return f"{output.get('ename', 'Error')}: {output.get('evalue', '')}"


def _joined(text: Any) -> str | None:
    """A text, which notebooks may keep as a list of lines; None if it is neither."""
    if isinstance(text, list) and all(isinstance(line, str) for line in text):
        return "".join(text)
    return text if isinstance(text, str) else None


def _level(cell: dict[str, Any]) -> int:
    level = cell.get("level")
    return level if isinstance(level, int) and 1 <= level <= 6 else 1


def _language(notebook: dict[str, Any]) -> str:
    metadata = notebook.get("metadata")
    for part, key in (("kernelspec", "language"), ("language_info", "name")):
        holder = metadata.get(part) if isinstance(metadata, dict) else None
        if isinstance(holder, dict) and isinstance(holder.get(key), str):
            return str(holder[key])
    return ""
