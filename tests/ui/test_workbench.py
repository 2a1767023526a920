"""Below the stage: a chunk a row, the similarity curve, what a model costs, and the way out."""

from __future__ import annotations

import io
import json
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from streamlit.runtime.caching import cache_resource_api
from streamlit.testing.v1 import AppTest
from ui.visiting import arriving, sound, upload

from playground import ChunkingConfig, Document, chunk
from playground.core.costs import costs
from playground.core.models import MODELS
from playground.export.files import EXPORTS
from playground.export.records import records
from playground.export.snippets import TARGETS, snippet
from playground.live.store import STORE, sample_names
from playground.settings import parse, to_config
from playground.ui.address import FIRST_DOCUMENT
from playground.ui.state import State
from playground.ui.words import plain
from playground.ui.workbench import BENCHES, costing, leaving
from playground.ui.workbench import rows as table

ROOT = Path(__file__).parents[2]
MARKDOWN = """# Purchases

Ask first. Then buy what you need, and keep the receipt.

## Refunds

Refunds take 14 days. Contractors wait for the end of the month.
"""


def handbook(**settings):
    document = Document.from_text(MARKDOWN, title="handbook.md", media_type="text/markdown")
    return chunk(document, ChunkingConfig(**{"unit": "word", "size": 6, "overlap": 2, **settings}))


def state(**more) -> State:
    return State("playground", FIRST_DOCUMENT, [parse({})[0]], [], **more)


# --- rows --------------------------------------------------------------------------------------------------------


def test_a_filter_finds_words_of_the_text_the_context_and_the_symbol():
    one = SimpleNamespace(text="Keep the Receipt.", context="Purchases > Refunds", symbol="Store.put", oversized=False)
    for wanted in ("", "receipt", "refunds", "purchases >", "store.put", "store.PUT".casefold()):
        assert table.matches(one, wanted, flagged=False)
    assert not table.matches(one, "travel", flagged=False)
    assert not table.matches(replace_symbol(one), "store", flagged=False)
    assert table.matches(SimpleNamespace(text="STRASSE", context="", symbol=None), "straße".casefold(), flagged=False)


def replace_symbol(one):
    return SimpleNamespace(**vars(one) | {"symbol": None})


def test_only_what_is_flagged_is_what_is_too_large_or_cuts_a_sentence():
    chunking = handbook(mode="fixed")
    found = [one.index for one in chunking if table.matches(one, "", flagged=True)]
    cuts = [*chunking.sentence_cuts.tolist(), False]
    assert found == [index for index, cut in enumerate(cuts) if cut]
    assert 0 < len(found) < len(chunking)
    family = chunk(Document("👨‍👩‍👧‍👦"), ChunkingConfig(unit="token", size=2, overlap=0))
    assert table.matches(family[0], "", flagged=True)
    assert not table.matches(family[0], "travel", flagged=True)


def test_a_row_has_a_cell_for_every_column():
    chunking = handbook(mode="structure", parent_size=20)
    for one in chunking:
        cells = dict(zip(table.COLUMNS, table.row_of(one), strict=True))
        assert cells["Chunk"] == one.index + 1
        assert cells["Text"] == " ".join(one.text.split())
        assert (cells["Size"], cells["Overlap"]) == (one.size, one.overlap_before)
        assert cells["Heading path"] == " > ".join(one.path)
        assert (cells["Page"], cells["Symbol"]) == (None, None)
        assert MARKDOWN[cells["Start"] : cells["End"]] == one.text
        assert cells["Parent"] == one.parent.index + 1
        assert (cells["Too large"], cells["Why it ends"]) == (one.oversized, one.reason)
    assert table.row_of(handbook()[0])[table.COLUMNS.index("Parent")] is None


def test_the_tokens_of_a_row_are_those_of_its_span():
    for one in chunk(Document("Plain words. And some more of them."), ChunkingConfig(size=5, overlap=0)):
        assert table.row_of(one)[table.COLUMNS.index("Tokens")] == one.tokens


def test_the_text_of_a_row_is_cut():
    one = chunk(Document("word " * 2000), ChunkingConfig(size=2000, overlap=0))[0]
    assert len(table.row_of(one)[1]) == table.SHOWN


# --- money and bytes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (30_720, "30.7 kB"), (100_000, "100 kB"), (123_456_789, "123 MB"),
     (10**9, "1.0 GB"), (10**12, "1.0 TB"), (1234 * 10**12, "1,234 TB")],
)  # fmt: skip
def test_bytes_for_people(number, text):
    assert costing.as_bytes(number) == text


@pytest.mark.parametrize(
    ("dollars", "text"),
    [(0, "$0"), (1234.5, "$1,234.50"), (1, "$1.00"), (0.5, "$0.50"), (0.0023, "$0.0023"), (0.000089, "$0.000089")],
)
def test_dollars_for_people(dollars, text):
    assert costing.as_money(dollars) == text


@pytest.mark.parametrize("dollars", [1e-12, 1e-7, 4.9e-7])
def test_the_smallest_amounts_are_not_called_nothing(dollars):
    assert costing.as_money(dollars) != "$0"
    assert "e-" not in costing.as_money(dollars)


def test_untouched_the_models_are_those_of_the_core():
    assert costing.models_of(state()) == (dict(MODELS), [])


def test_an_edited_model_takes_the_place_of_the_table():
    edited = [asdict(replace(MODELS["embed-v4.0"], price_per_million=0.5)), costing.NEW_MODEL]
    found, faults = costing.models_of(state(models=edited))
    assert list(found) == ["embed-v4.0", "my model"]
    assert (found["embed-v4.0"].price_per_million, faults) == (0.5, [])


@pytest.mark.parametrize(
    ("cells", "field"),
    [({"max_tokens": 0}, "max_tokens"), ({"max_tokens": None}, "max_tokens"), ({"dimensions": 1.5}, "dimensions"),
     ({"price_per_million": -1}, "price_per_million"), ({"price_per_million": 2}, "priced_on"), ({"name": " "}, "name"),
     ({"name": None}, "name"), ({"tokenizer": float("nan")}, "tokenizer")],
)  # fmt: skip
def test_a_row_that_cannot_be_is_left_out_and_said(cells, field):
    good = {**costing.NEW_MODEL, "name": "good"}
    found, (fault,) = costing.models_of(state(models=[{**costing.NEW_MODEL, **cells}, good]))
    assert list(found) == ["good"]
    assert "is left out" in fault
    assert field in fault
    # Without any that can be, there are still models to choose from.
    assert costing.models_of(state(models=[{**costing.NEW_MODEL, **cells}]))[0] == dict(MODELS)


def test_changes_in_the_table_are_taken_over(monkeypatch):
    changes = {"edited_rows": {0: {"price_per_million": 0.5}}, "deleted_rows": [1], "added_rows": [{"name": "mine"}]}
    monkeypatch.setattr(costing.st, "session_state", {"models": changes})
    mine = state()
    costing._edit(mine, "models")
    assert mine.models[0] == asdict(replace(MODELS["text-embedding-3-small"], price_per_million=0.5))
    assert [row["name"] for row in mine.models] == [
        *(name for number, name in enumerate(MODELS) if number != 1),
        "mine",
    ]
    assert costing.models_of(mine)[1] == []
    assert MODELS["text-embedding-3-small"].price_per_million == 0.02


# --- the way out -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "stem"),
    [("handbook.md", "handbook"), ("a b.md", "a-b"), ("<b>x</b>.txt", "b"), ("../../etc/passwd", "passwd"),
     ("", "document"), ("..", "document"), ("-.-", "document"), (".hidden", "hidden"),
     ("Ärger 猫.pdf", "Ärger-猫"), ("a\nb.md", "a-b"),
     ("x" * 200 + ".md", "x" * 80)],
)  # fmt: skip
def test_a_title_as_the_name_of_a_file(title, stem):
    assert leaving.file_stem(title) == stem


@pytest.mark.parametrize("name", EXPORTS)
def test_a_file_holds_the_chunks_of_all_chunkings(name):
    chunkings = [handbook(), handbook(mode="structure")]
    wanted = io.BytesIO()
    EXPORTS[name].write(records(chunkings), wanted)
    assert leaving.written(name, chunkings) == wanted.getvalue()


def test_every_target_of_a_snippet_can_be_chosen():
    assert set(leaving.TARGET_LABELS) == set(TARGETS)


# --- on the page -------------------------------------------------------------------------------------------------


def page(bench: str = "", **query) -> AppTest:
    """A visit whose stage was painted, with a bench chosen."""
    visit = arriving(**query)
    visit.session_state["painted"] = True
    key = "bench-semantic" if query.get("mode") == "semantic" else "bench-any"
    if bench:
        visit.session_state[key] = bench
    sound(visit.run())
    assert not bench or visit.segmented_control(key=key).value == bench
    return visit


def shown(visit: AppTest, key: str) -> dict:
    (element,) = [found for found in visit.get("bidi_component") if found.key == key]
    return json.loads(element.proto.json or element.proto.mixed.json)


def present(name: str = FIRST_DOCUMENT, **settings):
    return chunk(STORE.get(name), to_config(parse(settings)[0]))


@pytest.mark.parametrize("mode", ["fixed", "semantic"])
@pytest.mark.parametrize("bench", BENCHES)
def test_every_bench_is_shown_in_any_mode(bench, mode):
    visit = page(bench, mode=mode)
    assert not visit.error
    assert not visit.warning


@pytest.mark.parametrize("name", ["survey-report.pdf", "inventory.py"])
def test_every_bench_is_shown_for_documents_of_other_kinds(name):
    for bench in BENCHES:
        visit = page(bench, doc=name, mode="structure", parents="2")
        assert not visit.error
        assert not visit.warning


def test_before_the_first_paint_there_is_no_workbench():
    assert not sound(arriving().run()).dataframe


def test_the_table_lists_every_chunk_and_the_filter_fewer():
    visit = page()
    chunking = present()
    assert list(visit.dataframe[0].value["Chunk"]) == list(range(1, len(chunking) + 1))
    sound(visit.text_input(key="filter").set_value("Contractor").run())
    found = [one.index + 1 for one in chunking if "contractor" in one.text.casefold()]
    assert list(visit.dataframe[0].value["Chunk"]) == found
    assert 0 < len(found) < len(chunking)
    assert visit.session_state["listed"] == [number - 1 for number in found]
    assert any(f"{len(found)} of {len(chunking)} chunks." in one.value for one in visit.caption)
    sound(visit.text_input(key="filter").set_value("no such words anywhere").run())
    assert len(visit.dataframe[0].value) == 0
    assert isinstance(visit.dataframe[0].value, pd.DataFrame)


def test_the_table_may_list_only_what_is_flagged():
    visit = page(size="60")
    sound(visit.toggle(key="flagged").set_value(True).run())
    chunking = present(size=60)
    assert len(visit.dataframe[0].value) == int((chunking.sentence_cuts).sum()) < len(chunking)
    assert visit.dataframe[0].value["Cuts a sentence"].all()


def test_a_cell_opens_the_chunk_of_its_row_in_the_text(monkeypatch):
    rows = {"selection": {"cells": [(2, "Text")]}}
    monkeypatch.setattr(table.st, "session_state", {"listed": [4, 7, 9], "rows-faq.md": rows})
    mine = state()
    table._open(mine, "rows-faq.md")
    assert json.loads(mine.shown) == {"chunk": 9, "turn": 1}
    table._open(mine, "rows-faq.md")
    assert json.loads(mine.shown) == {"chunk": 9, "turn": 2}, "the same chunk once more"
    for gone in ([], [(3, "Text")]):
        rows["selection"]["cells"] = gone
        table._open(mine, "rows-faq.md")
        assert mine.shown == ""


def test_the_curve_has_its_cuts_in_the_semantic_mode_alone():
    live = shown(page(mode="semantic"), "curve-stage")
    assert live["cuts"]
    assert len(live["offsets"]) == len(live["similarity"]) > max(live["cuts"])
    still = shown(page("similarity"), "curve-stage")
    assert still["cuts"] == []
    assert still["similarity"] == live["similarity"]


def test_the_bill_is_the_cores():
    visit = page("costs")
    bill = costs(present(), MODELS["text-embedding-3-small"], 1000)
    values = [one.value for one in visit.metric]
    assert values == [
        text
        for one in (bill.one, bill.all)
        for text in (
            f"{one.vectors:,}",
            costing.as_bytes(one.storage_bytes),
            f"{one.embedded_tokens:,}",
            costing.as_money(one.embedding_cost),
        )
    ]


def test_a_models_limit_reaches_the_stage():
    visit = page("costs", size="400")
    assert shown(visit, "stage")["limit"] == MODELS["text-embedding-3-small"].max_tokens
    sound(visit.selectbox(key="model").select("all-MiniLM-L6-v2").run())
    data = shown(visit, "stage")
    assert data["limit"] == 256
    over = int((present(size=400).sizes > 256).sum())
    assert any(f"**{over:,} of " in one.value and "outlined in the text" in one.value for one in visit.markdown)


def test_an_edited_model_is_charged_at_its_own_price():
    visit = page("costs")
    mine = visit.session_state["state"]
    mine.models = [asdict(MODELS["text-embedding-3-small"]) | {"price_per_million": 1000.0, "max_tokens": 100}]
    sound(visit.run())
    model = replace(MODELS["text-embedding-3-small"], price_per_million=1000.0, max_tokens=100)
    bill = costs(present(), model, 1000)
    assert visit.metric[3].value == costing.as_money(bill.one.embedding_cost)
    assert visit.selectbox(key="model").options == ["text-embedding-3-small"]
    assert any(f"**{bill.over_limit_count:,} of " in one.value for one in visit.markdown)
    assert bill.over_limit_count > 0


def test_a_row_that_cannot_be_is_said_on_the_page_as_text():
    visit = page("costs")
    markup = "<img src=x onerror=alert(1)>"
    good = asdict(MODELS["embed-v4.0"])
    visit.session_state["state"].models = [good, good | {"name": markup, "max_tokens": 0}]
    sound(visit.run())
    (message,) = [one.value for one in visit.warning]
    assert plain(markup) in message
    assert markup not in message


@pytest.fixture
def download(monkeypatch):
    """What the download button was made with last."""
    made = {}

    def button(label, **options):
        made.update(options)

    monkeypatch.setattr(leaving.st, "download_button", button)
    return made


@pytest.mark.parametrize("name", EXPORTS)
def test_the_download_holds_the_chunks_on_screen(download, name):
    visit = page("export", mode="structure", parents="2")
    sound(visit.selectbox(key="format").select(name).run())
    assert download["file_name"] == f"company-handbook{EXPORTS[name].extension}"
    assert download["mime"] == EXPORTS[name].media_type
    assert download["data"]() == leaving.written(name, [present(mode="structure", parents=2)])


def test_the_download_may_hold_all_documents(download):
    visit = page("export", size="400")
    sound(visit.radio(key="which").set_value("All documents").run())
    assert download["file_name"] == "chunks.jsonl"
    held = [json.loads(line) for line in download["data"]().decode().splitlines()]
    assert {one["metadata"]["title"] for one in held} == set(sample_names())
    assert len(held) == sum(len(present(name, size=400)) for name in sample_names())


def test_a_download_is_made_where_there_is_no_session(download, monkeypatch):
    visit = upload(page("export"), ("notes.md", b"Mine."))
    sound(visit.radio(key="which").set_value("All documents").run())

    def no_session():
        raise RuntimeError("no session")

    monkeypatch.setattr(cache_resource_api, "get_session_id_or_throw", no_session)
    held = [json.loads(line) for line in download["data"]().decode().splitlines()]
    assert [one["text"] for one in held if one["metadata"]["title"] == "notes.md"] == ["Mine."]
    assert {one["metadata"]["title"] for one in held} == {"notes.md", *sample_names()}


def clashing(*uploads: tuple[str, str], form: str = "llamaindex", which: str = "All documents") -> AppTest:
    """The bench after some uploads, with a format and the documents chosen."""
    visit = page("export")
    for name, text in uploads:
        upload(visit, (name, text.encode()))
    sound(visit.selectbox(key="format").select(form).run())
    return sound(visit.radio(key="which").set_value(which).run())


@pytest.mark.parametrize(
    ("uploads", "titles"),
    [
        ([("notes.md", "One."), ("notes.md", "Another.")], ("notes.md", "notes.md")),
        ([("faq.md", "Mine.")], ("faq.md", "faq.md")),
        ([("a.md", "---\nid: x\n---\nOne."), ("b*.md", "---\nid: x\n---\nTwo.")], ("a.md", "b*.md")),
    ],
)
def test_documents_of_one_id_are_told_before_the_download(download, uploads, titles):
    visit = clashing(*uploads)
    (said,) = [one.value for one in visit.warning]
    assert said.startswith(f"“{plain(titles[0])}” and “{plain(titles[1])}” are different documents with the same id")
    assert download["disabled"]
    with pytest.raises(ValueError, match="Two different chunks have the id"):
        leaving.written("llamaindex", [chunk(Document.from_text(text, metadata={"id": "x"})) for text in ("a", "b")])


@pytest.mark.parametrize(
    ("uploads", "choice"),
    [
        ([("notes.md", "One."), ("notes.md", "One.")], {}),
        ([("notes.md", "One."), ("other.md", "One.")], {}),
        ([("notes.md", "One."), ("notes.md", "Another.")], {"form": "jsonl"}),
        ([("notes.md", "One."), ("notes.md", "Another.")], {"form": "langchain"}),
        ([("notes.md", "One."), ("notes.md", "Another.")], {"which": "This document"}),
    ],
)
def test_what_can_be_written_is_offered(download, uploads, choice):
    visit = clashing(*uploads, **choice)
    assert not visit.warning
    assert not download["disabled"]
    assert uploads[-1][1].encode() in download["data"]()


@pytest.mark.parametrize("target", TARGETS)
def test_the_code_is_that_of_the_configuration_on_screen(download, target):
    visit = page("export", mode="sentence", size="200")
    sound(visit.segmented_control(key="target").set_value(target).run())
    wanted = snippet(to_config(parse({"mode": "sentence", "size": 200})[0]), target, FIRST_DOCUMENT)
    assert [one.value for one in visit.code] == [wanted.code.rstrip("\n")]
    assert bool(visit.success) is wanted.same
    for difference in wanted.differences:
        assert f"- {plain(difference)}" in [one.value for one in visit.markdown]


@pytest.mark.parametrize("text", [b"", b" \n ", b"One sentence."])
def test_every_bench_has_something_to_say_of_a_text_without_much(download, text):
    visit = upload(page(), ("little.txt", text))
    for bench in BENCHES:
        sound(visit.segmented_control(key="bench-any").set_value(bench).run())
        assert not visit.error
        said = {
            "rows": len(visit.dataframe),
            "similarity": any("compare" in one.value for one in visit.caption),
            "costs": len(visit.metric),
            "export": len(visit.code),
        }
        assert said[bench]
