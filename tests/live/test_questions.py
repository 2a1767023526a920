"""The bundled questions as the page gets them: enough of every kind, in their place, and of this very text only."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from playground import Document, chunk, prepare, read
from playground.live import store as store_module
from playground.live.asking import Ask
from playground.live.protocol import chunks_answer
from playground.live.store import QUESTIONS, SAMPLES, Store, read_sample, sample_names, sample_questions
from playground.retrieval.fate import fate
from playground.settings import parse, to_config
from playground.ui.known import known_questions
from playground.ui.staging import as_spans
from playground.ui.state import State

TAGS = {"fact": 6, "two-sentences": 4, "table-or-code": 3, "heading": 3, "two-spans": 2, "repeated": 2}
PROSE = {"fact": 6, "two-sentences": 10, "two-spans": 2, "repeated": 2}
"""Where there is neither a table nor a heading."""
OTHERS = {
    "faq.md": TAGS | {"two-sentences": 5, "table-or-code": 2},
    "lighthouse-narrative.txt": PROSE,
    "thousand-tokens.txt": PROSE,
}
HANDBOOK = "company-handbook.md"


def offered(name: str, prepared):
    """What the stage offers to a visitor without questions of their own."""
    return as_spans(prepared, known_questions(State("playground", name, [], []), name, prepared))


def demo(name: str = HANDBOOK):
    return next(one for one in sample_questions(read_sample(name)) if one.demo)


@pytest.mark.parametrize("name", sample_names())
def test_a_bundled_document_has_twenty_scored_questions_of_every_kind(name):
    questions = sample_questions(read_sample(name))
    scored = [one for one in questions if not one.demo]
    assert {one.tag for one in questions} <= set(TAGS)
    assert Counter(one.tag for one in scored) == OTHERS.get(name, TAGS)
    assert len({one.question for one in questions}) == len(questions)
    for one in scored:
        assert len(one.references) == 2 if one.tag == "two-spans" else len(one.references) >= 1


@pytest.mark.parametrize("name", sample_names())
def test_the_stage_gets_them_in_its_own_offsets_and_may_ask_each(name):
    prepared = Store().get(name)
    questions, found = sample_questions(prepared.document), offered(name, prepared)
    units = prepared.document.text.encode("utf-16-le")
    assert [one["question"] for one in found] == [one.question for one in questions]
    assert [one["tag"] for one in found] == [one.tag for one in questions]
    for one, known in zip(found, questions, strict=True):
        quotes = [units[2 * low : 2 * high].decode("utf-16-le") for low, high in one["spans"]]
        assert quotes == [part.quote for part in known.references]
        assert Ask.of({"question": one["question"], "answers": one["spans"]}).answers == tuple(map(tuple, one["spans"]))


def test_emoji_before_an_answer_shift_its_offsets():
    prepared = Store().get("multilingual.md")
    text = prepared.document.text
    wide = [index for index, character in enumerate(text) if character > "\uffff"]
    found, known = offered("multilingual.md", prepared), sample_questions(prepared.document)
    shifted = 0
    for one, question in zip(found, known, strict=True):
        for (low, high), part in zip(one["spans"], question.references, strict=True):
            assert low - part.start == sum(at < part.start for at in wide)
            assert high - part.end == sum(at < part.end for at in wide)
            shifted += low > part.start
    assert shifted > 0


def test_a_question_file_is_no_document():
    assert not [name for name in sample_names() if name.endswith(QUESTIONS)]
    assert {path.name.removesuffix(QUESTIONS) for path in SAMPLES.glob(f"*{QUESTIONS}")} == set(sample_names())
    with pytest.raises(KeyError):
        read_sample(f"{HANDBOOK}{QUESTIONS}")
    assert Store().get(f"{HANDBOOK}{QUESTIONS}") is None


@pytest.mark.parametrize("name", sample_names())
def test_an_upload_called_like_a_bundled_document_with_another_text_has_none(name):
    document = Document.from_text("Budget owners reply within two working days.", title=name)
    assert sample_questions(document) == ()
    assert offered(name, prepare(document)) == []


def test_one_letter_more_is_another_text():
    data = (SAMPLES / HANDBOOK).read_bytes()
    same, other = read(HANDBOOK, data), read(HANDBOOK, data + b"x")
    assert sample_questions(same) == sample_questions(read_sample(HANDBOOK)) != ()
    assert sample_questions(other) == ()


@pytest.mark.parametrize(
    "title", ["", "own.txt", "../README.md", "/etc/passwd", "company-handbook", "a\x00b", "x" * 5000]
)
def test_any_other_title_has_none(title):
    document = read_sample(HANDBOOK)
    other = Document(document.text, title=title, media_type=document.media_type)
    assert sample_questions(other) == ()


def test_a_document_whose_questions_are_not_there_has_none(tmp_path, monkeypatch):
    document = read_sample(HANDBOOK)
    monkeypatch.setattr(store_module, "SAMPLES", tmp_path)
    assert sample_questions(document) == ()


def test_they_are_read_once_for_a_prepared_document(monkeypatch):
    prepared = Store().get(HANDBOOK)
    first = offered(HANDBOOK, prepared)
    monkeypatch.setattr("playground.ui.known.sample_questions", lambda _: pytest.fail("read again"))
    assert offered(HANDBOOK, prepared) == first != []


def test_the_demonstration_is_cut_without_overlap_and_rescued_by_it():
    document = read_sample(HANDBOOK)
    (part,) = demo().references
    kinds = {}
    for overlap in (0, 15):
        values, notices = parse({"unit": "character", "size": 500, "overlap": overlap})
        assert not notices
        kinds[overlap] = fate(chunk(document, to_config(values)), part.start, part.end)
    assert (kinds[0].kind, kinds[0].boundaries.tolist()) == ("split", [0])
    assert (kinds[15].kind, kinds[15].boundaries.tolist(), kinds[15].holders.tolist()) == ("rescued", [0], [1])
    prepared = prepare(document)
    spans = prepared.utf16(np.array([part.start, part.end], np.int32)).tolist()
    request = {
        "panes": [{"settings": {"unit": "character", "size": 500, "overlap": overlap}} for overlap in (0, 15)],
        "ask": {"question": demo().question, "answers": [spans]},
    }
    parts = [one["asked"]["answer"]["parts"][0] for one in chunks_answer(prepared, request)["panes"]]
    assert [(one["kind"], one["boundaries"], one["holders"]) for one in parts] == [
        ("split", [1], []),
        ("rescued", [1], [2]),
    ]
