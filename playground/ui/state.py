"""What one visitor's session holds of the picture on screen, and the address that names it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import cast

import streamlit as st

from playground.retrieval.questions import Question
from playground.settings import Values, parse
from playground.settings.parts import ASIDE, EVERYWHERE, PARTS
from playground.ui.address import Picture, read_address, write_address
from playground.ui.visit import Visit


@dataclass
class State:
    """The picture on screen.

    `revision` counts the changes of settings that did not come from the stage, `turn` those of page or document that
    did not come from the header: a widget under a new key cannot send back what it showed before. `shown` is a chunk to
    open, as JSON; `limit` is the longest input in tokens of the embedding model that was chosen (0: none yet), and
    `models` are the rows of the table of models once the visitor edited it; `questions` are
    the visitor's own, by document; `addressed` is the query that the browser was last told. `visit` is the lesson that
    was last opened, on screen or left for free play; when `asked` changes, its question is put into the stage's box.
    `hidden` are parts of the page that are left out, `presenting` is for a projector.
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
    visit: Visit | None = None
    asked: int = 0
    hidden: frozenset[str] = frozenset()
    presenting: bool = False

    @classmethod
    def of(cls, picture: Picture) -> State:
        """The state that a link asks for."""
        compared = picture.panes if picture.page == "compare" and len(picture.panes) > 1 else []
        state = cls(picture.page, picture.document, picture.panes[:1], picture.notices, compared)
        state.hidden, state.presenting = picture.hidden, picture.presenting
        if picture.lesson:
            state.learn(picture.lesson, picture.step)
            state.notices = picture.notices
        return state

    def follow(self, query: dict[str, str]) -> None:
        """Show what the address names by now: the visitor went back or forward."""
        there = State.of(read_address(query))
        self.page, self.notices, self.visit = there.page, there.notices, there.visit
        self.hidden, self.presenting = there.hidden, there.presenting
        if "doc" in query:
            self.document = there.document
        if there.page == "compare":
            self.compared = there.compared
        elif there.page != "learn":
            self.panes = there.panes
        self.asked += 1
        self.revision += 1
        self.turn += 1

    @property
    def lesson(self) -> Visit | None:
        """The step of a lesson that is on screen."""
        return self.visit if self.page == "learn" else None

    @property
    def unseen(self) -> frozenset[str]:
        """The parts of the page that are left out: by the link, or because the lesson needs only some."""
        if self.lesson is None:
            return self.hidden | (ASIDE if self.presenting else set())
        seen = EVERYWHERE if self.lesson.predicting else {*EVERYWHERE, "found", *self.lesson.step.setup.controls}
        return frozenset(PARTS) - seen | self.hidden

    @property
    def picture(self) -> Picture:
        """What the address says of it."""
        lesson, step = (self.lesson.lesson, self.lesson.number) if self.lesson else ("", 0)
        return Picture(self.page, self.document, self.shown_panes, [], lesson, step, self.hidden, self.presenting)

    @property
    def shown_document(self) -> str:
        """The key of the document on screen: the lesson's, or the one that the header names."""
        return self.lesson.step.setup.document if self.lesson else self.document

    @property
    def shown_panes(self) -> list[Values]:
        """The settings of the panes on the present page."""
        if self.lesson:
            return self.lesson.panes
        return self.compared if self.page == "compare" else self.panes

    def go(self, document: str, page: str | None = None) -> None:
        """Show another document, and page, than the header says."""
        self.document, self.page = document, page or self.page
        self.turn += 1

    def learn(self, lesson: str, number: int) -> None:
        """Open a step of a lesson as it begins."""
        self.page = "learn"
        self.visit = Visit.of(lesson, number)
        self._begin()

    def predicted(self) -> None:
        """Go on to what the step wants done."""
        if self.lesson and self.lesson.predicting:
            self.lesson.predicted()
            self._begin()

    def _begin(self) -> None:
        self.asked += 1
        self.revision += 1
        self.turn += 1
        self.notices = []

    def list_lessons(self) -> None:
        """Show all lessons."""
        self.visit = None
        self.turn += 1

    def resume(self) -> None:
        """Go back to the lesson that was left for free play, as it was left."""
        self.page = "learn"
        self.revision += 1
        self.turn += 1

    def play(self) -> None:
        """Leave the lesson on screen for free play: with its document, settings and question, and every control."""
        if self.lesson is None:
            return
        setup, panes = self.lesson.step.setup, [dict(values) for values in self.lesson.panes]
        self.panes = panes[:1]
        if setup.page == "compare":
            self.compared = panes
        self.leave_for(setup.document, setup.page)
        self.asked += 1

    def leave_for(self, document: str, page: str) -> None:
        """Show a page and a document with the settings that they have now."""
        self.revision += 1
        self.go(document, page)

    def change_panes(self, panes: list[Values]) -> None:
        """Set the settings of the present page's panes from outside the stage."""
        if self.lesson:
            self.lesson.panes = panes
        elif self.page == "compare":
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


def update_address(state: State) -> None:
    """Make the address name what is on screen.

    What the browser says its address is may be older than what it was told: after two quick changes, the second back to
    where the first began, it still says what the second asks for, and only then learns of the first.
    """
    query = write_address(state.picture)
    if query != st.query_params.to_dict() or query != state.addressed:
        st.query_params.from_dict(query)
    state.addressed = query
