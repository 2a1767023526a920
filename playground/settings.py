"""One table of settings: what each is called, may be, and means.

Widgets, the address, messages, validation and the README all come from here. Values are plain strings and whole numbers
so that they travel in a link; `to_config` turns them into what the core takes. What cannot be becomes the nearest
that can, with a notice: a link never breaks the page, and the page cannot produce an impossible setting.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from playground.core.config import TAILS, ChunkingConfig
from playground.core.modes import MODES
from playground.core.rulers import UNITS
from playground.resources import TOKENIZERS

Value = str | int
Values = dict[str, Value]


@dataclass(frozen=True)
class Choice:
    """A setting that is one of a few words; `choices` gives each word its label on the page."""

    name: str
    default: str
    choices: Mapping[str, str]
    label: str
    help: str

    def nearest(self, found: object, values: Mapping[str, Value]) -> tuple[str, str]:
        """The valid value for `found` and a notice ("" if it was valid)."""
        if isinstance(found, str) and found in self.choices:
            return found, ""
        known = ", ".join(self.choices)
        return self.default, f"{self.label}: {shown(found)} is not known ({known}); {self.default} is used."


@dataclass(frozen=True)
class Whole:
    """A setting that is a whole number within bounds, which may depend on the unit; `default` likewise."""

    name: str
    defaults: Mapping[str, int]
    bounds: Mapping[str, tuple[int, int]]
    label: str
    help: str

    def nearest(self, found: object, values: Mapping[str, Value]) -> tuple[int, str]:
        """The valid value for `found` and a notice ("" if it was valid)."""
        unit = str(values["unit"])
        low, high = self.bounds[unit]
        number = _number(found)
        if number is None:
            default = self.defaults[unit]
            return default, f"{self.label}: {shown(found)} is not a whole number; {default} is used."
        kept = round(min(max(number, low), high))
        if kept == number:
            return kept, ""
        if low <= number <= high:
            return kept, f"{self.label}: {shown(found)} is not a whole number; {kept:,} is used."
        return kept, f"{self.label}: {shown(found)} is outside {low:,} to {high:,}; {kept:,} is used."


Setting = Choice | Whole

SETTINGS: tuple[Setting, ...] = (
    Choice(
        "mode",
        "fixed",
        {mode.name: mode.label for mode in MODES.values()},
        "Mode",
        "Where a cut may fall: anywhere after so many units, or only between sentences.",
    ),
    Choice(
        "unit",
        "token",
        {"character": "Characters", "word": "Words", "token": "Tokens"},
        "Unit",
        "What size and overlap count. A token is what a model reads: in English about four characters.",
    ),
    Whole(
        "size",
        {"character": 500, "word": 90, "token": 120},
        {"character": (20, 8000), "word": (5, 1500), "token": (8, 2048)},
        "Size",
        "The most that one chunk may hold.",
    ),
    Whole(
        "overlap",
        dict.fromkeys(UNITS, 15),
        dict.fromkeys(UNITS, (0, 90)),
        "Overlap",
        "How much of a chunk the next one repeats, in percent of the size.",
    ),
    Choice(
        "tokenizer",
        "cl100k_base",
        {name: name for name in TOKENIZERS},
        "Tokenizer",
        "Whose tokens are counted: cl100k_base (GPT-4, text-embedding-3), o200k_base (GPT-4o and later) or "
        "r50k_base (GPT-3).",
    ),
    Choice(
        "tail",
        "stop",
        dict(zip(TAILS, ("Stop at the end", "Keep naive tails", "Merge a short tail"), strict=True)),
        "Tail",
        "What happens at the end: stop with the first chunk that reaches it, keep the useless windows inside it "
        "(to see them), or join a last chunk below a quarter of the size to the one before.",
    ),
)
BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}


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


def parse(found: Mapping[str, object]) -> tuple[Values, list[str]]:
    """All settings, valid, from what a link or a message holds, and a notice for each that had to change."""
    values: Values = {}
    notices = []
    for setting in SETTINGS:
        if setting.name not in found:
            values[setting.name] = default(setting, values)
            continue
        values[setting.name], notice = setting.nearest(found[setting.name], values)
        if notice:
            notices.append(notice)
    return values, notices


def default(setting: Setting, values: Mapping[str, Value]) -> Value:
    """The default of `setting`, given the settings before it."""
    return setting.default if isinstance(setting, Choice) else setting.defaults[str(values["unit"])]


def overlap_units(values: Mapping[str, Value]) -> int:
    """The overlap in units: its percentage of the size, rounded down; always smaller than the size."""
    return int(values["size"]) * int(values["overlap"]) // 100


def to_config(values: Mapping[str, Value]) -> ChunkingConfig:
    """The core's configuration for valid settings."""
    return ChunkingConfig(
        mode=str(values["mode"]),
        unit=str(values["unit"]),
        size=int(values["size"]),
        overlap=overlap_units(values),
        tokenizer=str(values["tokenizer"]),
        tail=str(values["tail"]),
    )


def as_table() -> list[dict[str, object]]:
    """The table for the page's controls, as JSON."""
    rows: list[dict[str, object]] = []
    for setting in SETTINGS:
        row: dict[str, object] = {"name": setting.name, "label": setting.label, "help": setting.help}
        if isinstance(setting, Choice):
            row["choices"] = [{"value": value, "label": label} for value, label in setting.choices.items()]
        else:
            row["bounds"] = {unit: list(bounds) for unit, bounds in setting.bounds.items()}
        rows.append(row)
    return rows
