"""What travels between the stage and the core: one request, one answer, both small JSON.

A request names a document by key, the settings of each pane and what the pane shows. The answer holds each pane's
numbers and the spans near what is visible, in UTF-16 offsets; it stays under 20 KB whatever the document's size. The
page uses the same answer for its first paint, so the two loops cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from playground.core.chunking import Chunking, chunk
from playground.core.modes import MODES
from playground.core.prepared import Prepared
from playground.core.rulers import UNITS
from playground.core.whitespace import savings_known
from playground.live.asking import Ask, AskError, asked, is_ready
from playground.live.converting import converted
from playground.live.extras import (
    MAX_SPACES,
    MAX_TOPICS,
    breaks,
    over_limit,
    remarks,
    spaces_near,
    token_lengths,
    topics_of,
)
from playground.live.inspection import everything
from playground.live.near import MAX_SPANS, Message, spans_near
from playground.live.store import Store
from playground.live.teaching import Place, PlaceError, stale_near, told_of, versions_in
from playground.live.views import numbers
from playground.settings import Values, parse, to_config

MAX_PANES = 3


class ProtocolError(ValueError):
    """A message that cannot be answered; the text says why, for a person."""


@dataclass(frozen=True)
class Pane:
    """One pane's request: valid settings, notices about them, and the visible range in UTF-16 offsets."""

    values: Values
    notices: list[str]
    visible: tuple[int, int]


@dataclass(frozen=True)
class Extras:
    """What all panes show besides: chunks over `limit` tokens (0: none), superfluous white space, a question's fate,
    and the place in a lesson."""

    limit: int = 0
    spaces: bool = False
    ask: Ask | None = None
    others: tuple[Prepared, ...] = ()
    place: Place | None = None


def is_quick(prepared: Prepared, request: Mapping[str, Any], longest: int) -> bool:
    """Whether a request about a document of at most `longest` characters asks for nothing not yet prepared."""
    panes = request.get("panes", [request.get("pane")])
    settings = [pane.get("settings") for pane in panes if isinstance(pane, dict)] if isinstance(panes, list) else []
    configs = [to_config(parse(found)[0]) for found in settings[:MAX_PANES] if isinstance(found, dict)]
    ask = request.get("ask")
    if isinstance(ask, dict) and (ask.get("others") or not is_ready(prepared)):
        return False
    if request.get("spaces") is True and not all(savings_known(prepared, config.tokenizer) for config in configs):
        return False
    return len(prepared.document) <= longest and all(
        prepared.has_tokens(config.tokenizer) and MODES[config.mode].is_ready(prepared, config) for config in configs
    )


def answer(store: Store, request: object) -> Message:
    """The answer to `request`, whose `kind` is "chunks" (default) or "chunk". Raises `ProtocolError`."""
    if not isinstance(request, dict):
        raise ProtocolError("A request is a JSON object.")
    if not isinstance(request.get("seq"), int | None):
        raise ProtocolError("The number of a request (seq) is a whole number.")
    prepared = store.get(str(request.get("doc", "")))
    if prepared is None:
        raise ProtocolError("This document is no longer held by the server.")
    kinds: dict[str, Callable[[Prepared, Mapping[str, Any]], Message]] = {
        "chunks": partial(chunks_answer, lookup=store.get),
        "chunk": chunk_answer,
    }
    kind = request.get("kind", "chunks")
    if not isinstance(kind, str) or kind not in kinds:
        raise ProtocolError(f"The kind of a request is one of {', '.join(kinds)}.")
    return {"seq": request.get("seq"), "kind": kind, **kinds[kind](prepared, request)}


def chunks_answer(
    prepared: Prepared, request: Mapping[str, Any], lookup: Callable[[str], Prepared | None] = lambda key: None
) -> Message:
    """Numbers, histogram and nearby spans for each pane; with two or more panes the sentences broken.

    `lookup` finds the other documents that a question may name by their keys.
    """
    panes = [read_pane(prepared, pane) for pane in _list(request, "panes", MAX_PANES)]
    chunkings = [chunk(prepared, to_config(pane.values)) for pane in panes]
    extras = read_extras(prepared, request, lookup)
    answers = [pane_answer(pane, chunking, extras, len(panes)) for pane, chunking in zip(panes, chunkings, strict=True)]
    if len(chunkings) > 1:
        for index, chunking in enumerate(chunkings):
            other = chunkings[1 if index == 0 else 0]
            answers[index]["breaks"] = breaks(chunking, other, panes[index].visible)
    return {"panes": answers, "lesson": lesson_answer(panes, chunkings, answers, extras)}


def lesson_answer(
    panes: list[Pane], chunkings: list[Chunking], answers: list[Message], extras: Extras
) -> Message | None:
    """What the card of a lesson says of the panes, and in the first of them what is stale; None outside of lessons."""
    if extras.place is None:
        return None
    versions = versions_in(extras.place, chunkings[0])
    if versions is not None:
        near = answers[0]["spans"]
        answers[0]["stale"] = stale_near(versions, near["first"], near["first"] + len(near["starts"]))
    values, asked_of = [pane.values for pane in panes], [one["asked"] for one in answers]
    return told_of(extras.place, chunkings, values, asked_of, extras.ask, versions)


def pane_answer(pane: Pane, chunking: Chunking, extras: Extras, panes: int) -> Message:
    """The answer for one of so many panes, which share what an answer may hold."""
    most = MAX_SPANS // panes // (1 if chunking.parents is None else 2) // (2 if extras.ask else 1)
    near = spans_near(chunking, *pane.visible, most)
    first, last = near["first"], near["first"] + len(near["starts"])
    return {
        "settings": pane.values,
        "notices": pane.notices,
        "remarks": remarks(chunking),
        "numbers": numbers(chunking),
        "spans": near,
        "topics": topics_of(chunking, MAX_TOPICS // panes),
        "over": over_limit(chunking, first, last, extras.limit) if extras.limit else None,
        "spaces": spaces_near(chunking, *pane.visible, MAX_SPACES // panes) if extras.spaces else None,
        "asked": asked(chunking, extras.ask, extras.others) if extras.ask else None,
    }


def read_extras(prepared: Prepared, request: Mapping[str, Any], lookup: Callable[[str], Prepared | None]) -> Extras:
    """What a request asks for besides chunks: a model's limit in tokens, white space, a question, a lesson's facts."""
    found = request.get("ask")
    if found is not None and not isinstance(found, dict):
        raise ProtocolError("A question is a JSON object.")
    try:
        ask = None if found is None else Ask.of(found)
        place = None if request.get("lesson") is None else Place.of(request["lesson"], prepared.document)
    except (AskError, PlaceError) as error:
        raise ProtocolError(str(error)) from None
    found_others = (lookup(key) for key in (ask.others if ask else ()))
    others = tuple(one for one in found_others if one is not None and one is not prepared)
    return Extras(_offset(request.get("limit") or 0), request.get("spaces") is True, ask, others, place)


def read_pane(prepared: Prepared, found: object) -> Pane:
    """Validate one pane; a size that comes with `from_unit` is converted at the document's own ratio."""
    if not isinstance(found, dict) or not isinstance(found.get("settings", {}), dict):
        raise ProtocolError("A pane is a JSON object with settings.")
    wanted = dict(found.get("settings", {}))
    if found.get("from_unit") in UNITS and wanted.get("unit") in UNITS:
        wanted["size"] = converted(prepared, wanted, str(found["from_unit"]))
    values, notices = parse(wanted)
    low, high = (_offset(found.get(name, 0)) for name in ("from", "to"))
    return Pane(values, notices, (low, max(low, high)))


def chunk_answer(prepared: Prepared, request: Mapping[str, Any]) -> Message:
    """Everything about chunk `index` of a pane: why, how large, its neighbours, and its tokens one by one."""
    pane = read_pane(prepared, request.get("pane", {}))
    chunking = chunk(prepared, to_config(pane.values))
    index = _offset(request.get("index", 0))
    if index >= len(chunking):
        raise ProtocolError(f"There is no chunk {index + 1}; the last is {len(chunking)}.")
    return {
        **everything(chunking[index]),
        "tokens": token_lengths(chunking[index].text, chunking.config.tokenizer) if request.get("tokens") else None,
    }


def _list(request: Mapping[str, Any], name: str, most: int) -> list[object]:
    found = request.get(name)
    if not isinstance(found, list) or not 1 <= len(found) <= most:
        raise ProtocolError(f"“{name}” is a list of 1 to {most}.")
    return found


def _offset(found: object) -> int:
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found < 2**31:
        raise ProtocolError("An offset is a number from 0 on.")
    return int(found)
