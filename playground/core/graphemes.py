r"""Where a cut would fall inside one visible character (an extended grapheme cluster, UAX #29, or "\r\n").

The rules GB3 to GB13 are array arithmetic over code points, linear in the text whatever it holds; the
properties of characters come from the `regex` package, so we follow its version of Unicode. The result goes
to the boundaries, as the offsets at which nobody may ever cut.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt
import regex  # type: ignore[import-untyped, unused-ignore]

_Bytes = npt.NDArray[np.uint8]
_Indices = npt.NDArray[np.intp]
_Flags = npt.NDArray[np.bool_]

# The kind of a character is one byte: its Grapheme_Cluster_Break class in the low half, flags in the high.
_CLASS: Final = 0x0F
_CLASSES: Final = ("Other", "CR", "LF", "Control", "Extend", "ZWJ", "SpacingMark", "Prepend")
_CLASSES_PAIRED: Final = ("Regional_Indicator", "L", "V", "T", "LV", "LVT")
_CODE: Final = {name: code for code, name in enumerate(_CLASSES + _CLASSES_PAIRED)}
_PICTOGRAPH, _CONSONANT, _LINKER, _INDIC_EXTEND = 0x10, 0x20, 0x40, 0x80
_FLAGS: Final = {
    "Extended_Pictographic": _PICTOGRAPH,
    "InCB=Consonant": _CONSONANT,
    "InCB=Linker": _LINKER,
    "InCB=Extend": _INDIC_EXTEND,
}
_ALONE: Final = ("CR", "LF", "Control")
# (before, after) that stay together whatever else is near: GB3 and GB6 to GB8.
_TOGETHER: Final = (
    ("CR", "LF"),
    *(("L", after) for after in ("L", "V", "LV", "LVT")),
    *((before, after) for before in ("LV", "V") for after in ("V", "T")),
    *((before, "T") for before in ("LVT", "T")),
)


def inside_clusters(text: str) -> npt.NDArray[np.int32]:
    r"""Return the offsets `0 < i < len(text)` at which a cut would divide a grapheme cluster, ascending.

    >>> inside_clusters("x👍🏽y\r\n").tolist()
    [2, 5]
    """
    if text.isascii() and "\r\n" not in text:
        return np.empty(0, dtype=np.int32)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    # One character of no kind in front, so that looking back from the start of the text finds nothing.
    kinds = np.zeros(len(codes) + 1, dtype=np.uint8)
    np.take(_kind_table(), codes, out=kinds[1:], mode="clip")  # "raise" would copy first
    # Most characters are of no kind: the rules look only at the others, `at` these places.
    at = np.flatnonzero(kinds != 0)
    before, here = kinds[at - 1], kinds[at]
    inside = np.zeros(len(kinds), dtype=np.bool_)
    inside[at] = (
        _pair_table()[(before & _CLASS) << 4 | here & _CLASS]
        | _second_of_flag(at, here)
        | _joined_emoji(kinds, at, before, here)
        | _conjunct(kinds, at, here)
    )
    inside[_after_prepend(kinds)] = True
    inside[:2] = False
    return (np.flatnonzero(inside) - 1).astype(np.int32)


def _after_prepend(kinds: _Bytes) -> _Indices:
    """GB9b: whatever follows a Prepend character, unless it stands alone."""
    after = np.flatnonzero((kinds[:-1] & _CLASS) == _CODE["Prepend"]) + 1
    return after[~np.isin(kinds[after] & _CLASS, [_CODE[name] for name in _ALONE])]


def _second_of_flag(at: _Indices, here: _Bytes) -> _Flags:
    """GB12, GB13: every second regional indicator, counted from the start of its run."""
    indicator: _Flags = (here & _CLASS) == _CODE["Regional_Indicator"]
    if not indicator.any():
        return indicator
    since_start = np.arange(len(at)) - _run_starts(at, indicator)
    second: _Flags = indicator & (since_start % 2 == 1)
    return second


def _joined_emoji(kinds: _Bytes, at: _Indices, before: _Bytes, here: _Bytes) -> _Flags:
    """GB11: a pictograph after a zero-width joiner, itself after a pictograph and any number of Extend."""
    joined: _Flags = ((here & _PICTOGRAPH) != 0) & ((before & _CLASS) == _CODE["ZWJ"])
    if not joined.any():
        return joined
    joiners = np.flatnonzero(joined) - 1
    first = _run_starts(at, (here & _CLASS) == _CODE["Extend"])[joiners]
    joined[joined] = (kinds[at[first] - 1] & _PICTOGRAPH) != 0
    return joined


def _conjunct(kinds: _Bytes, at: _Indices, here: _Bytes) -> _Flags:
    """GB9c as of Unicode 18: a consonant after a linker and any number of InCB=Extend."""
    if not (here & _LINKER).any():
        return np.zeros(len(at), dtype=np.bool_)
    first = _run_starts(at, (here & _INDIC_EXTEND) != 0)
    joined: _Flags = ((here & _CONSONANT) != 0) & ((kinds[at[first] - 1] & _LINKER) != 0)
    return joined


def _run_starts(at: _Indices, inner: _Flags) -> _Indices:
    """For every `at[k]`, the k at which the run of adjacent `inner` characters that leads up to it starts.

    The run may be empty: then it is k itself. So `at[start] - 1` is the last place that is not of the run.
    """
    fresh = np.ones(len(at), dtype=np.bool_)
    fresh[1:] = ~(inner[:-1] & (np.diff(at) == 1))
    starts: _Indices = np.maximum.accumulate(np.where(fresh, np.arange(len(at)), 0))
    return starts


@cache
def _pair_table() -> _Flags:
    """Whether two characters stay together, by `class before << 4 | class after`: GB3 to GB9a."""
    table = np.zeros((16, 16), dtype=np.bool_)
    for name in ("Extend", "ZWJ", "SpacingMark"):
        table[:, _CODE[name]] = True
    for name in _ALONE:
        table[_CODE[name], :] = False
    for before, after in _TOGETHER:
        table[_CODE[before], _CODE[after]] = True
    return table.reshape(-1)


@cache
def _kind_table() -> _Bytes:
    """The kind of every code point, built once (about a tenth of a second) and kept: 1.1 MB."""
    table = np.zeros(0x110000, dtype=np.uint8)
    everything = np.arange(len(table), dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    classes = {f"Grapheme_Cluster_Break={name}": code for name, code in _CODE.items() if code}
    for name, bits in (classes | _FLAGS).items():
        for match in regex.finditer(rf"\p{{{name}}}+", everything):
            table[match.start() : match.end()] |= bits
    return table
