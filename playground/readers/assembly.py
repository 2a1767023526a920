"""Text that a reader puts together piece by piece, with the blocks over it.

For formats whose text is not the file itself: every piece is cleaned as it comes, so offsets never shift afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping

from playground.core.document import Block, Document, clean

_BLOCKS_PER_MB = 20_000
# Blank lines and line starts show these too, so they are what can be spared.
_SPARED = (("paragraph",), ("list", "item"), ("table", "row"))
_LONGEST_METADATA = 500


def most_blocks(length: int) -> int:
    """Return how many blocks a text of `length` characters may have: 20,000 for every million begun."""
    return _BLOCKS_PER_MB * (1 + length // 2**20)


class Assembly:
    """A document in the making: `add` text, name `block`s of what was added, then take the `document`."""

    def __init__(self) -> None:
        self.length = 0
        self._pieces: list[str] = []
        self._blocks: list[Block] = []
        self._pages: list[int] = []
        self._notices: dict[str, None] = {}

    def add(self, text: str) -> tuple[int, int]:
        """Append `text`, cleaned, and return the span `[start, end)` that it took.

        Byte order marks before it go, all of them: one that were left at the very start would go later and shift all.
        """
        cleaned, notices = clean(text.lstrip("\ufeff"))
        self._notices.update(dict.fromkeys(notices))
        start = self.length
        self._pieces.append(cleaned)
        self.length += len(cleaned)
        return start, self.length

    def block(self, start: int, end: int, kind: str, *, level: int = 0, name: str = "", head: int = 0) -> None:
        """Say that `[start, end)` is a block; empty ones are left out. The order does not matter.

        Byte order marks before a name go, as they do before a text: no one sees them, and no search would find it.
        """
        if start < end:
            self._blocks.append(Block(start, end, kind, level, name.lstrip("\ufeff"), head))

    def page(self) -> None:
        """Say that a page starts here."""
        self._pages.append(self.length)

    def notice(self, text: str) -> None:
        """Say something to whoever reads the document; the same words are kept once."""
        self._notices[text] = None

    def document(self, *, title: str, media_type: str, metadata: Mapping[str, object] | None = None) -> Document:
        """The document: its text, its blocks (outer ones first, not too many), pages and notices.

        Of two blocks with one span the one named first is the outer one. Metadata is cut after 500 characters, because
        every chunk repeats it.
        """
        blocks = self._bounded()
        return Document.from_text(
            "".join(self._pieces),
            title=title,
            media_type=media_type,
            blocks=blocks,
            notices=tuple(self._notices),
            metadata={
                key: value[:_LONGEST_METADATA] if isinstance(value, str) else value
                for key, value in (metadata or {}).items()
            },
            pages=tuple(self._pages),
        )

    def _bounded(self) -> tuple[Block, ...]:
        blocks, most = self._blocks, most_blocks(self.length)
        for kinds in _SPARED:
            if len(blocks) > most:
                blocks = [block for block in blocks if block.kind not in kinds]
        if len(blocks) > most:
            self.notice(f"Of {len(blocks):,} headings and other parts, only the first {most:,} are used.")
        return tuple(sorted(blocks, key=lambda block: (block.start, -block.end))[:most])
