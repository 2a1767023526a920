"""The address of the picture: page, document and every setting, to and from the query of a link.

The first pane's settings go by their own names, those of further panes by a letter before them (`b_size`). Uploaded and
pasted documents never enter a link: it then names no document. A lesson's address is its name and the step, which say
all the rest. `hide` names what is left out of the page, `present` is for a projector.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from playground.lessons.catalogue import lessons
from playground.live.protocol import MAX_PANES
from playground.live.store import sample_names
from playground.settings import SETTINGS, Values, changed, parse, shown
from playground.settings.parts import PARTS

PAGES = {
    "playground": "Playground",
    "learn": "Learn",
    "compare": "Compare",
    "evaluate": "Evaluate",
    "documents": "Documents",
}
FIRST_DOCUMENT = "company-handbook.md"
PREFIXES = ("", "b_", "c_")
_SHOWN = 5
"""Notices about names that a link may have at most."""


@dataclass
class Picture:
    """What a link shows: a page, a bundled document, the settings of its panes, and notices about the link.

    `lesson` is the name of a lesson and `step` one of its steps, from 0; `hidden` names parts of the page.
    """

    page: str = "playground"
    document: str = FIRST_DOCUMENT
    panes: list[Values] = field(default_factory=lambda: [parse({})[0]])
    notices: list[str] = field(default_factory=list)
    lesson: str = ""
    step: int = 0
    hidden: frozenset[str] = frozenset()
    presenting: bool = False


def read_address(query: Mapping[str, str]) -> Picture:
    """The picture that a link names; what cannot be becomes the nearest that can, with a notice."""
    picture = Picture(panes=[])
    picture.page = _one_of(query, "page", tuple(PAGES), picture.page, picture.notices)
    picture.document = _one_of(query, "doc", sample_names(), FIRST_DOCUMENT, picture.notices)
    for prefix in PREFIXES[:MAX_PANES]:
        found = {setting.name: query[prefix + setting.name] for setting in SETTINGS if prefix + setting.name in query}
        if prefix and not found:
            break
        values, notices = parse(found)
        picture.panes.append(values)
        picture.notices += notices
    if "lesson" in query:
        _read_lesson(query, picture)
    picture.presenting = query.get("present") == "1"
    named = {name.strip() for name in query.get("hide", "").split(",")} - {""}
    picture.hidden = frozenset(named & set(PARTS))
    picture.notices += [f"Hide: {shown(name)} is no part of the page." for name in sorted(named - set(PARTS))[:_SHOWN]]
    return picture


def _read_lesson(query: Mapping[str, str], picture: Picture) -> None:
    """The lesson of a link and its step; an unknown one is a notice above the list of lessons."""
    slug, step = query["lesson"], query.get("step", "1")
    picture.page, picture.notices = "learn", []  # a lesson brings its own page, document and settings
    if slug not in lessons():
        picture.notices.append(f"Lesson: {shown(slug)} is not known. Choose one of these.")
        return
    count = len(lessons()[slug].steps)
    number = int(step) if step.isascii() and step.isdigit() and len(step) < 4 else 0
    if not 1 <= number <= count:
        picture.notices.append(f"Step: {shown(step)} is not one of 1 to {count}; the first is shown.")
        number = 1
    picture.lesson, picture.step = slug, number - 1


def write_address(picture: Picture) -> dict[str, str]:
    """The query for a picture; a document that is not bundled is left out, and so are the finer settings left alone."""
    query = {"page": picture.page}
    if picture.lesson:
        query |= lesson_query(picture.lesson, picture.step)
    elif picture.page != "learn":
        query |= _settings(picture.document, picture.panes)
    if picture.hidden:
        query["hide"] = ",".join(sorted(picture.hidden))
    return {**query, "present": "1"} if picture.presenting else query


def lesson_query(slug: str, step: int) -> dict[str, str]:
    """What in an address names a step, counted from 0, of a lesson."""
    return {"page": "learn", "lesson": slug, "step": str(step + 1)}


def _settings(document: str, panes: Sequence[Values]) -> dict[str, str]:
    query = {"doc": document} if document in sample_names() else {}
    for prefix, values in zip(PREFIXES, panes, strict=False):
        query |= {prefix + name: str(value) for name, value in changed(values).items()}
    return query


def _one_of(query: Mapping[str, str], name: str, known: Sequence[str], default: str, notices: list[str]) -> str:
    """The value of `name` if it is known, else the default and a notice."""
    found = query.get(name, default)
    if found in known:
        return found
    label = {"page": "Page", "doc": "Document"}[name]
    notices.append(f"{label}: {shown(found)} is not known; {default} is shown.")
    return default
