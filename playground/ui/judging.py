"""What an evaluation found, drawn and put into words: the map, what it can tell, every question, the run as a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from playground.core.modes import MODES
from playground.retrieval.evaluate import interval
from playground.retrieval.grid import Cell, Comparison
from playground.retrieval.metrics import METRICS
from playground.retrieval.questions import Question
from playground.retrieval.run_files import write_csv, write_json
from playground.retrieval.runs import Run, code_version, question_hash
from playground.retrieval.surroundings import missing_from_all
from playground.settings import Values
from playground.ui.charts import depth_curves, heat_map
from playground.ui.figures import follow_scheme, is_dark, show_figure
from playground.ui.state import State
from playground.ui.words import plain

PHASES = 4
"""Shifts of the grid in fixed mode: on a few questions, where it happens to fall moves the figures a lot."""


@dataclass
class Map:
    """What was evaluated: the settings of each cell, the cells so far, and what they depended on."""

    key: tuple[object, ...]
    values: list[Values]
    cells: list[Cell]

    @property
    def is_whole(self) -> bool:
        """Whether every cell is there."""
        return len(self.cells) == len(self.values)


def draw(state: State, found: Map, result: Comparison) -> None:
    """A map for each mode; a click on a cell loads its settings into the playground."""
    modes = list(dict.fromkeys(str(values["mode"]) for values in found.values[: len(found.cells)]))
    columns = st.columns(min(len(modes), 2))
    for number, mode in enumerate(modes):
        with columns[number % len(columns)]:
            if len(modes) > 1:
                st.markdown(f"**{MODES[mode].label}**")
            draw_mode(state, found, result, mode)
    follow_scheme()


def draw_mode(state: State, found: Map, result: Comparison, mode: str) -> None:
    """The map of one mode."""
    here = [index for index in range(len(found.cells)) if found.values[index]["mode"] == mode]
    cells = [found.values[index] for index in here]
    figure = heat_map(
        [int(values["size"]) for values in cells],
        [int(values["overlap"]) for values in cells],
        [float(result.means[index]) for index in here],
        [bool(result.inseparable[index]) for index in here],
        METRICS[st.session_state["eval-metric"]].label,
        str(cells[0]["unit"]),
        [interval(st.session_state["eval-metric"], result.values[index]) for index in here],
        dark=is_dark(),
    )
    turn = st.session_state.setdefault("map-turn", 0)
    event = show_figure(
        figure, key=f"map-{mode}-{turn}", alt=f"{METRICS[st.session_state['eval-metric']].label} by size and overlap",
        on_select="rerun", selection_mode="points",
    )  # fmt: skip
    points = event["selection"]["points"]
    chosen = of_labels(cells, points[0]) if points else None
    if chosen is not None:
        st.session_state["map-turn"] = turn + 1
        state.panes = [dict(chosen)]
        state.leave_for(state.shown_document, "playground")
        st.rerun()


def of_labels(cells: Sequence[Values], point: Mapping[str, Any]) -> Values | None:
    """The settings of a point of a map, by its labels."""
    size, overlap = str(point.get("y", "")).replace(",", ""), str(point.get("x", "")).rstrip("%")
    return next((one for one in cells if str(one["size"]) == size and str(one["overlap"]) == overlap), None)


def explain(found: Map, result: Comparison, depth: dict[str, int]) -> None:
    """What the map says, in words that do not say more than it knows."""
    best, metric = found.values[result.best], st.session_state["eval-metric"]
    cell = found.cells[result.best]
    by_depth = depth if METRICS[metric].by_depth else {}
    mean, (least, most) = cell.mean(metric, **by_depth), cell.span(metric, **by_depth)
    same = int(result.inseparable.sum())
    count = result.values.shape[1]
    unit = best["unit"]
    where = f"{best['mode']}, size {int(best['size']):,} {unit}s, overlap {best['overlap']}%"
    if count < 2:
        st.markdown(f"Best here: **{where}** with {mean.value:.2f}. One question cannot tell settings apart: add more.")
        return
    said = (
        f"Best here: **{where}** with {mean.value:.2f} (95%: {mean.low:.2f} to {mean.high:.2f}). {count} questions "
        f"cannot tell it from **{max(same - 1, 0)} of the other {len(found.cells) - 1}** settings."
    )
    pairs = zip(result.needed, result.inseparable.tolist(), strict=True)
    needed = [number for number, is_same in pairs if is_same and number is not None]
    if needed:
        said += f" To tell it from the next of these, about {min(needed):,} questions like these would be needed."
    if most > least:
        said += f" Shifting the grid of fixed mode alone moves this cell from {least:.2f} to {most:.2f}."
    st.markdown(said)
    st.caption(
        "At a fixed k larger chunks tend to look better, because more is read; at a fixed budget of tokens they do "
        "not. Look at both."
    )


def per_question(found: Map, result: Comparison, questions: list[Question], depth: dict[str, int]) -> None:
    """Every question in the best setting, and in another one that is chosen: who rescued what."""
    names = [
        f"{one['mode']} {int(one['size']):,}, overlap {one['overlap']}%" for one in found.values[: len(found.cells)]
    ]
    other = st.selectbox(
        "Compare the best, question by question, with",
        range(len(names)),
        format_func=names.__getitem__,
        key="eval-other",
    )
    one, two = found.cells[result.best].evaluations[0], found.cells[other].evaluations[0]
    by_depth(found, result.best, other, names)
    st.dataframe(
        pd.DataFrame(
            {
                "Question": [question.question for question in questions],
                "Kind": [question.tag for question in questions],
                f"Best: {names[result.best]}": one.outcomes(**depth),
                "Rank": one.ranks,
                "Torn": one.torn,
                "Comes without": [", ".join(found) for found in missing_from_all(one)],
                f"Other: {names[other]}": two.outcomes(**depth),
                "Rank there": two.ranks,
                "Torn there": two.torn,
                "Comes without, there": [", ".join(found) for found in missing_from_all(two)],
            }
        ),
        hide_index=True,
        height=420,
    )
    better, worse = result.rescued(result.best, other)
    st.caption(
        f"The best does better on {len(better)} and worse on {len(worse)} of {len(questions)} questions. Hit: the "
        "whole answer was read; split: a part of it; miss: nothing. Rank 0: never found. Torn: no chunk holds it whole."
    )


def by_depth(found: Map, best: int, other: int, names: Sequence[str]) -> None:
    """How the figure grows with what is read: with the number of chunks, and with the tokens that a model is given."""
    metric = st.session_state["eval-metric"]
    if not METRICS[metric].by_depth:
        return
    lines = {}
    for index in dict.fromkeys((best, other)):
        cell = found.cells[index]
        choice = cell.evaluations[0].choice
        chunks = [cell.mean(metric, k=k).value for k in choice.ks]
        tokens = [cell.mean(metric, budget=budget).value for budget in choice.budgets]
        lines[names[index]] = (chunks, tokens)
    choice = found.cells[best].evaluations[0].choice
    figure = depth_curves(lines, choice.ks, choice.budgets, METRICS[metric].label, dark=is_dark())
    show_figure(figure, key="eval-curves", alt=f"{METRICS[metric].label} by what is read")


def downloads(found: Map) -> None:
    """The run as files: every figure, and all it depended on, so that it can be repeated."""
    cells = list(found.cells)
    with st.container(horizontal=True):
        st.download_button(
            "Run as JSON", lambda: write_json(Run.of(cells, PHASES)), "evaluation.json", "application/json",
            on_click="ignore", icon=":material/download:",
        )  # fmt: skip
        st.download_button(
            "Run as CSV", lambda: write_csv(Run.of(cells, PHASES)), "evaluation.csv", "text/csv",
            on_click="ignore", icon=":material/download:",
        )  # fmt: skip
    task = cells[0].evaluations[0].task
    st.caption(plain(f"Code {code_version()[:12]}, questions {question_hash(task)[:12]}."))
