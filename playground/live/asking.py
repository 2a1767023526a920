"""A question, live: the ranking of the chunks, what becomes of the answer, and what a model would be shown.

A slider move asks it again of every pane: chunks change, so their ranking does. All of it is arithmetic on what the
document was prepared for: words' positions and prefix sums of vectors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from playground.core.chunking import Chunking, chunk
from playground.core.prepared import Prepared
from playground.live.near import Message
from playground.retrieval.expand import shown
from playground.retrieval.fate import fates
from playground.retrieval.fusion import Ranking
from playground.retrieval.ranking import RETRIEVERS, Pool
from playground.retrieval.vectors import chunk_vectors, vector_scores

LONGEST = 600
"""Characters of a question that are looked at."""
LISTED = 12
"""Ranks that are listed."""
MOST_ANSWERS = 8
MOST_OTHERS = 100
"""Other documents that are searched together with the one in view."""


class AskError(ValueError):
    """A question that cannot be asked; the message says why."""


@dataclass(frozen=True)
class Ask:
    """A question, how to rank, how much to show, and where its answer is known to be, in UTF-16 offsets."""

    question: str
    retriever: str = "bm25"
    k: int = 5
    budget: int = 0
    neighbours: int = 0
    parents: bool = False
    with_context: bool = True
    answers: tuple[tuple[int, int], ...] = ()
    others: tuple[str, ...] = ()
    """The keys of documents that are searched, too."""

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Ask:
        """The question that a message holds. Raises AskError."""
        question, retriever = found.get("question"), found.get("retriever", "bm25")
        if not isinstance(question, str) or len(question) > LONGEST:
            raise AskError(f"A question is a text of at most {LONGEST} characters.")
        if any("\ud800" <= character <= "\udfff" for character in question):
            raise AskError("A question holds half of a character (a lone surrogate).")
        if not isinstance(retriever, str) or retriever not in RETRIEVERS:
            raise AskError(f"A retriever is one of {', '.join(RETRIEVERS)}.")
        return cls(
            question,
            retriever,
            _number(found, "k", 5, 1, 50),
            _number(found, "budget", 0, 0, 200_000),
            _number(found, "neighbours", 0, 0, 3),
            found.get("parents") is True,
            found.get("with_context", True) is True,
            _spans(found.get("answers", [])),
            _keys(found.get("others", [])),
        )


def is_ready(prepared: Prepared) -> bool:
    """Whether a question asks for nothing that must first be found out: the words' places and the vectors are there."""
    return prepared.knows("terms") and prepared.knows("vectors")


def asked(chunking: Chunking, ask: Ask, others: Sequence[Prepared] = ()) -> Message | None:
    """What the chunks of one pane make of the question; None where there is nothing to ask or nothing to search.

    `others` are chunked as this document is, and their chunks ranked together with its own.
    """
    if not ask.question.strip() or not len(chunking):
        return None
    pool = Pool((chunking, *(chunk(one, chunking.config) for one in others)))
    ranking = RETRIEVERS[ask.retriever].ranking(pool, ask.question, ask.with_context)
    top = ranking.order[:LISTED]
    number, scores = top - pool.firsts[pool.document[top]], ranking.scores[top]
    titles = ["", *(one.document.title for one in others)]
    rows = zip(pool.document[top].tolist(), number.tolist(), scores.tolist(), strict=True)
    return {
        "ranked": [
            {"chunk": place, "score": round(score, 3), **({"title": titles[document][:60]} if document else {})}
            for document, place, score in rows
        ],
        "found": int(np.count_nonzero(ranking.scores > 0)),
        "answer": _answer(chunking, ask, ranking),
        "shown": _shown(pool, chunking, ask, ranking),
        "blurry": _blurry(pool, chunking, ask),
    }


def _answer(chunking: Chunking, ask: Ask, ranking: Ranking) -> Message | None:
    """The fate of every known span of the answer, and the rank of the first chunk that holds it."""
    if not ask.answers:
        return None
    prepared = chunking.prepared
    last = int(prepared.utf16(np.array([len(prepared.document)], np.int32))[0])
    inside = [(start, end) for start, end in ask.answers if start < end <= last]
    spans = [(prepared.from_utf16(start), prepared.from_utf16(end)) for start, end in inside]
    known = [(start, end) for start, end in spans if start < end]
    if not known:
        return None
    found = fates(chunking, [start for start, _ in known], [end for _, end in known])
    place = np.empty(len(ranking.order), np.int64)
    place[ranking.order] = np.arange(1, len(place) + 1)
    parts = []
    for index in range(len(found)):
        one = found[index]
        parts.append(
            {
                "kind": one.kind,
                "boundaries": (one.boundaries[:6] + 1).tolist(),
                "holders": (one.holders[:6] + 1).tolist(),
                "rank": int(place[one.holders].min()) if len(one.holders) else None,
                "best": int(one.holders[place[one.holders].argmin()]) + 1 if len(one.holders) else None,
                "share": round(one.share, 3),
                "tokens": [one.answer_tokens, one.holder_tokens],
            }
        )
    return {"parts": parts}


def _shown(pool: Pool, chunking: Chunking, ask: Ask, ranking: Ranking) -> Message:
    """What a model would be given to read, and what of it is repeated."""
    parents = ask.parents and chunking.parents is not None
    found = shown(pool, ranking.order, None if ask.budget else ask.k, ask.budget or None, ask.neighbours, parents)
    return {
        "chunks": len(found.taken),
        "passages": len(found.starts),
        "tokens": found.tokens_spent,
        "repeated": found.removed_overlap,
        "copies": found.removed_content,
        "retrieved": found.tokens_retrieved,
    }


def _blurry(pool: Pool, chunking: Chunking, ask: Ask) -> Message:
    """How alike the question is to the whole document, and to the chunk that is most alike, as the ranking reads it."""
    length = np.array([len(chunking.document)], np.int32)
    whole = vector_scores(chunking.prepared, np.zeros(1, np.int32), length, ask.question)
    own = pool if len(pool.parts) == 1 else Pool((chunking,))  # made already where vectors rank
    each = chunk_vectors(own, ask.with_context).scores([ask.question])[0]
    return {"document": round(float(whole[0]), 3), "best": round(float(each.max()), 3)}


def _number(found: Mapping[str, Any], name: str, default: int, low: int, high: int) -> int:
    value = found.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise AskError(f"“{name}” is a whole number from {low} to {high:,}.")
    return value


def _keys(found: object) -> tuple[str, ...]:
    """The keys of documents that a message names."""
    if not isinstance(found, list) or len(found) > MOST_OTHERS or not all(isinstance(one, str) for one in found):
        raise AskError(f"“others” is a list of at most {MOST_OTHERS} documents.")
    return tuple(dict.fromkeys(found))


def _spans(found: object) -> tuple[tuple[int, int], ...]:
    """The spans that a message holds as [[start, end], ...]."""
    if not isinstance(found, list) or len(found) > MOST_ANSWERS:
        raise AskError(f"“answers” is a list of at most {MOST_ANSWERS} spans.")
    spans = []
    for one in found:
        good = isinstance(one, list) and len(one) == 2 and all(type(at) is int and 0 <= at < 2**31 for at in one)
        if not good:
            raise AskError("A span is two whole numbers, its start and its end.")
        spans.append((one[0], one[1]))
    return tuple(spans)
