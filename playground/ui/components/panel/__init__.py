"""The side panel: the numbers of the stage with the same key, live."""

from __future__ import annotations

from playground.lessons.glossary import as_rows
from playground.live.near import Message
from playground.ui.components import component


def panel(*, key: str, stage_key: str, answer: Message) -> None:
    """Mount the panel; `answer` is what it shows until the stage speaks."""
    component("panel", "shared/numbers.css", "shared/glossary.css")(
        key=key, data={"id": stage_key, "answer": answer, "glossary": as_rows()}
    )
