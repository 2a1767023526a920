"""The list of lessons: what each teaches, and how far the reader came, which only the browser knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from playground.ui.components import component


def lessons(*, key: str, data: Mapping[str, object], on_go: Callable[[], None]) -> None:
    """Mount the list of `data["lessons"]`; a choice sets `go` = `{lesson, step}` in the session state under `key`, and
    `on_go` runs before the page does."""
    component("lessons", "lessons/lessons.css")(key=key, data=dict(data), on_go_change=on_go)
