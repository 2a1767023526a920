"""Tells Python when the page turns dark or light: Streamlit does not, and figures are coloured in Python."""

from __future__ import annotations

import streamlit as st

from playground.ui.components import component

KEY = "scheme"


def told() -> bool | None:
    """Whether the page is dark, as the browser last told; None before it had anything to tell."""
    found = st.session_state.get(KEY, {}).get("dark")
    return found if isinstance(found, bool) else None


def scheme(dark: bool) -> None:
    """Mount it, once a page; the page runs again as soon as it is not as `dark` says."""
    component("scheme", isolated=False)(key=KEY, data={"dark": dark}, on_dark_change=lambda: None)
