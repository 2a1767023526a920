"""Rankings, against other people's code: `bm25s` for BM25, `wordllama` for vectors, and plain loops for the rest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import PIECES, configs, documents

from playground import ChunkingConfig, Document, chunk, prepare
from playground.core.modes.semantic import vectors_of
from playground.core.prepared import Prepared
from playground.resources.embeddings import embedding
from playground.retrieval import RETRIEVERS, Pool, fused, query_terms, rank, terms, vector_scores
from playground.retrieval.bm25 import Index, bm25
from playground.retrieval.pool import Part
from playground.retrieval.vectors import query_vector

SAMPLES = Path(__file__).parents[2] / "sample_docs"
HANDBOOK = (SAMPLES / "company-handbook.md").read_text("utf-8")
WORDS = st.sampled_from(
    ["the", "sea", "Salt", "tide", "a", "lamp", "burns", "猫が寝る", "東京都", "ภาษาไทย", "straße", "3.14", "it's", "…"]
)
TEXTS = st.lists(st.tuples(WORDS, st.sampled_from(" \n,")).map("".join), min_size=1, max_size=80).map("".join)
QUERIES = st.lists(WORDS, max_size=6).map(" ".join)


@st.composite
def spans(draw, length: int, most: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Any spans, in any order, overlapping, nested or empty."""
    offset = st.integers(0, length)
    pairs = draw(st.lists(st.tuples(offset, offset).map(sorted), min_size=1, max_size=most))
    return tuple(np.array(pairs, np.int32).T)


def terms_inside(text: str, starts: np.ndarray, ends: np.ndarray) -> list[list[str]]:
    """For each span the terms of the text wholly inside it, one by one."""
    found = terms.Terms.in_text(text)
    names = query_terms(text)
    places = list(zip(names, found.starts.tolist(), found.ends.tolist(), strict=True))
    return [
        [term for term, low, high in places if start <= low and high <= end]
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]


def library(corpus: list[list[str]], query: list[str], k1: float = 1.5, b: float = 0.75) -> np.ndarray:
    """What `bm25s` scores."""
    known = [term for term in query if any(term in chunk for chunk in corpus)]
    if not known:
        return np.zeros(len(corpus))  # the library has no index without terms
    index = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64")
    index.index(corpus, show_progress=False)
    return index.get_scores(known)


# --- BM25 ------------------------------------------------------------------------------------------------------


@given(TEXTS, QUERIES, st.data())
def test_bm25_equals_the_library(text, query, data):
    starts, ends = data.draw(spans(len(text)))
    k1, b = data.draw(st.sampled_from([(1.5, 0.75), (0.9, 0.4), (2.0, 1.0), (1.2, 0.0)]))
    found = bm25(prepare(Document(text)), starts, ends, query, k1, b)
    expected = library(terms_inside(text, starts, ends), query_terms(query), k1, b)
    assert found.dtype == np.float64
    assert np.abs(found - expected).max() < 1e-6


@pytest.mark.parametrize("mode", ["fixed", "sentence", "structure"])
def test_bm25_equals_the_library_on_the_handbook(mode):
    chunking = chunk(Document(HANDBOOK, media_type="text/markdown"), ChunkingConfig(mode=mode, size=80, overlap=20))
    corpus = terms_inside(HANDBOOK, chunking.starts, chunking.ends)
    for query in ("How many days of leave do I get?", "expenses the the the train", "zzz", ""):
        found = RETRIEVERS["bm25"].scores(chunking, query)
        assert np.abs(found - library(corpus, query_terms(query))).max() < 1e-6
        assert found.any() == (query not in ("zzz", ""))


@given(st.lists(TEXTS, min_size=1, max_size=4), QUERIES, st.data())
def test_a_pool_is_one_collection(texts, query, data):
    parts = [Part.spans(prepare(Document(text)), *data.draw(spans(len(text), 6))) for text in texts]
    pool = Pool(parts)
    corpus = [row for part in parts for row in terms_inside(part.prepared.document.text, part.starts, part.ends)]
    found = RETRIEVERS["bm25"].scores(pool, query)
    assert np.abs(found - library(corpus, query_terms(query))).max() < 1e-6
    assert pool.document.tolist() == [number for number, part in enumerate(parts) for _ in part.starts]
    assert pool.starts.tolist() == [start for part in parts for start in part.starts.tolist()]
    assert pool.ends.tolist() == [end for part in parts for end in part.ends.tolist()]


@given(TEXTS, st.data())
def test_counts_are_those_of_a_loop(text, data):
    starts, ends = data.draw(spans(len(text)))
    wanted = [*dict.fromkeys(query_terms(text)), "absent"]
    found = Index(Pool((Part.spans(prepare(Document(text)), starts, ends),))).counts(wanted)
    rows = terms_inside(text, starts, ends)
    assert found.tolist() == [[row.count(term) for row in rows] for term in wanted]


def test_many_terms_are_counted_in_batches(monkeypatch):
    chunking = chunk(Document(HANDBOOK), ChunkingConfig(size=60))
    query = HANDBOOK[:3000]
    expected = RETRIEVERS["bm25"].scores(chunking, query)
    counted, real = [], Index.counts
    monkeypatch.setattr("playground.retrieval.bm25._AT_ONCE", 1)
    monkeypatch.setattr(Index, "counts", lambda self, wanted: counted.append(wanted) or real(self, wanted))
    assert (RETRIEVERS["bm25"].scores(chunking, query) == expected).all()
    assert counted == [[term] for term in dict.fromkeys(query_terms(query))]


def test_bm25_knows_the_context_as_part_of_the_chunk():
    text = "# Ferries\n\n" + "The boat leaves at noon. " * 6 + "\n\n# Trains\n\n" + "The engine leaves at one. " * 6
    config = ChunkingConfig(mode="structure", size=20, overlap=0)
    chunking = chunk(Document(text, media_type="text/markdown"), config)
    corpus = [query_terms(one.context) + query_terms(one.text) for one in chunking]
    assert len({one.context for one in chunking}) == 2
    found = RETRIEVERS["bm25"].scores(chunking, "ferries at noon", with_context=True)
    assert np.abs(found - library(corpus, ["ferries", "at", "noon"])).max() < 1e-6
    without = RETRIEVERS["bm25"].scores(chunking, "ferries")
    assert 0 < np.count_nonzero(without) < np.count_nonzero(RETRIEVERS["bm25"].scores(chunking, "ferries", True))


# --- vectors ---------------------------------------------------------------------------------------------------


def naive(text: str, start: int, end: int) -> np.ndarray:
    """The mean of the vectors of the tokens that start in the span, at length 1."""
    ids, starts = embedding().encode(text)
    inside = [
        embedding().matrix[token].astype(float) for token, at in zip(ids, starts, strict=True) if start <= at < end
    ]
    mean = np.mean(inside or [np.zeros(256)], axis=0)
    return mean / (np.linalg.norm(mean) or 1)


@given(TEXTS, QUERIES, st.data())
def test_vector_scores_are_cosines_of_naive_means(text, query, data):
    starts, ends = data.draw(spans(len(text)))
    found = vector_scores(prepare(Document(text)), starts, ends, query)
    asked = naive(query, 0, len(query))
    assert found.dtype == np.float32
    for score, start, end in zip(found, starts, ends, strict=True):
        assert score == pytest.approx(naive(text, start, end) @ asked, abs=1e-5)


@given(st.lists(TEXTS, min_size=1, max_size=3), st.lists(QUERIES, min_size=1, max_size=4), st.data())
def test_a_pool_of_vectors_is_its_documents_in_a_row(texts, queries, data):
    parts = [Part.spans(prepare(Document(text)), *data.draw(spans(len(text), 6))) for text in texts]
    rows = RETRIEVERS["vectors"].each(Pool(parts), queries)
    for query, row in zip(queries, rows, strict=True):
        expected = [vector_scores(part.prepared, part.starts, part.ends, query) for part in parts]
        assert row.dtype == np.float64
        assert np.abs(row - np.concatenate(expected)).max() < 1e-6


def test_scores_equal_the_package_on_the_text_of_each_chunk(wordllama):
    """Chunks here begin and end between words.

    The package gives line ends and repeated spaces tokens of their own, and puts a "▁" before the first word; ours are
    the tokens of words with single spaces between them. So the text is given to it with single spaces. A chunk that
    cut a word would differ more: the package would take the rest of the word for a word of its own, while ours keeps
    the tokens that the whole word has, those that begin in the chunk.
    """
    chunking = chunk(Document(HANDBOOK), ChunkingConfig(unit="word", size=60, overlap=15))
    texts = [" ".join(one.text.split()) for one in chunking]
    query = "How many days of leave do I get?"
    expected = wordllama.embed(texts, norm=True) @ wordllama.embed([query], norm=True)[0]
    assert np.abs(RETRIEVERS["vectors"].scores(chunking, query) - expected).max() < 1e-5
    rows = vectors_of(chunking.prepared).span_vectors(chunking.starts, chunking.ends)
    assert (rows * wordllama.embed(texts, norm=True)).sum(axis=1).min() > 0.999


def test_a_cut_word_is_the_edge_effect(wordllama):
    """A chunk that starts inside a word: near, but not the same."""
    text = "The unbelievable lighthouse stood on a rock."
    vectors = vectors_of(prepare(Document(text)))
    at_word, inside_word = vectors.span_vectors([4, 6], [len(text), len(text)])
    [whole, cut] = wordllama.embed([text[4:], text[6:]], norm=True)
    assert at_word @ whole > 0.999
    assert 0.5 < inside_word @ cut < 0.999


def test_vectors_know_the_context_as_part_of_the_chunk():
    text = "# Ferries\n\n" + "The boat leaves at noon. " * 6 + "\n\n# Trains\n\n" + "The engine leaves at one. " * 6
    config = ChunkingConfig(mode="structure", size=20, overlap=0)
    chunking = chunk(Document(text, media_type="text/markdown"), config)
    asked = query_vector("ferries")
    found = RETRIEVERS["vectors"].scores(chunking, "ferries", with_context=True)
    for score, one in zip(found, chunking, strict=True):
        joined = f"{one.context} {one.text}"
        assert score == pytest.approx(naive(joined, 0, len(joined)) @ asked, abs=1e-5)


@pytest.mark.parametrize("name", ["bm25", "vectors"])
def test_equal_texts_under_other_headings_differ_by_their_context(name):
    body = "It leaves at noon from the second platform. "
    text = f"# Ferries\n\n{body}\n\n# Trains\n\n{body}\n\n# Trains\n\n{body}"
    config = ChunkingConfig(mode="structure", size=40, overlap=0)
    chunking = chunk(Document(text, media_type="text/markdown"), config)
    pool = Pool((replace(Part.of(chunking), starts=chunking.ends - 20),))  # the same end of each, without the heading
    alone = RETRIEVERS[name].scores(pool, "the trains on platform two")
    assert alone[0] == alone[1] == alone[2] != 0
    ferry, train, again = RETRIEVERS[name].scores(pool, "the trains on platform two", with_context=True)
    assert train == again > ferry


def test_the_whole_document_is_a_span():
    text = "The boat sails on the sea. " + "Invoices are paid by the bank within thirty days of the tax year. " * 5
    whole, best = vector_scores(prepare(Document(text)), [0, 0], [len(text), 26], "a ship on the ocean")
    assert best > whole + 0.2


# --- ranks -----------------------------------------------------------------------------------------------------

SCORES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, -0.5]), max_size=12).map(lambda row: np.array(row, np.float64))


@given(SCORES, st.randoms(use_true_random=False))
def test_rank_is_by_score_then_start(scores, random):
    starts = random.sample(range(100), len(scores))
    found = rank(scores, np.array(starts, np.int32))
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], starts[at]))
    assert found.order.tolist() == order
    assert found.order.dtype == np.int32
    assert found.ties == len(scores) - len(set(scores.tolist()))
    assert [found.ranks[chunk] for chunk in order] == list(range(1, len(scores) + 1))
    assert rank(scores).order.tolist() == sorted(range(len(scores)), key=lambda at: (-scores[at], at))


@given(st.integers(1, 4), st.integers(0, 8), st.data())
def test_fusion_is_the_sum_of_reciprocal_ranks(count, length, data):
    score = st.sampled_from([0.0, 0.25, 0.5, -0.5])
    rows = [np.array(data.draw(st.lists(score, min_size=length, max_size=length))) for _ in range(count)]
    expected = [0.0] * length
    for row in rows:
        for place, at in enumerate(sorted(range(length), key=lambda at: (-row[at], at)), start=1):
            expected[at] += 1 / (60 + place) if row[at] else 0
    assert fused(*rows).tolist() == pytest.approx(expected)


def test_fusion_of_nothing():
    with pytest.raises(ValueError, match="nothing to fuse"):
        fused()


def test_the_fused_retriever_fuses_the_other_two():
    chunking = chunk(Document(HANDBOOK), ChunkingConfig(size=100))
    query = "How many days of leave do I get?"
    expected = fused(*(RETRIEVERS[name].scores(chunking, query) for name in ("bm25", "vectors")))
    assert (RETRIEVERS["fused"].scores(chunking, query) == expected).all()


# --- all retrievers --------------------------------------------------------------------------------------------

SENTENCES = {
    "zh": (
        "潮水每天涨落两次。灯塔建于一八六三年，由花岗岩砌成。渔民在清晨修补渔网。岛上的学校只有十二名学生。",
        {"灯塔是哪一年建成的？": 1, "谁修补渔网？": 2, "学校有多少学生？": 3},
    ),
    "ja": (
        "潮は一日に二回満ち引きする。灯台は花崗岩で建てられた。漁師は早朝に網を修理する。島の学校には生徒が十二人しかいない。",
        {"灯台は何で建てられましたか？": 1, "網を修理するのは誰ですか？": 2, "学校に生徒は何人いますか？": 3},
    ),
    "th": (
        "น้ำขึ้นน้ำลงวันละสองครั้ง\nประภาคารสร้างด้วยหินแกรนิต\nชาวประมงซ่อมอวนในตอนเช้า\nโรงเรียนบนเกาะมีนักเรียนสิบสองคน",
        {"ประภาคารสร้างด้วยอะไร": 1, "ใครซ่อมอวน": 2, "โรงเรียนมีนักเรียนกี่คน": 3},
    ),
}


@pytest.mark.parametrize("retriever", ["bm25", "fused"])
@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_questions_without_spaces_find_their_sentence(language, retriever):
    text, questions = SENTENCES[language]
    prepared = prepare(Document(text))
    marks = [at + 1 for at, character in enumerate(text) if character in "。\n"]
    bounds = np.array([0, *(at for at in marks if at < len(text)), len(text)], np.int32)
    pool = Pool((Part.spans(prepared, bounds[:-1], bounds[1:]),))
    assert len(pool) == 4
    for query, expected in questions.items():
        assert RETRIEVERS[retriever].ranking(pool, query).order[0] == expected, query


LANGUAGES = (SAMPLES / "multilingual.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("陶窑要提前几天预约？", "陶窑要提前五天预约"),
        ("3D 프린터는 몇 시간 단위로 예약하나요?", "3D 프린터는 두 시간 단위로 예약하며"),
        ("ด้านหลังอาคารมีแท่นซ่อมจักรยานกี่แท่น", "ด้านหลังอาคารมีแท่นซ่อมจักรยาน"),
    ],
)
def test_questions_find_their_sentence_in_a_document_of_many_languages(query, answer):
    chunking = chunk(Document(LANGUAGES), ChunkingConfig(mode="sentence", size=60, overlap=0))
    best = chunking[int(RETRIEVERS["bm25"].ranking(chunking, query).order[0])]
    assert answer in best.text


@pytest.mark.parametrize("name", sorted(RETRIEVERS))
@given(documents(), configs(), st.lists(QUERIES | st.sampled_from(PIECES["thai"]), min_size=1, max_size=4))
def test_many_questions_are_scored_as_one(name, document, config, queries):
    retriever, chunking = RETRIEVERS[name], chunk(document, config)
    for with_context in (False, True):
        rows = list(retriever.each(Pool([chunking]), queries, with_context))
        assert len(rows) == len(queries)
        for row, query in zip(rows, queries, strict=True):
            assert row.dtype == np.float64
            assert row.shape == (len(chunking),)
            assert np.isfinite(row).all()
            if name != "fused":  # equal cosines that differ in the last digit may change places there
                assert np.allclose(row, retriever.scores(chunking, query, with_context), atol=1e-6)


@pytest.mark.parametrize("name", sorted(RETRIEVERS))
def test_equal_texts_tie_and_the_first_comes_first(name):
    """The same page twelve times: only the place in the text can decide, whatever was rounded on the way."""
    page = "The keeper lit the lamp at dusk, and it burned till dawn. "
    text = "A tide pool is a small world of its own. " + page * 12
    starts = np.array([0, *range(41, len(text), len(page))], np.int32)
    pool = Pool((Part.spans(prepare(Document(text)), starts, np.append(starts[1:], len(text)).astype(np.int32)),))
    found = RETRIEVERS[name].ranking(pool, "when was the lamp lit?")
    assert found.order.tolist() == [*range(1, 13), 0]
    if name != "fused":  # it knows ranks only, and no two of those are equal
        assert found.ties == 11
        assert len(set(found.scores.tolist())) == 2


@pytest.mark.parametrize("name", sorted(RETRIEVERS))
def test_a_copy_of_a_document_ties_with_it(name):
    first, second = (chunk(Document(HANDBOOK), ChunkingConfig(size=120)) for _ in range(2))
    scores = RETRIEVERS[name].scores(Pool([first, second]), "Who pays for the train?")
    if name != "fused":
        assert (scores[: len(first)] == scores[len(first) :]).all()
    assert rank(scores).order[0] < len(first)


@pytest.mark.parametrize("name", sorted(RETRIEVERS))
@pytest.mark.parametrize("text", ["", " \n ", "...", "one"])
def test_texts_with_nothing_to_find(name, text):
    chunking = chunk(Document(text), ChunkingConfig())
    for query in ("", "one", "two"):
        found = RETRIEVERS[name].ranking(chunking, query)
        assert len(found.order) == len(chunking)
        if query != "one" or text != "one":
            assert name != "bm25" or not found.scores.any()
    assert len(RETRIEVERS[name].scores(Pool([]), "one")) == 0


@pytest.mark.parametrize("name", sorted(RETRIEVERS))
def test_the_same_again(name):
    chunkings = [chunk(prepare(Document(HANDBOOK)), ChunkingConfig(size=90, overlap=30)) for _ in range(2)]
    one, other = (RETRIEVERS[name].ranking(chunking, "How long is the notice period?") for chunking in chunkings)
    assert (one.scores == other.scores).all()
    assert (one.order == other.order).all()


def test_nothing_reads_the_document_after_the_first_time(monkeypatch):
    """The work is counted: however many settings and questions, the document is tokenised once for each ruler."""
    texts: list[int] = []
    real_spans, real_encode = terms._spans, type(embedding()).encode
    monkeypatch.setattr(terms, "_spans", lambda text: texts.append(len(text)) or real_spans(text))
    monkeypatch.setattr(
        type(embedding()), "encode", lambda self, text: texts.append(len(text)) or real_encode(self, text)
    )
    prepared: Prepared = prepare(Document(HANDBOOK))
    for size in (40, 120, 400):
        for mode in ("fixed", "structure"):
            chunking = chunk(prepared, ChunkingConfig(mode=mode, size=size, overlap=size // 5))
            for retriever in RETRIEVERS.values():
                list(retriever.each(chunking, [f"question {number}" for number in range(20)], mode == "structure"))
    assert [length for length in texts if length == len(HANDBOOK)] == [len(HANDBOOK)] * 2
    assert max(length for length in texts if length != len(HANDBOOK)) < 300
    assert prepared.encodes == 1


def test_a_pool_counts_each_term_once(monkeypatch):
    counted: list[str] = []
    real = Index.counts
    monkeypatch.setattr(Index, "counts", lambda self, wanted: counted.extend(wanted) or real(self, wanted))
    pool = Pool([chunk(Document(HANDBOOK), ChunkingConfig(size=100))])
    for query in ("the train", "the bus", "the bus and the train"):
        RETRIEVERS["bm25"].scores(pool, query)
    list(RETRIEVERS["bm25"].each(pool, ["train", "bus"]))
    assert sorted(counted) == ["and", "bus", "the", "train"]


def test_spans_must_be_pairs():
    with pytest.raises(ValueError, match="equal length"):
        bm25(prepare(Document("a b")), [0, 1], [2], "a")
