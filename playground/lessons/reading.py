"""From a lesson's file to a lesson: TOML between lines of `+++`, then Markdown, one `##` section for each step.

A step goes on from the picture of the one before, and says only what is new. Everything is checked here but for the
documents: settings, controls, facts and conditions. What is wrong is told with the file and the step.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from playground.lessons.conditions import Condition, LessonError, read_conditions
from playground.lessons.facts import FACTS
from playground.lessons.lesson import Edit, Goal, Lesson, Prediction, Setup, Solution, Step
from playground.lessons.prose import Prose, read_prose
from playground.lessons.tables import ask_of, known, of, panes_of
from playground.settings import parse
from playground.settings.parts import PARTS

PAGES = ("playground", "compare", "evaluate")
LONGEST = 5
"""Minutes that a lesson may take."""
_FILE = re.compile(r"\+\+\+\n(.*?)\n\+\+\+\n(.*)", re.DOTALL)
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_NOTICE = re.compile(r"^### Notice$", re.MULTILINE)


def read_lesson(text: str, slug: str) -> Lesson:
    """The lesson that a file holds. Raises LessonError, which names the lesson and the step."""
    match = _FILE.fullmatch(text)
    try:
        if match is None:
            raise LessonError("there is no front matter: begin with a line +++, TOML, and another line +++.")
        table, sections = _table(match[1]), _sections(match[2])
        steps = of(table, "steps", list, "lesson")
        if len(steps) != len(sections):
            raise LessonError(f"{len(steps)} [[steps]] and {len(sections)} sections “## ...”: each needs the other.")
        return Lesson(
            slug=slug,
            title=of(table, "title", str, "lesson"),
            idea=of(table, "idea", str, "lesson"),
            remember=of(table, "remember", str, "lesson"),
            minutes=_minutes(of(table, "minutes", int, "lesson")),
            steps=_steps(steps, sections),
        )
    except LessonError as error:
        raise LessonError(f"Lesson {slug}: {error}") from None


def _table(text: str) -> dict[str, Any]:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LessonError(f"the front matter is no TOML: {error}.") from None
    known(table, "lesson")
    return table


def _minutes(found: int) -> int:
    if not 1 <= found <= LONGEST:
        raise LessonError(f"{found} minutes: a lesson takes 1 to {LONGEST}.")
    return found


def _sections(body: str) -> list[tuple[str, str, str]]:
    """The title of each section, and what stands before and after its notice."""
    found = []
    parts = _SECTION.split(body)
    if parts[0].strip():
        raise LessonError("text stands before the first section “## ...”.")
    for title, text in zip(parts[1::2], parts[2::2], strict=True):
        said = _NOTICE.split(text)
        if len(said) != 2:
            raise LessonError(f"section “{title}” needs one “### Notice”; it has {len(said) - 1}.")
        found.append((title.strip(), said[0], said[1]))
    return found


def _steps(tables: Sequence[Any], sections: Sequence[tuple[str, str, str]]) -> tuple[Step, ...]:
    steps: list[Step] = []
    for number, (table, (title, text, notice)) in enumerate(zip(tables, sections, strict=True), start=1):
        try:
            before = steps[-1].setup if steps else None
            steps.append(_step(table, before, title, _prose(text), _prose(notice)))
        except LessonError as error:
            raise LessonError(f"step {number}: {error}") from None
    return tuple(steps)


def _prose(text: str) -> Prose:
    prose = read_prose(text, FACTS)
    if not prose.blocks:
        raise LessonError("there is nothing to read: write what to look at, and what to notice.")
    return prose


def _step(table: object, before: Setup | None, title: str, text: Prose, notice: Prose) -> Step:
    found = known(table, "step")
    setup = _setup(found, before)
    goal = known(of(found, "goal", dict, "step"), "goal")
    solution = known(of(found, "solution", dict, "step"), "solution")
    if "opened" in solution and (type(solution["opened"]) is not int or solution["opened"] < 1):
        raise LessonError(f"solution: opened is the number of a chunk, from 1; it is {solution['opened']!r}.")
    return Step(
        title=title,
        setup=setup,
        text=text,
        notice=notice,
        goal=Goal(of(goal, "do", str, "goal"), read_conditions(goal.get("when"), FACTS)),
        solution=Solution(
            panes=panes_of(solution, setup.panes, onto=True),
            ask=ask_of(solution, setup.ask),
            opened=solution.get("opened"),
            read=str(solution.get("read", "")),
        ),
        prediction=_prediction(known(found["predict"], "predict"), setup) if "predict" in found else None,
    )


def _setup(table: Mapping[str, Any], before: Setup | None) -> Setup:
    """The picture of a step: the one before it, with what is new."""
    if before is None:
        before = Setup(of(table, "document", str, "first step"), (parse({})[0],))
    controls = tuple(of(table, "controls", list, "step")) if "controls" in table else before.controls
    unknown = [name for name in controls if name not in PARTS]
    if unknown:
        raise LessonError(f"controls: “{unknown[0]}” is neither a setting nor a part of the page ({', '.join(PARTS)}).")
    page = table.get("page", before.page)
    if page not in PAGES:
        raise LessonError(f"page: “{page}” is not one of {', '.join(PAGES)}.")
    limit = table.get("limit", before.limit)
    if type(limit) is not int or limit < 0:
        raise LessonError(f"limit: {limit!r} is no number of tokens.")
    edit = known(table["edit"], "edit") if "edit" in table else None
    setup = replace(
        before,
        document=table.get("document", before.document),
        page=page,
        panes=panes_of(table, before.panes, onto=False),
        at=of(table, "at", str, "step") if "at" in table else before.at if "document" not in table else "",
        ask=ask_of(table, before.ask if "document" not in table else None),
        controls=controls,
        limit=limit,
        edit=Edit(of(edit, "find", str, "edit"), of(edit, "replace", str, "edit")) if edit else before.edit,
    )
    if len(setup.panes) != (2 if page == "compare" else 1):
        raise LessonError(f"page “{page}” with {len(setup.panes)} rows of settings: set_b is for “compare”, always.")
    return setup


def _prediction(table: Mapping[str, Any], setup: Setup) -> Prediction:
    choices = [known(one, "choice") for one in of({"choices": [], **table}, "choices", list, "predict")]
    fact, reveal = str(table.get("fact", "")), table.get("reveal", "now")
    if bool(fact) == (len(choices) > 1):
        raise LessonError("predict: give two or more choices, or a fact; not both.")
    if fact and fact not in FACTS:
        raise LessonError(f"predict: there is no fact “{fact}”.")
    if reveal not in ("now", "done"):
        raise LessonError(f"predict: reveal is “now” or “done”, not “{reveal}”.")
    conditions: list[tuple[Condition, ...]] = [read_conditions(one.get("when"), FACTS) for one in choices]
    shown = {"set": table["show"]} if "show" in table else {}
    return Prediction(
        ask=read_prose(of(table, "ask", str, "predict"), FACTS),
        panes=panes_of(shown, setup.panes, onto=True),
        choices=tuple(of(one, "say", str, "choice") for one in choices),
        right=tuple(conditions),
        fact=fact,
        unit=table.get("unit", ""),
        reveal=reveal,
    )
