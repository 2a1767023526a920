"""Question files: the bundled ones, round trips, hostile files, and quotes that move with an edit."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground import Document, read
from playground.retrieval import question_files
from playground.retrieval.questions import (
    Question,
    QuestionError,
    Reference,
    read_csv,
    read_jsonl,
    relocated,
    set_hash,
    write_csv,
    write_jsonl,
)

SAMPLES = Path(__file__).parents[2] / "sample_docs"
SETS = sorted(SAMPLES.glob("*.questions.jsonl"))


def bundled(path):
    return read(str(path).removesuffix(".questions.jsonl")), read_jsonl(path.read_bytes())


# --- the bundled sets ------------------------------------------------------------------------------------------


def test_every_bundled_document_has_its_questions():
    names = {path.name for path in SAMPLES.iterdir() if not path.name.endswith(".questions.jsonl")}
    assert {path.name.removesuffix(".questions.jsonl") for path in SETS} == names
    assert len(SETS) == 13


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.name.removesuffix(".questions.jsonl"))
def test_every_quote_is_at_its_place(path):
    document, questions = bundled(path)
    assert {one.document_sha256 for one in questions} == {document.version}
    for question in questions:
        for one in question.references:
            assert document.text[one.start : one.end] == one.quote == one.quote.strip() != ""
    assert relocated(questions, document) == (questions, [])


def test_the_bundled_sets_read_back_from_both_formats():
    for path in SETS:
        questions = read_jsonl(path.read_bytes())
        assert read_jsonl(write_jsonl(questions)) == questions
        assert read_csv(write_csv(questions)) == questions


# --- round trips -----------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
REFERENCES = st.builds(
    lambda start, quote: Reference(start, start + len(quote), quote), st.integers(0, 1_000_000), TEXTS
)
QUESTIONS = st.builds(
    Question,
    TEXTS.filter(str.strip),
    st.lists(REFERENCES, min_size=1, max_size=4).map(tuple),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=10),
    st.booleans(),
    st.sampled_from(["", "ab12"]),
)


@given(questions=st.lists(QUESTIONS, max_size=5))
def test_what_is_written_reads_back_exactly(questions):
    for written in (
        write_jsonl(questions),
        write_jsonl(questions).encode(),
        b"\xef\xbb\xbf" + write_jsonl(questions).encode(),
    ):
        assert read_jsonl(written) == questions
    if questions:
        assert read_csv(write_csv(questions)) == questions
        assert read_csv(write_csv(questions).encode("utf-8-sig")) == questions
    assert len(write_jsonl(questions).splitlines()) == len(questions)


@given(one=QUESTIONS, other=QUESTIONS)
def test_a_hash_tells_sets_apart(one, other):
    assert set_hash([one, other]) == set_hash(read_jsonl(write_jsonl([one, other])))
    assert (set_hash([one]) == set_hash([other])) == (one == other)
    assert set_hash([one]) != set_hash([one, one])


def test_a_spreadsheet_gets_no_formula():
    question = Question("=HYPERLINK(1)", [(3, 8, "+1+1+")], tag="@x")
    cells = list(csv.reader(io.StringIO(write_csv([question]))))[1]
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))] == []
    assert read_csv(write_csv([question])) == [question]


def test_a_csv_by_hand():
    data = "Question,start,end\nWhere?,10,20\n\nWhen?,5,6\n"
    assert read_csv(data) == [Question("Where?", [(10, 20)]), Question("When?", [(5, 6)])]
    rows = "number,question,start,end,quote\n1,Who?,0,2,ab\n1,Who?,4,6,cd\n2,Who?,0,2,ab\n"
    assert [len(one.references) for one in read_csv(rows)] == [2, 1]


# --- what cannot be --------------------------------------------------------------------------------------------

GOOD = {"question": "Why?", "references": [{"start": 0, "end": 2, "quote": "ab"}]}


def changed(**fields):
    return json.dumps(GOOD | fields)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "no JSON"),
        ("[1]", "must be an object"),
        ("NaN", "must be an object"),
        ("[" * 100_000, "no JSON"),
        ('{"question": ' + "9" * 5_000 + "}", "no JSON"),
        ("{}", "references is null"),
        (changed(question=""), "question is empty"),
        (changed(question="  \n"), "question is empty"),
        (changed(question=5), "question is 5; it must be a text"),
        (changed(question="x" * 10_001), "10,001 characters"),
        (changed(question="\ud800"), "half of a character"),
        (changed(references=[]), "0 references"),
        (changed(references={}), "must be a list"),
        (changed(references=[5]), "must be an object"),
        (changed(references=[{"start": 0}]), "end is null"),
        (changed(references=[{"start": 0, "end": 2.0}]), "end is 2.0"),
        (changed(references=[{"start": True, "end": 2}]), "start is true"),
        (changed(references=[{"start": -1, "end": 2}]), "start is -1"),
        (changed(references=[{"start": 0, "end": 10**30}]), "between 0 and"),
        (changed(references=[{"start": 2, "end": 2}]), "end must lie after"),
        (changed(references=[{"start": 0, "end": 2, "quote": "abc"}]), "equally long"),
        (changed(references=[{"start": 0, "end": 2, "quote": None}]), "quote is null"),
        (changed(references=[{"start": 0, "end": 2}] * 101), "101 references"),
        (changed(demo="yes"), 'demo is "yes"'),
        (changed(tag=["a"]), "tag is"),
    ],
)
def test_a_bad_line_is_named(line, words):
    with pytest.raises(QuestionError, match=r"^Line 3: ") as error:
        read_jsonl(f"{json.dumps(GOOD)}\n\n{line}\n")
    assert words in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("references", "words"),
    [
        ([5], "a reference is 5; it must be (start, end) or (start, end, quote)."),
        ([None], "a reference is null; it must be"),
        ([(3,)], "a reference is [3]; it must be"),
        ([(3, 4, "a", "b")], 'a reference is [3, 4, "a", "b"]; it must be'),
        (["ab"], 'a reference is "ab"; it must be'),
        ([{3, 4}], "a reference is "),
        ([{"start": 3, "end": 4}], 'a reference is {"start": 3, "end": 4}; it must be'),
        (["x" * 500], "a reference is "),
        (5, "references is 5; it must be a list of spans."),
        (None, "references is null; it must be a list of spans."),
        ([("a", "b")], 'start is "a"; it must be a whole number.'),
    ],
)
def test_references_that_are_no_spans_are_refused_in_words(references, words):
    with pytest.raises(QuestionError) as error:
        Question("Why?", references)
    assert str(error.value).startswith(words)
    assert len(str(error.value)) < 150


def test_references_may_be_any_pairs_and_triples():
    wanted = (Reference(0, 2), Reference(4, 6, "cd"))
    assert Question("Why?", [(0, 2), [4, 6, "cd"]]).references == wanted
    assert Question("Why?", iter([wanted[0], (4, 6, "cd")])).references == wanted


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("", None),
        ("question,start\nx,1\n", "Line 1: the header lacks end"),
        ("question,start,end,end\n", "Line 1: the header names a column twice"),
        ("question,start,end\nx,1\n", "Line 2: 2 cells under 3 columns"),
        ("question,start,end\nx,one,2\n", 'Line 2: start is "one"'),
        ("question,start,end\nx,²,2\n", "Line 2: start is"),
        ("question,start,end\nx,1," + "9" * 5_000 + "\n", "Line 2: end is"),
        ("question,start,end\nx,3,2\n", "Line 2: start is 3"),
        ("question,start,end,demo\nx,1,2,maybe\n", 'Line 2: demo is "maybe"'),
        ("number,question,start,end\n1,x,1,2\n1,y,1,2\n", "Line 2: the rows of number"),
        ('question,start,end\n"x,1,2\n', "no CSV"),
        ("question,start,end\n" + "x" * 200_000 + ",1,2\n", "Line 2: question has 200,000"),
    ],
)
def test_a_bad_table_is_named(data, words):
    if words is None:
        assert read_csv(data) == []
        return
    with pytest.raises(QuestionError) as error:
        read_csv(data)
    assert words in str(error.value)


@pytest.mark.parametrize("reader", [read_jsonl, read_csv])
def test_bytes_that_are_no_text(reader):
    with pytest.raises(QuestionError, match="Line 2: this is not UTF-8"):
        reader(b"question,start,end\n\xff\xfe")


@pytest.mark.parametrize("reader", [read_jsonl, read_csv])
def test_files_without_end(reader, monkeypatch):
    monkeypatch.setattr(question_files, "MOST_BYTES", 10)
    with pytest.raises(QuestionError, match="at most 10"):
        reader("x" * 11)


def test_a_quote_may_be_as_long_as_a_document():
    long = [Question("What?", [(0, 200_000, "x" * 200_000)])]
    assert read_csv(write_csv(long)) == read_jsonl(write_jsonl(long)) == long


def test_too_many_questions(monkeypatch):
    monkeypatch.setattr(question_files, "MOST_QUESTIONS", 2)
    with pytest.raises(QuestionError, match="Line 3: there may be at most 2"):
        read_jsonl(f"{json.dumps(GOOD)}\n" * 3)


@given(data=st.one_of(st.text(max_size=80), st.binary(max_size=80)))
def test_whatever_a_file_holds_the_answer_is_questions_or_an_error(data):
    for reader in (read_jsonl, read_csv):
        with suppress(QuestionError):
            assert all(isinstance(one, Question) for one in reader(data))


# --- after an edit ---------------------------------------------------------------------------------------------

OLD = Document.from_text("The sea is cold. The sun is warm. The moon is far.")


def asked(*quotes, version=OLD.version):
    spans = [(OLD.text.index(quote), OLD.text.index(quote) + len(quote), quote) for quote in quotes]
    return Question("What?", spans, document_sha256=version)


def test_a_quote_that_moved_is_found_and_reported():
    new = Document.from_text("Listen. " + OLD.text)
    kept, reports = relocated([asked("The sun is warm.")], new)
    assert kept[0].references == (Reference(25, 41, "The sun is warm."),)
    assert new.text[25:41] == "The sun is warm."
    assert kept[0].document_sha256 == new.version
    assert [(one.number, one.reference, one.kind, one.old.start) for one in reports] == [(0, 0, "moved", 17)]


def test_a_quote_before_the_edit_stays_without_a_report():
    new = Document.from_text(OLD.text + " The end.")
    kept, reports = relocated([asked("The sun is warm.")], new)
    assert kept[0].references == asked("The sun is warm.").references
    assert reports == []


def test_a_quote_that_is_gone_is_reported_and_its_question_left_out():
    new = Document.from_text(OLD.text.replace("warm", "hot"))
    kept, reports = relocated([asked("The sea is cold.", "The sun is warm."), asked("The moon is far.")], new)
    assert [one.references[0].quote for one in kept] == ["The moon is far."]
    assert [(one.number, one.reference, one.kind) for one in reports] == [(0, 1, "missing"), (1, 0, "moved")]


def test_of_several_the_nearest_is_taken_if_the_document_is_another_version():
    new = Document.from_text("cold " * 30 + OLD.text)
    question = Question("What?", [(157, 161, "cold")], document_sha256="another")
    kept, reports = relocated([question], new)
    assert new.text[157:161] != "cold"
    assert [(one.kind, one.new.start) for one in reports] == [("nearest", 161)]
    assert new.text[161:165] == "cold"
    assert kept[0].references[0].start == 161


def test_two_equally_near_are_ambiguous():
    new = Document.from_text("ab......ab")
    kept, reports = relocated([Question("What?", [(4, 6, "ab")])], new)
    assert (kept, [one.kind for one in reports]) == ([], ["ambiguous"])


def test_in_the_same_version_an_offset_that_was_wrong_says_nothing():
    new = Document.from_text("ab...ab.....")
    question = Question("What?", [(1, 3, "ab")], document_sha256=new.version)
    assert [one.kind for one in relocated([question], new)[1]] == ["ambiguous"]
    only = Question("What?", [(1, 5, "...a")], document_sha256=new.version)
    assert [(one.kind, one.new.start) for one in relocated([only], new)[1]] == [("moved", 2)]


def test_without_a_quote_there_is_nothing_to_look_for():
    same = Question("What?", [(4, 7)], document_sha256=OLD.version)
    assert relocated([same], OLD) == ([same], [])
    beyond = Question("What?", [(4, 700)], document_sha256=OLD.version)
    for question, document in ((same, Document.from_text("x" + OLD.text)), (beyond, OLD)):
        kept, reports = relocated([question], document)
        assert (kept, [one.kind for one in reports]) == ([], ["missing"])


@given(before=st.text("ab. ", max_size=12), after=st.text("ab. ", max_size=12), start=st.integers(0, 20))
def test_whatever_is_kept_is_at_its_place(before, after, start):
    document = Document.from_text(f"{before}ab.{after}")
    question = Question("What?", [(start, start + 3, "ab.")], document_sha256="old")
    kept, reports = relocated([question], document)
    text, here = document.text, [at for at in range(len(document)) if document.text.startswith("ab.", at)]
    for one in kept:
        found = one.references[0].start
        assert text[found : found + 3] == "ab."
        assert abs(found - start) == min(abs(at - start) for at in here)
        assert (found == start) == (reports == [])
    if not kept:
        assert [one.kind for one in reports] == ["ambiguous"]
