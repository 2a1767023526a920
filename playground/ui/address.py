"""The address of the picture: page, document and every setting, to and from the query of a link.

The first pane's settings go by their own names, those of further panes by a letter before them (`b_size`). Uploaded and
pasted documents never enter a link: it then names no document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from playground.live.protocol import MAX_PANES
from playground.live.store import sample_names
from playground.settings import SETTINGS, Values, changed, parse, shown

PAGES = {"playground": "Playground", "compare": "Compare", "evaluate": "Evaluate", "documents": "Documents"}
FIRST_DOCUMENT = "company-handbook.md"
PREFIXES = ("", "b_", "c_")


@dataclass
class Picture:
    """What a link shows: a page, a bundled document, the settings of its panes, and notices about the link."""

    page: str = "playground"
    document: str = FIRST_DOCUMENT
    panes: list[Values] = field(default_factory=lambda: [parse({})[0]])
    notices: list[str] = field(default_factory=list)


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
    return picture


def write_address(page: str, document: str, panes: Sequence[Values]) -> dict[str, str]:
    """The query for a picture; a document that is not bundled is left out, and so are the finer settings left alone."""
    query = {"page": page}
    if document in sample_names():
        query["doc"] = document
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
