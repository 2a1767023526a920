"""The whole glossary: every term with what it means, and a field that narrows the list."""

from __future__ import annotations

from playground.lessons.glossary import as_rows
from playground.ui.components import component


def glossary(*, key: str) -> None:
    """Mount the list."""
    component("glossary", "glossary/glossary.css")(key=key, data={"rows": as_rows()})
