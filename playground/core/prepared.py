"""A prepared document: everything that is slow about chunking, done once and kept.

Rulers, grapheme clusters, sentence starts and the levels placed on rulers are made on first use. Chunking a
prepared document at any settings is array arithmetic: no tokenizing, no segmenting. `encodes` counts the
tokenizer runs, so that a test can hold us to it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import partial
from typing import TypeVar, cast

import numpy as np

from playground.core.boundaries import Level, contains, distinct
from playground.core.cuts import KNOWN, Cuts, paragraph_starts
from playground.core.document import Document
from playground.core.graphemes import inside_clusters
from playground.core.rulers import Mask, Offsets, Ruler, character_ruler, token_ruler, word_ruler
from playground.core.sentences import sentence_starts
from playground.resources import encoding

T = TypeVar("T")

LATELY = 48
"""How many things of a kind that free settings ask for (levels, areas, curves) are kept; the oldest go first."""


class Prepared:
    """A document with its rulers and boundaries. Safe to share between threads."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.encodes = 0
        self._kept: dict[object, object] = {}
        self._lately: dict[object, OrderedDict[object, object]] = {}
        self._lock = threading.RLock()

    def has_tokens(self, tokenizer: str) -> bool:
        """Whether this tokenizer has run, so that chunking is arithmetic from here on."""
        return ("tokens", tokenizer) in self._kept and "sentences" in self._kept

    def ruler(self, unit: str, tokenizer: str) -> Ruler:
        """The ruler of `unit`: "character", "word" or "token" (the only one that `tokenizer` matters to)."""
        if unit == "character":
            return self._once("characters", lambda: character_ruler(self.document.text))
        if unit == "word":
            return self._words[0]
        return self._once(("tokens", tokenizer), lambda: self._encode(tokenizer))

    @property
    def space(self) -> Mask:
        """For each character whether it is white space."""
        return self._words[1]

    @property
    def is_blank(self) -> bool:
        """Whether the text has no character but white space."""
        return not self._words[0].count

    @property
    def first_ink(self) -> int:
        """The offset of the first character that is not white space (the length of the text if there is none)."""
        return int(np.argmin(self.space)) if not self.is_blank else len(self.document)

    @property
    def forbidden(self) -> Offsets:
        """The offsets inside grapheme clusters and carriage return + line feed, where nothing is ever cut."""
        return self._once("forbidden", lambda: inside_clusters(self.document.text))

    @property
    def sentences(self) -> Offsets:
        """The offsets where sentences start."""
        return self._once("sentences", lambda: sentence_starts(self.document.text))

    @property
    def paragraphs(self) -> Offsets:
        """The offsets of the lines that follow a blank line."""
        return self._once("paragraphs", lambda: paragraph_starts(self.document.text))

    def levels(self, kinds: tuple[str | Cuts, ...], unit: str, tokenizer: str) -> tuple[Level, ...]:
        """Nested levels on the ruler of `unit`, coarse to fine: a name of `KNOWN`, "unit" for the finest, or `Cuts`."""
        ruler = self.ruler(unit, tokenizer)
        nested: list[Level] = []
        for depth, kind in enumerate(kinds, start=1):
            key = ("level", kinds[:depth], unit, tokenizer if unit == "token" else "")
            make = partial(self._level, kind, ruler, nested[-1] if nested else None)
            lasting = all(isinstance(one, str) for one in kinds[:depth])
            nested.append(self._once(key, make) if lasting else self.lately("levels", key, make))
        return tuple(nested)

    def lately(self, shelf: str, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` returns, kept on a shelf under `key` until others have taken its place there."""
        with self._lock:
            kept = self._lately.setdefault(shelf, OrderedDict())
            if key not in kept:
                kept[key] = make()
                while len(kept) > LATELY:
                    kept.popitem(last=False)
            kept.move_to_end(key)
            return cast(T, kept[key])

    def knows(self, key: Hashable) -> bool:
        """Whether `once` has kept something under `key`."""
        return ("other", key) in self._kept

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` returns, kept under `key` as long as the document."""
        return self._once(("other", key), make)

    def cuttable(self, offsets: Offsets, unit: str, tokenizer: str) -> Offsets:
        """`offsets`, sorted, each moved to where levels of this unit have it: before the space of a token, never
        inside a grapheme cluster."""
        moved = self._aligned(offsets, self.ruler(unit, tokenizer))
        inside = contains(self.forbidden, moved)
        if not inside.any():
            return moved.astype(np.int32)
        allowed = np.setdiff1d(np.arange(len(self.document) + 1, dtype=np.int32), self.forbidden)
        return allowed[np.searchsorted(allowed, moved, side="right") - 1]

    def sentence_ends(self) -> Offsets:
        """For each sentence the offset after its last character that is not white space."""
        return self._once("sentence ends", self._find_sentence_ends)

    def utf16(self, offsets: Offsets) -> Offsets:
        """The offsets counted in UTF-16 code units, as JavaScript counts them."""
        astral = self._once("astral", lambda: _astral(self.document.text))
        if not len(astral):
            return offsets
        return (offsets + np.searchsorted(astral, offsets, side="left")).astype(np.int32)

    def from_utf16(self, unit: int) -> int:
        """The character offset for a UTF-16 offset (inside a surrogate pair: that character's)."""
        astral = self._once("astral", lambda: _astral(self.document.text))
        shifted = astral + np.arange(1, len(astral) + 1, dtype=np.int32)
        return max(0, min(unit - int(np.searchsorted(shifted, unit, side="right")), len(self.document)))

    @property
    def nbytes(self) -> int:
        """The memory held, roughly: the text and every array."""
        text = self.document.text
        held = len(text) if text.isascii() else 4 * len(text)
        shelves = tuple(tuple(shelf.values()) for shelf in tuple(self._lately.values()))
        kept = (*self._kept.values(), *shelves)  # without the lock: who holds it may be busy for seconds
        return held + sum(_nbytes(value) for value in kept)

    # --- how -------------------------------------------------------------------------------------------------

    @property
    def _words(self) -> tuple[Ruler, Mask]:
        return self._once("words", lambda: word_ruler(self.document.text))

    def _encode(self, tokenizer: str) -> Ruler:
        self.encodes += 1
        return token_ruler(self.document.text, self.space, encoding(tokenizer))

    def _level(self, kind: str | Cuts, ruler: Ruler, coarser: Level | None) -> Level:
        if coarser is None:
            return self._found(kind, ruler, None)
        name = ruler.unit if kind == "unit" else KNOWN[kind].name if isinstance(kind, str) else kind.name
        return Level.later(name, lambda: self._found(kind, ruler, coarser))

    def _found(self, kind: str | Cuts, ruler: Ruler, coarser: Level | None) -> Level:
        if kind == "unit":
            level = Level.of_units(ruler, self.forbidden)
        else:
            cuts = KNOWN[kind] if isinstance(kind, str) else kind
            level = Level.on(ruler, cuts.name, self._bounded(self._aligned(cuts.find(self), ruler)))
        return coarser.refined(level, ruler) if coarser else level

    def _aligned(self, starts: Offsets, ruler: Ruler) -> Offsets:
        """`starts` moved back over white space to where a token starts, if `ruler` counts tokens.

        In "One. Two." the token of the second sentence is " Two" with its space. Cut before that space, the chunks
        hold whole tokens: their counts add up, and a recount of a chunk's own text agrees.
        """
        if ruler.unit != "token" or not ruler.count:
            return starts
        back = ruler.whole_start(starts)
        ink = self._once("ink", lambda: np.cumsum(~self.space, dtype=np.int32))
        crossed = ink[np.maximum(starts - 1, 0)] - ink[np.maximum(back - 1, 0)]
        moves = (crossed == 0) & (back > 0) & ~contains(self.forbidden, back)
        return np.where(moves, back, starts)

    def _bounded(self, starts: Offsets) -> Offsets:
        """`starts` from 0 to the end of the text, without those inside a grapheme cluster."""
        if len(self.forbidden):
            starts = starts[~contains(self.forbidden, starts)]
        return distinct(np.concatenate(([0], starts, [len(self.document)])).astype(np.int32))

    def _find_sentence_ends(self) -> Offsets:
        ink = np.flatnonzero(~self.space)
        limits = np.append(self.sentences[1:], len(self.document))
        if not len(ink):
            return limits.astype(np.int32)
        return (ink[np.searchsorted(ink, limits, side="left") - 1] + 1).astype(np.int32)

    def _once(self, key: object, make: Callable[[], T]) -> T:
        with self._lock:
            if key not in self._kept:
                self._kept[key] = make()
            return cast(T, self._kept[key])


def _astral(text: str) -> Offsets:
    """The offsets of the characters that take two UTF-16 code units."""
    if text.isascii():
        return np.zeros(0, dtype=np.int32)
    points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    return np.flatnonzero(points > 0xFFFF).astype(np.int32)


def _nbytes(value: object) -> int:
    """The bytes of the arrays in an array, in a tuple, in a ruler or a level, or in what knows its own `nbytes`."""
    known = getattr(value, "nbytes", None)
    if isinstance(known, int):
        return known
    if isinstance(value, tuple):
        return sum(_nbytes(part) for part in value)
    return sum(_nbytes(part) for part in vars(value).values()) if isinstance(value, (Ruler, Level)) else 0


def prepare(document: Document) -> Prepared:
    """Wrap `document` for chunking any number of times; what it needs is computed at first use and kept."""
    return Prepared(document)
