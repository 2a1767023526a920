"""What embedding takes: the worked example to the last digit, and the formulas against sets of tokens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import configs, texts, token_spans, unit_spans

from playground import ChunkingConfig, Document, chunk, describe, read
from playground.core.costs import costs
from playground.core.models import MODELS, EmbeddingModel
from playground.resources import encoding

THOUSAND = Path(__file__).parents[2] / "sample_docs" / "thousand-tokens.txt"
SMALL = MODELS["text-embedding-3-small"]


def model(max_tokens=8191, tokenizer="cl100k_base", price=0.02):
    return EmbeddingModel("m", "us", max_tokens, 8, price, "2025-06", tokenizer)


@pytest.fixture(scope="module")
def thousand():
    return chunk(read(THOUSAND), ChunkingConfig("fixed", "token", 240, 40))


def test_the_worked_example(thousand):
    found = costs(thousand, SMALL)
    assert (found.one.vectors, found.one.storage_bytes) == (5, 30_720)  # 5 x 1536 x 4
    assert (found.one.embedded_tokens, found.one.overlap_tokens, found.one.context_tokens) == (1160, 160, 0)
    assert found.one.embedding_cost == pytest.approx(0.0000232)  # 1,160 x 0.02 / 1,000,000
    assert found.one.overlap_cost == pytest.approx(0.0000032)
    assert found.one.overlap_share == pytest.approx(160 / 1160)
    assert (found.over_limit.tolist(), found.over_limit_count) == ([False] * 5, 0)
    assert (found.documents, found.tokenizer, found.exact) == (1, "cl100k_base", True)
    assert found.one == found.all


def test_ten_thousand_such_documents(thousand):
    found = costs(thousand, SMALL, documents=10_000)
    assert (found.all.vectors, found.all.storage_bytes) == (50_000, 307_200_000)
    assert (found.all.embedded_tokens, found.all.overlap_tokens) == (11_600_000, 1_600_000)
    assert found.all.embedding_cost == pytest.approx(0.232)
    assert found.all.overlap_cost == pytest.approx(0.032)
    assert found.all.overlap_share == found.one.overlap_share
    assert found.one == costs(thousand, SMALL).one


def test_contexts_are_paid_for_and_count_against_the_limit(thousand):
    found = costs(thousand, model(max_tokens=250), documents=3, context_tokens=[0, 10, 11, 100, 40])
    assert (found.one.context_tokens, found.one.embedded_tokens) == (161, 1321)  # sizes 240, 240, 240, 240, 200
    assert (found.all.context_tokens, found.all.embedded_tokens) == (483, 3963)
    assert found.over_limit.tolist() == [False, False, True, True, False]  # 240, 250, 251, 340, 240
    assert found.over_limit_count == 2
    assert found.one.overlap_share == pytest.approx(160 / 1321)
    assert found.one.overlap_cost == pytest.approx(found.one.embedding_cost * found.one.overlap_share)


HANDBOOK = "# Purchases\n\nAsk first. Then buy.\n\n## Refunds\n\nRefunds take 14 days. Keep the receipt.\n"


@pytest.mark.parametrize("unit", ["character", "word", "token"])
def test_the_contexts_of_the_chunks_are_counted_in_tokens(unit):
    document = Document.from_text(HANDBOOK, media_type="text/markdown")
    chunking = chunk(document, ChunkingConfig("structure", unit, 60, 0))
    contexts = [
        len(encoding("cl100k_base").encode_ordinary(f"{one.context}\n\n")) * bool(one.context) for one in chunking
    ]
    assert sum(contexts) > 0
    assert chunking.context_tokens("cl100k_base").tolist() == contexts
    found = costs(chunking, SMALL)
    assert found.one.context_tokens == sum(contexts)
    assert found.one.embedded_tokens == describe(chunking).processed_tokens + sum(contexts)
    assert costs(chunking, SMALL, context_tokens=[0] * len(chunking)).one.context_tokens == 0


def test_the_limit_itself_is_allowed(thousand):
    assert costs(thousand, model(max_tokens=240)).over_limit_count == 0
    assert costs(thousand, model(max_tokens=239)).over_limit.tolist() == [True, True, True, True, False]


def test_a_free_model_costs_nothing_and_its_overlap_is_still_known(thousand):
    found = costs(thousand, MODELS["all-MiniLM-L6-v2"])
    assert (found.one.embedding_cost, found.one.overlap_cost) == (0, 0)
    assert (found.one.overlap_share, found.one.storage_bytes) == (pytest.approx(160 / 1160), 7_680)  # 5 x 384 x 4
    assert (found.exact, found.tokenizer) == (False, "cl100k_base")


def test_the_models_own_tokenizer_counts_where_we_have_it():
    text = "Straßenbahn und Übergröße, 東京都 👩‍🚀. " * 20
    chunking = chunk(Document.from_text(text), ChunkingConfig("fixed", "character", 100, 0, "cl100k_base"))
    counts = {name: len(token_spans(text, name)) for name in ("cl100k_base", "o200k_base", "r50k_base")}
    assert len(set(counts.values())) == 3
    for name, count in counts.items():
        found = costs(chunking, model(tokenizer=name))
        assert (found.one.embedded_tokens, found.tokenizer, found.exact) == (count, name, True)
    assert costs(chunking, model(tokenizer="Gemini")).one.embedded_tokens == counts["cl100k_base"]


def test_nothing_costs_nothing():
    found = costs(chunk(Document.from_text("")), SMALL, documents=7)
    assert (found.all.vectors, found.all.storage_bytes, found.all.embedded_tokens) == (0, 0, 0)
    assert (found.all.overlap_share, found.all.embedding_cost, found.over_limit.tolist()) == (0, 0, [])


@given(text=texts(), config=configs(), limit=st.integers(1, 40), data=st.data())
def test_against_sets_of_tokens(text, config, limit, data):
    chunking = chunk(Document.from_text(text), config)
    text = chunking.document.text
    contexts = data.draw(st.lists(st.integers(0, 9), min_size=len(chunking), max_size=len(chunking)))
    found = costs(chunking, model(limit, config.tokenizer), 3, contexts)
    spans = list(zip(chunking.starts.tolist(), chunking.ends.tolist(), strict=True))
    starts = [start for start, _, _ in token_spans(text, config.tokenizer)]
    held = [{k for k, at in enumerate(starts) if low <= at < high} for low, high in spans]
    assert found.one.embedded_tokens == sum(map(len, held)) + sum(contexts)
    assert found.one.overlap_tokens == sum(map(len, held)) - len(set().union(*held))
    assert found.one.overlap_tokens == describe(chunking).duplicated_tokens
    assert found.all.embedded_tokens == 3 * found.one.embedded_tokens
    units = unit_spans(text, "token", config.tokenizer)
    touched = [sum(low < end and high > start for low, high, _ in units) for start, end in spans]
    assert found.over_limit.tolist() == [a + b > limit for a, b in zip(touched, contexts, strict=True)]


@pytest.mark.parametrize("documents", [0, -1, 1.5, "3"])
def test_documents_that_cannot_be(thousand, documents):
    with pytest.raises(ValueError, match="documents is"):
        costs(thousand, SMALL, documents)


@pytest.mark.parametrize("contexts", [[1, 2], [[1] * 5], [1, 2, 3, 4, -1]])
def test_contexts_that_do_not_fit(thousand, contexts):
    with pytest.raises(ValueError, match="context_tokens"):
        costs(thousand, SMALL, 1, contexts)


def test_contexts_as_an_array_of_a_small_type_do_not_overflow(thousand):
    found = costs(thousand, SMALL, 1_000_000, np.full(5, 127, dtype=np.int8))
    assert found.all.embedded_tokens == 1_000_000 * (1160 + 635)
