"""Kinds of boundaries by name: what a mode lists, from the coarsest to the finest, and how each is found."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from playground.core.rulers import Offsets

if TYPE_CHECKING:
    from playground.core.prepared import Prepared


@dataclass(frozen=True)
class Cuts:
    """A kind of boundary that a mode brings along: its name for people, what tells it from others, how to find it."""

    name: str
    key: Hashable
    find: Callable[[Prepared], Offsets] = field(compare=False)


KNOWN: Mapping[str, Cuts] = {
    "paragraph": Cuts("paragraph", "paragraph", lambda prepared: prepared.paragraphs),
    "sentence": Cuts("sentence", "sentence", lambda prepared: prepared.sentences),
    "word": Cuts("word", "word", lambda prepared: prepared.ruler("word", "").starts),
}
"""The kinds of boundaries that every document has, by name."""

_BLANK_LINES = re.compile(r"(?>\r\n|[\n\r])(?:[^\S\n\r]*+(?>\r\n|[\n\r]))++|\u2029")


def paragraph_starts(text: str) -> Offsets:
    r"""The offsets of the lines that follow blank lines, and of what follows a paragraph separator (U+2029).

    >>> paragraph_starts("A.\n\n  B.\n \nC.").tolist()
    [4, 11]
    """
    return np.array([match.end() for match in _BLANK_LINES.finditer(text)], dtype=np.int32)
