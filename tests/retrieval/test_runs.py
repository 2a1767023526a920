"""Runs as files: what they hold, that both formats read back, that they repeat to the digit, and hostile files."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground import ChunkingConfig, Document, prepare, read
from playground.retrieval import run_files, runs
from playground.retrieval.grid import grid
from playground.retrieval.questions import Question, read_jsonl
from playground.retrieval.run_files import read_csv, read_json, write_csv, write_json
from playground.retrieval.runs import Run, RunError, code_version, repeated

SAMPLES = Path(__file__).parents[2] / "sample_docs"
CONFIGS = [
    ChunkingConfig(size=80, overlap=20),
    ChunkingConfig(mode="recursive", size=60, overlap=0, separators=("\n\n", "=,;", " ")),
    ChunkingConfig(mode="semantic", size=120, overlap=0, amount=12.5),
]
FORMATS = [(write_json, read_json), (write_csv, read_csv)]


@pytest.fixture(scope="module")
def faq():
    document = prepare(read(str(SAMPLES / "faq.md")))
    return document, read_jsonl((SAMPLES / "faq.md.questions.jsonl").read_bytes())


@pytest.fixture(scope="module")
def run(faq):
    return Run.of(list(grid(*faq, CONFIGS, ks=(1, 5), budgets=(300,), phase_count=2)), 2)


def test_a_run_holds_what_it_depends_on(faq, run):
    document, _ = faq
    assert [(one.title, one.version) for one in run.documents] == [("faq.md", document.document.version)]
    assert (run.question_count, len(run.question_hash)) == (20, 64)
    assert run.code == code_version()
    assert [row.config for row in run.rows] == CONFIGS
    figures = run.rows[0].figures
    assert len(figures) == 4 * 3 + 3
    assert {(one.k, one.budget) for one in figures} == {(1, None), (5, None), (None, 300), (None, None)}
    for one in figures:
        assert 0 <= one.low <= one.value <= one.high <= 1
        assert one.least <= one.value + 1e-9
        assert one.value <= one.most + 1e-9


def test_the_figures_are_those_of_the_cells(faq, run):
    cell = next(grid(*faq, CONFIGS, ks=(1, 5), budgets=(300,), phase_count=2))
    for one in run.rows[0].figures:
        found = cell.mean(one.metric, k=one.k, budget=one.budget)
        assert (one.value, one.low, one.high) == (found.value, found.low, found.high)
        assert (one.least, one.most) == cell.span(one.metric, k=one.k, budget=one.budget)


@pytest.mark.parametrize(("write", "back"), FORMATS)
def test_a_file_reads_back_to_the_run(run, write, back):
    assert back(write(run)) == run
    assert back(write(run).encode("utf-8-sig")) == run
    many = replace(run, documents=run.documents * 2_000, rows=run.rows[:1])
    assert back(write(many)) == many


def test_a_table_has_a_row_for_each_figure(run):
    table = list(csv.DictReader(io.StringIO(write_csv(run))))
    assert len(table) == sum(len(row.figures) for row in run.rows)
    assert tuple(table[0]) == run_files.COLUMNS
    assert [table[0][name] for name in ("mode", "unit", "size", "overlap", "retriever", "questions")] == [
        "fixed",
        "token",
        "80",
        "20",
        "bm25",
        "20",
    ]
    assert float(table[0]["value"]) == run.rows[0].figures[0].value


@pytest.mark.parametrize(("write", "back"), FORMATS)
def test_a_run_repeats_to_the_digit_from_its_file(faq, run, write, back):
    document, questions = faq
    again, note = repeated(back(write(run)), document.document, questions)
    assert (again, note) == (run, "")


def test_another_code_is_said(faq, run):
    again, note = repeated(replace(run, code="0" * 12), *faq)
    assert again.code == code_version()
    assert note == f"The run was made with code 000000000000; this is {again.code}."


def test_other_documents_or_questions_are_refused(faq, run):
    document, questions = faq
    edited = Document.from_text(document.document.text + " ", title="faq.md")
    with pytest.raises(RunError, match=r"“faq.md” is not the version of “faq.md”"):
        repeated(run, edited, questions)
    with pytest.raises(RunError, match="questions are not those"):
        repeated(run, document, questions[:-1])
    with pytest.raises(RunError, match="questions are not those"):
        repeated(run, document, questions[::-1])
    with pytest.raises(RunError, match="1 documents, not 2"):
        repeated(run, [document, edited], [(0, one) for one in questions])


def test_which_document_a_question_is_asked_of_is_part_of_the_run():
    documents = [Document.from_text("The sea is cold."), Document.from_text("The sea is cold.", title="twin")]
    question = Question("What?", [(4, 7, "sea")])
    made = Run.of(list(grid(documents, [(0, question)], CONFIGS[:1])))
    assert repeated(made, documents, [(0, question)])[0] == made
    with pytest.raises(RunError, match="questions are not those"):
        repeated(made, documents, [(1, question)])


def test_cells_of_two_runs_are_no_run(faq):
    one, other = (next(grid(*faq, CONFIGS[:1], ks=(k,))) for k in (1, 2))
    with pytest.raises(RunError, match="different runs"):
        Run.of([one, other])
    with pytest.raises(RunError, match="no cell"):
        Run.of([])


def test_the_code_version_follows_the_code(monkeypatch):
    now = code_version()
    assert len(now) == 12
    code_version.cache_clear()
    assert code_version() == now
    code_version.cache_clear()
    sources = runs._sources
    monkeypatch.setattr(runs, "_sources", lambda *where: ((name, text + b"\n") for name, text in sources(*where)))
    assert code_version() != now
    code_version.cache_clear()


# --- hostile files ---------------------------------------------------------------------------------------------


def edited(run, change):
    found = json.loads(write_json(run))
    change(found)
    return json.dumps(found)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda run: run.update(format="x"), "format is"),
        (lambda run: run.update(rows=5), "no rows"),
        (lambda run: run.update(rows=[]), "no rows"),
        (lambda run: run.update(rows=[5]), "no part of a run"),
        (lambda run: run.update(ks=["1"]), "list of whole numbers"),
        (lambda run: run.update(ks=[0]), "each must be at least 1"),
        (lambda run: run.update(retriever="magic"), "retriever is"),
        (lambda run: run.update(with_context=1), "with_context is 1"),
        (lambda run: run.update(phase_count=10**9), "number of phases"),
        (lambda run: run.update(documents=[{}]), "title is null"),
        (lambda run: run["rows"][0]["config"].update(size=0), "size"),
        (lambda run: run["rows"][0]["config"].update(magic=1), "no setting"),
        (lambda run: run["rows"][0]["config"].update(mode=[]), "mode"),
        (lambda run: run["rows"][0]["figures"][0].update(metric="magic"), "no metric"),
        (lambda run: run["rows"][0]["figures"][0].update(value=float("nan")), "between 0 and 1"),
        (lambda run: run["rows"][0]["figures"][0].update(k=True), "k is true"),
    ],
)
def test_a_run_that_cannot_be_is_refused(run, change, words):
    with pytest.raises(RunError, match=words):
        read_json(edited(run, change))


@pytest.mark.parametrize("back", [read_json, read_csv])
@pytest.mark.parametrize("data", ["", "[]", "{", "[" * 100_000, b"\xff", "row,config\n1,2\n", "x" * 200_000])
def test_files_that_are_no_runs(back, data):
    with pytest.raises(RunError):
        back(data)


@given(data=st.data())
def test_a_damaged_file_is_a_run_or_an_error(run, data):
    for write, back in FORMATS:
        text = write(run)
        at, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 40))
        with suppress(RunError):
            assert isinstance(back(text[:at] + data.draw(st.text('",:{}0a\n', max_size=3)) + text[at + length :]), Run)


def test_a_file_without_end(monkeypatch, run):
    monkeypatch.setattr(run_files, "MOST_BYTES", 10)
    with pytest.raises(RunError, match="at most 10"):
        read_json(write_json(run))
