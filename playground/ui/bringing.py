"""Bringing one's own documents: several files at once, or a pasted text. What cannot be read is said, by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import streamlit as st

from playground.core.document import Document
from playground.readers import MAX_BYTES, READERS, ReadError, read
from playground.ui.library import add_upload
from playground.ui.state import State
from playground.ui.words import plain

SHOWN_REFUSALS = 8


class File(Protocol):
    """What Streamlit hands over for an uploaded file."""

    name: str

    def getvalue(self) -> bytes:
        """The bytes of the file."""


def add_documents(state: State) -> None:
    """The form in the popover."""
    turn = st.session_state.setdefault("uploads", 0)
    st.markdown("Your documents stay in this session: no other visitor sees them, and no link holds them.")
    files = st.file_uploader(
        f"Text, Markdown, HTML, PDF, Word, tables, JSON, notebooks and code, at most {MAX_BYTES // 2**20} MB each",
        type=[suffix.lstrip(".") for suffix in READERS],
        accept_multiple_files=True,
        key=f"files-{turn}",
    )
    text = st.text_area("Or paste a text", key=f"paste-{turn}", height=140)
    if st.button("Use this text", key=f"use-{turn}"):
        nothing = "There is no text in the box yet: paste one, then press the button."
        _take(state, [Document.from_text(text, title=_pasted_title()) if text else nothing])
    if files:
        _take(state, _read_all(files))


def refusals() -> None:
    """What could not be read the last time, by name; many are counted."""
    refused = st.session_state.get("refused", [])
    for message in refused[:SHOWN_REFUSALS]:
        st.error(plain(message, 600), icon=":material/error:")
    if len(refused) > SHOWN_REFUSALS:
        st.error(f"{len(refused) - SHOWN_REFUSALS} more files could not be read.")


def _pasted_title() -> str:
    number = st.session_state["pasted"] = st.session_state.get("pasted", 0) + 1
    return f"Pasted text {number}"


def _read_all(files: Sequence[File]) -> list[Document | str]:
    """Each file as a document, or why it is none."""
    bar = st.progress(0.0, "Reading")
    found: list[Document | str] = []
    for number, file in enumerate(files, start=1):
        try:
            found.append(read(file.name, file.getvalue()))
        except ReadError as error:
            found.append(str(error))
        bar.progress(number / len(files), f"Reading {number} of {len(files)}")
    return found


def _take(state: State, found: Iterable[Document | str]) -> None:
    """Keep the documents, open the first, and remember what was refused; the form comes back empty."""
    refused: list[str] = []
    keys: list[str] = []
    for document in found:
        if isinstance(document, str):
            refused.append(document)
            continue
        try:
            keys.append(add_upload(document))
        except ValueError as error:
            refused.append(f"{document.title}: {error}")
    if keys:
        state.go(keys[0], "documents" if len(keys) > 1 else None)
    st.session_state["refused"] = refused
    st.session_state["uploads"] += 1
    st.rerun()
