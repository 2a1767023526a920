"""Conditions on the page's state, such as `fate = rescued` or `overlap <= 40`: how a lesson knows what is done."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

Fact = int | float | str | None
Lookup = Callable[[str], Fact]

COMPARE: Mapping[str, Callable[[float, float], bool]] = MappingProxyType(
    {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}
)
EQUAL: Mapping[str, Callable[[object, object], bool]] = MappingProxyType({"!=": operator.ne, "=": operator.eq})
_FORM = re.compile(r"\s*(\w+)\s*(<=|>=|!=|<|>|=)\s*([^\s<>=!].*?)\s*")


class LessonError(ValueError):
    """A lesson that cannot be taught; the message says what is wrong and where."""


@dataclass(frozen=True)
class Condition:
    """`name` compared with `operand`, which is a number, a word, or the name of another fact (`is_fact`)."""

    name: str
    sign: str
    operand: Fact
    is_fact: bool = False

    def holds(self, lookup: Lookup) -> bool:
        """Whether it does; a fact that is not there (no question asked, no chunk open) fulfils nothing."""
        left = lookup(self.name)
        right = lookup(str(self.operand)) if self.is_fact else self.operand
        if left is None or right is None:
            return False
        if self.sign in EQUAL:
            return EQUAL[self.sign](left, right)
        if isinstance(left, str) or isinstance(right, str):
            return False
        return COMPARE[self.sign](left, right)

    @property
    def names(self) -> tuple[str, ...]:
        """The facts that it needs."""
        return (self.name, str(self.operand)) if self.is_fact else (self.name,)


def read_conditions(found: object, known: Collection[str]) -> tuple[Condition, ...]:
    """The conditions that a lesson writes as a text or a list of texts. Raises LessonError.

    >>> read_conditions("overlap <= 40", {"overlap"})
    (Condition(name='overlap', sign='<=', operand=40, is_fact=False),)
    """
    written = [found] if isinstance(found, str) else found
    if not isinstance(written, Sequence) or not written or not all(isinstance(one, str) for one in written):
        raise LessonError(f"{found!r} is no condition: write one such as “overlap <= 40”, or a list of them.")
    return tuple(_condition(str(one), known) for one in written)


def _condition(text: str, known: Collection[str]) -> Condition:
    match = _FORM.fullmatch(text)
    if match is None:
        raise LessonError(f"“{text}” is no condition: write a fact, one of = != < > <= >=, and a value.")
    name, sign, operand = match.groups()
    if name not in known:
        raise LessonError(f"“{text}”: there is no fact “{name}”.")
    if operand in known:
        return Condition(name, sign, operand, is_fact=True)
    value = _value(operand)
    if sign in COMPARE and isinstance(value, str):
        raise LessonError(f"“{text}”: “{operand}” is neither a number nor a fact, so nothing is above or below it.")
    return Condition(name, sign, value)


def _value(text: str) -> Fact:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
