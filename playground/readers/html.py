"""HTML pages: what a visitor can read, in source order, with headings, sections, lists and tables as blocks.

The parser reports tags and text one by one and no tree is built, so neither depth nor odd markup costs more than
its length. `html_bytes` finds the encoding, `html_page` says what each tag means, `html_tables` and `html_flow` write.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from playground.core.document import Document
from playground.readers.assembly import Assembly
from playground.readers.html_bytes import decode
from playground.readers.html_page import Page
from playground.readers.html_tables import Survey


def read_html(title: str, data: bytes) -> Document:
    """Return the visible text of the page in `data`, with its blocks; metadata: "title", "language", "last_updated".

    Raises `ReadError` if `data` is no text.
    """
    text, notices = decode(title, data)
    markup = re.sub("\r\n?", "\n", text)
    survey = Survey()
    if "<table" in markup.lower():
        _parse(markup, survey)
    page = Page(survey.layout)
    _parse(markup, page)
    assembly = Assembly()
    for notice in notices:
        assembly.notice(notice)
    assembly.add(page.flow.written)
    if text and not assembly.length:
        assembly.notice(f"{title} holds no visible text.")
    dropped = len(page.flow.written) - assembly.length  # byte order marks at the start
    for block in page.flow.blocks:
        start, head = max(block.start - dropped, 0), max(block.head - dropped, 0)
        assembly.block(start, block.end - dropped, block.kind, level=block.level, name=block.name, head=head)
    return assembly.document(title=title, media_type="text/html", metadata=page.metadata)


def _parse(markup: str, target: Any) -> None:
    """Report the tags and the text of `markup` to `target`."""
    if markup.strip():
        parser: Any = etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True)
        parser.feed(markup.encode("utf-8"))
        parser.close()
