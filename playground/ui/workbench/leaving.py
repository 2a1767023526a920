"""The way out: chunks as files, and code that makes the same chunks elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO
from pathlib import PurePath

import streamlit as st

from playground.core.chunking import Chunking, chunk
from playground.core.document import Document
from playground.core.prepared import Prepared
from playground.export.files import EXPORTS
from playground.export.records import records
from playground.export.snippets import TARGETS, snippet
from playground.live.store import sample_names
from playground.ui.library import opened, uploads
from playground.ui.state import State
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
        _as_file(chunking)
    with right:
        _as_code(chunking)


def _as_file(chunking: Chunking) -> None:
    st.markdown("**Chunks as a file**, with all their metadata")
    name = st.selectbox("Format", list(EXPORTS), format_func=lambda key: EXPORTS[key].label, key="format")
    which = st.radio("Documents", ("This document", "All documents"), horizontal=True, key="which")
    alone = which == "This document"
    stem = file_stem(chunking.document.title) if alone else "chunks"
    # Found and checked now: the download is made where there is no session, and no page to say anything on.
    documents = [] if alone else all_documents()
    clash = same_id(documents) if EXPORTS[name].by_id else None
    if clash:
        one, other = (plain(document.title) for document in clash)
        st.warning(
            f"“{one}” and “{other}” are different documents with the same id, and this format can hold only one of "
            "them: an id is made from a file's name, or is what its front matter says. Take “This document” or another "
            "format, or bring the file under another name.",
            icon=":material/warning:",
        )
    st.download_button(
        "Download",
        data=lambda: written(name, [chunking] if alone else [chunk(one, chunking.config) for one in documents]),
        file_name=f"{stem}{EXPORTS[name].extension}",
        mime=EXPORTS[name].media_type,
        on_click="ignore",
        icon=":material/download:",
        disabled=clash is not None,
    )


def _as_code(chunking: Chunking) -> None:
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


def all_documents() -> list[Document | Prepared]:
    """The session's own documents, which are prepared only when they are chunked, then the bundled ones."""
    return [*uploads().values(), *map(opened, sample_names())]


def same_id(documents: Iterable[Document | Prepared]) -> tuple[Document, Document] | None:
    """The first two documents with one id that are not the same but for their notices."""
    known: dict[str, Document] = {}
    for found in documents:
        one = found.document if isinstance(found, Prepared) else found
        before = known.setdefault(one.id, one)
        if replace(one, notices=()) != replace(before, notices=()):
            return before, one
    return None


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
