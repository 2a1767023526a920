"""Bytes -> Document: the reader of a file is chosen by its extension, and hostile names are made harmless.

A new format is a module with one function and an entry in `READERS`. What no reader can use is refused with a
`ReadError` that a person can act on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final

from playground.core.document import Document
from playground.core.outline.code import LANGUAGES
from playground.core.outline.front_matter import front_matter
from playground.readers.data import read_json, read_jsonl
from playground.readers.docx import read_docx
from playground.readers.errors import ReadError
from playground.readers.html import read_html
from playground.readers.notebook import read_notebook
from playground.readers.pdf import read_pdf
from playground.readers.tables import read_table
from playground.readers.text import read_text

__all__ = ["MAX_BYTES", "READERS", "ReadError", "clean_title", "read"]

Reader = Callable[[str, bytes], Document]

MAX_BYTES: Final = 10 * 2**20
_LONGEST_TITLE: Final = 200
_LONGEST_EXTENSION: Final = 20

_plain: Final = partial(read_text, media_type="text/plain")


def read_markdown(title: str, data: bytes) -> Document:
    """Return the text with what its front matter says as metadata; the text keeps the front matter."""
    document = read_text(title, data, media_type="text/markdown")
    _, found = front_matter(document.text)
    return replace(document, metadata=MappingProxyType(found)) if found else document


# By extension. Any other is tried as plain text.
READERS: dict[str, Reader] = {
    ".txt": _plain,
    ".text": _plain,
    ".log": _plain,
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".xhtml": read_html,
    ".pdf": read_pdf,
    ".docx": read_docx,
    ".csv": read_table,
    ".tsv": read_table,
    ".tab": read_table,
    ".json": read_json,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".ipynb": read_notebook,
    **{
        extension: partial(read_text, media_type=language.media_type)
        for language in LANGUAGES.values()
        for extension in language.extensions
    },
}

# C0, DEL and C1; line and paragraph separators; what turns the direction of writing, to disguise a name.
_CONTROLS: Final = re.compile(r"[\0-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def read(name: str | os.PathLike[str], data: bytes | None = None) -> Document:
    """Return the document in `data`, the bytes of a file called `name`; without `data`, read it from disk.

    The title is the last part of the name. Raises `ReadError` for what cannot be read as a document (its
    message is for the person who gave the file) and `OSError` if there is no such file on disk.
    """
    path = os.fspath(name)
    title = clean_title(path)
    _refuse_large(title, os.stat(path).st_size if data is None else len(data))
    if data is None:
        data = Path(path).read_bytes()
        _refuse_large(title, len(data))
    return READERS.get(_extension(title).lower(), _plain)(title, data)


def clean_title(name: str) -> str:
    r"""Return the last part of a file's name without control characters, at most 200 characters long.

    The extension survives a cut. Markup stays as it is: whoever shows a title shows it as text.

    >>> clean_title("../../etc/passwd.txt"), clean_title("C:\\docs\\plan.md")
    ('passwd.txt', 'plan.md')
    """
    base = re.split(r"[/\\]", name)[-1]
    base = _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", _CONTROLS.sub("", base)).strip()
    extension = _extension(base)
    stem = base[: len(base) - len(extension)]
    title = stem[: _LONGEST_TITLE - len(extension)] + extension
    return title if title.strip(". ") else "untitled"


def _extension(title: str) -> str:
    suffix = PurePosixPath(title).suffix
    return suffix if len(suffix) <= _LONGEST_EXTENSION else ""


def _refuse_large(title: str, size: int) -> None:
    if size > MAX_BYTES:
        raise ReadError(
            f"{title} is too large: {size:,} bytes, and at most {MAX_BYTES:,} bytes "
            f"({MAX_BYTES / 2**20:g} MB) can be read. Upload a part of it."
        )
