"""The fate of answers, against loops over chunks and boundaries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import configs, documents, plain_texts

from playground import ChunkingConfig, Document, chunk
from playground.core.chunking import Chunking
from playground.core.document import Block
from playground.retrieval import Fate, fates
from playground.retrieval.fate import fate


def slow(chunking: Chunking, start: int, end: int) -> tuple[str, list[int], list[int], int]:
    """Kind, holders, boundaries and the tokens of the smallest holder, by the words of the definition."""
    chunks = list(zip(chunking.starts.tolist(), chunking.ends.tolist(), strict=True))
    holders = [number for number, (low, high) in enumerate(chunks) if low <= start and end <= high]
    boundaries = []
    for number in range(len(chunks) - 1):
        ends, goes_on = chunks[number][1], chunks[number + 1][0]
        sides = {ends, goes_on} if goes_on > ends else {ends}
        if any(start < side < end for side in sides):
            boundaries.append(number)
    touched = any(min(high, end) > max(low, start) for low, high in chunks)
    kind = ("rescued" if boundaries else "whole") if holders else "split" if touched else "left out"
    ruler = chunking.prepared.ruler("token", chunking.config.tokenizer)
    smallest = min((int(ruler.measure(*chunks[number])) for number in holders), default=0)
    return kind, holders, boundaries, smallest


def as_slow(found: Fate) -> tuple[str, list[int], list[int], int]:
    return found.kind, found.holders.tolist(), found.boundaries.tolist(), found.holder_tokens


def answers_in(length: int) -> st.SearchStrategy[list[list[int]]]:
    offset = st.integers(0, length)
    pairs = st.tuples(offset, offset).filter(lambda pair: pair[0] != pair[1]).map(sorted)
    return st.lists(pairs, max_size=20)


@given(documents(), configs(), st.sampled_from(["keep", "leave out"]), st.data())
def test_equals_the_definition(document, config, boilerplate, data):
    chunking = chunk(document, replace(config, boilerplate=boilerplate))
    answers = data.draw(answers_in(len(document)))
    found = fates(chunking, *np.array(answers, np.int32).reshape(-1, 2).T)
    assert len(found) == len(answers)
    for number, (start, end) in enumerate(answers):
        assert as_slow(found[number]) == slow(chunking, start, end)
        assert as_slow(fate(chunking, start, end)) == as_slow(found[number])


@given(plain_texts(30), st.integers(2, 12), st.data())
def test_every_answer_of_a_short_text(text, size, data):
    config = ChunkingConfig(
        size=size, overlap=data.draw(st.integers(0, size - 1)), tail=data.draw(st.sampled_from(["stop", "keep"]))
    )
    chunking = chunk(Document(text), config)
    pairs = [(start, end) for start in range(0, len(text), 3) for end in range(start + 1, len(text) + 1, 4)]
    starts, ends = np.array(pairs).T
    found = fates(chunking, starts, ends)
    for number, (start, end) in enumerate(pairs):
        one = found[number]
        assert as_slow(one) == slow(chunking, start, end)
        assert 0 <= one.share <= 1
        assert one.kind != "left out"
        assert (one.share == 0) == (one.kind == "split")


def sentence(text: str) -> tuple[Document, int, int]:
    return Document(text), text.index("The key"), text.index("mat.") + 4


def test_the_four_fates():
    words = "word " * 10 + "The key lies under the mat. " + "word " * 11
    document, start, end = sentence(words)
    whole = fate(chunk(document, ChunkingConfig(unit="word", size=20, overlap=0)), start, end)
    assert (whole.kind, whole.holders.tolist(), whole.boundaries.tolist()) == ("whole", [0], [])
    split = fate(chunk(document, ChunkingConfig(unit="word", size=13, overlap=0)), start, end)
    assert (split.kind, split.holders.tolist(), split.boundaries.tolist()) == ("split", [], [0])
    rescued = fate(chunk(document, ChunkingConfig(unit="word", size=13, overlap=6)), start, end)
    assert (rescued.kind, rescued.holders.tolist(), rescued.boundaries.tolist()) == ("rescued", [1], [0])
    twice = fate(chunk(document, ChunkingConfig(unit="word", size=3, overlap=0)), start, end)
    assert twice.boundaries.tolist() == [3, 4]


def test_the_share_is_that_of_the_smallest_holder():
    text = "".join(f"w{number:03} " for number in range(400))
    chunking = chunk(Document(text), ChunkingConfig(size=200, overlap=100, tail="keep"))
    ruler = chunking.prepared.ruler("token", "cl100k_base")
    low, high = int(ruler.starts[150]), int(ruler.starts[190])
    found = fate(chunking, low, high)
    assert (found.kind, found.holders.tolist()) == ("whole", [0, 1])
    assert (found.answer_tokens, found.holder_tokens, found.share) == (40, 200, 0.2)
    last = fate(chunking, int(ruler.starts[-1]), len(text))
    sizes = ruler.measure(chunking.starts, chunking.ends)
    assert len(last.holders) > 1
    assert last.holder_tokens == min(sizes[last.holders]) < max(sizes[last.holders])


def test_what_is_left_out():
    text = "Home News Shop\nThe boat leaves at noon.\nImprint Privacy\nIt is blue.\n"
    cuts = [0, 15, 40, 56, len(text)]
    kinds = ("boilerplate", "paragraph", "boilerplate", "paragraph")
    blocks = tuple(Block(low, high, kind) for low, high, kind in zip(cuts, cuts[1:], kinds, strict=False))
    config = ChunkingConfig(mode="structure", size=40, overlap=0, boilerplate="leave out")
    chunking = chunk(Document(text, media_type="text/html", blocks=blocks), config)
    assert [one.text for one in chunking] == [text[15:40], text[56:]]
    assert fate(chunking, 2, 9).kind == fate(chunking, 41, 50).kind == "left out"
    over_the_gap = fate(chunking, 20, 60)
    assert (over_the_gap.kind, over_the_gap.boundaries.tolist()) == ("split", [0])
    into_the_gap, out_of_the_gap, before = fate(chunking, 20, 45), fate(chunking, 45, 60), fate(chunking, 5, 20)
    assert (into_the_gap.kind, into_the_gap.boundaries.tolist()) == ("split", [0])
    assert (out_of_the_gap.kind, out_of_the_gap.boundaries.tolist()) == ("split", [0])
    assert (before.kind, before.boundaries.tolist()) == ("split", [])


@pytest.mark.parametrize(("start", "end"), [(0, 0), (3, 2), (-1, 2), (0, 99)])
def test_answers_that_cannot_be(start, end):
    with pytest.raises(ValueError, match="not inside"):
        fate(chunk(Document("The key lies here."), ChunkingConfig()), start, end)


def test_no_answers():
    found = fates(chunk(Document("The key lies here."), ChunkingConfig()), [], [])
    assert len(found) == len(found.shares) == 0
