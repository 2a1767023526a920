"""Text that a reader puts together piece by piece, with the blocks over it.

For formats whose text is not the file itself: every piece is cleaned as it comes, so offsets never shift afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping

from playground.core.document import Block, Document, clean


class Assembly:
    """A document in the making: `add` text, name `block`s of what was added, then take the `document`."""

    def __init__(self) -> None:
        self.length = 0
        self._pieces: list[str] = []
        self._blocks: list[Block] = []
        self._pages: list[int] = []
        self._notices: dict[str, None] = {}

    def add(self, text: str) -> tuple[int, int]:
        """Append `text`, cleaned, and return the span `[start, end)` that it took."""
        cleaned, notices = clean(text)
        self._notices.update(dict.fromkeys(notices))
        start = self.length
        self._pieces.append(cleaned)
        self.length += len(cleaned)
        return start, self.length

    def block(self, start: int, end: int, kind: str, *, level: int = 0, name: str = "", head: int = 0) -> None:
        """Say that `[start, end)` is a block; empty ones are left out. The order does not matter."""
        if start < end:
            self._blocks.append(Block(start, end, kind, level, name, head))

    def page(self) -> None:
        """Say that a page starts here."""
        self._pages.append(self.length)

    def notice(self, text: str) -> None:
        """Say something to whoever reads the document; the same words are kept once."""
        self._notices[text] = None

    def document(self, *, title: str, media_type: str, metadata: Mapping[str, object] | None = None) -> Document:
        """The document: its text, its blocks (outer ones first), pages and notices."""
        return Document.from_text(
            "".join(self._pieces),
            title=title,
            media_type=media_type,
            blocks=tuple(sorted(self._blocks, key=lambda block: (block.start, -block.end))),
            notices=tuple(self._notices),
            metadata=metadata,
            pages=tuple(self._pages),
        )
