"""What asking costs: one setting, a map of sixty, an index of bm25s for each: `python -m tests.bench.retrieval`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import bm25s

from playground import ChunkingConfig, chunk, prepare, read
from playground.core.chunking import Chunking
from playground.core.prepared import Prepared
from playground.retrieval.grid import grid
from playground.retrieval.questions import Question, read_jsonl
from playground.retrieval.ranking import RETRIEVERS, Pool
from playground.retrieval.terms import query_terms
from tests.bench.table import median, table, timed

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"
NAME = "api-reference.md"
SIZES = (30, 40, 55, 75, 100, 135, 180, 240, 320, 430, 580, 780)
OVERLAPS = (0, 10, 15, 25, 50)


def loaded() -> tuple[Prepared, list[Question]]:
    """A bundled document and its questions."""
    document = prepare(read(SAMPLES / NAME))
    return document, read_jsonl((SAMPLES / f"{NAME}.questions.jsonl").read_bytes())


def indexed(chunking: Chunking, queries: Sequence[str]) -> None:
    """What others do for each setting: build an index of its chunks and ask it."""
    index = bm25s.BM25(method="lucene")
    index.index([query_terms(one.text) for one in chunking], show_progress=False)
    for query in queries:
        index.get_scores(query_terms(query))


def asking() -> None:
    """One setting, twenty questions, after preparing."""
    prepared, questions = loaded()
    queries = [one.question for one in questions]
    chunking = chunk(prepared, ChunkingConfig(size=120, overlap=18))
    rows = []
    theirs = median(timed(lambda: indexed(chunking, queries), 5))
    for retriever in RETRIEVERS.values():
        list(retriever.each(Pool([chunking]), queries))
        ours = median(timed(lambda r=retriever: list(r.each(Pool([chunking]), queries)), 9))
        rows.append((retriever.name, ours, f"{theirs / ours:.1f}"))
    heads = (f"{len(prepared.document):,} characters, {len(queries)} questions", "ms", "a bm25s index / ours")
    table("One setting", heads, rows)


def mapping() -> None:
    """A map of sixty settings, everything included."""
    prepared, questions = loaded()
    configs = [ChunkingConfig(size=size, overlap=size * overlap // 100) for size in SIZES for overlap in OVERLAPS]
    rows = []
    for name in RETRIEVERS:
        took = median(timed(lambda n=name: list(grid(prepared, questions, configs, retriever=n)), 3))
        rows.append((name, took / 1000))
    table("A map of 60 settings", (NAME, "seconds"), rows)


def main() -> None:
    """Both tables."""
    asking()
    mapping()


if __name__ == "__main__":
    main()
