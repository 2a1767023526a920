"""The way out: chunks as files, and code that makes the same chunks elsewhere."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import PurePath

import streamlit as st

from playground.core.chunking import Chunking, chunk
from playground.core.document import Document
from playground.export.files import EXPORTS
from playground.export.records import records
from playground.export.snippets import TARGETS, snippet
from playground.ui.state import State, all_opened
from playground.ui.words import plain

TARGET_LABELS = {
    "playground": "This project",
    "python": "Plain Python",
    "langchain": "LangChain",
    "llamaindex": "LlamaIndex",
    "chonkie": "Chonkie",
}


def show(state: State, chunking: Chunking) -> None:
    """A format, two downloads, and the code."""
    left, right = st.columns([0.42, 0.58], gap="large")
    with left:
        st.markdown("**Chunks as a file**, with all their metadata")
        name = st.selectbox("Format", list(EXPORTS), format_func=lambda key: EXPORTS[key].label, key="format")
        which = st.radio("Documents", ("This document", "All documents"), horizontal=True, key="which")
        chunkings = [chunking] if which == "This document" else None
        stem = file_stem(chunking.document.title) if chunkings else "chunks"
        st.download_button(
            "Download",
            data=lambda: written(name, chunkings or [chunk(one, chunking.config) for _, one in all_opened()]),
            file_name=f"{stem}{EXPORTS[name].extension}",
            mime=EXPORTS[name].media_type,
            on_click="ignore",
            icon=":material/download:",
        )
    with right:
        st.markdown("**Code that makes these chunks**")
        target = st.segmented_control(
            "For",
            [name for name in TARGET_LABELS if name in TARGETS],
            format_func=TARGET_LABELS.__getitem__,
            default="playground",
            key="target",
            required=True,
            label_visibility="collapsed",
        )
        document = chunking.document
        found = snippet(chunking.config, target or "playground", document.title, verbatim=is_verbatim(document))
        if found.same:
            st.success("The same spans, to the character.", icon=":material/check:")
        for difference in found.differences:
            st.markdown(f"- {plain(difference)}")
        st.code(found.code, language="python", height=360)


def is_verbatim(document: Document) -> bool:
    """Whether the file is the text itself in UTF-8: no other format, and nothing that reading it had to change."""
    text_itself = document.media_type.startswith("text/") and document.media_type != "text/html"
    return text_itself and not document.notices


def written(name: str, chunkings: list[Chunking]) -> bytes:
    """The file: all chunks of `chunkings` in the format `name`."""
    out = BytesIO()
    EXPORTS[name].write(records(chunkings), out)
    return out.getvalue()


def file_stem(title: str) -> str:
    """A title as the stem of a file's name."""
    return re.sub(r"[^\w.-]+", "-", PurePath(title).stem).strip("-.")[:80] or "document"
