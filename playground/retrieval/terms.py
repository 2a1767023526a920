"""The words by which BM25 knows a text, and where in the text each of them stands.

Letters and digits that follow one another are a word, with the marks that belong to them. Scripts that put no spaces
between words (Han, kana, Thai, Lao, Khmer, Myanmar) give overlapping pairs of characters. Case and width make no
difference. There is no stemming and no list of stop words: "run" does not find "running", and "the" counts, though
BM25 gives a word that is everywhere next to no weight. `bm25` counts these terms in any span by subtraction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from unicodedata import normalize

import numpy as np
import numpy.typing as npt
import regex

from playground.core.prepared import Prepared
from playground.core.rulers import Offsets

_JOINERS = "\u00ad\u200c\u200d"  # soft hyphen and the two invisible joiners: inside a word, and no part of it
_MARKS = r"\p{M}\uff9e\uff9f"  # halfwidth kana have their voicing marks as letters
_SCRIPTS = r"\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}"
_UNSPACED = rf"[[{_SCRIPTS}]&&[\p{{L}}\p{{Nl}}]--[\uff9e\uff9f]]"
_SPACED = rf"[[\p{{L}}\p{{N}}]--{_UNSPACED}]"
_CHARACTER = regex.compile(rf"(?V1){_UNSPACED}[{_MARKS}]*+")
_TERM = regex.compile(
    rf"(?V1)(?P<run>(?:{_UNSPACED}[{_MARKS}]*+)++)"
    rf"|{_SPACED}[{_SPACED}{_MARKS}]*+(?:[{_JOINERS}]++{_SPACED}[{_SPACED}{_MARKS}]*+)*+"
)
_WITHOUT_JOINERS = str.maketrans("", "", _JOINERS)
_ENTRY = 120  # bytes, roughly, of a text in a dictionary


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the terms of `text`; both starts and ends increase."""
    for match in _TERM.finditer(text):
        if match.lastgroup is None:
            yield match.span()
            continue
        bounds = [found.start() for found in _CHARACTER.finditer(text, *match.span())]
        bounds.append(match.end())
        if len(bounds) == 2:
            yield match.span()
        else:
            yield from zip(bounds[:-2], bounds[2:], strict=True)


def _plain(raw: str) -> str:
    """`raw` as it is compared: compatibility forms replaced (NFKC), case folded."""
    return normalize("NFKC", normalize("NFKC", raw.translate(_WITHOUT_JOINERS)).casefold())


@lru_cache(maxsize=4096)
def _terms_in(text: str) -> tuple[str, ...]:
    return tuple(_plain(text[start:end]) for start, end in _spans(text))


def query_terms(text: str) -> list[str]:
    """Return the terms of `text` in their order, repeated ones as often as they occur.

    A single character of a script without spaces is a term by itself only where it stands alone: the question 猫 does
    not find 黒猫.

    >>> query_terms("Where is the Café's 3D-Drucker?")
    ['where', 'is', 'the', 'café', 's', '3d', 'drucker']
    >>> query_terms("東京都へ")
    ['東京', '京都', '都へ']
    """
    return list(_terms_in(text))


@lru_cache(maxsize=4096)
def counted(text: str) -> Mapping[str, int]:
    """How often each term occurs in a short text: a heading path, a question."""
    return MappingProxyType(Counter(_terms_in(text)))


@dataclass(frozen=True, eq=False)
class Terms:
    """All terms of a document in the order of the text: term i is `[starts[i], ends[i])`, both int32 and increasing.

    `order` has the numbers i sorted by term and then by place; those of the term with the number t in `vocabulary` are
    from `first[t]` to before `first[t + 1]`.
    """

    starts: Offsets
    ends: Offsets
    vocabulary: Mapping[str, int]
    order: Offsets
    first: npt.NDArray[np.int64]

    @classmethod
    def of(cls, prepared: Prepared) -> Terms:
        """The terms of a document, found once and kept with it."""
        return prepared.once("terms", lambda: cls.in_text(prepared.document.text))

    @classmethod
    def in_text(cls, text: str) -> Terms:
        """Find the terms of `text`."""
        starts: list[int] = []
        ends: list[int] = []
        raws: dict[str, int] = {}
        numbers: list[int] = []
        for start, end in _spans(text):
            starts.append(start)
            ends.append(end)
            numbers.append(raws.setdefault(text[start:end], len(raws)))
        vocabulary: dict[str, int] = {}
        same = np.array([vocabulary.setdefault(_plain(raw), len(vocabulary)) for raw in raws], np.int32)
        ids = same[numbers] if numbers else np.zeros(0, np.int32)
        first = np.zeros(len(vocabulary) + 1, np.int64)
        np.cumsum(np.bincount(ids, minlength=len(vocabulary)), out=first[1:])
        order = np.argsort(ids, kind="stable").astype(np.int32)
        return cls(np.array(starts, np.int32), np.array(ends, np.int32), MappingProxyType(vocabulary), order, first)

    @property
    def nbytes(self) -> int:
        """The memory held, roughly."""
        arrays = (self.starts, self.ends, self.order, self.first)
        return sum(array.nbytes for array in arrays) + _ENTRY * len(self.vocabulary)

    def __len__(self) -> int:
        return len(self.starts)

    def numbers(self, term: str) -> Offsets:
        """Which terms of the text are `term`, ascending; none if it does not occur."""
        found = self.vocabulary.get(term)
        return self.order[:0] if found is None else self.order[self.first[found] : self.first[found + 1]]

    def positions(self, term: str) -> tuple[Offsets, Offsets]:
        """The starts and ends of every place where `term` stands, ascending."""
        numbers = self.numbers(term)
        return self.starts[numbers], self.ends[numbers]

    def inside(self, starts: npt.ArrayLike, ends: npt.ArrayLike) -> tuple[Offsets, Offsets]:
        """For each span the terms wholly inside it: those numbered from the first array to before the second."""
        low = np.searchsorted(self.starts, np.asarray(starts, np.int32), side="left").astype(np.int32)
        high = np.searchsorted(self.ends, np.asarray(ends, np.int32), side="right").astype(np.int32)
        return low, np.maximum(low, high)

    def lengths(self, starts: npt.ArrayLike, ends: npt.ArrayLike) -> Offsets:
        """How many terms are wholly inside each span: int32 [spans]."""
        low, high = self.inside(starts, ends)
        return high - low


def occurrences(terms: Terms, wanted: Sequence[str]) -> tuple[npt.NDArray[np.int64], Offsets]:
    """Every place of each of the `wanted` terms: which of them, and its number in the text; sorted by both."""
    numbers = [terms.numbers(term) for term in wanted]
    which = np.repeat(np.arange(len(wanted)), [len(one) for one in numbers])
    return which, np.concatenate(numbers) if numbers else np.zeros(0, np.int32)
