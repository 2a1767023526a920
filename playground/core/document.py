"""A document: text that was cleaned once, and spans of it.

Everything downstream is arithmetic on character offsets into `Document.text`, so this is the only place where
text may change. What cleaning did is kept as notices, for a person to read.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

UNTITLED = "untitled"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch `[start, end)` of the text with one form; blocks nest, and never overlap in part.

    `kind` is one of `KINDS`. `level` is a heading's rank (1 to 6) or a list item's depth (from 1). `name` is what
    people call it: a heading's text, a symbol's dotted name, a question. `head` is the offset where the part ends that
    every piece of a block too large repeats, from its start on: a table's header rows, a class's header, a question
    (0: none).
    """

    start: int
    end: int
    kind: str
    level: int = 0
    name: str = ""
    head: int = 0


KINDS: Mapping[str, str] = MappingProxyType(
    {
        "heading": "opens a section that ends at the next heading of its level or above",
        "section": "a stretch after whose end its headings no longer hold",
        "paragraph": "text",
        "quote": "a quotation",
        "list": "a whole list, the outermost one",
        "item": "a list's item, at any depth",
        "table": "a table with its header",
        "row": "a table's row; the header's rows too",
        "code": "preformatted text",
        "line": "a line, where nothing better is known",
        "class": "a class, an interface, an implementation: what holds functions",
        "function": "a function or a method",
        "statement": "code between symbols: imports, constants",
        "pair": "a question and its answer",
        "record": "one record of data",
        "boilerplate": "navigation, a footer: what repeats on every page of a site",
        "rule": "a thematic break",
    }
)
"""The kinds of blocks and what each means."""


@dataclass(frozen=True)
class Document:
    """Text as it will be chunked, with what is known of where it came from.

    `text` never changes after construction and all offsets in the project count its code points. `blocks` are sorted
    by start, the outer before the inner. `pages` holds the offset where each page starts, if there are pages. Build
    one with `Document.from_text` or `playground.read`; the constructor itself does not clean.
    """

    text: str
    title: str = UNTITLED
    media_type: str = "text/plain"
    blocks: tuple[Block, ...] = ()
    notices: tuple[str, ...] = ()
    metadata: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    pages: tuple[int, ...] = ()

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        title: str = UNTITLED,
        media_type: str = "text/plain",
        blocks: tuple[Block, ...] = (),
        notices: tuple[str, ...] = (),
        metadata: Mapping[str, object] | None = None,
        pages: tuple[int, ...] = (),
    ) -> Document:
        """Clean `text` (see `clean`) and wrap it; `blocks` and `pages` count characters of the text after cleaning."""
        cleaned, found = clean(text)
        if cleaned and not cleaned.strip():
            found = (*found, "The document holds only white space: it becomes one chunk without any words.")
        return cls(
            text=cleaned,
            title=title,
            media_type=media_type,
            blocks=blocks,
            notices=(*notices, *found),
            metadata=MappingProxyType(dict(metadata or {})),
            pages=pages,
        )

    @cached_property
    def version(self) -> str:
        """The SHA-256 of the text in UTF-8, in hexadecimal: equal texts have equal versions."""
        return hashlib.sha256(self.text.encode("utf-8")).hexdigest()

    @property
    def source(self) -> str:
        """Where it comes from: what its metadata says, or else its title."""
        return str(self.metadata.get("source", self.title))

    @property
    def id(self) -> str:
        """What stays the same when the text changes: the metadata's id, or one made from the source.

        A text without a name is known by its content alone.
        """
        given = self.metadata.get("id")
        if given is not None:
            return str(given)
        known = self.version if self.source == UNTITLED else hashlib.sha256(self.source.encode("utf-8")).hexdigest()
        return known[:32]

    def __len__(self) -> int:
        """The number of characters (code points)."""
        return len(self.text)


def clean(text: str) -> tuple[str, tuple[str, ...]]:
    r"""Return `text` fit for tokenizers and browsers, and a notice for every kind of change made.

    A leading byte order mark goes; a surrogate pair becomes the character it stands for; a lone surrogate and
    a NUL become U+FFFD, one for one. Everything else stays, byte for byte: no stripping, no newline changes.

    >>> clean("a\ud83d\ude00b")[0] == "a😀b"
    True
    """
    notices: list[str] = []
    if text.startswith("\ufeff"):
        text = text[1:]
        notices.append("A byte order mark at the start was removed.")
    if _SURROGATE.search(text):
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        lone = len(_SURROGATE.findall(joined))
        text = _SURROGATE.sub(REPLACEMENT, joined)
        if lone:
            notices.append(
                f"{lone} half of a character (lone surrogate) was replaced by {REPLACEMENT}."
                if lone == 1
                else f"{lone} halves of characters (lone surrogates) were replaced by {REPLACEMENT}."
            )
        else:
            notices.append("Surrogate pairs were joined into the characters they stand for.")
    nul = text.count("\0")
    if nul:
        text = text.replace("\0", REPLACEMENT)
        notices.append(f"{nul} NUL character{'s were' if nul > 1 else ' was'} replaced by {REPLACEMENT}.")
    return text, tuple(notices)
