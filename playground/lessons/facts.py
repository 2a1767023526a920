"""The facts of a page at a moment, by name: what lessons write into their sentences and compare in their goals.

Facts of the second pane go by `b_` and the name. A fact that is not there at the moment (no question is asked, no chunk
is open) is None. Nothing is computed before it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from playground.core.modes.semantic import topics
from playground.lessons.conditions import Fact
from playground.lessons.scene import Scene, Shot
from playground.resources import TOKENIZERS
from playground.retrieval.grid import Comparison
from playground.settings import SETTINGS, Values


def _over(scene: Scene) -> Fact:
    if not scene.limit:
        return None
    chunking = scene.shots[0].chunking
    return int((chunking.input_tokens(chunking.config.tokenizer) > scene.limit).sum())


def _longest(shot: Shot) -> Fact:
    chunking = shot.chunking
    tokens = chunking.prepared.ruler("token", chunking.config.tokenizer)
    return int(tokens.measure(chunking.starts, chunking.ends).max(initial=0))


def _topics(shot: Shot) -> Fact:
    if shot.chunking.config.mode != "semantic" or shot.chunking.prepared.is_blank:
        return None
    return len(topics(shot.chunking.prepared, shot.chunking.config).cuts) + 1


def _units(shot: Shot) -> Fact:
    """The document's length in the unit of the settings."""
    config = shot.chunking.config
    return shot.chunking.prepared.ruler(config.unit, config.tokenizer).count


def _answer_size(shot: Shot) -> int | None:
    """The answer's length in the unit of the settings."""
    if shot.answer is None:
        return None
    config = shot.chunking.config
    return int(shot.chunking.prepared.ruler(config.unit, config.tokenizer).measure(*shot.answer))


def _rank(shot: Shot) -> Fact:
    return shot.part.get("rank") if (shot.asked or {}).get("found") else None


def _score(shot: Shot) -> Fact:
    """The score of the best chunk that holds the answer, among those that are listed."""
    rank, ranked = _rank(shot), (shot.asked or {}).get("ranked", [])
    return ranked[rank - 1]["score"] if isinstance(rank, int) and rank <= len(ranked) else None


def _repeated(shot: Shot) -> Fact:
    """The share of what was retrieved that another retrieved chunk says, too, in percent."""
    total = shot.read.get("retrieved")
    return 100 * (shot.read["repeated"] + shot.read["copies"]) / total if total else None


def _less(shot: Shot) -> Fact:
    overlap = int(shot.values["overlap"])
    return shot.fate_with(overlap=overlap - 1) if overlap else None


def _rule(shot: Shot) -> Fact:
    size = _answer_size(shot)
    return None if size is None else max(size - 1, 0)


def _ends(scene: Scene, cuts: str) -> Fact:
    """Whether the open chunk ends within what these cuts go through; the last chunk ends with the document."""
    opened = scene.open_chunk
    if opened is None:
        return None
    flags = getattr(opened.chunking, cuts)
    return bool(flags[opened.index]) if opened.index < len(flags) else False


_STATS = (
    "count", "boundaries", "smallest", "largest", "mean", "median", "word_cuts", "sentence_cuts", "duplicated_percent",
    "duplicated_tokens", "processed_tokens", "document_tokens", "context_tokens", "parents", "oversized",
    "overlap_mean", "overlap_least",
)  # fmt: skip


def _stat(name: str) -> Callable[[Shot], Fact]:
    return lambda shot: getattr(shot.stats, name)


def _tokens(name: str) -> Callable[[Scene], Fact]:
    return lambda scene: scene.shots[0].chunking.prepared.ruler("token", name).count


def _setting(name: str) -> Callable[[Shot], Fact]:
    return lambda shot: shot.values[name]


RENAMED = {"overlap": "overlap_percent", "parents": "parent_times", "smallest": "minimum_percent"}
"""Settings whose names are those of numbers, too, and what they are called as facts."""
OF_PANE: Mapping[str, Callable[[Shot], Any]] = MappingProxyType(
    {
        **{setting.name: _setting(setting.name) for setting in SETTINGS if setting.name not in RENAMED},
        **{name: _stat(name) for name in _STATS},
        "overlap": lambda shot: shot.chunking.config.overlap,
        "stride": lambda shot: shot.chunking.config.stride,
        **{fact: _setting(name) for name, fact in RENAMED.items()},
        "units": _units,
        "longest_tokens": _longest,
        "topics": _topics,
        "fate": lambda shot: shot.part.get("kind"),
        "fate_with_less": _less,
        "rank": _rank,
        "score": _score,
        "share": lambda shot: 100 * shot.part["share"] if shot.part.get("holders") else None,
        "answer_tokens": lambda shot: shot.part["tokens"][0] if shot.part.get("holders") else None,
        "holder_tokens": lambda shot: shot.part["tokens"][1] if shot.part.get("holders") else None,
        "answer_size": _answer_size,
        "rule_overlap": _rule,
        "holder": lambda shot: shot.part.get("best"),
        "holder_context": lambda shot: shot.holder.context if shot.holder else None,
        "has_context": lambda shot: bool(shot.holder.context) if shot.holder else None,
        "boundary": lambda shot: shot.part["boundaries"][0] if shot.part.get("boundaries") else None,
        "read_chunks": lambda shot: shot.read.get("chunks"),
        "read_passages": lambda shot: shot.read.get("passages"),
        "read_tokens": lambda shot: shot.read.get("tokens"),
        "repeated_percent": _repeated,
        "whole_similarity": lambda shot: (shot.asked or {}).get("blurry", {}).get("document"),
        "best_similarity": lambda shot: (shot.asked or {}).get("blurry", {}).get("best"),
        "embedded_tokens": lambda shot: shot.bill.one.embedded_tokens,
        "price": lambda shot: shot.bill.all.embedding_cost,
    }
)
"""Facts of a pane by name."""
OF_PAGE: Mapping[str, Callable[[Scene], Any]] = MappingProxyType(
    {
        "opened": lambda scene: scene.open_chunk.index + 1 if scene.open_chunk else None,
        "opened_tokens": lambda scene: scene.open_chunk.tokens if scene.open_chunk else None,
        "opened_has_context": lambda scene: bool(scene.open_chunk.context) if scene.open_chunk else None,
        "opened_cuts_word": lambda scene: _ends(scene, "word_cuts"),
        "opened_cuts_sentence": lambda scene: _ends(scene, "sentence_cuts"),
        "over": _over,
        "limit": lambda scene: scene.limit or None,
        **{f"tokens_{name}": _tokens(name) for name in TOKENIZERS},
        "same_ids": lambda scene: scene.moved.same_ids,
        "changed_ids": lambda scene: len(scene.shots[0].chunking) - scene.moved.same_ids,
        "count_before": lambda scene: len(scene.start),
        "stale": lambda scene: int(scene.versions.stale.sum()) if scene.versions else None,
        "new": lambda scene: int(scene.versions.new.sum()) if scene.versions else None,
        "unchanged": lambda scene: scene.versions.unchanged if scene.versions else None,
        "new_percent": lambda scene: 100 * float(scene.versions.new.mean()) if scene.versions else None,
    }
)
"""Facts of all that is seen, by name."""
OF_MAP = ("cells", "rivals", "best_size", "best_overlap", "best_mean", "reads", "questions")
"""Facts of the map on the page that evaluates: `rivals` are the settings not told from the best, `reads` is "chunks" or
"tokens"."""
PREFIXES = ("", "b_")
FACTS = frozenset((*OF_PANE, *(f"b_{name}" for name in OF_PANE), *OF_PAGE, *OF_MAP))
"""Every name that a lesson may use."""


def map_facts(values: Sequence[Values], result: Comparison, reads: str) -> Mapping[str, Fact]:
    """The facts of a map with these settings in its cells, compared by what is read: "chunks" or "tokens"."""
    best = values[result.best]
    return {
        "cells": len(result.means),
        "rivals": int(result.inseparable.sum()) - 1,
        "best_size": best["size"],
        "best_overlap": best["overlap"],
        "best_mean": round(float(result.means[result.best]), 2),
        "reads": reads,
        "questions": result.values.shape[1],
    }
