"""Vectors of spans: the mean of the tokens inside, whichever way it is computed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.core.vectors import BLOCK, SpanVectors
from playground.resources.embeddings import embedding

SAMPLES = Path(__file__).parents[2] / "sample_docs"
HANDBOOK = (SAMPLES / "company-handbook.md").read_text("utf-8")
LANGUAGES = (SAMPLES / "multilingual.md").read_text("utf-8")


@cache
def tokens(text: str) -> list[tuple[int, int]]:
    ids, starts = embedding().encode(text)
    return list(zip(ids.tolist(), starts.tolist(), strict=True))


def naive(text: str, start: int, end: int) -> np.ndarray:
    """The mean of the vectors of the tokens that start in the span, one by one."""
    inside = [embedding().matrix[token].astype(float) for token, at in tokens(text) if start <= at < end]
    return np.mean(inside or [np.zeros(256)], axis=0)


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / (np.linalg.norm(vector) or 1)


@pytest.mark.parametrize("text", [HANDBOOK, LANGUAGES], ids=["handbook", "languages"])
def test_equals_the_mean_of_the_tokens(text):
    rng = np.random.default_rng(7)
    lengths = np.concatenate((rng.integers(0, 30, 60), rng.integers(0, 3000, 40), [len(text)]))
    starts = np.minimum(rng.integers(0, len(text), len(lengths)), len(text) - lengths)
    vectors = SpanVectors.of(text)
    rows, sums = vectors.span_vectors(starts, starts + lengths), vectors.span_sums(starts, starts + lengths)
    counts = vectors.counts(starts, starts + lengths)
    assert rows.dtype == sums.dtype == np.float32
    assert rows.shape == (len(starts), 256)
    for row, total, count, start, length in zip(rows, sums, counts, starts, lengths, strict=True):
        expected = naive(text, start, start + length)
        assert np.abs(row - unit(expected)).max() < 1e-4
        assert np.abs(total / max(count, 1) - expected).max() < 1e-4


def test_digits_survive_in_a_long_text():
    text = "The lamp burns all night. " * 20_000 + "Taxes are due."
    vectors = SpanVectors.of(text)
    [row] = vectors.span_vectors([len(text) - 14], [len(text)])
    assert np.abs(row - unit(naive("Taxes are due.", 0, 14))).max() < 1e-6


def test_equals_the_package_for_spans_at_word_boundaries(wordllama):
    """White space inside the span put together: there is where the package would add tokens of its own."""
    vectors = SpanVectors.of(HANDBOOK)
    words = [at for at in range(1, len(HANDBOOK)) if HANDBOOK[at - 1].isspace() and not HANDBOOK[at].isspace()]
    spans = [(words[at], words[at + size]) for at in range(0, len(words) - 400, 97) for size in (1, 7, 60, 400)]
    rows = vectors.span_vectors(*np.array(spans).T)
    expected = wordllama.embed([" ".join(HANDBOOK[start:end].split()) for start, end in spans], norm=True)
    assert np.abs(rows - expected).max() < 1e-5


@given(
    st.lists(st.sampled_from(["one ", "\n\n", "食べ物", "👩‍👧 ", "tide-pool, ", "x" * 50]), max_size=150).map("".join),
    st.data(),
)
def test_sums_are_additive(text, data):
    """A span's sum is the sum of its halves', wherever it is cut; so the order of blocks and rests never matters."""
    middle = data.draw(st.integers(0, len(text)))
    whole, left, right = SpanVectors.of(text).span_sums([0, 0, middle], [len(text), middle, len(text)])
    assert np.abs(whole - left - right).max() < 1e-3


@pytest.mark.parametrize("count", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK - 1, 3 * BLOCK])
def test_every_number_of_tokens_around_a_block(count):
    text = " ".join(["time", "house", "world"][at % 3] for at in range(count))
    vectors = SpanVectors.of(text)
    assert len(vectors.ids) == count
    starts = np.arange(0, len(text) + 1, 5)
    rows = vectors.span_sums(np.zeros_like(starts), starts)
    assert np.allclose(rows, [naive(text, 0, end) * sum(vectors.starts < end) for end in starts], atol=1e-4)


def test_spans_without_tokens_are_exactly_zero():
    text = "word " * 100 + " " * 500 + "word " * 100
    rows = SpanVectors.of(text).span_vectors([500, 700, 3, 9, 0], [1000, 700, 3, 10, 0])
    assert not rows.any()


def test_no_spans_and_no_text():
    assert SpanVectors.of("a").span_vectors([], []).shape == (0, 256)
    assert SpanVectors.of("").span_vectors([0], [0]).tolist() == [[0.0] * 256]


def test_a_token_belongs_to_the_span_of_its_first_letter():
    vectors = SpanVectors.of("sea salt")
    assert vectors.counts([0, 3, 4, 5], [4, 4, 8, 8]).tolist() == [1, 0, 1, 0]


def test_similar_passages_have_similar_vectors():
    text = "The boat sails on the sea. A ship crosses the ocean. Invoices are paid by the bank."
    ends = [26, 52, len(text)]
    sea, ocean, bank = SpanVectors.of(text).span_vectors([0, 27, 53], ends)
    assert sea @ ocean > sea @ bank + 0.2
    assert sea @ sea == pytest.approx(1, abs=1e-6)


def test_memory_is_a_few_times_the_text():
    text = HANDBOOK * 20
    vectors = SpanVectors.of(text)
    assert vectors.nbytes == vectors.ids.nbytes + vectors.starts.nbytes + vectors.sums.nbytes
    assert vectors.nbytes < 16 * len(text)


def test_the_text_is_encoded_once_however_many_spans(monkeypatch):
    calls = []
    real = type(embedding()).encode
    monkeypatch.setattr(type(embedding()), "encode", lambda self, text: calls.append(1) or real(self, text))
    vectors = SpanVectors.of(HANDBOOK)
    for size in (50, 500, 5000):
        starts = np.arange(0, len(HANDBOOK), size)
        vectors.span_vectors(starts, np.minimum(starts + size, len(HANDBOOK)))
    assert len(calls) == 1
