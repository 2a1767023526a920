"""Starting points: settings for a kind of text, each with its reason, read from one file; the page offers them.

A file is data that people edit: whatever is wrong with it is told with the name of the point and of what is wrong.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from playground.settings import BY_NAME, Value, parse

FILE = Path(__file__).with_name("starting-points.toml")
LONGEST = 2
"""Sentences that a reason may have."""
_TEXTS = ("name", "label", "for", "reason", "sample")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")


@dataclass(frozen=True)
class StartingPoint:
    """Settings to start from. `suits` is the kind of text, `sample` a bundled document of that kind.

    `settings` holds all settings, valid, those that the file leaves out at their defaults.
    """

    name: str
    label: str
    suits: str
    reason: str
    sample: str
    settings: Mapping[str, Value]


@cache
def starting_points() -> tuple[StartingPoint, ...]:
    """The starting points in the order of the file. Raises ValueError, saying what is wrong with the file."""
    return read_starting_points(FILE.read_text("utf-8"))


def read_starting_points(text: str) -> tuple[StartingPoint, ...]:
    """The starting points that a file holds. Raises ValueError, which names the point and what is wrong with it."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"Starting points: this is no TOML: {error}") from None
    rows = found.get("point")
    if set(found) != {"point"} or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError("Starting points: the file must hold [[point]] tables and nothing else.")
    points = tuple(_point(number, row) for number, row in enumerate(rows, start=1))
    names = [point.name for point in points]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"Starting points: {name!r} is there {names.count(name)} times; a name must be unique.")
    return points


def _point(number: int, row: Mapping[str, Any]) -> StartingPoint:
    """One point, checked."""
    where = f"Starting point {number} ({row.get('name', 'without a name')})"
    for name in _TEXTS:
        if not isinstance(row.get(name), str) or not row[name].strip():
            raise ValueError(f"{where}: {name} must be a text.")
    unknown = sorted(set(row) - {*_TEXTS, "settings"})
    if unknown:
        raise ValueError(f"{where}: {', '.join(unknown)} is not known; it takes {', '.join(_TEXTS)} and settings.")
    if len(_SENTENCE_END.findall(row["reason"])) > LONGEST:
        raise ValueError(f"{where}: the reason may have {LONGEST} sentences at most.")
    settings = _settings(where, row.get("settings"))
    return StartingPoint(row["name"], row["label"], row["for"], row["reason"], row["sample"], settings)


def _settings(where: str, found: object) -> Mapping[str, Value]:
    """All settings, if what was found needs no notice."""
    if not isinstance(found, Mapping) or not found:
        raise ValueError(f"{where}: settings must be a table with at least one setting.")
    unknown = sorted(set(found) - set(BY_NAME))
    if unknown:
        raise ValueError(f"{where}: there is no setting {', '.join(unknown)}; there are {', '.join(BY_NAME)}.")
    values, notices = parse(found)
    if notices:
        raise ValueError(f"{where}: {' '.join(notices)}")
    return MappingProxyType(values)
