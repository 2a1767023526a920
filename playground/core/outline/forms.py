"""The forms a document can be seen in, and the one it has by itself.

What a reader found in a file (a page of HTML, a table) is its own form; Markdown, code and questions are found in the
text, so that any text may be seen in any form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from playground.core.document import Block, Document
from playground.core.outline.code import LANGUAGES, code_blocks
from playground.core.outline.faq import faq_blocks, looks_like_faq, may_hold_pairs
from playground.core.outline.markdown import markdown_blocks


@dataclass(frozen=True)
class Outline:
    """The blocks of a document in one form, and what there is to say about them."""

    form: str
    blocks: tuple[Block, ...] = ()
    notices: tuple[str, ...] = ()


FORMS: Mapping[str, str] = MappingProxyType(
    {
        "auto": "Automatic",
        "markdown": "Markdown sections",
        "faq": "Questions and answers",
        "code": "Functions and classes",
        "pages": "Pages",
        "plain": "Paragraphs",
    }
)
"""The forms by name, with their labels."""

MARKDOWN = "text/markdown"
_BY_MEDIA = {language.media_type: name for name, language in LANGUAGES.items()}


def outline(document: Document, form: str) -> Outline:
    """The outline of `document` in `form`; "auto" chooses by what the reader found, the media type and the text."""
    found = _MAKERS[form](document)
    return replace(found, notices=tuple(dict.fromkeys(found.notices)))


def _auto(document: Document) -> Outline:
    if document.pages and not any(block.kind == "heading" for block in document.blocks):
        return _pages(document)
    if document.blocks:
        return Outline("given", document.blocks)
    if document.media_type in _BY_MEDIA:
        return _code(document)
    cued = may_hold_pairs(document.text)
    if not cued and document.media_type != MARKDOWN:
        return Outline("plain")
    found = _markdown(document)
    pairs = faq_blocks(document.text, found.blocks) if cued else ()
    if looks_like_faq(document.text, pairs):
        return Outline("faq", pairs)
    return found if document.media_type == MARKDOWN else Outline("plain")


def _markdown(document: Document) -> Outline:
    return Outline("markdown", markdown_blocks(document.text))


def _faq(document: Document) -> Outline:
    blocks = faq_blocks(document.text)
    if any(block.kind == "pair" for block in blocks):
        return Outline("faq", blocks)
    return Outline(
        "faq", blocks, ("No question was found: a heading that ends in “?”, or a line that starts with “Q:”.",)
    )


def _code(document: Document) -> Outline:
    language = _BY_MEDIA.get(document.media_type, "python")
    found = code_blocks(document.text, language)
    notices = found.notices
    if document.media_type not in _BY_MEDIA:
        notices = ("The language is not known from the file's name; it is read as Python.", *notices)
    return Outline("code", found.blocks, notices)


def _pages(document: Document) -> Outline:
    if document.pages:
        return Outline("pages", document.blocks)
    return Outline("pages", document.blocks, ("This document has no pages; it is taken as one.",))


def _plain(document: Document) -> Outline:
    return Outline("plain")


_MAKERS: Mapping[str, Callable[[Document], Outline]] = {
    "auto": _auto,
    "markdown": _markdown,
    "faq": _faq,
    "code": _code,
    "pages": _pages,
    "plain": _plain,
}
