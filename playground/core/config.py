"""The settings of one chunking, as a value: checked when made, never changed after."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from playground.core.modes import MODES
from playground.core.outline.forms import FORMS
from playground.core.rulers import UNITS
from playground.core.separators import LONGEST, MOST, PRESETS
from playground.core.thresholds import THRESHOLDS, Threshold
from playground.resources import TOKENIZERS

TAILS = ("stop", "keep", "merge")
SNAPS = ("cut", "unit", "word", "sentence")
BOILERPLATE = ("keep", "leave out")
LARGEST = 2**30
"""Offsets are int32, so that the sum of two sizes must fit there."""


class ConfigError(ValueError):
    """A setting that cannot be; the message names the field, what was found, and what would do."""


@dataclass(frozen=True, slots=True)
class ChunkingConfig:
    """How to chunk: where one may cut (`mode`), what is counted (`unit`), how much (`size`, `overlap`).

    Sizes and overlaps count units; an overlap that is not given is a sixth of the size. `tail` says what happens at
    the end: "stop" at the first chunk that reaches it, "keep" the naive windows that lie wholly inside their
    predecessors, or "merge" a last chunk smaller than `min_size` units into the one before (`min_size=None`: a
    quarter of the size there, nothing elsewhere). In the modes "structure" and "semantic" a section or topic below
    `min_size` joins the next. `snap` says where an overlap starts: at a boundary as coarse as the "cut", or at the
    first "unit", "word" or "sentence" that it allows. With `parent_size`, chunks are the children of parents of at
    most so many units, and none crosses from one parent to the next.

    `separators` is the ladder of "recursive"; `form`, `context` and `boilerplate` belong to "structure" (which
    outline, whether headings are put before each chunk, whether navigation is kept); `threshold`,
    `amount` and `window` to "semantic". Raises `ConfigError`.
    """

    mode: str = "fixed"
    unit: str = "token"
    size: int = 240
    overlap: int = None  # type: ignore[assignment]  # never None once made
    tokenizer: str = "cl100k_base"
    tail: str = "stop"
    min_size: int | None = None
    parent_size: int | None = None
    snap: str = "cut"
    separators: tuple[str, ...] = PRESETS["prose"]
    form: str = "auto"
    context: bool = True
    boilerplate: str = "keep"
    threshold: str = "percentile"
    amount: float = None  # type: ignore[assignment]  # never None once made
    window: int = 3

    def __post_init__(self) -> None:
        for name, choices in (
            ("mode", tuple(MODES)),
            ("unit", UNITS),
            ("tokenizer", TOKENIZERS),
            ("tail", TAILS),
            ("snap", SNAPS),
            ("form", tuple(FORMS)),
            ("boilerplate", BOILERPLATE),
            ("threshold", tuple(THRESHOLDS)),
        ):
            value = getattr(self, name)
            if value not in choices:
                raise ConfigError(f"{name} is {value!r}; it can be one of {', '.join(choices)}.")
        object.__setattr__(self, "size", _whole(self.size, "size", least=1))
        overlap = self.size // 6 if self.overlap is None else _whole(self.overlap, "overlap", least=0)
        object.__setattr__(self, "overlap", overlap)
        if self.overlap >= self.size:
            raise ConfigError(
                f"overlap is {self.overlap} and size is {self.size}: the overlap must be smaller than the size, "
                f"or the chunks would never move on. Choose an overlap of at most {self.size - 1}."
            )
        if self.min_size is not None:
            object.__setattr__(self, "min_size", _whole(self.min_size, "min_size", least=0))
        if self.parent_size is not None:
            object.__setattr__(self, "parent_size", _whole(self.parent_size, "parent_size", least=1))
            if self.parent_size < self.size:
                raise ConfigError(
                    f"parent_size is {self.parent_size} and size is {self.size}: a parent holds its children, "
                    f"so it must be at least as large. Choose a parent_size of at least {self.size}."
                )
        object.__setattr__(self, "separators", _ladder(self.separators))
        object.__setattr__(self, "window", _whole(self.window, "window", least=1))
        usual = THRESHOLDS[self.threshold]
        object.__setattr__(self, "amount", usual.default if self.amount is None else _number(self.amount, usual))
        if not isinstance(self.context, bool):
            raise ConfigError(f"context is {self.context!r}; it must be True or False.")

    @property
    def stride(self) -> int:
        """How far each window starts after the one before: size - overlap, in units."""
        return self.size - self.overlap

    @property
    def smallest_tail(self) -> int:
        """The size in units below which `tail="merge"` joins the last chunk to its predecessor."""
        return self.size // 4 if self.min_size is None else self.min_size

    @property
    def smallest_piece(self) -> int:
        """The size in units below which a section or a topic joins the next one."""
        return self.min_size or 0

    @property
    def of_parents(self) -> ChunkingConfig:
        """The configuration that makes the parents: their size, and nothing repeated."""
        assert self.parent_size is not None
        return replace(self, size=self.parent_size, overlap=0, parent_size=None, tail="stop")

    def as_dict(self) -> dict[str, object]:
        """The settings by name, in the order of the fields."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def _ladder(value: object) -> tuple[str, ...]:
    """`value` as separators: a few short texts, none of them empty."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ConfigError(f"separators is {value!r}; it must be a sequence of texts, the coarsest first.")
    ladder = tuple(value)
    if len(ladder) > MOST:
        raise ConfigError(f"separators holds {len(ladder)}; it may hold at most {MOST}.")
    for separator in ladder:
        if not isinstance(separator, str) or not 0 < len(separator) <= LONGEST:
            raise ConfigError(f"separators holds {separator!r}; each must be a text of 1 to {LONGEST} characters.")
    if len(set(ladder)) < len(ladder):
        raise ConfigError("separators holds one twice; the second could never cut.")
    return ladder


def _whole(value: object, name: str, least: int) -> int:
    """`value` as an int from `least` to `LARGEST`; numpy integers pass, booleans and fractions do not."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ConfigError(f"{name} is {value!r}; it must be a whole number.") from None
    if number < least:
        raise ConfigError(f"{name} is {number}; it must be at least {least}.")
    if number > LARGEST:
        raise ConfigError(f"{name} is {number}; it can be at most {LARGEST}.")
    return number


def _number(value: object, threshold: Threshold) -> float:
    """`value` as a number within the bounds of `threshold`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"amount is {value!r}; it must be a number.")
    if not threshold.low <= value <= threshold.high:
        raise ConfigError(f"amount is {value}; it must be from {threshold.low:g} to {threshold.high:g}.")
    return float(value)
