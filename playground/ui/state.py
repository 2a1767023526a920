"""What one visitor's session holds: the picture on screen and the documents they brought.

Uploads live here and in the store under keys that only this session knows; both forget them when the session ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import cast

import streamlit as st

from playground.core.document import Document
from playground.core.prepared import Prepared
from playground.live.store import STORE, sample_names
from playground.retrieval.questions import Question
from playground.settings import Values, parse
from playground.ui.address import Picture, read_address, write_address

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


@dataclass
class State:
    """The picture on screen.

    `revision` counts the changes of settings that did not come from the stage, `turn` those of page or document that
    did not come from the header: a widget under a new key cannot send back what it showed before. `shown` is a chunk to
    open, as JSON; `limit` is the longest input in tokens of the embedding model that was chosen (0: none yet), and
    `models` are the rows of the table of models once the visitor edited it; `questions` are
    the visitor's own, by document; `addressed` is the query that the browser was last told.
    """

    page: str
    document: str
    panes: list[Values]
    notices: list[str]
    compared: list[Values] = field(default_factory=list)
    revision: int = 0
    shown: str = ""
    limit: int = 0
    models: list[dict[str, object]] = field(default_factory=list)
    questions: dict[str, list[Question]] = field(default_factory=dict)
    addressed: dict[str, str] = field(default_factory=dict)
    turn: int = 0

    @classmethod
    def of(cls, picture: Picture) -> State:
        """The state that a link asks for."""
        compared = picture.panes if picture.page == "compare" and len(picture.panes) > 1 else []
        return cls(picture.page, picture.document, picture.panes[:1], picture.notices, compared)

    @property
    def shown_panes(self) -> list[Values]:
        """The settings of the panes on the present page."""
        return self.compared if self.page == "compare" else self.panes

    def go(self, document: str, page: str | None = None) -> None:
        """Show another document, and page, than the header says."""
        self.document, self.page = document, page or self.page
        self.turn += 1

    def change_panes(self, panes: list[Values]) -> None:
        """Set the settings of the present page's panes from outside the stage."""
        if self.page == "compare":
            self.compared = panes
        else:
            self.panes = panes
        self.revision += 1

    def commit(self, panes: list[object]) -> None:
        """Take over what the stage settled on."""
        found = [pane.get("settings") if isinstance(pane, dict) else None for pane in panes]
        settled = [parse(settings)[0] for settings in found if isinstance(settings, dict)]
        if len(settled) == len(self.shown_panes) and settled != self.shown_panes:
            self.shown_panes[:] = settled
            self.notices = []

    def start_comparison(self) -> None:
        """Two panes with the present size: fixed against sentence-aware."""
        self.compared = [{**self.panes[0], "mode": mode} for mode in ("fixed", "sentence")]
        self.revision += 1


def session() -> State:
    """This session's state, made from the address when the session starts."""
    if "state" not in st.session_state:
        query = st.query_params.to_dict()
        st.session_state["state"] = replace(State.of(read_address(query)), addressed=query)
    return cast(State, st.session_state["state"])


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


def update_address(state: State) -> None:
    """Make the address name what is on screen.

    What the browser says its address is may be older than what it was told: after two quick changes, the second back to
    where the first began, it still says what the second asks for, and only then learns of the first.
    """
    query = write_address(state.page, state.document, state.shown_panes)
    if query != st.query_params.to_dict() or query != state.addressed:
        st.query_params.from_dict(query)
    state.addressed = query
