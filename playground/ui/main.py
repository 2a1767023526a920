"""The page script: a header that is the same everywhere, then the page that the address names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from playground.lessons.catalogue import lessons
from playground.lessons.conditions import LessonError
from playground.ui.address import PAGES
from playground.ui.bringing import add_documents, refusals
from playground.ui.components.history import history
from playground.ui.library import document_keys, opened, title_of
from playground.ui.screens import compare, documents, evaluate, learn, playground
from playground.ui.starting import offer
from playground.ui.state import State, session, update_address
from playground.ui.words import plain

SHOW: Mapping[str, Callable[[State], object]] = {
    "playground": playground.show,
    "learn": learn.show,
    "compare": compare.show,
    "evaluate": evaluate.show,
    "documents": documents.show,
}
STYLE = Path(__file__).with_name("page.css")
HISTORY = "history"
ICON = Path(__file__).with_name("icon.png")


def main() -> None:
    """One run of the page."""
    state = session()
    st.set_page_config(
        page_title=f"{title_on(state)} · Chunking Playground",
        page_icon=str(ICON),
        layout="wide",
        initial_sidebar_state="collapsed",
    )
    large = ":root { --presented: 1.25; }" if state.presenting else ""
    st.html(f"<style>{STYLE.read_text('utf-8')}{large}</style>")
    if "header" in state.unseen or state.presenting:
        bar(state)
    else:
        header(state)
    notices(state)
    evaluate.keep_choices()
    try:
        SHOW[state.page](state)
    except LessonError as error:  # one's own lesson, not yet right: the file and the step are named
        st.error(plain(str(error), 600), icon=":material/error:")
    history(key=HISTORY, on_went=_follow)
    update_address(state)


def _follow() -> None:
    """The visitor went back or forward."""
    found = st.session_state[HISTORY].get("went")
    if isinstance(found, dict):
        session().follow({str(name): str(value) for name, value in found.items()})


def title_on(state: State) -> str:
    """What the browser's tab says first."""
    if state.lesson is None:
        return PAGES[state.page]
    return f"{lessons()[state.lesson.lesson].title}, step {state.lesson.number + 1}"


def bar(state: State) -> None:
    """All that stands above the page on a projector: the way back."""
    with st.container(key="bar", horizontal=True, horizontal_alignment="right"):
        way_back(state)
        if state.presenting and state.lesson is None:
            st.button("Leave presentation", icon=":material/close_fullscreen:", on_click=_present, args=(state, False))
        st.html("<h1 class='visually-hidden'>Chunking Playground</h1>")


def way_back(state: State) -> None:
    """To the lesson that was left for free play."""
    if state.visit is not None and state.page != "learn":
        st.button("Back to the lesson", icon=":material/school:", on_click=_resume, args=(state,))


def header(state: State) -> None:
    """The name, the pages, the document, and a way to bring one's own."""
    with st.container(key="header", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<h1 class="brand"><span aria-hidden="true"></span>Chunking Playground</h1>', width="content")
        page = f"page-{state.turn}"
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
        if state.page != "learn":
            choose_document(state)
        if state.page in ("playground", "compare"):
            offer(state)
        way_back(state)
        if state.lesson is not None:
            return  # its card has the switch
        st.button(
            "Present", key="present", icon=":material/slideshow:", on_click=_present, args=(state, True),
            help="Large type, and nothing around it: for a projector. The address keeps it.",
        )  # fmt: skip


def choose_document(state: State) -> None:
    """The document on screen, and a way to bring one's own."""
    keys, document = document_keys(), f"document-{state.turn}"
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
        width=210,
    )
    turn = st.session_state.setdefault("uploads", 0)  # each makes a new form, closed
    with st.popover("Add documents", icon=":material/upload_file:", width="content", key=f"add-{turn}"):
        add_documents(state)


def _present(state: State, is_on: bool) -> None:
    state.presenting = is_on


def _resume(state: State) -> None:
    state.resume()
    _clear(state)


def _go(state: State, key: str) -> None:
    if key != f"page-{state.turn}":
        return  # a header that is gone: what the browser still said of it is no click
    state.page = st.session_state[key] or state.page
    _clear(state)


def _choose(state: State, key: str) -> None:
    if key != f"document-{state.turn}":
        return
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
    if state.page == "documents" or (state.page == "learn" and state.lesson is None):
        return
    with st.spinner("Reading the document: words, tokens, sentences", show_time=True):
        prepared = opened(state.shown_document)
        prepared.ruler("token", str((state.shown_panes or state.panes)[0]["tokenizer"]))
        _ = prepared.sentences
    for notice in prepared.document.notices:
        st.info(plain(notice), icon=":material/info:")


main()
