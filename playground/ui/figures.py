"""Showing a plotly figure on the page: in its own colours, with words for who cannot see it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from playground.ui.components.scheme import scheme, told


def is_dark() -> bool:
    """Whether the page is dark, as far as is known; see `follow_scheme`."""
    found = told()
    return bool(st.context.theme.type == "dark") if found is None else found


def follow_scheme() -> None:
    """Below the figures of a page, once: they are drawn again when the page turns dark or light."""
    scheme(is_dark())


def show_figure(figure: Any, *, key: str, alt: str, **more: Any) -> Any:
    """Show a figure as it was made, and return what `st.plotly_chart` returns; `alt` says what it shows."""
    return st.plotly_chart(figure, key=key, alt=alt, theme=None, config={"displayModeBar": False}, **more)
