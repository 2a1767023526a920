"""The half of the PDF reader that runs as a program of its own: bytes in, the pages out as lines of JSON.

It bounds its own memory and time, asks PDFium for the text of every page, and cuts it into paragraphs. `pdf` starts it
and makes the document of its answers. It imports nothing of the project: the package takes longer to import than most
files take to read.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import Any, Final

MAX_PAGES: Final = 3_000
MAX_CHARACTERS: Final = 20_000_000
MAX_MEMORY: Final = 512 * 2**20

_METADATA: Final = {"Title": "title", "Author": "author", "CreationDate": "created", "ModDate": "last_updated"}
_DATE: Final = re.compile(r"D:(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?")


def _bound_this_process(seconds: int) -> None:
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _extract(data: bytes) -> Iterator[tuple[str, Any]]:
    """Yield `("metadata", {...})`, then for every page `("page", paragraphs)` or `("unread", [])`.

    What is refused comes last, as a word and a count: `("password", 0)`, `("pages", 3001)`.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        protected = error.err_code in (pypdfium2.raw.FPDF_ERR_PASSWORD, pypdfium2.raw.FPDF_ERR_SECURITY)
        yield "password" if protected else "damaged", 0
        return
    count = len(document)
    if not 0 < count <= MAX_PAGES:
        yield "pages" if count else "damaged", count
        return
    yield "metadata", _metadata(document.get_metadata_dict(skip_empty=True))
    characters = 0
    for index in range(count):
        try:
            page = document[index]
            paragraphs = _paragraphs(page.get_textpage())
        except pypdfium2.PdfiumError:
            yield "unread", []
            continue
        page.close()
        characters += sum(map(len, paragraphs))
        if characters > MAX_CHARACTERS:
            yield "characters", characters
            return
        yield "page", paragraphs


def _metadata(found: dict[str, str]) -> dict[str, str]:
    known = {ours: found[theirs].strip() for theirs, ours in _METADATA.items() if theirs in found}
    return {key: _iso(value) for key, value in known.items() if value}


def _iso(value: str) -> str:
    """`D:20231120090000+00'00'` -> `2023-11-20T09:00:00+00:00`; what is no such date stays."""
    match = _DATE.match(value)
    if not match:
        return value
    year, month, day, hour, minute, second, utc, east, rest = match.groups()
    zone = "+00:00" if utc else f"{east}:{rest or '00'}" if east else ""
    return f"{year}-{month}-{day}" + (f"T{hour}:{minute}:{second or '00'}{zone}" if hour else "")


def _paragraphs(page: Any) -> list[str]:
    """The text of a page, cut where the gap between two lines is clearly wider than most gaps on it."""
    lines, heights = [], []
    for index, line in _lines(page.get_text_range()):
        lines.append(line)
        heights.append(_height(page, index))
    gaps = [above - below for above, below in pairwise(heights)]
    down = [gap for gap in gaps if gap > 0]
    widest = 1.3 * median(down) if len(down) > 2 else float("inf")
    paragraphs = lines[:1]
    for line, gap in zip(lines[1:], gaps, strict=True):
        if gap > widest:
            paragraphs.append(line)
        else:
            paragraphs[-1] += line
    return paragraphs


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Every line with its newline, and its place in `text`, in units of UTF-16 as PDFium counts."""
    # U+FFFE is what PDFium makes of a hyphen at a line's end together with the newline.
    index = 0
    for line, end in re.findall(r"([^\r\n\ufffe]*)(\r\n|[\r\n\ufffe]|$)", text):
        if line or end:
            yield index, line + ("-\n" if end == "\ufffe" else "\n" if end else "")
        index += len((line + end).encode("utf-16-le", "surrogatepass")) // 2


def _height(page: Any, index: int) -> float:
    from ctypes import c_double

    from pypdfium2 import raw

    x, y = c_double(), c_double()
    raw.FPDFText_GetCharOrigin(page, raw.FPDFText_GetCharIndexFromTextIndex(page, index), x, y)
    return y.value


if __name__ == "__main__":
    _bound_this_process(int(sys.argv[1]))
    for answer in _extract(sys.stdin.buffer.read()):
        sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
