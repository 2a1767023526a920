"""The lesson card: it asks for a prediction, sets a goal, and says what to notice with the stage's numbers in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from playground.ui.components import component


def lesson(
    *,
    key: str,
    data: Mapping[str, object],
    on_go: Callable[[], None],
    on_predicted: Callable[[], None],
    on_leave: Callable[[], None],
    on_present: Callable[[], None],
    on_list: Callable[[], None],
) -> None:
    """Mount the card of one step. Each callback runs before the page does, with what happened under `key` in the
    session state: `go` = `{lesson, step}` for another step or lesson, `predicted` = `{lesson, step, said}` with the
    index of a choice, a number or None for a skipped prediction, `leave` = `{lesson, step}` for free play, `present` =
    whether to show the large view, and `list` = True for the list of lessons.

    `data` holds the step's text, its prediction, its goal and the facts of the page as they are (`told`); while the
    hand moves, the facts of the stage named `id` follow from its answers. The card keeps what the reader predicted,
    and the moment at which the goal was reached, until the reader leaves the step.
    """
    component("lesson", "lesson/lesson.css", "shared/glossary.css")(
        key=key,
        data=dict(data),
        on_go_change=on_go,
        on_predicted_change=on_predicted,
        on_leave_change=on_leave,
        on_present_change=on_present,
        on_list_change=on_list,
    )
