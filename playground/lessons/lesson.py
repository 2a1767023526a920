"""What a lesson is: steps, each with a picture to start from, a prediction, a thing to do and what to notice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from playground.lessons.conditions import Condition
from playground.lessons.prose import Prose
from playground.settings import Values


@dataclass(frozen=True)
class Edit:
    """A new version of the document: `find`, which occurs once in it, becomes `replace`."""

    find: str
    replace: str


@dataclass(frozen=True)
class Setup:
    """What the page shows when a step begins.

    `page` is "playground", "compare" or "evaluate"; `panes` has two rows of settings on "compare". `at` is a text that
    occurs once in the document and is brought into view. `ask` is a question as the live channel takes it, without its
    answers; `controls` are the settings and parts of the page that can be seen. Chunks of more than `limit` tokens are
    marked (0: none). With `edit`, the chunks that a new version of the document makes stale are marked.
    """

    document: str
    panes: tuple[Values, ...]
    page: str = "playground"
    at: str = ""
    ask: Mapping[str, Any] | None = None
    controls: tuple[str, ...] = ()
    limit: int = 0
    edit: Edit | None = None


@dataclass(frozen=True)
class Prediction:
    """What to guess before touching anything.

    Either `choices` with, for each, the conditions under which it is the right one; or `fact`, a number, of `unit`s.
    Nobody writes down what is right: it is read off the page's state, at once or when the goal is reached (`reveal`).
    `panes` are what the page shows until then.
    """

    ask: Prose
    panes: tuple[Values, ...]
    choices: tuple[str, ...] = ()
    right: tuple[tuple[Condition, ...], ...] = ()
    fact: str = ""
    unit: str = ""
    reveal: str = "now"


@dataclass(frozen=True)
class Goal:
    """What to do, and the conditions that hold when it is done."""

    do: str
    when: tuple[Condition, ...]


@dataclass(frozen=True)
class Solution:
    """One way to reach a goal, which a test goes: other settings, another question, a chunk to open (from 1), and what
    is read on the page that evaluates."""

    panes: tuple[Values, ...]
    ask: Mapping[str, Any] | None
    opened: int | None = None
    read: str = ""


@dataclass(frozen=True)
class Step:
    """One step: what it shows, asks, wants done, and says."""

    title: str
    setup: Setup
    text: Prose
    notice: Prose
    goal: Goal
    solution: Solution
    prediction: Prediction | None = None

    @property
    def facts(self) -> set[str]:
        """The facts that the page needs for it."""
        guess = self.prediction
        conditions = [*self.goal.when, *(one for choice in (guess.right if guess else ()) for one in choice)]
        named = {name for condition in conditions for name in condition.names}
        guessed = guess.ask.facts | ({guess.fact} if guess.fact else set()) if guess else set()
        return named | guessed | self.text.facts | self.notice.facts


@dataclass(frozen=True)
class Lesson:
    """One idea, in steps. `slug` is its name in links."""

    slug: str
    title: str
    idea: str
    remember: str
    minutes: int
    steps: tuple[Step, ...] = field(repr=False)
