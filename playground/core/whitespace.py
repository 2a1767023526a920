"""White space that says nothing: what a normaliser would take out, as spans. The text itself never changes."""

from __future__ import annotations

import numpy as np

from playground.core.document import Document
from playground.core.prepared import Prepared, prepare
from playground.core.rulers import Mask, Offsets


def superfluous(prepared: Prepared) -> Mask:
    r"""For each character whether it is white space that could go without a word or a paragraph changing.

    That is: blanks at the end of a line, all but the first of several blanks between words, and all but two of several
    line breaks. Indentation stays, since code and lists mean something by it.
    """
    return prepared.once("superfluous", lambda: _superfluous(prepared.document.text, prepared.space))


def _superfluous(text: str, space: Mask) -> Mask:
    points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    breaks = (points == 10) | (points == 13)
    breaks[:-1] &= ~((points[:-1] == 13) & (points[1:] == 10))  # of CR LF, the LF counts
    blank = space & ~breaks & (points != 13)
    found = _blanks(blank, breaks | (points == 13)) | _line_breaks(space, breaks)
    found[:-1] |= (points[:-1] == 13) & (points[1:] == 10) & found[1:]
    return found


def _blanks(blank: Mask, breaks: Mask) -> Mask:
    """Blanks that a line ends with, and those after the first between words."""
    if not len(blank):
        return blank
    starts = blank & ~np.concatenate(([False], blank[:-1]))
    index = np.arange(len(blank))
    run = np.maximum.accumulate(np.where(starts, index, -1))
    ends = np.flatnonzero(blank & ~np.append(blank[1:], False))
    numbers = np.cumsum(starts) - 1
    last = ends[np.maximum(numbers, 0)] if len(ends) else index
    after = np.minimum(last + 1, len(blank) - 1)
    trailing = (last + 1 >= len(blank)) | breaks[after]
    indenting = (run <= 0) | breaks[np.maximum(run - 1, 0)]
    found: Mask = blank & (trailing | (~indenting & (index > run)))
    return found


def _line_breaks(space: Mask, breaks: Mask) -> Mask:
    """Line breaks after the second in a row with nothing but blanks between them."""
    before: Offsets = np.cumsum(breaks, dtype=np.int32) - breaks.astype(np.int32)
    ink = np.maximum.accumulate(np.where(~space, before, 0))
    found: Mask = breaks & (before - ink >= 2)
    return found


def spans_of(mask: Mask) -> tuple[Offsets, Offsets]:
    """The starts and ends of the stretches in which `mask` holds."""
    edges = np.diff(mask.astype(np.int8), prepend=np.int8(0), append=np.int8(0))
    return np.flatnonzero(edges > 0).astype(np.int32), np.flatnonzero(edges < 0).astype(np.int32)


def normalised(prepared: Prepared) -> str:
    """The text without what is superfluous: to count what it would save, not to cut."""
    keep = np.flatnonzero(~superfluous(prepared))
    points = np.frombuffer(prepared.document.text.encode("utf-32-le"), dtype=np.uint32)
    return points[keep].tobytes().decode("utf-32-le")


def savings(prepared: Prepared, tokenizer: str) -> tuple[int, int]:
    """How many characters, and how many tokens, a normaliser would save. Encodes the normalised text once."""
    tokens = prepared.once(("saved tokens", tokenizer), lambda: _saved_tokens(prepared, tokenizer))
    return int(superfluous(prepared).sum()), tokens


def savings_known(prepared: Prepared, tokenizer: str) -> bool:
    """Whether `savings` has nothing left to encode."""
    return prepared.knows(("saved tokens", tokenizer))


def _saved_tokens(prepared: Prepared, tokenizer: str) -> int:
    if not superfluous(prepared).any():
        return 0
    count = prepare(Document(normalised(prepared))).ruler("token", tokenizer).count
    return prepared.ruler("token", tokenizer).count - count
