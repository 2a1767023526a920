"""Tells Python when the visitor goes back or forward: the browser then changes the address by itself."""

from __future__ import annotations

from collections.abc import Callable

from playground.ui.components import component


def history(*, key: str, on_went: Callable[[], None]) -> None:
    """Mount it, once a page; each step sets `went` = the query of the address, name by name, in the session state under
    `key`, and `on_went` runs before the page does."""
    component("history", isolated=False)(key=key, data=None, on_went_change=on_went)
