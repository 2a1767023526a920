"""Every metric against sets of character positions, Chroma's definitions as worked examples, and what must look bad."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import texts

from playground import Document, prepare
from playground.retrieval import metrics
from playground.retrieval.groups import spread
from playground.retrieval.hits import Axis, Hits, Wanted
from playground.retrieval.leading import leading, ranks_of
from playground.retrieval.metrics import METRICS, iou, mrr, precision, precision_omega, token_recall, whole_recall

# --- an oracle that knows nothing but positions ----------------------------------------------------------------


def places(spans):
    return {(document, at) for document, start, end in spans for at in range(start, end)}


def ratio(above, below):
    return above / below if below else 0.0


class Oracle:
    """Everything by sets; `weigh` turns a set of positions into units."""

    def __init__(self, chunks, references, weigh=len):
        self.chunks = [places([one]) for one in chunks]
        self.references = [places([one]) for one in references]
        self.wanted, self.found = places(references), places(chunks) & places(references)
        self.weigh = weigh
        self.read = sum(weigh(one) for one in self.chunks)

    def token_recall(self):
        return ratio(self.weigh(self.found), self.weigh(self.wanted))

    def whole_recall(self):
        return float(all(any(one <= chunk for chunk in self.chunks) for one in self.references))

    def precision(self):
        return ratio(self.weigh(self.found), self.read)

    def iou(self):
        return ratio(self.weigh(self.found), self.read + self.weigh(self.wanted - self.found))

    def precision_omega(self, repeats):
        touching = [chunk for chunk in self.chunks if chunk & self.wanted]
        read = sum(map(self.weigh, touching)) if repeats else self.weigh(set().union(*touching))
        return ratio(self.weigh(self.found), read + self.weigh(self.wanted - self.found))

    def mrr(self, whole):
        for rank, chunk in enumerate(self.chunks, start=1):
            if any(one <= chunk if whole else one & chunk for one in self.references):
                return 1 / rank
        return 0.0


def spans(least=0, most=8, shortest=0):
    start = st.integers(0, 40)
    span = st.tuples(st.integers(0, 2), start, st.integers(shortest, 15)).map(lambda s: (s[0], s[1], s[1] + s[2]))
    return st.lists(span, min_size=least, max_size=most)


@settings(max_examples=300)
@given(chunks=spans(), references=spans(1, 4, 1))
def test_every_metric_equals_the_oracle(chunks, references):
    oracle = Oracle(chunks, references)
    assert token_recall(chunks, references) == pytest.approx(oracle.token_recall())
    assert whole_recall(chunks, references) == oracle.whole_recall()
    assert precision(chunks, references) == pytest.approx(oracle.precision())
    assert iou(chunks, references) == pytest.approx(oracle.iou())
    for choice in (False, True):
        assert precision_omega(chunks, references, repeats=choice) == pytest.approx(oracle.precision_omega(choice))
        assert mrr(chunks, references, whole=choice) == oracle.mrr(choice)


@given(text=texts(8).filter(lambda text: len(text) > 3), data=st.data())
def test_in_tokens_a_token_is_where_it_starts(text, data):
    prepared = prepare(Document.from_text(text))
    ruler, length = prepared.ruler("token", "cl100k_base"), len(prepared.document)
    offset = st.integers(0, length)
    pair = st.tuples(offset, offset).map(sorted)
    chunks = [(0, *one) for one in data.draw(st.lists(pair, max_size=5))]
    references = [(0, *one) for one in data.draw(st.lists(pair.filter(lambda p: p[0] < p[1]), min_size=1, max_size=3))]
    starts = ruler.starts.tolist()
    oracle = Oracle(chunks, references, lambda positions: sum((0, at) in positions for at in starts))
    assert token_recall(chunks, references, [ruler]) == pytest.approx(oracle.token_recall())
    assert precision(chunks, references, [ruler]) == pytest.approx(oracle.precision())
    assert iou(chunks, references, [ruler]) == pytest.approx(oracle.iou())
    assert precision_omega(chunks, references, [ruler]) == pytest.approx(oracle.precision_omega(False))


@given(chunks=spans(), data=st.data())
def test_many_questions_at_once_are_each_question_alone(chunks, data):
    asked = data.draw(st.lists(spans(1, 3, 1), min_size=1, max_size=4))
    axis = Axis.of([60, 60, 60])
    rows = np.array([(q, *one) for q, references in enumerate(asked) for one in references]).T
    wanted = Wanted.of(axis, len(asked), rows[0], axis.at(rows[1], rows[2]), axis.at(rows[1], rows[3]))
    table = np.array(chunks, dtype=np.int64).reshape(-1, 3).T
    hits = Hits.of(wanted, axis.at(table[0], table[1]), axis.at(table[0], table[2]))
    oracles = [Oracle(chunks, references) for references in asked]
    assert wanted.totals.tolist() == [len(oracle.wanted) for oracle in oracles]
    assert hits.reachable.tolist() == [len(oracle.found) for oracle in oracles]
    assert hits.held.tolist() == [bool(oracle.whole_recall()) for oracle in oracles]
    touch = {(q, c) for q, oracle in enumerate(oracles) for c, one in enumerate(oracle.chunks) if one & oracle.wanted}
    assert list(zip(*(part.tolist() for part in hits.touch), strict=True)) == sorted(touch)


# --- worked examples: figures written out ----------------------------------------------------------------------

CHUNKS = [(0, 0, 100), (0, 80, 180), (0, 160, 260), (1, 0, 100)]
ANSWER = [(0, 70, 120)]


def test_token_recall_counts_what_the_union_covers():
    assert token_recall(CHUNKS[:1], ANSWER) == 30 / 50
    assert token_recall(CHUNKS[1:2], ANSWER) == 40 / 50
    assert token_recall(CHUNKS[:2], ANSWER) == 1.0  # 30 + 40 characters, 20 of them twice
    assert token_recall(CHUNKS[2:], ANSWER) == 0.0


def test_whole_recall_wants_every_span_whole_in_one_chunk():
    assert whole_recall(CHUNKS, ANSWER) == 0.0  # covered, yet no chunk holds it
    assert whole_recall(CHUNKS, [(0, 100, 180)]) == 1.0
    assert whole_recall(CHUNKS, [(0, 100, 180), (1, 5, 10)]) == 1.0  # in two chunks, each whole
    assert whole_recall(CHUNKS[:3], [(0, 100, 180), (1, 5, 10)]) == 0.0


def test_precision_pays_for_repeats():
    assert precision(CHUNKS[:1], ANSWER) == 30 / 100
    assert precision(CHUNKS[:2], ANSWER) == 50 / 200
    assert precision(CHUNKS, ANSWER) == 50 / 400
    assert precision([], ANSWER) == 0.0


def test_iou_is_what_was_hit_of_what_was_read_and_missed():
    assert iou(CHUNKS[:1], ANSWER) == 30 / (100 + 20)
    assert iou(CHUNKS[:2], ANSWER) == 50 / (200 + 0)
    assert iou(CHUNKS[3:], ANSWER) == 0 / (100 + 50)


def test_precision_omega_needs_no_retriever():
    assert precision_omega(CHUNKS, ANSWER) == 50 / 180  # the union of two chunks
    assert precision_omega(CHUNKS, ANSWER, repeats=True) == 50 / 200
    assert precision_omega(CHUNKS, [(0, 250, 270)]) == 10 / (100 + 10)  # ten characters are in no chunk
    assert precision_omega(CHUNKS, [(0, 300, 310)]) == 0.0


def test_mean_reciprocal_rank():
    assert mrr(CHUNKS, ANSWER) == 1.0
    assert mrr(CHUNKS[::-1], ANSWER) == 1 / 3
    assert mrr(CHUNKS, ANSWER, whole=True) == 0.0
    assert mrr(CHUNKS, [(0, 185, 190)], whole=True) == 1 / 3


def test_several_references_are_one_answer():
    both = [(0, 10, 30), (0, 200, 220)]
    assert token_recall(CHUNKS[:1], both) == 20 / 40
    assert iou(CHUNKS[:1], both) == 20 / (100 + 20)
    overlapping = [(0, 10, 30), (0, 20, 40)]
    assert token_recall([(0, 0, 25)], overlapping) == 15 / 30  # thirty characters, not forty


def test_touching_at_zero_length_is_no_hit():
    touching = [(0, 0, 50), (0, 50, 100), (0, 100, 150)]
    answer = [(0, 50, 100)]
    assert token_recall(touching[::2], answer) == 0.0
    assert mrr(touching, answer) == 1 / 2
    assert precision_omega(touching, answer) == 1.0  # it would be 50 / 150 if neighbours that only touch counted
    assert token_recall([(0, 70, 70)], answer) == 0.0
    assert mrr([(0, 70, 70)], answer) == 0.0
    assert precision_omega([(0, 60, 60), *touching], answer, repeats=True) == 1.0


def test_the_same_place_in_another_document_is_another_place():
    assert token_recall([(1, 0, 100)], [(0, 10, 20)]) == 0.0
    assert token_recall([(0, 0, 100)], [(1, 0, 20)]) == 0.0  # where one document ends the next begins
    assert precision_omega([(0, 0, 100), (1, 0, 100)], [(0, 90, 100)]) == 10 / 100


@pytest.mark.parametrize("references", [[], [(0, 5, 5)], [(0, 5, 4)], [(0, -1, 4)]])
def test_references_that_cannot_be_are_refused(references):
    with pytest.raises(ValueError, match=r"reference|span"):
        token_recall(CHUNKS, references)


def test_a_chunk_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="span"):
        iou([(0, 5, 4)], ANSWER)


# --- what must look bad ----------------------------------------------------------------------------------------


def test_one_chunk_for_the_whole_document_recalls_all_and_is_nearly_all_waste():
    whole = [(0, 0, 100_000)]
    assert token_recall(whole, ANSWER) == whole_recall(whole, ANSWER) == mrr(whole, ANSWER) == 1.0
    assert precision(whole, ANSWER) == iou(whole, ANSWER) == precision_omega(whole, ANSWER) == 50 / 100_000


def test_chunks_of_one_word_are_precise_and_never_hold_an_answer():
    words = [(0, at, at + 5) for at in range(0, 300, 5)]
    assert precision_omega(words, ANSWER) == 1.0
    assert whole_recall(words, ANSWER) == 0.0
    assert token_recall(words[14:15], ANSWER) == 5 / 50


def test_a_chunk_returned_twice_is_read_twice():
    assert token_recall(CHUNKS[:1] * 2, ANSWER) == token_recall(CHUNKS[:1], ANSWER)
    assert precision(CHUNKS[:1] * 2, ANSWER) == precision(CHUNKS[:1], ANSWER) / 2
    assert iou(CHUNKS[:1] * 2, ANSWER) == 30 / (200 + 20)


def test_a_part_of_the_answer_may_be_the_better_deal():
    assert iou([CHUNKS[1]], ANSWER) == 40 / 110
    assert precision_omega(CHUNKS, ANSWER) == 50 / 180 < 40 / 110


def test_metrics_have_names_that_are_functions_too():
    assert {"token_recall", "whole_recall", "precision", "iou", "precision_omega", "mrr"} <= set(METRICS)
    assert all(callable(getattr(metrics, name)) for name in METRICS if name != "whole_mrr")


# --- the leading chunks ----------------------------------------------------------------------------------------

SCORES = st.lists(
    st.lists(st.sampled_from([0.0, -0.0, 0.5, 1.0, 2.0, -1.0]), min_size=6, max_size=6), min_size=1, max_size=5
)


@given(rows=SCORES, count=st.integers(0, 9))
def test_leading_is_the_beginning_of_a_whole_sort(rows, count):
    scores = np.array(rows)
    top, follows = leading(scores, count)
    for row, chosen, equal in zip(rows, top.tolist(), follows.tolist(), strict=True):
        order = sorted(range(6), key=lambda at: (-row[at], at))
        assert chosen == order[:count]
        after = [row[a] == row[b] for a, b in pairwise(order)] + [False]
        assert equal == after[:count]


@given(rows=SCORES)
def test_the_rank_of_any_chunk(rows):
    scores = np.array(rows)
    row, column = (part.reshape(-1) for part in np.indices(scores.shape))
    ranks = ranks_of(scores, row, column).reshape(scores.shape).tolist()
    for one, found in zip(rows, ranks, strict=True):
        order = sorted(range(6), key=lambda at: (-one[at], at))
        assert found == [order.index(at) + 1 for at in range(6)]


def test_no_chunks_and_no_runs():
    assert leading(np.zeros((2, 0)), 5)[0].shape == (2, 0)
    assert spread(np.zeros(0, np.int64), np.zeros(0, np.int64))[0].tolist() == []
