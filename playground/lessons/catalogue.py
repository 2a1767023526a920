"""The lessons that are there, in the order of the numbers of their files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from playground.lessons.conditions import LessonError
from playground.lessons.lesson import Lesson
from playground.lessons.reading import read_lesson

FOLDER = Path(__file__).parent
_NAME = re.compile(r"(\d\d)-([a-z0-9-]+)\.md")


@cache
def lessons(folder: Path = FOLDER) -> Mapping[str, Lesson]:
    """Every lesson by its slug, first to last. Raises LessonError for a file that is wrong, or a slug used twice."""
    found: dict[str, Lesson] = {}
    for path in sorted(folder.glob("*.md")):
        match = _NAME.fullmatch(path.name)
        if match is None:
            raise LessonError(f"{path.name}: a lesson's file is called like 03-overlap.md.")
        if match[2] in found:
            raise LessonError(f"{path.name}: there are two lessons “{match[2]}”.")
        found[match[2]] = read_lesson(path.read_text("utf-8"), match[2])
    return MappingProxyType(found)


def number_of(slug: str) -> int:
    """The place of a lesson among all, from 1."""
    return list(lessons()).index(slug) + 1


def after(slug: str) -> Lesson | None:
    """The lesson to go on with; None after the last."""
    following = list(lessons().values())[number_of(slug) :]
    return following[0] if following else None
