"""The glossary: its file is sound, it knows the words that the page uses, and what it says agrees with the core."""

from __future__ import annotations

import json
import re

import pytest

from playground.core.chunking import chunk
from playground.core.config import ChunkingConfig
from playground.core.document import Document
from playground.core.modes import MODES
from playground.core.rulers import UNITS
from playground.core.stats import describe
from playground.lessons.glossary import FILE, Term, as_rows, glossary, read_glossary
from playground.retrieval.fusion import RRF_K
from playground.retrieval.intervals import CONFIDENCE
from playground.retrieval.metrics import METRICS
from playground.retrieval.ranking import RETRIEVERS
from playground.settings import SETTINGS

FORMS = {form.casefold(): one for one in glossary() for form in one.forms}
# Labels that are no words of the field: the help beside each says what it is.
PLAIN = {"Mode", "Structure", "Navigation and footers", "Amount", "Minimum", "Overlap starts at"}
PLAIN_METRICS = {"MRR, whole"}
PLAIN_RETRIEVERS = {"Both, by reciprocal rank"}
WANTED = (
    "document, span, chunk, chunk size, overlap, stride, boundary, separator, token, tokenizer, word, character, unit, "
    "tail, duplicated, coverage, sentence-aware, recursive, structure-aware, semantic, similarity, threshold, window, "
    "context, heading path, parent, child, query, question, reference, retriever, BM25, vector, embedding, fusion, "
    "RRF, rank, top k, token budget, recall@k, precision@k, IoU, hit rate, MRR, confidence interval, torn, split, "
    "rescued, chunk id, stale, oversized, input limit"
)


def known(labels):
    """The labels that the glossary explains, and the rest."""
    found = {label for label in labels if label.casefold() in FORMS}
    return found, set(labels) - found


def says(name: str) -> str:
    return FORMS[name.casefold()].says


def test_the_file_holds_the_words_of_the_field():
    assert [name for name in WANTED.split(", ") if name.casefold() not in FORMS] == []


def test_every_entry_is_one_or_two_short_sentences():
    for one in glossary():
        assert 20 <= len(one.says) <= 180, one.term
        assert one.says[-1] == ".", one.term
        assert len(re.findall(r"[.!?](?: |$)", one.says)) <= 2, one.term
        assert not re.search(r"[<>*_`\[\]]", one.says), one.term  # it is shown as it is


@pytest.mark.parametrize(
    ("labels", "plain"),
    [
        ({setting.label for setting in SETTINGS}, PLAIN),
        ({metric.label for metric in METRICS.values()}, PLAIN_METRICS),
        ({retriever.label for retriever in RETRIEVERS.values()}, PLAIN_RETRIEVERS),
        ({mode.label for mode in MODES.values()}, set()),
        (set(UNITS), set()),
    ],
    ids=["settings", "metrics", "retrievers", "modes", "units"],
)
def test_every_label_is_explained_or_deliberately_not(labels, plain):
    assert known(labels)[1] == plain


def test_the_numbers_it_gives_are_those_of_the_core():
    text = " a" * 1000
    stats = describe(chunk(Document.from_text(text), ChunkingConfig(size=240, overlap=40)))
    example = f"{stats.processed_tokens:,} processed and {stats.covered_tokens:,} covered"
    assert example in says("duplicated")
    assert f"{stats.duplicated_percent:.0f}%" in says("duplicated")
    assert f"1 / ({RRF_K} + rank)" in says("fusion")
    assert f"at {CONFIDENCE:.0%}" in says("confidence interval")


def test_the_rows_are_the_terms_as_json():
    rows = json.loads(json.dumps(as_rows()))
    assert [Term(row["term"], tuple(row["also"]), row["says"]) for row in rows] == list(glossary())
    assert glossary() == read_glossary(FILE.read_text("utf-8"))


def entry(term: str = "span", says: str = "A stretch.", more: str = "") -> str:
    return f'[[terms]]\nterm = "{term}"\nsays = "{says}"\n{more}\n'


def test_other_forms_may_be_left_out():
    assert read_glossary(entry()) == (Term("span", (), "A stretch."),)
    assert read_glossary(entry(more='also = ["spans"]'))[0].forms == ("span", "spans")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[terms]]\nterm = "span"', r"entry 1 of the glossary \(span\) has no says"),
        (entry() + '[[terms]]\nsays = "A stretch."', r"entry 2 of the glossary \(without a term\) has no term"),
        ("[[terms]]\nalso = []", "has no term and no says"),
        (entry() + entry(), "explains 'span' twice"),
        (entry() + entry("Span"), "explains 'Span' twice"),
        (entry(more='also = ["spans"]') + entry("piece", more='also = ["Spans"]'), "'Spans' for 'span' and again"),
        (entry(more='also = ["piece"]') + entry("piece"), "'piece' for 'span' and again for 'piece'"),
        (entry(more='also = ["spans", "spans"]'), "'spans' for 'span' and again for 'span'"),
        (entry(more='also = ["SPAN"]'), "'SPAN' for 'span' and again for 'span'"),
        (entry(more='see = "chunk"'), "has see; it may have term, also, says"),
        (entry(more='also = "spans"'), "also is 'spans'; it must be a list"),
        (entry(more="also = [1]"), "1 must be a text on one line"),
        (entry(""), "'' must be a text on one line"),
        (entry(says=" A stretch."), "without space around it"),
        (entry(says="A\\nstretch."), "must be a text on one line"),
        ("[[terms]]\nterm = 1\nsays = 'A stretch.'", "term is 1; it must be a str"),
        ("terms = [1]", "entry 1 of the glossary is 1; it must be a table"),
        ("", r"must be a list of \[\[terms\]\]"),
        ("terms = 1", r"must be a list of \[\[terms\]\]"),
        (entry() + "[more]", r"must be a list of \[\[terms\]\], and nothing else"),
        ("[[terms", "is not valid TOML"),
    ],
)
def test_a_file_that_is_wrong_is_refused_in_words(text, message):
    with pytest.raises(ValueError, match=message):
        read_glossary(text)
