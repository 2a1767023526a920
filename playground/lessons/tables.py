"""The tables of a lesson's front matter: what each may hold, and what its values mean to the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from playground.lessons.conditions import LessonError
from playground.settings import SETTINGS, Values, parse

_ASK = {"question": "", "retriever": "bm25", "k": 5, "budget": 0, "neighbours": 0, "parents": False}
KEYS = {
    "lesson": {"title", "idea", "remember", "minutes", "steps"},
    "step": {
        "page", "document", "at", "controls", "limit", "set", "set_b", "ask", "edit", "predict", "goal", "solution",
    },
    "predict": {"ask", "choices", "fact", "unit", "reveal", "show"},
    "choice": {"say", "when"},
    "goal": {"do", "when"},
    "solution": {"set", "set_b", "ask", "opened", "read"},
    "edit": {"find", "replace"},
    "ask": set(_ASK),
}  # fmt: skip
T = TypeVar("T")


def known(found: object, kind: str) -> dict[str, Any]:
    """`found` if it is a table whose keys this kind has."""
    if not isinstance(found, dict):
        raise LessonError(f"{kind}: {found!r} is no table.")
    unknown = set(found) - KEYS[kind]
    if unknown:
        raise LessonError(f"{kind}: “{sorted(unknown)[0]}” is not one of {', '.join(sorted(KEYS[kind]))}.")
    return found


def of(table: Mapping[str, Any], name: str, kind: type[T], where: str) -> T:
    """The value of `name`, which must be there and of this kind."""
    found = table.get(name)
    if not isinstance(found, kind) or (kind is str and not str(found).strip()):
        raise LessonError(f"{where}: “{name}” is missing or is no {kind.__name__}: {found!r}.")
    return found


def panes_of(table: Mapping[str, Any], before: tuple[Values, ...], onto: bool) -> tuple[Values, ...]:
    """The settings of each pane: as before; or those of `set` and `set_b`, `onto` what was before or the defaults."""
    panes = []
    for index, name in enumerate(("set", "set_b")):
        old = before[index] if index < len(before) else {}
        if name in table:
            panes.append(_values(table[name], old if onto else {}))
        elif old and not ("set" in table and not onto):
            panes.append(old)
    return tuple(panes)


def _values(found: object, before: Mapping[str, Any]) -> Values:
    names = {setting.name for setting in SETTINGS}
    if not isinstance(found, dict) or set(found) - names:
        unknown = ", ".join(sorted(set(found) - names)) if isinstance(found, dict) else repr(found)
        raise LessonError(f"there is no setting “{unknown}” (there are {', '.join(sorted(names))}).")
    values, notices = parse({**before, **found})
    if notices:
        raise LessonError(" ".join(notices))
    return values


def ask_of(table: Mapping[str, Any], before: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """The question as the live channel takes it; `ask = {}` asks none."""
    if "ask" not in table:
        return before
    found = known(table["ask"], "ask")
    asked = {**_ASK, **(before or {}), **found}
    return asked if found and asked["question"] else None
