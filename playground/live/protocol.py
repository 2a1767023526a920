"""What travels between the stage and the core: one request, one answer, both small JSON.

A request names a document by key, the settings of each pane and what the pane shows. The answer holds each pane's
numbers and the spans near what is visible, in UTF-16 offsets; it stays under 20 KB whatever the document's size. The
page uses the same answer for its first paint, so the two loops cannot disagree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from playground.core.chunking import Chunking, chunk
from playground.core.compare import broken_sentences
from playground.core.prepared import Prepared
from playground.core.rulers import UNITS, Offsets
from playground.core.stats import ChunkingStats, cuts_sentence, cuts_word, describe, histogram
from playground.live.store import Store
from playground.settings import BY_NAME, Values, Whole, parse, to_config

MAX_PANES = 3
MAX_SPANS = 1800
MAX_BREAKS = 40
MAX_TOKENS = 2500
MARGIN = 2500
"""Characters beyond the visible range on either side for which spans are sent along."""

Message = dict[str, Any]


class ProtocolError(ValueError):
    """A message that cannot be answered; the text says why, for a person."""


@dataclass(frozen=True)
class Pane:
    """One pane's request: valid settings, notices about them, and the visible range in UTF-16 offsets."""

    values: Values
    notices: list[str]
    visible: tuple[int, int]


def answer(store: Store, request: object) -> Message:
    """The answer to `request`, whose `kind` is "chunks" (default) or "chunk". Raises `ProtocolError`."""
    if not isinstance(request, dict):
        raise ProtocolError("A request is a JSON object.")
    prepared = store.get(str(request.get("doc", "")))
    if prepared is None:
        raise ProtocolError("This document is no longer held by the server.")
    kinds = {"chunks": chunks_answer, "chunk": chunk_answer}
    kind = request.get("kind", "chunks")
    if kind not in kinds:
        raise ProtocolError(f"The kind of a request is one of {', '.join(kinds)}.")
    return {"seq": request.get("seq"), "kind": kind, **kinds[kind](prepared, request)}


# --- chunks: all panes, their numbers and what is visible --------------------------------------------------------


def chunks_answer(prepared: Prepared, request: Mapping[str, Any]) -> Message:
    """Numbers, histogram and nearby spans for each pane; with two or more panes the sentences broken."""
    panes = [read_pane(prepared, pane) for pane in _list(request, "panes", MAX_PANES)]
    chunkings = [chunk(prepared, to_config(pane.values)) for pane in panes]
    answers = [
        {
            "settings": pane.values,
            "notices": pane.notices,
            "numbers": numbers(chunking),
            "spans": spans_near(chunking, *pane.visible),
        }
        for pane, chunking in zip(panes, chunkings, strict=True)
    ]
    if len(chunkings) > 1:
        for index, chunking in enumerate(chunkings):
            other = chunkings[1 if index == 0 else 0]
            answers[index]["breaks"] = breaks(chunking, other, panes[index].visible)
    return {"panes": answers}


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


def converted(prepared: Prepared, wanted: Mapping[str, Any], from_unit: str) -> object:
    """The size in the wanted unit that holds about as much of this document as it did in `from_unit`."""
    size, tokenizer = wanted.get("size"), str(parse(wanted)[0]["tokenizer"])
    counts = [prepared.ruler(unit, tokenizer).count for unit in (from_unit, str(wanted["unit"]))]
    if not isinstance(size, int) or not counts[0]:
        return size
    setting = BY_NAME["size"]
    assert isinstance(setting, Whole)
    low, high = setting.bounds[str(wanted["unit"])]
    return min(max(_rounded(size * counts[1] / counts[0]), low), high)


def _rounded(size: float) -> int:
    """To two digits, as a person would set a slider."""
    step = 10 ** max(0, len(str(int(size))) - 2)
    return int(round(size / step) * step)


def numbers(chunking: Chunking) -> Message:
    """The numbers of the side panel, as JSON."""
    stats = describe(chunking)
    counts, width = histogram(chunking.sizes, chunking.config.size)
    return {
        **{name: getattr(stats, name) for name in _PLAIN},
        "median": round(stats.median, 1),
        "mean": round(stats.mean, 1),
        "overlap_mean": round(stats.overlap_mean, 1),
        "duplicated_percent": round(stats.duplicated_percent, 1),
        "overlap_limits": {limit.name.lower(): number for limit, number in stats.overlap_limits.items()},
        "check": _check(stats),
        "histogram": {"counts": counts.tolist(), "width": width, "limit": chunking.config.size},
        "arithmetic": arithmetic(chunking),
    }


def arithmetic(chunking: Chunking, shown: int = 6) -> Message:
    """What the worked arithmetic needs: stride, and where the first chunks start and how large they are, in units."""
    config = chunking.config
    ruler = chunking.prepared.ruler(config.unit, config.tokenizer)
    return {
        "size": config.size,
        "overlap": config.overlap,
        "stride": config.stride,
        "total": ruler.count,
        "starts": ruler.within(chunking.starts[:shown]).tolist(),
        "sizes": chunking.sizes[:shown].tolist(),
    }


_PLAIN = (
    "count", "smallest", "largest", "oversized", "document_tokens", "processed_tokens", "duplicated_tokens",
    "deepest_cover", "boundaries", "word_cuts", "sentence_cuts", "overlap_asked", "overlap_least", "overlap_full",
)  # fmt: skip


def _check(stats: ChunkingStats) -> Message:
    check = stats.check
    return {
        "passed": check.passed,
        "in_order": check.in_order,
        "in_document": check.in_document,
        "no_gap": check.no_gap,
        "no_split_character": check.no_split_character,
        "coverage_percent": round(check.coverage_percent, 2),
    }


def spans_near(chunking: Chunking, low: int, high: int) -> Message:
    """The chunks that touch `[low, high)`, and a margin, in UTF-16 offsets.

    `starts` and `ends` are differences from one chunk to the next, the first from 0. `flags` has a letter a chunk for
    the cut at its end: "w" inside a word, "s" inside a sentence, "-" neither. The chunks sent are all there are
    within `[from, to)`, which is smaller than asked where there are very many.
    """
    prepared = chunking.prepared
    low, high = prepared.from_utf16(max(low - MARGIN, 0)), prepared.from_utf16(high + MARGIN)
    first = int(np.searchsorted(chunking.ends, low, side="right"))
    last = int(np.searchsorted(chunking.starts, high, side="left"))
    if last - first > MAX_SPANS:
        first = int(np.searchsorted(chunking.ends, low + MARGIN // 2, side="right"))
        last = min(last, first + MAX_SPANS)
    chosen = slice(first, last)
    starts, ends = prepared.utf16(chunking.starts[chosen]), prepared.utf16(chunking.ends[chosen])
    edges = _edges(chunking, first, last)
    return {
        "first": first,
        "from": int(prepared.utf16(edges)[0]),
        "to": int(prepared.utf16(edges)[1]),
        "starts": np.diff(starts, prepend=np.int32(0)).tolist(),
        "ends": np.diff(ends, prepend=np.int32(0)).tolist(),
        "flags": _flags(chunking, first, last),
    }


def _edges(chunking: Chunking, first: int, last: int) -> Offsets:
    """The range within which chunks `first` to `last` are all there are."""
    low = int(chunking.ends[first - 1]) if first else 0
    high = int(chunking.starts[last]) if last < len(chunking) else len(chunking.document)
    return np.array([low, max(low, high)], dtype=np.int32)


def _flags(chunking: Chunking, first: int, last: int) -> str:
    """A letter for the cut at the end of each chunk from `first` to `last`."""
    words, sentences = cuts_word(chunking)[first:last], cuts_sentence(chunking)[first:last]
    letters = np.where(words, "w", np.where(sentences, "s", "-"))
    return "".join(letters.tolist()).ljust(last - first, "-")


def breaks(here: Chunking, other: Chunking, visible: tuple[int, int]) -> Message:
    """How many boundaries break a sentence that the other pane leaves whole, and the nearest of them."""
    broken = broken_sentences(here, other)
    only = np.flatnonzero(broken.only_here)
    near = int(np.searchsorted(broken.offsets[only], here.prepared.from_utf16(visible[0])))
    chosen = only[max(0, near - 2) :][:MAX_BREAKS]
    places = here.prepared.utf16(broken.offsets[chosen]).tolist()
    listed = zip((broken.boundaries[chosen] + 1).tolist(), places, strict=True)
    return {"count": len(only), "near": [{"boundary": number, "at": at} for number, at in listed]}


# --- chunk: everything about one ---------------------------------------------------------------------------------


def chunk_answer(prepared: Prepared, request: Mapping[str, Any]) -> Message:
    """Everything about chunk `index` of a pane: why, how large, its neighbours, and its tokens one by one."""
    pane = read_pane(prepared, request.get("pane", {}))
    chunking = chunk(prepared, to_config(pane.values))
    index = _offset(request.get("index", 0))
    if index >= len(chunking):
        raise ProtocolError(f"There is no chunk {index + 1}; the last is {len(chunking)}.")
    one = chunking[index]
    start, end = prepared.utf16(np.array([one.start, one.end], dtype=np.int32)).tolist()
    spans = [prepared.ruler(unit, chunking.config.tokenizer).measure(one.start, one.end) for unit in UNITS]
    return {
        "index": index,
        "total": len(chunking),
        "start": start,
        "end": end,
        "offsets": [one.start, one.end],
        "sizes": {**dict(zip(UNITS, map(int, spans), strict=True)), "token": one.tokens},
        "unit": chunking.config.unit,
        "limit": chunking.config.size,
        "oversized": one.oversized,
        "overlap_before": one.overlap_before,
        "overlap_after": chunking[index + 1].overlap_before if index + 1 < len(chunking) else 0,
        "reason": one.reason,
        "overlap_reason": one.overlap_reason,
        "metadata": {key: str(value) for key, value in one.metadata.items()},
        "tokens": token_lengths(one.text, chunking.config.tokenizer) if request.get("tokens") else None,
    }


def token_lengths(text: str, tokenizer: str) -> Message:
    """The tokens of `text` as lengths in UTF-16 units and how many tokens each piece stands for.

    A piece is one token, or the few that share a character, or a grapheme cluster: nothing is ever drawn in halves. At
    most `MAX_TOKENS` pieces; `rest` says how many tokens follow.
    """
    from playground.core.document import Document

    prepared = Prepared(Document(text))
    (level,) = prepared.levels(("unit",), "token", tokenizer)
    offsets = prepared.utf16(level.offsets[: MAX_TOKENS + 1]).tolist()
    counts = level.before[: MAX_TOKENS + 1].tolist()
    return {
        "lengths": [after - before for before, after in pairwise(offsets)],
        "counts": [after - before for before, after in pairwise(counts)],
        "rest": int(level.units - counts[-1]),
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
