"""ReadError, and how files that are no text are recognised: what a person reads when an upload is refused.

The readers ask `kind_of_binary` and `is_binary` before they make a document, and raise what `no_text` builds; those of
other formats than text say with `kind_of` what they were given.
"""

from __future__ import annotations

import re
from typing import Final


class ReadError(ValueError):
    """A file that cannot become a document. The message says what was found and what to do."""


# What a file starts with -> what it is. Where the signature alone could be text, a NUL must follow soon.
_SIGNATURES: Final[tuple[tuple[bytes, str], ...]] = (
    (rb"\x89PNG\r\n\x1a\n", "a PNG image"),
    (rb"\xff\xd8\xff", "a JPEG image"),
    (rb"GIF8[79]a.{0,50}[\0-\x08]", "a GIF image"),
    (rb"RIFF(?:.{3}\0WEBP|.{4}WEBPVP8)", "a WebP image"),
    (rb"RIFF.{4}WAVEfmt ", "a WAV sound"),
    (rb"RIFF.{4}AVI LIST", "an AVI film"),
    (rb"BM.{0,8}\0", "a BMP image"),
    (rb"II\*\0|MM\0\*", "a TIFF image"),
    (rb"\0\0[\x01\x02]\0", "a Windows icon"),
    (rb"\0.{3}ftyp(?:avif|heic|heix|mif1)", "a HEIF image"),
    (rb"\0.{3}ftyp(?:M4A|M4B)", "an MP4 sound"),
    (rb"\0.{3}ftyp", "an MP4 film"),
    (rb"\x1a\x45\xdf\xa3", "a Matroska or WebM film"),
    (rb"ID3[\x02-\x04]\0|\xff[\xfb\xfa\xf3\xf2].{0,200}\0", "an MP3 sound"),
    (rb"OggS\0", "an Ogg sound"),
    (rb"fLaC\0", "a FLAC sound"),
    (rb"\s{0,8}%PDF-\d", "a PDF"),
    (rb"PK\x03\x04.*?word/document\.xml", "a Word document"),
    (rb"PK\x03\x04.*?xl/workbook\.", "an Excel workbook"),
    (rb"PK\x03\x04.*?ppt/presentation\.xml", "a PowerPoint presentation"),
    (rb"PK\x03\x04.{26}mimetypeapplication/epub", "an EPUB book"),
    (rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis", "an OpenDocument file"),
    (rb"PK(?:\x03\x04|\x05\x06)", "a ZIP archive"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (rb"\x1f\x8b", "a gzip archive"),
    (rb"BZh[1-9]1AY&SY", "a bzip2 archive"),
    (rb"\xfd7zXZ\0", "an xz archive"),
    (rb"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (rb"Rar!\x1a\x07", "a RAR archive"),
    (rb"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (rb"[^\0]{1,100}\0.{156,256}ustar", "a tar archive"),
    (rb"\x7fELF", "a Linux program (ELF)"),
    (rb"MZ.{0,60}\0", "a Windows program"),
    (rb"[\xce\xcf]\xfa\xed\xfe", "a macOS program"),
    (rb"\xca\xfe\xba\xbe", "a Java class or macOS program"),
    (rb"\0asm", "a WebAssembly program"),
    (rb"SQLite format 3\0", "an SQLite database"),
    (rb"PAR1.{0,20}[\0-\x08]", "a Parquet table"),
    (rb"\x93NUMPY", "a NumPy array"),
    (rb"wOF[F2].{0,12}\0|OTTO\0|\0\x01\0\0\0", "a font"),
)
_KINDS: Final = tuple((re.compile(signature, re.DOTALL), kind) for signature, kind in _SIGNATURES)

# Kinds that have a reader of their own, under the extension that it goes by.
_READABLE: Final = {"a PDF": ".pdf", "a Word document": ".docx"}

# All of C0 and DEL but tab, newlines, form feed, backspace, and escape (colours in a log).
_CONTROLS: Final = bytes({*range(32), 127} - {*b"\b\t\n\v\f\r\x1b"})


def kind_of_binary(data: bytes) -> str | None:
    r"""Return what `data` is, with its article, if it starts like a known kind of file that is no text.

    >>> kind_of_binary(b"\x89PNG\r\n\x1a\n")
    'a PNG image'
    """
    return next((kind for signature, kind in _KINDS if signature.match(data)), None)


def kind_of(data: bytes) -> str:
    r"""Return what `data` seems to be, with its article, for the refusal of a file that is not what its name says.

    >>> kind_of(b""), kind_of(b"%PDF-1.7"), kind_of(b"words")
    ('an empty file', 'a PDF', 'something else')
    """
    if not data:
        return "an empty file"
    return kind_of_binary(data) or ("an RTF file" if data.startswith(b"{\\rtf") else "something else")


def count_controls(data: bytes) -> int:
    """Return how many bytes of `data` are control characters that no text needs, NUL among them."""
    return len(data) - len(data.translate(None, _CONTROLS))


def is_binary(data: bytes, *, one_in: int) -> bool:
    """Return whether control characters are most of `data`, or more than a few and one byte in `one_in`."""
    count = count_controls(data)
    return count * 2 > len(data) or count > 160 // one_in + len(data) // one_in


def no_text(title: str, kind: str) -> ReadError:
    """Return the refusal of a file that is of another kind than text."""
    extension = _READABLE.get(kind)
    advice = f"Give it the extension {extension}" if extension else "Upload the text itself"
    return ReadError(f"{title} looks like {kind}, not text. {advice} and try again.")


def unknown_encoding(title: str) -> ReadError:
    """Return the refusal of a text that cannot be decoded."""
    return ReadError(
        f"The encoding of {title} could not be recognised: it is not UTF-8, and nothing else fits. "
        "Save it as UTF-8 and upload it again."
    )
