"""DOCX -> Document: headings, paragraphs, lists and tables in the order of the file, as text with blocks over it.

The file is opened as what it is, a ZIP archive of XML parts, and never trusted: what is read is bounded in bytes
whatever the archive declares, and `docx_parts` bounds the XML. `docx_draft` makes the text.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from typing import Final

from playground.core.document import Document
from playground.readers.docx_draft import Draft
from playground.readers.docx_parts import Element, Lists, Unreadable, first, local, parse, value
from playground.readers.docx_styles import Styles
from playground.readers.errors import ReadError, kind_of

MAX_UNPACKED: Final = 100_000_000

_METADATA: Final = {"title": "title", "creator": "author", "created": "created", "modified": "last_updated"}


def read_docx(title: str, data: bytes) -> Document:
    """Return the document in `data`, a Word file of 2007 or later, without its headers, footers and comments.

    Footnotes and endnotes follow at the end as `[1] ...`, with `[1]` where they belong. Metadata: `title`, `author`,
    `created` and `last_updated`, where the file says them. Raises `ReadError` for what is no such file or is made to
    do harm.
    """
    try:
        package = Package(title, data)
        main = package.related("", "officeDocument", "word/document.xml")
        root = package.xml(main)
        if root is None or (body := first(root, "body")) is None:
            found = kind_of(data)
            raise ReadError(
                f"{title} holds no Word document: it looks like {found}. Save it as .docx, and upload that."
            )
        parts = {
            name: package.xml(package.related(main, name, f"word/{name}.xml"))
            for name in ("styles", "numbering", "footnotes", "endnotes")
        }
        core = package.xml(package.related("", "core-properties", "docProps/core.xml"))
    except Unreadable as error:
        raise ReadError(f"{title} {error}. Open it in a word processor, save it anew, and upload that.") from error
    draft = Draft(title, Styles(parts["styles"]), Lists(parts["numbering"]))
    draft.walk(body)
    draft.add_notes({"footnote": parts["footnotes"], "endnote": parts["endnotes"]})
    return draft.document(_metadata(core))


class Package:
    """The parts of a Word file, and how they refer to one another. Raises `ReadError` and `Unreadable`."""

    def __init__(self, title: str, data: bytes) -> None:
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            raise _old_or_locked(title, data)
        if not data.startswith(b"PK"):
            found = kind_of(data)
            raise ReadError(f"{title} is not a Word file: it looks like {found}. Save it as .docx, and upload that.")
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError, EOFError) as error:
            raise Unreadable("is damaged or cut short") from error
        self._names = set(self._archive.namelist())
        self._left = MAX_UNPACKED

    def xml(self, name: str) -> Element | None:
        """The root of a part, or None if the file has no such part."""
        return parse(self._read(name)) if name in self._names else None

    def related(self, source: str, kind: str, usual: str) -> str:
        """The name of the part that `source` (the file itself: "") refers to as `kind`, else the usual name."""
        folder, base = posixpath.split(source)
        root = self.xml(posixpath.join(folder, "_rels", f"{base}.rels"))
        for relation in () if root is None else root:
            if (value(relation, "Type") or "").endswith(f"/{kind}"):
                target = posixpath.normpath(posixpath.join("/", folder, value(relation, "Target") or ""))
                return target.lstrip("/")
        return usual

    def _read(self, name: str) -> bytes:
        info = self._archive.getinfo(name)
        # Others need far more memory to unpack than they give, and no word processor uses them.
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or info.flag_bits & 1:
            raise Unreadable("is packed or encrypted in a way that no word processor uses")
        try:
            with self._archive.open(info) as file:
                data = file.read(self._left + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OverflowError, NotImplementedError) as error:
            raise Unreadable("is damaged or cut short") from error
        self._left -= len(data)
        if self._left < 0:
            raise Unreadable(f"unpacks to more than {MAX_UNPACKED // 10**6} MB")
        return data


def _old_or_locked(title: str, data: bytes) -> ReadError:
    if "EncryptedPackage".encode("utf-16-le") in data:
        return ReadError(f"{title} is protected with a password. Save it without one, and upload it again.")
    return ReadError(f"{title} is an old Office file (.doc, up to Word 2003). Save it as .docx, and upload that.")


def _metadata(core: Element | None) -> dict[str, str]:
    found = {_METADATA.get(local(part), ""): (part.text or "").strip() for part in (() if core is None else core)}
    return {key: text for key, text in found.items() if key and text}
