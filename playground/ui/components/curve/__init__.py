"""The similarity of neighbouring sentences as a plotly figure, linked with the stage: point at one, see the other."""

from __future__ import annotations

from collections.abc import Sequence

from playground.ui.components import component


def curve(
    *,
    key: str,
    stage_key: str,
    offsets: Sequence[int],
    similarity: Sequence[float],
    threshold: float,
    cuts: Sequence[int],
    window: int,
) -> None:
    """Mount the figure: `similarity[i]` belongs to the boundary at `offsets[i]` (UTF-16), `cuts` are indices."""
    component("curve", isolated=False)(
        key=key,
        data={
            "id": stage_key,
            "offsets": list(offsets),
            "similarity": list(similarity),
            "threshold": threshold,
            "cuts": list(cuts),
            "window": window,
        },
    )
