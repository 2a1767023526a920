"""What a model is shown, against sets of token numbers and a walk along the ranking."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import configs, documents

from playground import ChunkingConfig, Document, chunk
from playground.core.chunking import Chunking
from playground.retrieval import Pool, shown

Piece = tuple[int, int, int]


def tokens_of(chunking: Chunking, start: int, end: int) -> list[int]:
    """The numbers of the tokens that start in a span."""
    starts = chunking.prepared.ruler("token", chunking.config.tokenizer).starts.tolist()
    return [number for number, at in enumerate(starts) if start <= at < end]


def units_of(chunkings: list[Chunking], parents: bool) -> tuple[list[list[Piece]], list[tuple[int, int]]]:
    """All units of each document as (document, start, end), and for each chunk of the pool its document and unit."""
    units, homes = [], []
    for number, chunking in enumerate(chunkings):
        holders = chunking.parents if parents else chunking
        units.append([(number, one.start, one.end) for one in holders])
        for one in chunking:
            home = one.index
            if parents:
                [home] = [
                    at for at, parent in enumerate(holders) if parent.start <= one.start and one.end <= parent.end
                ]
            homes.append((number, home))
    return units, homes


def slow(chunkings, order, k, budget, neighbours, parents, remove_overlap, remove_content):
    """Rank by rank: spans, chunks taken, and the four figures."""
    units, homes = units_of(chunkings, parents)
    text = [chunking.document.text for chunking in chunkings]

    def cost(pieces: list[Piece], distinct: bool) -> int:
        rows = [(piece[0], token) for piece in pieces for token in tokens_of(chunkings[piece[0]], *piece[1:])]
        return len(set(rows)) if distinct else len(rows)

    pieces: list[Piece] = []
    kept: list[Piece] = []
    new: list[Piece] = []
    taken: list[int] = []
    for index in order if k is None else order[:k]:
        document, home = homes[index]
        more = [home]
        for distance in range(1, neighbours + 1):
            more += [home - distance, home + distance]
        now, now_kept, now_new = list(pieces), list(kept), list(new)
        for at in more:
            if not 0 <= at < len(units[document]) or units[document][at] in now:
                continue
            piece = units[document][at]
            seen = {text[other][start:end] for other, start, end in now}
            is_new = text[document][piece[1] : piece[2]] not in seen
            now.append(piece)
            now_kept += [piece] * (is_new or not remove_content)
            now_new += [piece] * is_new
        if budget is not None and cost(now_kept, remove_overlap) > budget:
            break
        pieces, kept, new = now, now_kept, now_new
        taken.append(index)
    spent = cost(kept, remove_overlap)
    figures = (cost(pieces, False), spent, spent - cost(new, True), cost(kept, False) - spent)
    figures += (cost(pieces, False) - cost(kept, False),)
    return joined(kept) if remove_overlap else sorted(kept), taken, figures


def joined(pieces: list[Piece]) -> list[Piece]:
    """The union of the spans of each document, by sets of characters."""
    found: list[Piece] = []
    for document in sorted({piece[0] for piece in pieces}):
        inside = {at for other, start, end in pieces if other == document for at in range(start, end)}
        for at in sorted(inside):
            if at - 1 not in inside:
                found.append((document, at, at + 1))
            else:
                found[-1] = (document, found[-1][1], at + 1)
    return found


def spans(found) -> list[Piece]:
    return list(zip(found.documents.tolist(), found.starts.tolist(), found.ends.tolist(), strict=True))


def figures(found) -> tuple[int, ...]:
    names = ("tokens_retrieved", "tokens_spent", "tokens_repeated", "removed_overlap", "removed_content")
    return tuple(getattr(found, name) for name in names)


REPEATED = st.lists(st.sampled_from(["one two. ", "salt\n\n", "one two. ", "猫。"]), min_size=1, max_size=14).map(
    "".join
)


@given(
    st.lists(documents() | REPEATED.map(Document), min_size=1, max_size=3),
    configs(),
    st.booleans(),
    st.data(),
)
def test_equals_a_walk_along_the_ranking(texts, config, parents, data):
    size = config.size + data.draw(st.integers(0, 40))
    settings = {**config.as_dict(), "parent_size": size if parents else None}
    chunkings = [chunk(document, ChunkingConfig(**settings)) for document in texts]
    count = sum(len(chunking) for chunking in chunkings)
    order = data.draw(st.permutations(range(count)))
    k = data.draw(st.none() | st.integers(0, 8))
    budget = data.draw(st.integers(0, 150) if k is None else st.none() | st.integers(0, 150))
    neighbours, overlap, content = data.draw(st.tuples(st.integers(0, 2), st.booleans(), st.booleans()))
    found = shown(Pool(chunkings), np.array(order, np.int32), k, budget, neighbours, parents, overlap, content)
    expected = slow(chunkings, order, k, budget, neighbours, parents, overlap, content)
    assert spans(found) == expected[0]
    assert found.taken.tolist() == expected[1]
    assert figures(found) == expected[2]
    assert found.tokens_retrieved == found.tokens_spent + found.removed_overlap + found.removed_content
    assert not (overlap and content and found.tokens_repeated)
    assert budget is None or found.tokens_spent <= budget


WORDS = Document("".join(f"w{number:03} " for number in range(300)))


def test_a_chunking_is_a_pool_of_one():
    chunking = chunk(WORDS, ChunkingConfig(size=100, overlap=20))
    order = np.arange(len(chunking))[::-1]
    assert spans(shown(chunking, order, k=3)) == spans(shown(Pool([chunking]), order, k=3))


def test_neighbours_overlap_and_are_paid_for_once():
    chunking = chunk(WORDS, ChunkingConfig(size=100, overlap=20))
    found = shown(chunking, [2, 0, 1], k=1, neighbours=1)
    assert spans(found) == [(0, int(chunking.starts[1]), int(chunking.ends[3]))]
    assert figures(found) == (300, 260, 0, 40, 0)
    as_they_are = shown(chunking, [2, 0, 1], k=1, neighbours=1, remove_overlap=False)
    assert figures(as_they_are) == (300, 300, 40, 0, 0)
    assert len(as_they_are.starts) == 3


def test_several_children_of_one_parent_are_one():
    chunking = chunk(WORDS, ChunkingConfig(size=50, overlap=0, parent_size=200))
    assert chunking.parent_numbers[:5].tolist() == [0, 0, 0, 0, 1]
    found = shown(chunking, [0, 3, 4, 1], k=4, parents=True)
    assert found.taken.tolist() == [0, 3, 4, 1]
    assert spans(found) == [(0, int(chunking.parents.starts[0]), int(chunking.parents.ends[1]))]
    assert figures(found) == (400, 400, 0, 0, 0)


def test_equal_texts_are_removed_and_reported_apart():
    page = "The lamp burns all night. "
    chunking = chunk(Document(page * 6), ChunkingConfig(mode="sentence", size=8, overlap=0))
    assert len(chunking) == 6
    found = shown(chunking, [4, 1, 2, 0, 3, 5], k=6)
    texts = [one.text for one in chunking]  # the first has no space before it, the last has one after it
    assert [texts.index(text) for text in texts] == [0, 1, 1, 1, 1, 5]
    assert spans(found) == [(0, 0, 25), (0, chunking[4].start, chunking[5].end)]
    sizes = [len(tokens_of(chunking, one.start, one.end)) for one in chunking]
    assert figures(found) == (sum(sizes), sizes[0] + sizes[4] + sizes[5], 0, 0, 3 * sizes[1])
    kept = shown(chunking, [4, 1, 2, 0, 3, 5], k=6, remove_content=False)
    assert kept.tokens_spent == kept.tokens_retrieved == found.tokens_retrieved
    assert kept.tokens_repeated == found.removed_content


def test_a_budget_ends_at_the_first_that_does_not_fit():
    text = "".join(f"## Part {part}\n\n" + "word " * size + "\n\n" for part, size in enumerate((20, 60, 5)))
    chunking = chunk(Document(text, media_type="text/markdown"), ChunkingConfig(mode="structure", size=100, overlap=0))
    assert len(chunking) == 3
    found = shown(chunking, [0, 1, 2], budget=50)
    assert found.taken.tolist() == [0]
    assert shown(chunking, [0, 2, 1], budget=50).taken.tolist() == [0, 2]


def test_a_large_budget_looks_further_than_at_first():
    chunking = chunk(Document("word" + " word" * 2999), ChunkingConfig(size=5, overlap=0))
    order = np.random.default_rng(3).permutation(len(chunking))
    for budget in (300, 325, 1300, 2999, 5000):
        found = shown(chunking, order, budget=budget, remove_content=False)
        assert len(found.taken) == min(budget // 5, len(chunking))
        assert found.tokens_spent == min(budget // 5 * 5, 3000)


def test_documents_never_run_into_each_other():
    chunkings = [chunk(Document(text), ChunkingConfig()) for text in ("one two", "three", "", "four")]
    found = shown(Pool(chunkings), [0, 1, 2], k=3, neighbours=2)
    assert spans(found) == [(0, 0, 7), (1, 0, 5), (3, 0, 4)]


def test_nothing_to_show():
    found = shown(chunk(Document(""), ChunkingConfig()), [], k=3, neighbours=1)
    assert spans(found) == []
    assert figures(found) == (0, 0, 0, 0, 0)
    assert spans(shown(chunk(WORDS, ChunkingConfig()), [0, 1], k=0)) == []
    assert spans(shown(Pool([]), [], budget=3)) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "k or a budget"),
        ({"k": -1}, "below 0"),
        ({"k": 1, "neighbours": -1}, "below 0"),
        ({"budget": -1}, "below 0"),
        ({"k": 1, "parents": True}, "no parents"),
    ],
)
def test_what_cannot_be_shown(arguments, message):
    with pytest.raises(ValueError, match=message):
        shown(chunk(WORDS, ChunkingConfig()), [0], **arguments)
