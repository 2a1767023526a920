"""Evaluation from documents to intervals: against a slow oracle, with retrievers that cheat, and on real questions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate, islice, pairwise, takewhile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import configs, texts

from playground import ChunkingConfig, Document, chunk, prepare, read
from playground.retrieval import metrics, phases, reading
from playground.retrieval.evaluate import Choice, EvaluationError, Task, evaluate
from playground.retrieval.grid import compared, grid
from playground.retrieval.grid import phases as over_phases
from playground.retrieval.intervals import bootstrap_mean, wilson
from playground.retrieval.questions import Question, read_jsonl

SAMPLES = Path(__file__).parents[2] / "sample_docs"
TOKENS = "cl100k_base"


@dataclass(frozen=True)
class Fake:
    """Scores that a test makes up: `make(pool, number of the question)` gives one for each chunk."""

    make: object
    name: str = "fake"

    def each(self, chunks, queries, with_context=False):
        return (np.asarray(self.make(chunks, number), float) for number, _ in enumerate(queries))


def by_chance(seed):
    generator = np.random.default_rng(seed)
    return Fake(lambda pool, number: generator.random(len(pool)))


def clairvoyant(questions):
    """Gives each chunk the characters of the answer that it holds, for all questions of one document."""

    def make(pool, number):
        asked = questions[number].references
        held = [np.minimum(pool.ends, one.end) - np.maximum(pool.starts, one.start) for one in asked]
        return np.maximum(held, 0).sum(axis=0)

    return Fake(make)


@pytest.fixture(scope="module")
def handbook():
    document = prepare(read(str(SAMPLES / "company-handbook.md")))
    return document, read_jsonl((SAMPLES / "company-handbook.md.questions.jsonl").read_bytes())


def plain(*sizes, **more):
    return [ChunkingConfig(size=size, overlap=size // 5, **more) for size in sizes]


# --- against the metrics of one question -----------------------------------------------------------------------


@settings(max_examples=120)
@given(pieces=st.lists(texts(6), min_size=1, max_size=3), config=configs(), data=st.data())
def test_every_figure_equals_that_of_its_question_alone(pieces, config, data):
    documents = [prepare(Document.from_text(f"{piece}end.")) for piece in pieces]
    asked = []
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(documents) - 1))
        offset = st.integers(0, len(documents[at].document))
        pair = st.tuples(offset, offset).map(sorted).filter(lambda pair: pair[0] < pair[1])
        asked.append((at, Question("What?", data.draw(st.lists(pair, min_size=1, max_size=3)))))
    seed, ks = data.draw(st.integers(0, 99)), (1, 2, 5)
    generator = np.random.default_rng(seed)
    table = generator.integers(0, 4, (len(asked), 5_000)).astype(float)  # many ties
    fake = Fake(lambda pool, number: table[number, : len(pool)])
    budgets = data.draw(st.sampled_from([(3,), (1, 40), ()]))
    found = evaluate(documents, asked, config, fake, ks, budgets)

    chunkings = [chunk(one, config) for one in documents]
    spans = [
        (at, *pair) for at, c in enumerate(chunkings) for pair in zip(c.starts.tolist(), c.ends.tolist(), strict=True)
    ]
    rulers = [one.ruler("token", config.tokenizer) for one in documents]
    assert found.chunks == len(spans)
    for number, (at, question) in enumerate(asked):
        references = [(at, one.start, one.end) for one in question.references]
        order = sorted(range(len(spans)), key=lambda chunk: (-table[number, chunk], chunk))
        ranked = [spans[chunk] for chunk in order]
        for k in ks:
            check(found, number, ranked[:k], references, k=k)
        for column, budget in enumerate(budgets):
            costs = [int(rulers[d].before(end) - rulers[d].before(start)) for d, start, end in ranked]
            fitting = len(list(takewhile(lambda spent, most=budget: spent <= most, accumulate(costs))))
            assert found.fitting[number, column] == fitting
            check(found, number, ranked[:fitting], references, budget=budget)
        assert found.values("mrr")[number] == metrics.mrr(ranked, references)
        assert found.values("whole_mrr")[number] == metrics.mrr(ranked, references, whole=True)
        assert found.values("precision_omega")[number] == pytest.approx(metrics.precision_omega(spans, references))
        assert found.torn[number] == (metrics.whole_recall(spans, references) == 0)
        scores = [table[number, chunk] for chunk in order]
        assert found.ties[number] == sum(one == other for one, other in islice(pairwise(scores), 5))


def check(found, number, ranked, references, **depth):
    for name in ("token_recall", "whole_recall", "precision", "iou"):
        expected = getattr(metrics, name)(ranked, references)
        assert found.values(name, **depth)[number] == pytest.approx(expected), name


def test_batches_change_nothing(handbook, monkeypatch):
    config = ChunkingConfig(size=40, overlap=10)
    whole = evaluate(*handbook, config)
    rows, real = [], reading.leading
    monkeypatch.setattr(reading, "_CELLS", 1_000)
    monkeypatch.setattr(reading, "leading", lambda scores, count: rows.append(len(scores)) or real(scores, count))
    parts = evaluate(*handbook, config)
    assert sum(rows) == 20 > max(rows)
    assert all(np.array_equal(parts.by_depth[name], values) for name, values in whole.by_depth.items())
    assert all(np.array_equal(parts.alone[name], values) for name, values in whole.alone.items())
    assert parts.ties.tolist() == whole.ties.tolist()


# --- a worked example ------------------------------------------------------------------------------------------


def test_figures_written_out():
    """Three chunks of ten characters; the answer is the last four of the first and the first two of the second."""
    document = Document.from_text("abcdefghijABCDEFGHIJ0123456789")
    config = ChunkingConfig(unit="character", size=10, overlap=0)
    fake = Fake(lambda pool, number: [1.0, 3.0, 2.0])
    found = evaluate(document, [Question("What?", [(6, 12, "ghijAB")])], config, fake, ks=(1, 2, 3, 20), budgets=())
    assert found.values("token_recall", k=1)[0] == 2 / 6
    assert found.values("token_recall", k=2)[0] == 2 / 6
    assert found.values("token_recall", k=3)[0] == found.values("token_recall", k=20)[0] == 1.0
    assert found.values("precision", k=2)[0] == 2 / 20
    assert found.values("precision", k=20)[0] == 6 / 30
    assert found.values("iou", k=2)[0] == 2 / (20 + 4)
    assert found.values("whole_recall", k=20)[0] == 0.0
    assert found.values("precision_omega")[0] == 6 / 20
    assert found.values("mrr")[0] == 1.0
    assert found.ranks.tolist() == [1]
    assert found.whole_ranks.tolist() == [0]
    assert found.torn.tolist() == [True]
    assert found.outcomes(k=3) == ["split"]


def test_a_budget_ends_at_the_first_chunk_that_does_not_fit():
    document = Document.from_text("one two three four. " * 10)
    config = ChunkingConfig(size=20, overlap=0)
    fake = Fake(lambda pool, number: -np.arange(len(pool)))
    found = evaluate(document, [Question("What?", [(0, 3)])], config, fake, ks=(1,), budgets=(19, 20, 45, 60))
    assert found.fitting.tolist() == [[0, 1, 2, 3]]
    assert found.values("token_recall", budget=19)[0] == 0.0
    assert found.values("precision", budget=19)[0] == 0.0
    assert found.outcomes(budget=19) == ["miss"]
    assert found.outcomes(budget=20) == ["hit"]


def test_context_is_charged_where_it_is_read(handbook):
    config = ChunkingConfig(mode="structure", size=80, overlap=0)
    without, with_it = (evaluate(*handbook, config, with_context=choice) for choice in (False, True))
    assert (with_it.fitting.sum(axis=0) < without.fitting.sum(axis=0)).all()


# --- what must fail --------------------------------------------------------------------------------------------


def test_one_chunk_for_the_whole_document_finds_all_and_wastes_all(handbook):
    document, questions = handbook
    found = evaluate(document, questions, ChunkingConfig(unit="character", size=10**6, overlap=0))
    assert found.chunks == 1
    assert found.mean("token_recall", k=1).value == found.mean("whole_recall", k=1).value == 1.0
    assert found.mean("iou", k=1).value < 0.02
    assert found.mean("precision", k=1).value == pytest.approx(found.mean("precision_omega").value)
    assert found.mean("token_recall", budget=500).value == 0.0  # it fits into no budget


def test_a_random_retriever_finds_what_chance_finds(handbook):
    document, questions = handbook
    config = ChunkingConfig(size=60, overlap=0)
    runs = [evaluate(document, questions, config, by_chance(seed)) for seed in range(60)]
    chunks = runs[0].chunks
    assert np.mean([run.mean("token_recall", k=5).value for run in runs]) == pytest.approx(5 / chunks, rel=0.2)
    assert runs[0].mean("mrr").value < 0.5 * evaluate(document, questions, config).mean("mrr").value


def test_answers_of_other_questions_are_not_found(handbook):
    document, questions = handbook
    config = ChunkingConfig(size=60, overlap=10)
    moved = questions[7:] + questions[:7]
    shuffled = [replace(one, references=other.references) for one, other in zip(questions, moved, strict=True)]
    right, wrong = (
        evaluate(document, asked, config).mean("token_recall", k=5).value for asked in (questions, shuffled)
    )
    assert right > 0.6
    assert wrong < right / 2


def test_chunks_of_one_word_hold_no_answer(handbook):
    found = evaluate(*handbook, ChunkingConfig(unit="word", size=1, overlap=0))
    assert found.mean("whole_recall", k=20).value == 0.0
    assert found.mean("precision_omega").value > 0.95
    assert found.mean("token_recall", k=20).value < 0.5
    assert found.torn.all()


def test_a_document_that_is_there_twice_costs_half_of_the_places(handbook):
    document, questions = handbook
    config = ChunkingConfig(size=80, overlap=0)
    twin = prepare(document.document)
    once, twice = (
        evaluate(document, questions, config),
        evaluate([document, twin], [(0, one) for one in questions], config),
    )
    assert twice.chunks == 2 * once.chunks
    assert twice.mean("token_recall", k=2).value == pytest.approx(once.mean("token_recall", k=1).value)
    assert twice.mean("precision", k=2).value == pytest.approx(once.mean("precision", k=1).value / 2)
    assert (twice.ties > once.ties).all()
    copies = evaluate([document, twin], [(1, one) for one in questions], config)
    assert copies.mean("mrr").value < twice.mean("mrr").value  # of two equals the first is first


def test_the_best_retriever_there_could_be_is_found_to_be_it(handbook):
    document, questions = handbook
    asked = [one for one in questions if not one.demo]
    for config in plain(30, 120):
        found = evaluate(document, asked, config, clairvoyant(asked))
        assert found.mean("mrr").value == 1.0
        assert found.mean("token_recall", k=20).value == 1.0
        real = evaluate(document, asked, config)
        assert found.mean("token_recall", k=1).value >= real.mean("token_recall", k=1).value


def test_at_fixed_k_larger_chunks_look_better_and_at_a_budget_they_do_not(handbook):
    small, large = (evaluate(*handbook, ChunkingConfig(size=size, overlap=0), "bm25") for size in (60, 480))
    assert large.mean("token_recall", k=5).value > small.mean("token_recall", k=5).value
    assert large.mean("token_recall", budget=500).value < small.mean("token_recall", budget=500).value


# --- the set and its checks ------------------------------------------------------------------------------------


def test_demonstrations_stay_out_of_scores(handbook):
    document, questions = handbook
    demos = [one for one in questions if one.demo]
    assert demos
    found = evaluate(document, questions)
    assert len(found.questions) == len(questions) - len(demos)
    assert not any(one.demo for one in found.questions)
    with pytest.raises(EvaluationError, match="no question"):
        evaluate(document, demos)


def test_questions_find_their_document_by_its_version(handbook):
    document, questions = handbook
    other = read(str(SAMPLES / "faq.md"))
    more = read_jsonl((SAMPLES / "faq.md.questions.jsonl").read_bytes())
    found = evaluate([other, document], [*questions, *more])
    assert found.task.documents.tolist() == [1] * 20 + [0] * 20
    with pytest.raises(EvaluationError, match="no document has the version"):
        evaluate([other, document], [replace(questions[0], document_sha256="")])
    with pytest.raises(EvaluationError, match="no document 2"):
        evaluate([other, document], [(2, questions[0])])


def test_an_answer_that_is_not_where_it_is_said_to_be():
    document = Document.from_text("The sea is cold.")
    with pytest.raises(EvaluationError, match="question 2: the quote is not at 0"):
        evaluate(document, [Question("What?", [(4, 7, "sea")]), Question("What?", [(0, 3, "sea")])])
    with pytest.raises(EvaluationError, match="question 1: an answer ends at 17"):
        evaluate(document, [Question("What?", [(0, 17)])])
    with pytest.raises(EvaluationError, match="question 2: an answer ends at 17"):
        evaluate(document, [Question("Look!", [(0, 3)], demo=True), Question("What?", [(0, 17)])])


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"ks": (0,)}, "ks is"),
        ({"ks": (1, 1)}, "twice"),
        ({"budgets": (-5,)}, "budgets is"),
        ({"ks": (), "budgets": ()}, "nothing to read"),
        ({"measure": "word"}, "measure is 'word'"),
        ({"retriever": "magic"}, "retriever is 'magic'"),
    ],
)
def test_choices_that_cannot_be(choice, words):
    with pytest.raises(EvaluationError, match=words):
        Choice(**choice)


def test_figures_that_were_not_asked_for(handbook):
    found = evaluate(*handbook, ks=(1, 3), budgets=(100,))
    for metric, depth, words in (
        ("token_recall", {}, "either k or budget"),
        ("token_recall", {"k": 1, "budget": 100}, "either k or budget"),
        ("iou", {"k": 2}, "known are 1, 3"),
        ("iou", {"budget": 5}, "known are 100"),
        ("magic", {}, "metric is 'magic'"),
    ):
        with pytest.raises(EvaluationError, match=words):
            found.values(metric, **depth)


def test_scores_that_are_no_numbers(handbook):
    with pytest.raises(EvaluationError, match="not a number"):
        evaluate(*handbook, retriever=Fake(lambda pool, number: np.full(len(pool), np.nan)))


def test_yes_and_no_get_wilson_and_means_the_bootstrap(handbook):
    found = evaluate(*handbook)
    whole = found.values("whole_recall", k=5)
    assert found.mean("whole_recall", k=5) == wilson(int(whole.sum()), 20)
    assert found.mean("iou", k=5) == bootstrap_mean(found.values("iou", k=5))


@pytest.mark.parametrize("retriever", ["bm25", "vectors", "fused"])
def test_every_retriever_on_real_questions(handbook, retriever):
    found = evaluate(*handbook, ChunkingConfig(size=120, overlap=20), retriever)
    assert found.mean("token_recall", k=5).value > 0.5
    assert (np.diff(found.by_depth["token_recall"][:, :20], axis=1) >= 0).all()
    assert set(found.outcomes(k=5)) <= {"hit", "split", "miss"}


def test_an_empty_document_has_nothing_to_find():
    documents = [Document.from_text("The sea is cold."), Document.from_text("")]
    found = evaluate(documents, [(0, Question("Is the sea cold?", [(0, 16)]))])
    assert found.mean("token_recall", k=1).value == 1.0


# --- grids -----------------------------------------------------------------------------------------------------


def test_a_grid_is_its_settings_one_by_one(handbook):
    settings_of_grid = [*plain(40, 90), *plain(60, mode="sentence"), *plain(70, tokenizer="o200k_base")]
    for measure in ("character", "token"):
        cells = list(grid(*handbook, settings_of_grid, ks=(1, 5), measure=measure))
        assert [cell.config for cell in cells] == settings_of_grid
        assert [(cell.number, cell.count) for cell in cells] == [(1, 4), (2, 4), (3, 4), (4, 4)]
        for cell in cells:
            alone = evaluate(*handbook, cell.config, ks=(1, 5), measure=measure)
            assert np.array_equal(cell.values("iou", k=5), alone.values("iou", k=5))
            assert cell.mean("whole_recall", k=1) == alone.mean("whole_recall", k=1)


def test_a_grid_goes_no_further_than_it_is_asked(handbook):
    asked = []

    def make(pool, number):
        asked.append(number)
        return np.zeros(len(pool))

    cells = grid(*handbook, plain(40, 50, 60), Fake(make))
    assert asked == []
    next(cells)
    assert len(asked) == 20
    cells.close()
    assert next(cells, None) is None
    assert len(asked) == 20


def test_a_grid_can_be_stopped_from_elsewhere(handbook):
    asked = iter([False, False, True])
    cells = grid(*handbook, plain(40, 50, 60, 70), is_stopped=lambda: next(asked))
    assert [cell.number for cell in cells] == [1, 2]


def test_what_cannot_be_evaluated_is_said_at_the_call(handbook):
    with pytest.raises(EvaluationError, match="no question"):
        grid(handbook[0], [], plain(40))


def test_the_document_is_encoded_once_for_a_whole_grid(handbook):
    document = prepare(handbook[0].document)
    list(grid(document, handbook[1], plain(40, 50, 60, 70), phase_count=3))
    assert document.encodes == 1


def test_cells_are_compared_question_by_question(handbook):
    cells = list(grid(*handbook, [ChunkingConfig(unit="word", size=2, overlap=0), *plain(120, 130)]))
    found = compared(cells, "token_recall", k=3)
    assert found.values.shape == (3, 20)
    assert found.means.tolist() == [cell.mean("token_recall", k=3).value for cell in cells]
    assert found.best in (1, 2)
    assert found.inseparable.tolist()[found.best]
    assert not found.inseparable[0]
    assert found.needed[found.best] is None
    assert found.needed[0] < 20  # twenty were enough
    gained, lost = found.rescued(1, 0)
    assert gained == np.flatnonzero(found.values[1] > found.values[0]).tolist()
    assert (lost, gained) == found.rescued(0, 1)
    with pytest.raises(EvaluationError, match="no cell"):
        compared([], "iou", k=1)
    with pytest.raises(EvaluationError, match="same questions"):
        compared([cells[0], next(grid(handbook[0], handbook[1][:5], plain(40)))], "iou", k=1)


# --- phases ----------------------------------------------------------------------------------------------------


@settings(max_examples=150)
@given(text=texts(), config=configs(mode="fixed", tail="stop"), data=st.data())
def test_a_shifted_grid_starts_elsewhere_and_keeps_every_rule(text, config, data):
    document = prepare(Document.from_text(text))
    shift = data.draw(st.integers(1, config.stride - 1)) if config.stride > 1 else 0
    found = phases.shifted(document, config, shift)
    assert found.ends.tolist()[-1:] == [len(document.document)][: len(found)]
    assert found.starts.tolist()[:1] == [0][: len(found)]
    assert (found.starts[1:] <= found.ends[:-1]).all()
    assert (np.diff(found.starts) > 0).all()
    assert (np.diff(found.ends) > 0).all()
    assert not np.isin(np.concatenate((found.starts, found.ends)), document.forbidden).any()
    if found.plan.levels[0].is_uniform and len(found) and shift:
        whole = chunk(document, config)
        units = document.ruler(config.unit, config.tokenizer).before(found.starts).tolist()
        assert units[1:] == [shift + config.stride * number for number in range(len(units) - 1)]
        assert found.sizes[1:-1].tolist() == [config.size] * max(0, len(found) - 2)
        assert abs(len(found) - len(whole)) <= 1
    assert all(found.sizes <= config.size) or not found.plan.levels[0].is_uniform


def test_windows_written_out():
    document = Document.from_text("abcdefghijklmnopqrst")
    config = ChunkingConfig(unit="character", size=8, overlap=2)
    found = [phases.shifted(document, config, shift) for shift in phases.shifts(config, 3)]
    assert [list(zip(one.starts.tolist(), one.ends.tolist(), strict=True)) for one in found] == [
        [(0, 8), (6, 14), (12, 20)],
        [(0, 4), (2, 10), (8, 16), (14, 20)],
        [(0, 6), (4, 12), (10, 18), (16, 20)],
    ]


def test_the_rules_of_packing_and_the_arithmetic_agree():
    document = Document.from_text("word " * 200)
    config = ChunkingConfig(unit="character", size=40, overlap=7)
    plan = chunk(document, config).plan
    for shift in range(1, config.stride):
        one, other = phases._windows(plan, shift), phases._walked(plan, shift)
        assert one.starts.index.tolist() == other.starts.index.tolist()
        assert one.cuts.index.tolist() == other.cuts.index.tolist()


def test_phases_average_over_the_shifts_and_show_their_range(handbook):
    config = ChunkingConfig(size=100, overlap=0)
    cell = over_phases(*handbook, config, count=5)
    assert [one.shift for one in cell.evaluations] == [0, 20, 40, 60, 80]
    means = [one.mean("whole_recall", k=3).value for one in cell.evaluations]
    assert cell.mean("whole_recall", k=3).value == pytest.approx(sum(means) / 5)
    assert cell.span("whole_recall", k=3) == (min(means), max(means))
    assert max(means) - min(means) > 0.05  # the same settings, and only the grid was moved
    assert next(grid(*handbook, [config], phase_count=5)).span("iou", k=1) == cell.span("iou", k=1)


def test_other_modes_have_one_phase(handbook):
    for config in (*plain(60, mode="sentence"), *plain(60, parent_size=240), ChunkingConfig(size=2, overlap=1)):
        assert len(over_phases(*handbook, config, count=4).evaluations) == 1
        with pytest.raises(ValueError, match="no part of the stride"):
            phases.shifted(handbook[0], config, 1)


@pytest.mark.parametrize("tail", ["keep", "merge"])
def test_a_shifted_grid_has_its_tail(handbook, tail):
    config = ChunkingConfig(size=100, overlap=60, tail=tail, min_size=99)
    found = phases.shifted(handbook[0], config, 7)
    plain_one = phases.shifted(handbook[0], replace(config, tail="stop"), 7)
    assert (len(found) > len(plain_one)) == (tail == "keep")
    assert (len(found) == len(plain_one) - 1) == (tail == "merge")


def test_what_is_wanted_is_as_long_as_the_answers(handbook):
    task = Task.of(*handbook)
    assert task.wanted("character", TOKENS).totals.tolist() == [
        sum(one.end - one.start for one in question.references) for question in task.questions
    ]
