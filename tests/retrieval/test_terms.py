"""Terms: found again by looking at one character after the other, and counted by looking at every one of them."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import PIECES

from playground import Document, prepare
from playground.retrieval import Terms, query_terms, terms
from playground.retrieval.terms import counted, occurrences

SAMPLES = Path(__file__).parents[2] / "sample_docs"
PAIRED = (
    "CJK UNIFIED",
    "HIRAGANA LETTER",
    "KATAKANA LETTER",
    "KATAKANA-HIRAGANA PROLONGED",
    "HALFWIDTH KATAKANA LETTER",
)
PAIRED += ("THAI CHARACTER", "LAO LETTER", "KHMER LETTER", "MYANMAR LETTER")
JOINERS = "\u00ad\u200c\u200d"
TEXTS = st.lists(st.sampled_from([piece for kind in PIECES.values() for piece in kind]), max_size=25).map("".join)


def kind_of(character: str) -> str:
    """ "pair", "word", "mark", "joiner" or "" """
    category, name = unicodedata.category(character), unicodedata.name(character, "")
    if character in JOINERS:
        return "joiner"
    if category[0] == "M" or (name.endswith("VOICED SOUND MARK") and category == "Lm"):
        return "mark"
    if name.startswith(PAIRED) and category[0] == "L":
        return "pair"
    return "word" if category[0] in "LN" else ""


def spans_of(text: str) -> list[tuple[int, int]]:
    """The spans of all terms, by a walk over the characters."""
    found, at = [], 0
    while at < len(text):
        kind, start = kind_of(text[at]), at
        if kind == "word":
            at += 1
            while at < len(text):
                ahead = at
                while ahead < len(text) and text[ahead] in JOINERS:
                    ahead += 1
                if ahead == len(text) or kind_of(text[ahead]) not in (("word", "mark") if ahead == at else ("word",)):
                    break
                at = ahead + 1
            found.append((start, at))
        elif kind == "pair":
            bounds = []
            while at < len(text) and kind_of(text[at]) == "pair":
                bounds.append(at)
                at += 1
                while at < len(text) and kind_of(text[at]) == "mark":
                    at += 1
            bounds.append(at)
            found += [(start, at)] if len(bounds) == 2 else zip(bounds, bounds[2:], strict=False)
        else:
            at += 1
    return found


def plain(text: str) -> str:
    kept = "".join(character for character in text if character not in JOINERS)
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", kept).casefold())


@given(TEXTS)
def test_terms_are_those_of_a_walk_over_the_characters(text):
    found = Terms.in_text(text)
    spans = spans_of(text)
    assert list(zip(found.starts.tolist(), found.ends.tolist(), strict=True)) == spans
    assert query_terms(text) == [plain(text[start:end]) for start, end in spans]
    assert found.starts.dtype == found.ends.dtype == np.int32
    assert (np.diff(found.starts) > 0).all()
    assert (np.diff(found.ends) > 0).all()


@given(TEXTS)
def test_positions_are_all_places_of_a_term(text):
    found, spans = Terms.in_text(text), spans_of(text)
    assert sorted(found.vocabulary) == sorted({plain(text[start:end]) for start, end in spans})
    for term in found.vocabulary:
        starts, ends = found.positions(term)
        expected = [(start, end) for start, end in spans if plain(text[start:end]) == term]
        assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == expected
    wanted = [*found.vocabulary, "not there"]
    which, numbers = occurrences(found, wanted)
    assert [(wanted[term], number) for term, number in zip(which.tolist(), numbers.tolist(), strict=True)] == [
        (term, number) for term in wanted for number in found.numbers(term).tolist()
    ]


@given(TEXTS, st.data())
def test_lengths_count_the_terms_wholly_inside(text, data):
    offset = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(offset, offset).map(sorted), max_size=8))
    starts, ends = np.array(spans, np.int32).reshape(-1, 2).T
    expected = [sum(low <= start and end <= high for start, end in spans_of(text)) for low, high in spans]
    assert Terms.in_text(text).lengths(starts, ends).tolist() == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't panic: 3.14 is π!", ["don", "t", "panic", "3", "14", "is", "π"]),
        ("snake_case HTTPServer v2", ["snake", "case", "httpserver", "v2"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("cafe\u0301 café", ["café", "café"]),
        ("data\u00adbase ﬁle Ｆｕｌｌ", ["database", "file", "full"]),
        ("黒猫が寝る。", ["黒猫", "猫が", "が寝", "寝る"]),
        ("猫", ["猫"]),
        ("か\u3099く ｶﾞｸ", ["がく", "ガク"]),
        ("3Dプリンター", ["3d", "プリ", "リン", "ンタ", "ター"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("𠮷野家", ["𠮷野", "野家"]),
        ("... — \n", []),
        ("", []),
    ],
)
def test_examples(text, expected):
    assert query_terms(text) == [unicodedata.normalize("NFKC", term) for term in expected]


def test_scripts_without_spaces_are_paired():
    for text in ("ພາສາລາວ", "ភាសាខ្មែរ", "မြန်မာစာ", "ภาษาไทย", "中文字", "ひらカタ"):
        found = Terms.in_text(text)
        assert len(found) >= 2
        assert (found.starts[1:] < found.ends[:-1]).all(), text


def test_no_letter_or_digit_is_lost():
    for name in ("multilingual.md", "company-handbook.md", "field-guide.md", "inventory.py"):
        text = (SAMPLES / name).read_text("utf-8")
        found = Terms.in_text(text)
        covered = np.zeros(len(text) + 1, np.int64)
        np.add.at(covered, found.starts, 1)
        np.add.at(covered, found.ends, -1)
        inside = np.cumsum(covered)
        assert [text[at] for at in range(len(text)) if text[at].isalnum() and not inside[at]] == []


def test_the_terms_of_a_document_are_found_once(monkeypatch):
    calls = []
    real = terms._spans
    monkeypatch.setattr(terms, "_spans", lambda text: calls.append(text) or real(text))
    prepared = prepare(Document("Sea salt. Salt of the sea."))
    first = Terms.of(prepared)
    assert Terms.of(prepared) is first
    assert len(calls) == 1
    assert prepared.nbytes >= first.nbytes > 0


def test_counted():
    assert dict(counted("The sea, the salt")) == {"the": 2, "sea": 1, "salt": 1}


@pytest.mark.parametrize("text", ["a" * 200_000, "猫" * 200_000, "\u0301" * 200_000, ("a" + "\u00ad" * 50) * 4000])
def test_long_runs_are_read_once(text):
    found = Terms.in_text(text)
    assert found.lengths([0], [len(text)]).tolist() == [len(found)]
