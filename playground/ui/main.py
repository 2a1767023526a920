"""The page script: a header that is the same everywhere, then the page that the address names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from playground.ui.address import PAGES
from playground.ui.bringing import add_documents, refusals
from playground.ui.screens import compare, documents, evaluate, playground
from playground.ui.state import State, document_keys, opened, session, title_of, update_address
from playground.ui.words import plain

SHOW: Mapping[str, Callable[[State], None]] = {
    "playground": playground.show,
    "compare": compare.show,
    "evaluate": evaluate.show,
    "documents": documents.show,
}
STYLE = Path(__file__).with_name("page.css")
ICON = Path(__file__).with_name("icon.png")


def main() -> None:
    """One run of the page."""
    state = session()
    st.set_page_config(
        page_title=f"{PAGES[state.page]} · Chunking Playground",
        page_icon=str(ICON),
        layout="wide",
        initial_sidebar_state="collapsed",
    )
    st.html(f"<style>{STYLE.read_text('utf-8')}</style>")
    header(state)
    notices(state)
    evaluate.keep_choices()
    SHOW[state.page](state)
    update_address(state)


def header(state: State) -> None:
    """The name, the pages, the document, and a way to bring one's own."""
    with st.container(key="header", horizontal=True, vertical_alignment="center", gap="medium"):
        st.html('<h1 class="brand"><span aria-hidden="true"></span>Chunking Playground</h1>', width="content")
        page, document = f"page-{state.turn}", f"document-{state.turn}"
        st.session_state[page] = state.page
        st.segmented_control(
            "Page",
            list(PAGES),
            format_func=PAGES.__getitem__,
            key=page,
            required=True,
            label_visibility="collapsed",
            on_change=_go,
            args=(state, page),
            width="content",
        )
        keys = document_keys()
        if state.document not in keys:
            state.document = keys[0]
        st.session_state[document] = state.document
        st.selectbox(
            "Document",
            keys,
            format_func=title_of,
            key=document,
            label_visibility="collapsed",
            on_change=_choose,
            args=(state, document),
            width=280,
        )
        turn = st.session_state.setdefault("uploads", 0)  # each makes a new form, closed
        with st.popover("Add documents", icon=":material/upload_file:", width="content", key=f"add-{turn}"):
            add_documents(state)


def _go(state: State, key: str) -> None:
    state.page = st.session_state[key] or state.page
    _clear(state)


def _choose(state: State, key: str) -> None:
    state.document = st.session_state[key]
    _clear(state)


def _clear(state: State) -> None:
    """The visitor went on: what was said has been read."""
    state.notices = []
    st.session_state["refused"] = []


def notices(state: State) -> None:
    """What the link could not be given, until the visitor goes on, and what reading the document left to say."""
    refusals()
    for notice in state.notices:
        st.warning(plain(notice), icon=":material/link_off:")
    if state.page == "documents":
        return
    with st.spinner("Reading the document: words, tokens, sentences", show_time=True):
        prepared = opened(state.document)
        prepared.ruler("token", str(state.panes[0]["tokenizer"]))
        _ = prepared.sentences
    for notice in prepared.document.notices:
        st.info(plain(notice), icon=":material/info:")


main()
