"""The table of documents: one row each, every number that of the core at the playground's present settings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from ui.visiting import arriving, sound, upload

from playground import chunk, describe
from playground.core.config import ChunkingConfig
from playground.core.stats import histogram
from playground.live.store import STORE, sample_names
from playground.settings import parse, to_config
from playground.ui.screens.documents import BINS, summary

ROOT = Path(__file__).parents[2]
MARKUP = "<img src=x onerror=alert(1)>"


def documents_page(**settings) -> AppTest:
    return sound(arriving(page="documents", **settings).run())


def table(visit: AppTest):
    (found,) = visit.dataframe
    return found.value


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"mode": "sentence", "unit": "word", "size": 60, "overlap": 30},
        {"unit": "character", "overlap": 90, "tail": "keep"},
    ],
)
def test_every_row_has_the_numbers_of_the_core(settings):
    rows = table(documents_page(**settings)).set_index("Document")
    assert list(rows.index) == list(sample_names())
    config = to_config(parse(settings)[0])
    for name in sample_names():
        row, chunking = rows.loc[name], chunk(STORE.get(name), config)
        stats = describe(chunking)
        assert row["Characters"] == len(chunking.document)
        assert row["Tokens"] == stats.document_tokens
        assert row["Chunks"] == stats.count == sum(row["Sizes"])
        assert list(row["Sizes"]) == histogram(chunking.sizes, config.size, BINS)[0].tolist()
        assert (row["Smallest"], row["Median"], row["Largest"]) == (stats.smallest, stats.median, stats.largest)
        assert row["Mean"] == pytest.approx(stats.mean, abs=0.0501)
        assert row["Over size"] == stats.oversized
        assert row["Processed"] == stats.processed_tokens
        assert row["Duplicated"] == pytest.approx(stats.duplicated_percent, abs=0.0501)
        assert (row["Words cut"], row["Sentences cut"]) == (stats.word_cuts, stats.sentence_cuts)
        assert row["Overlap achieved"] == pytest.approx(stats.overlap_mean, abs=0.0501)
        assert bool(row["Verified"]) is stats.check.passed is True


def test_the_worked_example_is_in_the_table():
    row = table(documents_page(size=240, overlap=17)).set_index("Document").loc["thousand-tokens.txt"]
    assert (row["Tokens"], row["Chunks"], row["Processed"], row["Duplicated"]) == (1000, 5, 1160, 16.0)


def test_the_page_says_at_which_settings():
    visit = documents_page(mode="sentence", unit="word", size=60, overlap=50)
    assert "sentence, 60 words, overlap 30, cl100k\\_base" in visit.markdown[-1].value
    assert summary(ChunkingConfig(size=1200, overlap=100)) == "fixed, 1,200 tokens, overlap 100, cl100k_base"


def test_a_click_on_a_row_opens_its_document():
    visit = documents_page()
    wanted = 2
    visit.session_state["table-0"] = {"selection": {"rows": [], "columns": [], "cells": [[wanted, 0]]}}
    sound(visit.run())
    assert visit.query_params["page"] == "playground"
    assert visit.query_params["doc"] == sample_names()[wanted]
    assert visit.selectbox[0].value == sample_names()[wanted]
    # Back at the table nothing is selected, so it does not open the document again.
    sound(visit.segmented_control[0].set_value("documents").run())
    assert visit.query_params["page"] == "documents"
    sound(visit.run())
    assert visit.query_params["page"] == "documents"


def test_a_visitors_own_documents_come_first_and_can_be_removed():
    visit = documents_page()
    assert not [button for button in visit.button if button.label.startswith("Remove")]
    upload(visit, ("one.txt", b"One sentence. Another one."), (f"{MARKUP}.md", b""), ("blank.txt", b" \n "))
    rows = table(visit)
    assert list(rows["Document"]) == ["one.txt", f"{MARKUP}.md", "blank.txt", *sample_names()]
    assert list(rows["Chunks"])[:3] == [1, 0, 1]
    assert all(rows["Verified"])
    (button,) = [button for button in visit.button if button.label.startswith("Remove")]
    sound(button.click().run())
    assert list(table(visit)["Document"]) == list(sample_names())
    assert visit.selectbox[0].value in sample_names()


def test_a_click_on_an_own_document_opens_it_without_naming_it():
    visit = upload(documents_page(), ("one.txt", b"One."), ("two.txt", b"Two."))
    visit.session_state["table-0"] = {"selection": {"rows": [], "columns": [], "cells": [[1, 3]]}}
    sound(visit.run())
    assert visit.query_params["page"] == "playground"
    assert "doc" not in visit.query_params
    key = visit.selectbox[0].value
    assert STORE.get(key).document.text == "Two."


def test_five_hundred_files_at_once():
    files = [(f"{number}.txt", f"Document {number}. It has two sentences.".encode()) for number in range(500)]
    visit = upload(documents_page(), *files)
    rows = table(visit)
    assert list(rows["Document"]) == [*(name for name, _ in files), *sample_names()]
    assert all(rows["Verified"])
    assert all(rows["Chunks"] >= 1)
    assert not visit.error
    # One more finds no room, and that is said.
    upload(visit, ("one-more.txt", b"One more."))
    assert len(table(visit)) == 500 + len(sample_names())
    (message,) = [found.value for found in visit.error]
    assert r"one\-more\.txt" in message
    assert "no room" in message


def test_five_hundred_files_that_are_no_text():
    """It is said how many were refused and why, yet the page is not buried under five hundred boxes."""
    data = b"\x89PNG\r\n\x1a\n" + bytes(300)
    visit = upload(documents_page(), *((f"p{number}.txt", data) for number in range(500)))
    assert list(table(visit)["Document"]) == list(sample_names())
    found = [message.value for message in visit.error]
    assert 1 <= len(found) <= 20
    assert any(r"p0\.txt" in message and "a PNG image" in message for message in found)
    assert re.search(r"\b(500|4\d\d)\b", " ".join(found))
