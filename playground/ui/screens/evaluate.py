"""Evaluate: many settings asked the same questions, as a map that says which differences are real."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from playground.core.modes import MODES
from playground.core.prepared import Prepared
from playground.lessons.conditions import Fact
from playground.lessons.facts import map_facts
from playground.live.store import sample_names
from playground.retrieval.grid import compared, grid
from playground.retrieval.metrics import METRICS
from playground.retrieval.questions import Question, set_hash
from playground.retrieval.ranking import RETRIEVERS
from playground.settings import BY_NAME, Values, Whole, to_config
from playground.ui.judging import PHASES, Map, downloads, draw, explain, per_question
from playground.ui.known import known_questions, show_questions
from playground.ui.library import opened
from playground.ui.state import State

OVERLAPS = (0, 10, 15, 25, 50)
STEPS = 8
KS = tuple(range(1, 21))
OFFERED = (1, 3, 5, 10, 20)
BUDGETS = (250, 500, 1000, 2000, 4000)


SCOPES, MAPS = ("This document", "All bundled documents"), ("The present mode", "Every mode")
FIRST: Mapping[str, str] = {
    "metric": next(iter(METRICS)),
    "retriever": next(iter(RETRIEVERS)),
    "scope": SCOPES[0],
    "depth": "top 5",
    "modes": MAPS[0],
}
"""What is chosen at first."""
KEPT = tuple(f"eval-{name}" for name in FIRST)


def keep_choices() -> None:
    """Hold on to the choices while another page is shown: Streamlit forgets those whose widgets are not."""
    for name in KEPT:
        if name in st.session_state:
            st.session_state[name] = st.session_state[name]


def start_afresh() -> None:
    """The choices as they are at first."""
    for name, value in FIRST.items():
        st.session_state[f"eval-{name}"] = value


def show(state: State) -> Mapping[str, Fact]:
    """The choices, the map, what it says, and every question; returns the facts of the map, if there is one."""
    st.markdown(
        "The same questions, asked of many settings: a map of size and overlap for the playground's present mode. "
        "Cells that these questions cannot tell from the best are outlined."
    )
    if state.lesson is None:
        show_questions(state)
    depth = choices(is_fixed=state.lesson is not None)
    documents, questions = asked(state)
    if not questions:
        st.info(
            "This document has no questions with known answers yet. Select text in the playground and write one, bring "
            "a set, or choose a bundled document.",
            icon=":material/info:",
        )
        return {}
    st.caption(
        f"{len(questions)} questions about {len(documents)} {'document' if len(documents) == 1 else 'documents'}; "
        "demonstrations stay out of the scores."
    )
    scope, retriever = st.session_state["eval-scope"], st.session_state["eval-retriever"]
    modes = modes_of(state)
    key = (
        "" if len(documents) > 1 else state.shown_document,
        scope,
        retriever,
        set_hash(questions),
        modes,
        *fixed(state.shown_panes[0]),
    )
    found = st.session_state.get("map")
    left, right = st.columns([0.2, 0.8], vertical_alignment="center")
    if left.button("Draw the map" if found is None or found.key != key else "Draw it again", type="primary"):
        found = st.session_state["map"] = Map(key, cells_of(state.shown_panes[0], modes), [])
        fill(found, documents, questions, right)
    elif found is not None and found.key == key and not found.is_whole:
        right.caption(f"Stopped after {len(found.cells)} of {len(found.values)} settings.")
    if found is None or found.key != key or not found.cells:
        return {}
    metric = st.session_state["eval-metric"]
    result = compared(found.cells, metric, **(depth if METRICS[metric].by_depth else {}))
    draw(state, found, result)
    explain(found, result, depth)
    per_question(found, result, questions, depth)
    downloads(found)
    return map_facts(found.values, result, "tokens" if "budget" in depth else "chunks")


def choices(is_fixed: bool) -> dict[str, int]:
    """The controls; returns how much is read: `{"k": ...}` or `{"budget": ...}`, which alone can be changed if the
    others are fixed."""
    columns = st.columns(5)
    for column, name, label, offered in (
        (columns[0], "metric", "Metric", {name: one.label for name, one in METRICS.items()}),
        (columns[1], "retriever", "Ranked by", {name: one.label for name, one in RETRIEVERS.items()}),
        (columns[2], "scope", "Documents", dict.fromkeys(SCOPES)),
        (columns[4], "modes", "Maps of", dict.fromkeys(MAPS)),
    ):
        column.selectbox(
            label, list(offered), format_func=partial(_label, offered), key=f"eval-{name}", disabled=is_fixed
        )
    reads = {
        **{f"top {k}": {"k": k} for k in OFFERED},
        **{f"{budget:,} tokens": {"budget": budget} for budget in BUDGETS},
    }
    st.session_state.setdefault("eval-depth", FIRST["depth"])  # not as an index: `keep_choices` sets it, too
    chosen = columns[3].selectbox("Read", list(reads), key="eval-depth")
    st.caption(METRICS[st.session_state["eval-metric"]].help)
    return reads[chosen]


def _label(offered: Mapping[str, str | None], name: str) -> str:
    return offered[name] or name


def asked(state: State) -> tuple[list[Prepared], list[Question]]:
    """The documents in scope, and the questions about them that count."""
    names: Sequence[str] = (state.shown_document,) if st.session_state["eval-scope"] == SCOPES[0] else sample_names()
    documents = [opened(name) for name in names]
    pairs = zip(names, documents, strict=True)
    found = (one for name, prepared in pairs for one in known_questions(state, name, prepared))
    own = {one for one in state.questions.get(state.shown_document, ()) if state.lesson}  # a lesson speaks of ours
    questions = [one for one in found if not one.demo and one not in own]
    return documents, questions


def fixed(values: Values) -> tuple[object, ...]:
    """The settings that are the same in all cells."""
    return tuple((name, value) for name, value in values.items() if name not in ("mode", "size", "overlap"))


def modes_of(state: State) -> tuple[str, ...]:
    """The modes that get a map."""
    return tuple(MODES) if st.session_state["eval-modes"] == MAPS[1] else (str(state.shown_panes[0]["mode"]),)


def cells_of(values: Values, modes: Sequence[str]) -> list[Values]:
    """The settings of the maps: sizes in equal ratios, overlaps in percent."""
    return [
        {**values, "mode": mode, "size": size, "overlap": overlap}
        for mode in modes
        for size in sizes(str(values["unit"]))
        for overlap in OVERLAPS
    ]


def sizes(unit: str) -> list[int]:
    """Sizes from a quarter of the default to eight times of it, within the bounds."""
    setting = BY_NAME["size"]
    assert isinstance(setting, Whole)
    low, high = setting.bounds[unit]
    usual = setting.defaults[unit]
    return [min(high, max(low, round(usual / 4 * 32 ** (step / (STEPS - 1))))) for step in range(STEPS)]


def fill(found: Map, documents: list[Prepared], questions: list[Question], place: Any) -> None:
    """Evaluate cell by cell under a bar; whatever the visitor does next stops it, and what is there stays."""
    total = len(found.values)
    bar = place.progress(0.0, "Asking")
    cells = grid(
        documents,
        questions,
        [to_config(values) for values in found.values],
        retriever=st.session_state["eval-retriever"],
        ks=KS,
        budgets=BUDGETS,
        with_context=True,
        phase_count=PHASES,
    )
    for cell in cells:
        found.cells.append(cell)
        bar.progress(cell.number / total, f"Asked of {cell.number} of {total} settings; anything you click stops it")
    bar.empty()
