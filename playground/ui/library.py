"""The documents that one visitor may open: their own, and the bundled ones.

Uploads live here and in the store under keys that only this session knows; both forget them when the session ends.
"""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from playground.core.document import Document
from playground.core.prepared import Prepared
from playground.live.store import STORE, sample_names

MAX_UPLOADED_CHARACTERS = 40_000_000
MAX_UPLOADS = 500


class Uploads:
    """The documents of one session by their keys."""

    def __init__(self) -> None:
        self.documents: dict[str, Document] = {}

    def add(self, document: Document) -> str:
        """Keep a document and return its key. Raises ValueError, saying what to do, where there is no room."""
        total = sum(len(held) for held in self.documents.values()) + len(document)
        if len(self.documents) >= MAX_UPLOADS or total > MAX_UPLOADED_CHARACTERS:
            raise ValueError(
                f"There is no room for it: a session holds at most {MAX_UPLOADS} documents and "
                f"{MAX_UPLOADED_CHARACTERS:,} characters. Remove some first."
            )
        key = STORE.put(document)
        self.documents[key] = document
        return key

    def clear(self) -> None:
        """Forget all of them, here and in the store."""
        STORE.drop(self.documents)
        self.documents.clear()


@st.cache_resource(scope="session", on_release=Uploads.clear, show_spinner=False)
def _uploads() -> Uploads:
    """This session's uploads; Streamlit calls `clear` when the session ends."""
    return Uploads()


def uploads() -> dict[str, Document]:
    """This session's own documents by key."""
    return _uploads().documents


def add_upload(document: Document) -> str:
    """Keep an uploaded document; see `Uploads.add`."""
    return _uploads().add(document)


def clear_uploads() -> None:
    """Forget this session's documents."""
    _uploads().clear()


def document_keys() -> list[str]:
    """The keys of all documents this visitor may open: their own first, then the bundled ones."""
    return [*uploads(), *sample_names()]


def opened(key: str) -> Prepared:
    """The prepared document of `key`; one that the store had to drop is prepared again."""
    own = uploads().get(key)
    if own is not None:
        STORE.put(own, key)
    prepared = STORE.get(key)
    if prepared is None:
        raise KeyError(key)
    return prepared


def all_opened() -> Iterator[tuple[str, Prepared]]:
    """Every document with its key."""
    return ((key, opened(key)) for key in document_keys())


def title_of(key: str) -> str:
    """A document's title, as text."""
    own = uploads().get(key)
    return own.title if own is not None else key
