"""The settings of one chunking, as a value: checked when made, never changed after."""

from __future__ import annotations

import operator
from dataclasses import dataclass, fields

from playground.core.modes import MODES
from playground.core.rulers import UNITS
from playground.resources import TOKENIZERS

TAILS = ("stop", "keep", "merge")


class ConfigError(ValueError):
    """A setting that cannot be; the message names the field, what was found, and what would do."""


@dataclass(frozen=True, slots=True)
class ChunkingConfig:
    """How to chunk: where one may cut (`mode`), what is counted (`unit`), how much (`size`, `overlap`).

    `size` and `overlap` count units; an overlap that is not given is a sixth of the size. `tail` says what happens at
    the end: "stop" at the first chunk that reaches it, "keep" the naive windows that lie wholly inside their
    predecessors, or "merge" a last chunk smaller than `min_size` units into the one before (`min_size=None`: a
    quarter of the size). Raises `ConfigError`.
    """

    mode: str = "fixed"
    unit: str = "token"
    size: int = 240
    overlap: int = None  # type: ignore[assignment]  # never None once made
    tokenizer: str = "cl100k_base"
    tail: str = "stop"
    min_size: int | None = None

    def __post_init__(self) -> None:
        for name, choices in (
            ("mode", tuple(MODES)),
            ("unit", UNITS),
            ("tokenizer", TOKENIZERS),
            ("tail", TAILS),
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

    @property
    def stride(self) -> int:
        """How far each window starts after the one before: size - overlap, in units."""
        return self.size - self.overlap

    @property
    def smallest_tail(self) -> int:
        """The size in units below which `tail="merge"` joins the last chunk to its predecessor."""
        return self.size // 4 if self.min_size is None else self.min_size

    def as_dict(self) -> dict[str, object]:
        """The settings by name, in the order of the fields."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def _whole(value: object, name: str, least: int) -> int:
    """`value` as an int of at least `least`; numpy integers pass, booleans and fractions do not."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ConfigError(f"{name} is {value!r}; it must be a whole number.") from None
    if number < least:
        raise ConfigError(f"{name} is {number}; it must be at least {least}.")
    return number
