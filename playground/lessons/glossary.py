"""The glossary: the words of the field as this project means them, for the pages to explain where they appear.

The words are data, in `glossary.toml` beside this module. A form of a word leads to one term only, so that a text can
be searched for all of them; a file in which that is not so is refused.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("glossary.toml")
FIELDS = {"term": str, "also": list, "says": str}


@dataclass(frozen=True, slots=True)
class Term:
    """A word, its other forms, and what it means in one or two sentences."""

    term: str
    also: tuple[str, ...]
    says: str

    @property
    def forms(self) -> tuple[str, ...]:
        """Every way in which it is written, the term itself first; upper and lower case are the same."""
        return (self.term, *self.also)


@cache
def glossary() -> tuple[Term, ...]:
    """All terms, in the order of the file, which goes by subject. Raises ValueError if the file is wrong."""
    return read_glossary(FILE.read_text("utf-8"))


def as_rows() -> list[dict[str, object]]:
    """The terms for the page's components, as JSON: `{"term": ..., "also": [...], "says": ...}`."""
    return [{"term": one.term, "also": list(one.also), "says": one.says} for one in glossary()]


def read_glossary(text: str) -> tuple[Term, ...]:
    """The terms that a file holds. Raises ValueError, which names the entry and what is wrong with it.

    >>> read_glossary("[[terms]]\\nterm = 'span'\\nalso = ['spans']\\nsays = 'A stretch.'")
    (Term(term='span', also=('spans',), says='A stretch.'),)
    """
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"the glossary is not valid TOML: {error}") from error
    entries = found.get("terms")
    if not isinstance(entries, list) or not entries or set(found) != {"terms"}:
        raise ValueError("the glossary must be a list of [[terms]], and nothing else.")
    terms = tuple(_term(number, entry) for number, entry in enumerate(entries, 1))
    _check_forms(terms)
    return terms


def _term(number: int, entry: object) -> Term:
    """One entry, checked by itself."""
    if not isinstance(entry, Mapping):
        raise ValueError(f"entry {number} of the glossary is {entry!r}; it must be a table.")
    where = f"entry {number} of the glossary ({entry.get('term', 'without a term')})"
    if missing := [name for name in ("term", "says") if name not in entry]:
        raise ValueError(f"{where} has no {' and no '.join(missing)}.")
    if unknown := sorted(set(entry) - set(FIELDS)):
        raise ValueError(f"{where} has {', '.join(unknown)}; it may have {', '.join(FIELDS)}.")
    for name, value in entry.items():
        if not isinstance(value, FIELDS[name]):
            raise ValueError(f"{where}: {name} is {value!r}; it must be a {FIELDS[name].__name__}.")
    also = entry.get("also", [])
    for value in (entry["term"], entry["says"], *also):
        if not isinstance(value, str) or not value or value != " ".join(value.split()):
            raise ValueError(f"{where}: {value!r} must be a text on one line, without space around it.")
    return Term(entry["term"], tuple(also), entry["says"])


def _check_forms(terms: Sequence[Term]) -> None:
    """Raise ValueError where a term is there twice, or a form belongs to two terms or twice to one."""
    names: set[str] = set()
    for one in terms:
        if one.term.casefold() in names:
            raise ValueError(f"the glossary explains {one.term!r} twice.")
        names.add(one.term.casefold())
    owners: dict[str, str] = {}
    for one in terms:
        for form in one.forms:
            if owner := owners.get(form.casefold()):
                raise ValueError(f"the glossary has {form!r} for {owner!r} and again for {one.term!r}.")
            owners[form.casefold()] = one.term
