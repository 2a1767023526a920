"""A visit to a step of a lesson: what its panes are set to by now, and whether a prediction is due."""

from __future__ import annotations

from dataclasses import dataclass, field

from playground.lessons.catalogue import lessons
from playground.lessons.lesson import Step
from playground.settings import Values


@dataclass
class Visit:
    """A step of a lesson that the visitor is at, its panes as they are now, whether a prediction is still due, and
    whether the page that evaluates was shown."""

    lesson: str
    number: int
    panes: list[Values] = field(default_factory=list)
    predicting: bool = False
    evaluated: bool = False

    @property
    def step(self) -> Step:
        """The step."""
        return lessons()[self.lesson].steps[self.number]

    @classmethod
    def of(cls, lesson: str, number: int) -> Visit:
        """The step as it begins."""
        visit = cls(lesson, number)
        guess = visit.step.prediction
        visit.predicting = guess is not None
        visit.panes = [dict(values) for values in (guess.panes if guess else visit.step.setup.panes)]
        return visit

    def predicted(self) -> None:
        """The prediction was made: on with the step's own settings."""
        self.predicting = False
        self.panes = [dict(values) for values in self.step.setup.panes]
