"""What an embedding model takes of these chunks: its limit, vectors, bytes and money, and the share of the overlap."""

from __future__ import annotations

import math
from dataclasses import asdict
from functools import partial

import pandas as pd
import streamlit as st

from playground.core.chunking import Chunking
from playground.core.costs import Bill, costs
from playground.core.models import MODELS, EmbeddingModel, ModelError
from playground.ui.state import State
from playground.ui.words import plain

LABELS = {
    "name": "Model",
    "provider": "Provider",
    "max_tokens": "Longest input, tokens",
    "dimensions": "Dimensions",
    "price_per_million": "US$ per million tokens",
    "priced_on": "Price as of",
    "tokenizer": "Tokenizer",
}
NEW_MODEL: dict[str, object] = {
    "name": "my model",
    "provider": "self-hosted",
    "max_tokens": 512,
    "dimensions": 1024,
    "price_per_million": 0.0,
    "priced_on": "",
    "tokenizer": "cl100k_base",
}
DEFAULT = "text-embedding-3-small"


def show(state: State, chunking: Chunking) -> None:
    """The choice of a model, the bill, and the table that may be edited."""
    table, faults = models_of(state)
    left, right = st.columns([0.6, 0.4])
    names = list(table)
    chosen = left.selectbox(
        "Embedding model", names, index=names.index(DEFAULT) if DEFAULT in names else 0, key="model"
    )
    documents = right.number_input("Documents like this one", 1, 1_000_000_000, 1000, key="documents")
    for fault in faults:
        st.warning(plain(fault), icon=":material/edit_off:")
    model = table[chosen]
    if state.limit != model.max_tokens:  # the stage above was drawn with another limit
        state.limit = model.max_tokens
        st.rerun()
    bill = costs(chunking, model, int(documents))
    first, second = st.columns(2)
    with first:
        show_bill("This document", bill.one)
    with second:
        show_bill(f"{int(documents):,} such documents", bill.all)
    over = bill.over_limit_count
    st.markdown(
        f"**{over:,} of {len(chunking):,} chunks** are longer than the {model.max_tokens:,} tokens that "
        f"{plain(model.name)} reads" + ("; they are outlined in the text." if over else ".")
    )
    if not bill.exact:
        st.caption(f"Its own tokenizer is not here: the counts are those of {bill.tokenizer}, an estimate.")
    if model.price_per_million:
        st.caption(f"At the list price of {plain(model.priced_on)}; look up today's and edit it below.")
    with st.expander("Edit the models"):
        st.data_editor(
            pd.DataFrame(rows_of(state)),
            column_config={name: st.column_config.Column(label) for name, label in LABELS.items()},
            num_rows="dynamic",
            hide_index=True,
            key=f"models-{len(state.models)}-{state.turn}",
            on_change=partial(_edit, state, f"models-{len(state.models)}-{state.turn}"),
        )


def show_bill(title: str, bill: Bill) -> None:
    """One bill as four figures."""
    st.markdown(f"**{title}**")
    with st.container(horizontal=True):
        st.metric("Vectors", f"{bill.vectors:,}")
        st.metric("Storage", as_bytes(bill.storage_bytes), help="Vectors of 4 bytes a dimension, without an index")
        st.metric("Tokens to embed", f"{bill.embedded_tokens:,}", help=f"{bill.context_tokens:,} of them are context")
        st.metric("Embedding", as_money(bill.embedding_cost))
    st.caption(
        f"Overlap causes {100 * bill.overlap_share:.1f}% of it: {bill.overlap_tokens:,} tokens, "
        f"{plain(as_money(bill.overlap_cost))}."
    )


def rows_of(state: State) -> list[dict[str, object]]:
    """The table of models as the visitor has it."""
    return state.models or [asdict(one) for one in MODELS.values()]


def models_of(state: State) -> tuple[dict[str, EmbeddingModel], list[str]]:
    """The models by name, and what is wrong with rows that cannot be used."""
    table: dict[str, EmbeddingModel] = {}
    faults = []
    for row in rows_of(state):
        try:
            model = EmbeddingModel(**{name: row.get(name) for name in LABELS})  # type: ignore[arg-type]
        except ModelError as fault:
            faults.append(f"The row “{row.get('name')}” is left out: {fault}")
        else:
            table[model.name] = model
    return table or dict(MODELS), faults


def _edit(state: State, key: str) -> None:
    """Take over what was changed in the table."""
    changes = st.session_state[key]
    rows = [dict(row) for row in rows_of(state)]
    for number, cells in changes["edited_rows"].items():
        rows[int(number)] |= cells
    gone = set(changes["deleted_rows"])
    rows = [row for number, row in enumerate(rows) if number not in gone]
    state.models = rows + [NEW_MODEL | cells for cells in changes["added_rows"]]
    state.turn += 1  # the table comes back without changes: they are in its rows now


def as_bytes(number: int) -> str:
    """`as_bytes(30720)` is "30.7 kB"."""
    amount = float(number)
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if amount < 999.5 or unit == "TB":
            break
        amount /= 1000
    return f"{amount:,.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"


def as_money(dollars: float) -> str:
    """Dollars with as many digits as say something: "$1,234.50", "$0.0023", "$0.000089"."""
    if dollars == 0:
        return "$0"
    if round(dollars, 6) == 0:
        return "less than $0.000001"
    digits = 2 if dollars >= 1 else 1 - math.floor(math.log10(dollars))
    return f"${dollars:,.{min(digits, 6)}f}"
