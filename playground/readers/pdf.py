"""PDF -> Document: the text of every page in order, with the offset where each page starts.

PDFium, a library in C++, takes the text out: it is not thread safe, and a hostile file can crash it or make it work for
ever. So `pdf_child` runs as a program of its own, a child process that gets the bytes, has its memory and time bounded
by the system, and hands the pages back as lines of JSON to `read_pdf`, which makes the document.
"""

from __future__ import annotations

import json
import subprocess
import sys
from threading import BoundedSemaphore
from typing import Any, Final

from playground.core.document import Document
from playground.readers import pdf_child
from playground.readers.assembly import Assembly
from playground.readers.errors import ReadError, kind_of
from playground.readers.pdf_child import MAX_CHARACTERS, MAX_MEMORY, MAX_PAGES

MAX_SECONDS: Final = 30

# What was found and what to do, by the word that the child says or by what stopped it.
_REFUSALS: Final = {
    "password": "{title} is protected with a password. Save it without one, and upload it again.",
    "damaged": "{title} is damaged or cut short: no page could be found in it. Get it again, or print it to a new PDF.",
    "pages": f"{{title}} has {{count:,}} pages, and at most {MAX_PAGES:,} can be read. Upload a part of it.",
    "characters": f"{{title}} holds more than {MAX_CHARACTERS:,} characters of text. Upload a part of it.",
    "time": f"{{title}} was given up after {MAX_SECONDS} seconds: its pages are far larger inside than the file is. "
    "Print it to a new PDF, or upload a part of it.",
    "memory": f"{{title}} was given up: reading it crashed, or took more than {MAX_MEMORY // 2**20} MB of memory. "
    "Print it to a new PDF, or upload a part of it.",
}
# Uploads at once in children; the others wait, so that memory stays bounded however many come.
_TURNS: Final = BoundedSemaphore(2)
# SIGXCPU, which not every system has.
_STOPPED_FOR_TIME: Final = 24


def read_pdf(title: str, data: bytes) -> Document:
    """Return the document in `data`, a PDF: pages in order with a blank line between them, lines as they were set.

    `pages` holds where each page starts. A block "paragraph" is what stands between clear gaps; PDF itself knows no
    paragraphs. Metadata: `page_count`, and `title`, `author`, `created`, `last_updated` where the file says them.
    Raises `ReadError` for what is no PDF, is protected, too large, or holds no text at all.
    """
    if b"%PDF-" not in data[:1024]:
        raise ReadError(f"{title} is not a PDF: it looks like {kind_of(data)}. Upload the PDF itself.")
    assembly, blank, unread = Assembly(), 0, 0
    (_, metadata), *pages = _ask_child(title, data)
    for number, (word, paragraphs) in enumerate(pages):
        if number:
            assembly.add("\n\n")
        assembly.page()
        unread += word == "unread"
        blank += not any(map(str.strip, paragraphs))
        _add_page(assembly, paragraphs)
    if blank == len(pages):
        raise ReadError(f"{title} has no text on any page: it seems scanned. Run text recognition (OCR) on it first.")
    if blank - unread:
        assembly.notice(f"{blank - unread} of {len(pages)} pages hold no text: probably scanned images.")
    if unread:
        assembly.notice(f"{unread} of {len(pages)} pages could not be read: they are damaged, and left empty.")
    if b"%%EOF" not in data[-2048:]:
        assembly.notice("The end of the file is missing: this is what could be recovered.")
    return assembly.document(title=title, media_type="application/pdf", metadata=metadata | {"page_count": len(pages)})


def _add_page(assembly: Assembly, paragraphs: list[str]) -> None:
    # A page of scattered words (a map, a diagram) has gaps everywhere: they say nothing about paragraphs.
    telling = len(paragraphs) * 50 < sum(map(len, paragraphs)) + 1000
    for text in paragraphs:
        start, end = assembly.add(text)
        if telling and text.strip():
            assembly.block(start, end, "paragraph")


def _ask_child(title: str, data: bytes) -> list[list[Any]]:
    """The child's answers: `["metadata", {...}]`, then for every page `["page", paragraphs]` or `["unread", []]`."""
    # -P: the child must not find this directory's modules in the place of libraries.
    command = [sys.executable, "-P", pdf_child.__file__, str(MAX_SECONDS)]
    with _TURNS:
        try:
            # The system stops the child after so much work; on a busy machine that may take longer.
            done = subprocess.run(command, input=data, capture_output=True, timeout=2 * MAX_SECONDS)
        except subprocess.TimeoutExpired as stopped:
            raise ReadError(_REFUSALS["time"].format(title=title)) from stopped
    if done.returncode:
        word = "time" if -done.returncode == _STOPPED_FOR_TIME else "memory"
        raise ReadError(_REFUSALS[word].format(title=title)) from RuntimeError(done.stderr.decode(errors="replace"))
    answers = [json.loads(line.decode("utf-8", "surrogatepass")) for line in done.stdout.splitlines()[: MAX_PAGES + 2]]
    word, value = answers[-1]
    if word in _REFUSALS:
        raise ReadError(_REFUSALS[word].format(title=title, count=value))
    return answers
