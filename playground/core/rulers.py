"""Rulers: where a character, a word or a token starts, so that measuring a span is a subtraction.

A ruler is made once for a document. A token is at home at the character that holds its first byte. A word is a run
of characters without white space; but each ideograph and kana is a word of its own, and it ends the one before, as
does the punctuation of those scripts, which put no spaces between words. White space after a word belongs to it.
Packing and statistics read rulers only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from unicodedata import category, east_asian_width

import numpy as np
import numpy.typing as npt
import tiktoken

Offsets = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]

UNITS = ("character", "word", "token")


@dataclass(frozen=True, eq=False)
class Ruler:
    """Sorted character offsets where units start, over a text of `length` characters.

    `starts[0]` is 0 where there is any unit, and an offset may occur twice: two tokens can share a character.
    `whole` marks the units whose start is the start of a character (None: all of them).
    """

    unit: str
    starts: Offsets
    length: int
    whole: Mask | None = None

    @property
    def count(self) -> int:
        """How many units the text has."""
        return len(self.starts)

    def before(self, offsets: npt.ArrayLike) -> Offsets:
        """For each offset the number of units that start before it."""
        if self._is_identity:
            return np.asarray(offsets, dtype=np.int32)
        return np.searchsorted(self.starts, _as_offsets(offsets), side="left").astype(np.int32)

    def within(self, offsets: npt.ArrayLike) -> Offsets:
        """For each offset the index of the unit that lies there: `before` where a unit starts, else one less."""
        if self._is_identity:
            return np.asarray(offsets, dtype=np.int32)
        at = _as_offsets(offsets)
        before = self.before(at)
        if not self.count:
            return before
        unit = np.minimum(before, self.count - 1)
        starts_here = (before < self.count) & (self.starts[unit] == at)
        if self.whole is not None:  # a token that goes on inside the character left its beginning in the one before
            starts_here &= self.whole[unit]
        return np.where(starts_here | (at >= self.length), before, np.maximum(before - 1, 0)).astype(np.int32)

    def whole_start(self, offsets: npt.ArrayLike) -> Offsets:
        """For each offset the nearest one, at or before it, where a unit starts together with a character."""
        starts = self.starts if self.whole is None else self.starts[self.whole]
        found: Offsets = starts[np.maximum(np.searchsorted(starts, _as_offsets(offsets), side="right") - 1, 0)]
        return found

    def measure(self, start: npt.ArrayLike, end: npt.ArrayLike) -> Offsets:
        """How many units each span `[start, end)` touches: a unit that it cuts counts in full."""
        return self.before(end) - self.within(start)

    @property
    def _is_identity(self) -> bool:
        return self.unit == "character"


def _as_offsets(values: npt.ArrayLike) -> Offsets:
    """`values` as int32, the type of every offset array: a search in mixed types copies the haystack."""
    return np.asarray(values, dtype=np.int32)


def character_ruler(text: str) -> Ruler:
    """Every character is a unit."""
    return Ruler("character", np.arange(len(text), dtype=np.int32), len(text))


# --- words -----------------------------------------------------------------------------------------------------

_IDEOGRAPHIC = (
    (0x2E80, 0x2FDF),  # radicals
    (0x3005, 0x3007),  # iteration mark, closing mark, zero
    (0x3021, 0x3029),  # Hangzhou numerals
    (0x3031, 0x3035),  # kana repeat marks
    (0x3041, 0x3096),  # hiragana
    (0x309D, 0x309F),
    (0x30A1, 0x30FA),  # katakana
    (0x30FD, 0x30FF),
    (0x31F0, 0x31FF),  # small katakana
    (0x3400, 0x4DBF),  # ideographs, extension A
    (0x4E00, 0x9FFF),  # ideographs
    (0xF900, 0xFAFF),  # compatibility ideographs
    (0xFF66, 0xFF9D),  # halfwidth katakana
)
_ASTRAL_IDEOGRAPHS = (0x20000, 0x3FFFF)
_SPACE, _IDEOGRAPH, _LETTER, _MARK = 1, 2, 4, 8


@lru_cache(maxsize=1)
def _character_classes() -> npt.NDArray[np.uint8]:
    """For each code point of the basic plane: white space, ideograph or kana, letter or digit, wide punctuation."""
    table = np.zeros(0x10000, dtype=np.uint8)
    for point in range(0x10000):
        character = chr(point)
        mark = category(character)[0] == "P" and east_asian_width(character) in "WFH"
        table[point] = _SPACE * character.isspace() + _LETTER * character.isalnum() + _MARK * mark
    for first, last in _IDEOGRAPHIC:
        table[first : last + 1] |= _IDEOGRAPH
    return table


def _classify(text: str) -> npt.NDArray[np.uint8]:
    """The class of every character of `text`."""
    table = _character_classes()
    if text.isascii():
        return table[np.frombuffer(text.encode("ascii"), dtype=np.uint8)]
    points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    classes = table[np.minimum(points, 0xFFFF)]
    astral = np.flatnonzero(points > 0xFFFF)
    first, last = _ASTRAL_IDEOGRAPHS
    ideograph = (points[astral] >= first) & (points[astral] <= last)
    letters = np.fromiter((text[i].isalnum() for i in astral), dtype=np.bool_, count=len(astral))
    classes[astral] = np.where(ideograph, _IDEOGRAPH | _LETTER, _LETTER * letters)
    return classes


def word_ruler(text: str) -> tuple[Ruler, Mask]:
    """The ruler of words, and for each character whether it is white space.

    For a script with spaces the words are those of `text.split()`.
    """
    classes = _classify(text)
    space = (classes & _SPACE) != 0
    after_space = np.empty_like(space)
    after_space[:1] = True
    after_space[1:] = space[:-1]
    opens = after_space & ~space
    if not text.isascii():
        ideograph = (classes & _IDEOGRAPH) != 0
        letter = (classes & _LETTER) != 0
        opens |= ideograph
        opens[1:] |= ((classes[:-1] & (_IDEOGRAPH | _MARK)) != 0) & letter[1:]
    starts = np.flatnonzero(opens).astype(np.int32)
    starts[:1] = 0
    return Ruler("word", starts, len(text)), space


# --- tokens ----------------------------------------------------------------------------------------------------

LONGEST_SPACE = 100_000
"""White-space characters in a row that no tokenizer is given more of: it would panic."""


def _pieces(text: str, space: Mask) -> list[str]:
    """`text`, cut inside runs of more than 100,000 white-space characters, where a tokenizer would panic."""
    cuts = [0, len(text)]
    ink = np.concatenate(([-1], np.flatnonzero(~space), [len(text)]))
    for gap in np.flatnonzero(np.diff(ink) > LONGEST_SPACE):
        cuts += range(int(ink[gap]) + 1 + LONGEST_SPACE, int(ink[gap + 1]), LONGEST_SPACE)
    return [text[start:end] for start, end in pairwise(sorted(cuts))]


@lru_cache(maxsize=8)
def _token_lengths(encoding: tiktoken.Encoding) -> npt.NDArray[np.int32]:
    """The length in bytes of every token of the vocabulary, indexed by id (0 for ids without a token)."""
    lengths = np.zeros(encoding.max_token_value + 1, dtype=np.int32)
    for value in encoding.token_byte_values():
        lengths[encoding.encode_single_token(value)] = len(value)
    return lengths


def token_ruler(text: str, space: Mask, encoding: tiktoken.Encoding) -> Ruler:
    """The ruler of tokens: one encode of the text, then sums of byte lengths mapped to characters.

    `<|endoftext|>` and its like are plain text here. `whole` marks the tokens that begin with the first byte
    of a character: only these are safe to cut at. `space` is what `word_ruler` found.
    """
    ids = [encoding.encode_to_numpy(piece, disallowed_special=()) for piece in _pieces(text, space)]
    lengths = _token_lengths(encoding)[np.concatenate(ids)] if ids else np.zeros(0, dtype=np.int32)
    byte_starts = np.zeros(len(lengths), dtype=np.int32)
    np.cumsum(lengths[:-1], out=byte_starts[1:])
    if text.isascii():
        return Ruler("token", byte_starts, len(text))
    utf8 = np.frombuffer(text.encode("utf-8"), dtype=np.uint8)
    leads = (utf8 & 0xC0) != 0x80
    characters = np.cumsum(leads, dtype=np.int32) - 1
    return Ruler("token", characters[byte_starts].astype(np.int32), len(text), leads[byte_starts])
