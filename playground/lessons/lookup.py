"""Facts of a scene by name, each computed when it is first asked for, and once."""

from __future__ import annotations

from typing import Any

import numpy as np

from playground.lessons.conditions import Fact, Lookup
from playground.lessons.facts import OF_PAGE, OF_PANE, PREFIXES
from playground.lessons.scene import Scene


def lookup_in(scene: Scene) -> Lookup:
    """The facts of a scene, each computed once."""
    known: dict[str, Fact] = {}

    def look(name: str) -> Fact:
        if name not in known:
            known[name] = _fact(scene, name)
        return known[name]

    return look


def _fact(scene: Scene, name: str) -> Fact:
    for prefix, shot in zip(PREFIXES, scene.shots, strict=False):
        if name.startswith(prefix) and name.removeprefix(prefix) in OF_PANE:
            return _plain(OF_PANE[name.removeprefix(prefix)](shot))
    found = OF_PAGE.get(name)
    return None if found is None else _plain(found(scene))


def _plain(value: Any) -> Fact:
    """Numbers as JSON has them, at most four digits behind the point; yes and no as words."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float | np.floating):
        return round(float(value), 4)
    return int(value) if isinstance(value, np.integer) else value
