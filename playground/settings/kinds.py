"""The kinds of settings: one of a few words, a whole number within bounds, a ladder of separators.

Each turns whatever a link or a message holds into the nearest valid value, with a notice where it had to change.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from playground.core.document import clean
from playground.core.separators import LONGEST, MOST, PRESETS, read_ladder, spelled

Value = str | int
Values = dict[str, Value]
Relevance = Mapping[str, Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What all settings have: a name, two texts for people, and when they matter.

    `only` names other settings and the values of theirs with which this one has an effect; `place` says where its
    control stands: "main", with the "mode", or among "more".
    """

    name: str
    label: str
    help: str
    place: str = "main"
    only: Relevance = field(default_factory=dict)

    def default_for(self, values: Mapping[str, Value]) -> Value:
        """The default, given the settings before it."""
        raise NotImplementedError

    def nearest(self, found: object, values: Mapping[str, Value]) -> tuple[Value, str]:
        """The valid value for `found` and a notice ("" if it was valid)."""
        raise NotImplementedError

    def as_row(self) -> dict[str, object]:
        """What the page's controls need to know, as JSON."""
        only = {name: list(values) for name, values in self.only.items()}
        return {"name": self.name, "label": self.label, "help": self.help, "place": self.place, "only": only}


@dataclass(frozen=True, kw_only=True)
class Choice(Setting):
    """One of a few words; `choices` gives each word its label on the page."""

    default: str
    choices: Mapping[str, str]

    def default_for(self, values: Mapping[str, Value]) -> str:
        """The default, the same always."""
        return self.default

    def nearest(self, found: object, values: Mapping[str, Value]) -> tuple[str, str]:
        """`found` if it is known, else the default."""
        if isinstance(found, str) and found in self.choices:
            return found, ""
        known = ", ".join(self.choices)
        return self.default, f"{self.label}: {shown(found)} is not known ({known}); {self.default} is used."

    def as_row(self) -> dict[str, object]:
        """Its choices besides."""
        choices = [{"value": value, "label": label} for value, label in self.choices.items()]
        return {**super().as_row(), "kind": "choice", "choices": choices, "default": self.default}


@dataclass(frozen=True, kw_only=True)
class Whole(Setting):
    """A whole number within bounds; bounds and default depend on the setting `by`.

    The page shows it divided by `scale`, with `suffix` after it.
    """

    defaults: Mapping[str, int]
    bounds: Mapping[str, tuple[int, int]]
    by: str = "unit"
    scales: Mapping[str, int] = field(default_factory=dict)
    suffix: str = ""

    def default_for(self, values: Mapping[str, Value]) -> int:
        """The default for the present value of `by`."""
        return self.defaults[str(values[self.by])]

    def nearest(self, found: object, values: Mapping[str, Value]) -> tuple[int, str]:
        """`found` if it is within the bounds, else the nearest bound; the default for what is no number."""
        low, high = self.bounds[str(values[self.by])]
        number = _number(found)
        if number is None:
            default = self.default_for(values)
            return default, f"{self.label}: {shown(found)} is not a whole number; {default} is used."
        kept = round(min(max(number, low), high))
        if kept == number:
            return kept, ""
        if low <= number <= high:
            return kept, f"{self.label}: {shown(found)} is not a whole number; {kept:,} is used."
        return kept, f"{self.label}: {shown(found)} is outside {low:,} to {high:,}; {kept:,} is used."

    def as_row(self) -> dict[str, object]:
        """Its bounds besides, by the value of `by`."""
        bounds = {key: list(bounds) for key, bounds in self.bounds.items()}
        scales = {key: self.scales.get(key, 1) for key in self.bounds}
        defaults = dict(self.defaults)
        return {
            **super().as_row(),
            "kind": "whole",
            "by": self.by,
            "bounds": bounds,
            "scales": scales,
            "suffix": self.suffix,
            "defaults": defaults,
        }


@dataclass(frozen=True, kw_only=True)
class Ladder(Setting):
    """Separators: the name of a ready-made ladder, or separators as `spelled` writes them, one a line."""

    default: str

    def default_for(self, values: Mapping[str, Value]) -> str:
        """The default, the same always."""
        return self.default

    def nearest(self, found: object, values: Mapping[str, Value]) -> tuple[str, str]:
        """`found` if it can be read as a ladder, shortened where it is too long."""
        if not isinstance(found, str) or len(found) > MOST * (2 * LONGEST + 1):
            return self.default, f"{self.label}: {shown(found)} is no list of separators; {self.default} is used."
        if found in PRESETS:
            return found, ""
        separators = read_ladder(clean(found)[0])
        kept = tuple(separator for separator in separators if len(separator) <= LONGEST)[:MOST]
        text = spelled_ladder(kept)
        if kept == separators:
            return text, ""
        return (
            text,
            f"{self.label}: at most {MOST} of at most {LONGEST} characters each; the rest is left out.",
        )

    def as_row(self) -> dict[str, object]:
        """The ready-made ladders besides, spelled."""
        presets = {name: spelled_ladder(ladder) for name, ladder in PRESETS.items()}
        return {**super().as_row(), "kind": "ladder", "presets": presets, "default": self.default}


def ladder_of(value: str) -> tuple[str, ...]:
    """The separators that a valid value of a `Ladder` stands for."""
    return PRESETS[value] if value in PRESETS else read_ladder(value)


def spelled_ladder(separators: Sequence[str]) -> str:
    """The separators, one a line."""
    return "\n".join(spelled(separator) for separator in separators)


def shown(found: object, limit: int = 40) -> str:
    """`found` as a person may read it in a message: quoted, and cut where it is long."""
    try:
        text = str(found).encode("utf-8", "replace").decode("utf-8")
    except (ValueError, RecursionError):  # more digits, or deeper nested, than Python prints
        text = f"a very long {type(found).__name__}"
    return f"“{text[:limit]}…”" if len(text) > limit else f"“{text}”"


def _number(found: object) -> float | None:
    """`found` as a number, infinite where no float is as large; None if it is none."""
    if isinstance(found, bool) or not isinstance(found, int | float | str):
        return None
    try:
        number = float(found)
    except ValueError:
        return None
    except OverflowError:
        number = math.inf if int(found) > 0 else -math.inf
    return None if math.isnan(number) else number
