"""The Evaluate page: the map is what the library finds, questions come and go as files, and no word says too much."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from ui.visiting import arriving, sound

from playground import Document, prepare
from playground.core.modes import MODES
from playground.live.asking import Ask
from playground.live.store import STORE, sample_names, sample_questions
from playground.retrieval import run_files
from playground.retrieval.grid import compared, grid, phases
from playground.retrieval.metrics import METRICS
from playground.retrieval.questions import Question, Reference, read_csv, read_jsonl, write_csv, write_jsonl
from playground.retrieval.ranking import RETRIEVERS
from playground.retrieval.runs import repeated
from playground.settings import BY_NAME, parse, to_config
from playground.ui import judging, known, staging
from playground.ui.address import FIRST_DOCUMENT
from playground.ui.screens import evaluate
from playground.ui.state import State
from playground.ui.words import plain

ROOT = Path(__file__).parents[2]
DEFAULTS = parse({})[0]
MARKUP = "<img src=x onerror=alert(1)> **bold** :red[x]"
TEXT = "Bring a coat. The sea is cold in May. Bring a coat. Boats leave at nine from the old pier."


@pytest.fixture
def few(monkeypatch):
    """A map of six cells."""
    monkeypatch.setattr(evaluate, "STEPS", 3)
    monkeypatch.setattr(evaluate, "OVERLAPS", (0, 15))


@pytest.fixture
def offered(monkeypatch):
    """What the download buttons were made with last, by their labels."""
    found = {}

    def button(label, data, name, mime, *, disabled=False, **others):
        found[label] = {"data": data() if callable(data) else data, "name": name, "mime": mime, "disabled": disabled}

    monkeypatch.setattr(st, "download_button", button)
    return found


def page(**query) -> AppTest:
    return sound(arriving(**{"page": "evaluate", **query}).run())


def press(visit: AppTest, label: str) -> AppTest:
    (button,) = [found for found in visit.button if found.label.startswith(label)]
    return sound(button.click().run())


def choose(visit: AppTest, **chosen) -> AppTest:
    for name, value in chosen.items():
        visit.selectbox(key=f"eval-{name}").select(value)
    return sound(visit.run())


def go(visit: AppTest, where: str) -> AppTest:
    return sound(visit.segmented_control[0].set_value(where).run())


def bring(visit: AppTest, name: str, data: str | bytes) -> AppTest:
    """Upload a set of questions."""
    turn = visit.session_state["question-turn"]
    raw = data if isinstance(data, bytes) else data.encode()
    visit.file_uploader(key=f"questions-{turn}").set_value((name, raw, "text/plain"))
    return sound(visit.run())


def own_text(visit: AppTest, text: str) -> AppTest:
    """Paste a document."""
    visit.text_area[0].set_value(text)
    return press(visit, "Use this text")


def said(visit: AppTest) -> str:
    """What the page says about the best cell."""
    (found,) = [one.value for one in visit.markdown if one.value.startswith("Best here")]
    return found


def reports(visit: AppTest) -> list[str]:
    return [found.value for found in visit.warning]


def maps(visit: AppTest) -> list:
    """The maps on the page, without its other figures."""
    return [chart for chart in visit.get("plotly_chart") if chart.key.startswith("map-")]


def spec(visit: AppTest) -> dict:
    (chart,) = maps(visit)
    return json.loads(chart.proto.spec)


def printed(visit: AppTest) -> list[list[str]]:
    return spec(visit)["data"][0]["text"]


def asked_of(name: str) -> list[Question]:
    return [one for one in sample_questions(STORE.get(name).document) if not one.demo]


def directly(values, names=(FIRST_DOCUMENT,), retriever="bm25"):
    """What the library finds for the settings of a map."""
    documents = [STORE.get(name) for name in names]
    questions = [one for name in names for one in asked_of(name)]
    configs = [to_config(one) for one in values]
    more = {"ks": evaluate.KS, "budgets": evaluate.BUDGETS, "with_context": True, "phase_count": judging.PHASES}
    return list(grid(documents, questions, configs, retriever, **more))


def own_question(text: str, quote: str, question: str = "When?", **more) -> Question:
    start = text.index(quote)
    return Question(question, (Reference(start, start + len(quote), quote),), **more)


# --- the map -----------------------------------------------------------------------------------------------------


def test_the_whole_map_of_the_handbook_is_what_the_library_finds():
    visit = press(page(), "Draw the map")
    found = visit.session_state["map"]
    assert found.is_whole
    assert len(found.cells) == evaluate.STEPS * len(evaluate.OVERLAPS)
    documents, questions = [STORE.get(FIRST_DOCUMENT)], asked_of(FIRST_DOCUMENT)
    for number in (0, 13, 39):
        cell = phases(
            documents,
            questions,
            to_config(found.values[number]),
            ks=evaluate.KS,
            budgets=evaluate.BUDGETS,
            with_context=True,
            count=judging.PHASES,
        )
        assert len(cell.evaluations) == judging.PHASES
        assert found.cells[number].mean("token_recall", k=5) == cell.mean("token_recall", k=5)
    means = [cell.mean("token_recall", k=5).value for cell in found.cells]
    assert printed(visit) == [[f"{mean:.2f}" for mean in means[at : at + 5]] for at in range(0, 40, 5)]
    best = found.values[int(np.argmax(means))]
    assert f"size {best['size']:,} tokens, overlap {best['overlap']}%" in said(visit)
    assert f"{len(questions)} questions" in said(visit)


def test_nothing_is_asked_before_the_button_is_pressed():
    visit = page()
    assert "map" not in visit.session_state
    assert not maps(visit)


@pytest.mark.parametrize(
    ("metric", "depth", "reads"),
    [
        ("token_recall", "top 1", {"k": 1}),
        ("whole_recall", "500 tokens", {"budget": 500}),
        ("iou", "2,000 tokens", {"budget": 2000}),
        ("precision_omega", "top 10", {}),
        ("whole_mrr", "top 10", {}),
    ],
)
def test_another_metric_or_depth_shows_other_figures_of_the_same_cells(few, metric, depth, reads):
    visit = press(page(), "Draw the map")
    cells = list(visit.session_state["map"].cells)
    choose(visit, metric=metric, depth=depth)
    assert visit.session_state["map"].cells == cells
    means = [cell.mean(metric, **reads).value for cell in directly(visit.session_state["map"].values)]
    assert np.array(printed(visit)).ravel().tolist() == [f"{mean:.2f}" for mean in means]
    assert spec(visit)["data"][0]["colorbar"]["title"]["text"] == METRICS[metric].label
    result = compared(cells, metric, **reads)
    assert len(spec(visit)["layout"]["shapes"]) == result.inseparable.sum()
    assert METRICS[metric].help in [found.value for found in visit.caption]


@pytest.mark.parametrize("retriever", ["vectors", "fused"])
def test_another_retriever_needs_another_map(few, retriever):
    visit = press(page(), "Draw the map")
    choose(visit, retriever=retriever)
    assert not maps(visit)
    press(visit, "Draw the map")
    means = [
        cell.mean("token_recall", k=5).value
        for cell in directly(visit.session_state["map"].values, retriever=retriever)
    ]
    assert np.array(printed(visit)).ravel().tolist() == [f"{mean:.2f}" for mean in means]
    assert set(RETRIEVERS) == {"bm25", "vectors", "fused"}


def test_all_bundled_documents_are_asked_together(few):
    visit = choose(page(), scope="All bundled documents")
    count = sum(len(asked_of(name)) for name in sample_names())
    assert any(f"{count} questions about {len(sample_names())} documents" in found.value for found in visit.caption)
    press(visit, "Draw the map")
    means = [
        cell.mean("token_recall", k=5).value for cell in directly(visit.session_state["map"].values, sample_names())
    ]
    assert np.array(printed(visit)).ravel().tolist() == [f"{mean:.2f}" for mean in means]
    choose(visit, scope="This document")
    assert not maps(visit)


def test_every_mode_gets_a_map_of_its_own(few, monkeypatch):
    monkeypatch.setattr(evaluate, "STEPS", 2)
    visit = press(choose(page(), modes="Every mode"), "Draw the map")
    assert len(maps(visit)) == len(MODES)
    found = visit.session_state["map"]
    shown = {chart.key.split("-")[1]: json.loads(chart.proto.spec)["data"][0]["text"] for chart in maps(visit)}
    for mode in MODES:
        cells = directly([values for values in found.values if values["mode"] == mode])
        means = [cell.mean("token_recall", k=5).value for cell in cells]
        assert np.array(shown[mode]).ravel().tolist() == [f"{mean:.2f}" for mean in means]


def test_a_map_that_was_stopped_shows_what_it_has_and_says_so(few):
    visit = press(page(), "Draw the map")
    del visit.session_state["map"].cells[3:]
    sound(visit.run())
    assert any("Stopped after 3 of 6" in found.value for found in visit.caption)
    assert [row.count("") for row in printed(visit)] == [0, 1]
    assert "of the other 2**" in said(visit)


def test_a_question_compared_with_a_cell_that_is_gone_breaks_nothing(few):
    visit = choose(press(page(), "Draw the map"), other=5)
    del visit.session_state["map"].cells[2:]
    sound(visit.run())
    assert visit.selectbox(key="eval-other").value in (0, 1)


def test_the_table_has_every_question_with_the_ranks_of_the_library(few):
    visit = choose(press(page(), "Draw the map"), other=4)
    (table,) = [found.value for found in visit.dataframe]
    found = visit.session_state["map"]
    cells = directly(found.values)
    result = compared(cells, "token_recall", k=5)
    one, two = cells[result.best].evaluations[0], cells[4].evaluations[0]
    assert list(table["Question"]) == [question.question for question in one.questions]
    assert list(table["Rank"]) == one.ranks.tolist()
    assert list(table["Rank there"]) == two.ranks.tolist()
    assert list(table["Torn there"]) == two.torn.tolist()
    (outcomes,) = [name for name in table.columns if name.startswith("Other")]
    assert list(table[outcomes]) == two.outcomes(k=5)
    better, worse = result.rescued(result.best, 4)
    assert any(f"better on {len(better)} and worse on {len(worse)} of" in caption.value for caption in visit.caption)


# --- a click on a cell -------------------------------------------------------------------------------------------


def click(visit: AppTest, values: dict) -> AppTest:
    """What a click on a cell sets."""
    point = {"x": f"{values['overlap']}%", "y": f"{values['size']:,}"}
    key = f"map-{values['mode']}-{visit.session_state['map-turn']}"
    visit.session_state[key] = {"selection": {"points": [point], "box": [], "lasso": [], "point_indices": []}}
    return sound(visit.run())


def test_a_click_opens_the_playground_with_these_settings_once(few):
    visit = press(page(unit="character"), "Draw the map")
    values = visit.session_state["map"].values[5]
    assert values["size"] >= 1000
    click(visit, values)
    found = {name: visit.query_params[name] for name in ("page", "doc", "unit", "size", "overlap")}
    assert found == {
        "page": "playground", "doc": FIRST_DOCUMENT, "unit": "character", "size": str(values["size"]),
        "overlap": str(values["overlap"]),
    }  # fmt: skip
    go(visit, "evaluate")
    assert visit.query_params["page"] == "evaluate"
    assert len(maps(visit)) == 1


def test_whoever_comes_back_from_a_cell_finds_the_map_as_it_was(few):
    visit = choose(page(), retriever="vectors", metric="iou", depth="top 1")
    press(visit, "Draw the map")
    before = printed(visit)
    go(click(visit, visit.session_state["map"].values[1]), "evaluate")
    kept = {name: visit.selectbox(key=f"eval-{name}").value for name in ("retriever", "metric", "depth")}
    assert kept == {"retriever": "vectors", "metric": "iou", "depth": "top 1"}
    assert printed(visit) == before


def test_the_maps_of_every_mode_are_there_after_a_click_on_another_mode(few, monkeypatch):
    monkeypatch.setattr(evaluate, "STEPS", 2)
    visit = press(choose(page(), modes="Every mode"), "Draw the map")
    values = next(one for one in visit.session_state["map"].values if one["mode"] == "sentence")
    click(visit, values)
    assert visit.query_params["mode"] == "sentence"
    choose(go(visit, "evaluate"), modes="Every mode")
    assert len(maps(visit)) == len(MODES)


@pytest.mark.parametrize("point", [{}, {"x": "3%", "y": "30"}, {"x": None, "y": None}, {"x": MARKUP, "y": [1]}])
def test_a_point_that_is_no_cell_opens_nothing(point):
    assert judging.of_labels(evaluate.cells_of(DEFAULTS, ("fixed",)), point) is None


# --- cells -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["character", "word", "token"])
def test_sizes_grow_evenly_within_the_bounds(unit):
    low, high = BY_NAME["size"].bounds[unit]
    found = evaluate.sizes(unit)
    assert len(found) == evaluate.STEPS
    assert low <= found[0] < found[-1] <= high
    ratios = np.array(found[1:]) / np.array(found[:-1])
    assert ratios.min() > 1.5
    assert ratios.max() < 1.8


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("unit", ["character", "word", "token"])
def test_every_cell_is_a_setting_that_a_link_can_hold(unit, mode):
    values = parse({"unit": unit, "mode": mode, "parents": "3", "smallest": "60", "snap": "word"})[0]
    found = evaluate.cells_of(values, (mode,))
    assert len(found) == len({to_config(one) for one in found}) == evaluate.STEPS * len(evaluate.OVERLAPS)
    for one in found:
        assert parse({name: str(value) for name, value in one.items()}) == (one, [])
        assert {name: one[name] for name in one if name not in ("size", "overlap")} == {
            name: values[name] for name in values if name not in ("size", "overlap")
        }
        assert judging.of_labels(found, {"x": f"{one['overlap']}%", "y": f"{one['size']:,}"}) == one


# --- words -------------------------------------------------------------------------------------------------------


def explained(monkeypatch, text: str, questions: list[Question], metric: str = "token_recall") -> str:
    """What `explain` says about fixed sizes of 8 and 60 characters."""
    told = []
    monkeypatch.setattr(st, "session_state", {"eval-metric": metric})
    monkeypatch.setattr(st, "markdown", told.append)
    monkeypatch.setattr(st, "caption", lambda _: None)
    values = [parse({"unit": "character", "size": size, "overlap": 0})[0] for size in ("20", "60")]
    cells = list(grid(Document(text), questions, [to_config(one) for one in values], ks=(1, 5), budgets=(500,)))
    judging.explain(judging.Map((), values, cells), compared(cells, metric, k=5), {"k": 5})
    (found,) = told
    return found


def test_of_equal_settings_none_is_called_different(monkeypatch):
    """Everything is read, so every answer is found: no number of questions tells the settings apart."""
    text = "Boats leave at nine."
    found = explained(monkeypatch, text, [own_question(text, "at nine"), own_question(text, "Boats", "Who?")])
    assert "cannot tell it from **1 of the other 1** settings" in found
    assert "would be needed" not in found


def test_one_question_is_not_said_to_tell_settings_apart(monkeypatch):
    """A difference on one question is no evidence: nothing says that it is not chance."""
    found = explained(monkeypatch, TEXT, [own_question(TEXT, "The sea is cold in May.")], "whole_recall")
    assert "0 of the other" not in found
    assert "about 2 questions" not in found
    assert "1 questions" not in found


def test_the_needed_questions_are_more_than_were_asked():
    """Were they fewer, the cells could have been told apart."""
    visit = press(page(), "Draw the map")
    if "would be needed" in said(visit):
        number = int(said(visit).split("about ")[1].split(" questions")[0].replace(",", ""))
        assert number > len(asked_of(FIRST_DOCUMENT))
    result = compared(visit.session_state["map"].cells, "token_recall", k=5)
    assert f"**{result.inseparable.sum() - 1} of the other 39**" in said(visit)


# --- questions of one's own --------------------------------------------------------------------------------------


def test_a_document_without_questions_says_what_to_do():
    visit = own_text(page(), TEXT)
    (found,) = [one.value for one in visit.info]
    assert "no questions with known answers" in found
    assert "Select text in the playground" in found
    assert not [button for button in visit.button if button.label.startswith("Draw")]


@pytest.mark.parametrize(("name", "write"), [("set.jsonl", write_jsonl), ("SET.CSV", write_csv)])
def test_a_set_is_kept_and_what_moved_or_is_missing_is_reported(few, name, write):
    moved = "x" * 10 + TEXT
    questions = [
        own_question(TEXT, "The sea is cold in May.", "How is the sea?"),
        own_question(moved, "Boats leave at nine", f"When do boats leave? {MARKUP}"),
        own_question("Cows fly.", "Cows fly.", "Who flies?"),
    ]
    visit = bring(own_text(page(), TEXT), name, write(questions))
    key = visit.session_state["state"].document
    kept = visit.session_state["state"].questions[key]
    version = STORE.get(key).document.version
    assert [one.question for one in kept] == [one.question for one in questions[:2]]
    for one in kept:
        assert one.document_sha256 == version
        assert [TEXT[part.start : part.end] for part in one.references] == [part.quote for part in one.references]
    found = reports(visit)
    assert plain(f"2 of 3 questions of {name} are kept.") in found
    assert sum("moved from" in one for one in found) == 1
    assert sum("not in the document" in one for one in found) == 1
    press(visit, "Draw the map")
    assert visit.session_state["map"].is_whole
    assert f"When do boats leave? {MARKUP}" in list(visit.dataframe[0].value["Question"])
    press(visit, "Remove my questions")
    assert visit.info
    assert not reports(visit)


def test_a_report_says_which_question_it_is_about():
    questions = [
        own_question(TEXT, "The sea is cold in May.", "How is the sea?"),
        own_question("Cows fly.", "Cows fly.", "Who flies?"),
    ]
    visit = bring(own_text(page(), TEXT), "set.jsonl", write_jsonl(questions))
    (found,) = [one for one in reports(visit) if "not in the document" in one]
    assert "uestion 2" in found or "Who flies" in found


def test_reports_that_are_not_shown_are_counted():
    many = [own_question("Cows fly.", "Cows fly.", f"Who flies {number}?") for number in range(40)]
    visit = bring(own_text(page(), TEXT), "set.jsonl", write_jsonl(many))
    found = reports(visit)
    assert len(found) <= known.SHOWN_REPORTS + 1
    hidden = 40 - sum("not in the document" in one for one in found)
    assert any(f"{hidden} more" in one for one in found)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("set.jsonl", b"not json\n", ("Line 1", "no JSON")),
        ("set.jsonl", b'{"question": "a"}\n', ("Line 1", "references")),
        ("set.jsonl", b'\n\n{"question": "", "references": [{"start": 0, "end": 2}]}', ("Line 3", "empty")),
        ("set.csv", b"question;start;end\n", ("Line 1", "lacks")),
        ("set.csv", b"question,start,end\nWhy?,9,2\n", ("Line 2", "the end must lie after the start")),
        ("set.csv", b'question,start,end\n"Why', ("Line 2", "no CSV")),
        ("set.jsonl", b"\xff\xfe\x00\x01", ("Line 1", "UTF", "8")),
        ("<b>set</b>.jsonl", b"[1]", ("Line 1", "object")),
    ],
)
def test_a_broken_file_is_refused_with_its_name_and_line(name, data, words):
    visit = bring(page(), name, data)
    (found,) = reports(visit)
    assert found.startswith(plain(name))
    assert all(word in found for word in words)
    assert visit.session_state["state"].questions.get(FIRST_DOCUMENT, []) == []


def test_an_empty_file_keeps_nothing_and_says_so():
    (found,) = reports(bring(page(), "set.jsonl", b""))
    assert "0 of 0 questions" in found


def test_markup_in_files_and_names_is_shown_as_text():
    line = json.dumps({"question": MARKUP, "references": [{"start": MARKUP, "end": 3}]})
    visit = bring(page(), f"{MARKUP}.jsonl", line)
    (found,) = reports(visit)
    bare = found.replace("\\\\", "")
    for opener in "<[*:":
        assert bare.count(opener) == bare.count("\\" + opener) > 0


def test_the_bundled_set_taken_home_and_brought_back_is_not_asked_twice(offered):
    """Every question twice would make the intervals narrower than they are."""
    visit = page()
    data = offered["Questions as JSON Lines"]["data"]
    count = len(asked_of(FIRST_DOCUMENT))
    bring(visit, "questions.jsonl", data)
    assert any(found.value.startswith(f"{count} questions about 1 document") for found in visit.caption)


def test_one_set_brought_twice_is_kept_once():
    data = write_jsonl([own_question(TEXT, "nine")])
    visit = bring(bring(own_text(page(), TEXT), "a.jsonl", data), "b.jsonl", data)
    (kept,) = visit.session_state["state"].questions.values()
    assert len(kept) == 1


def test_no_more_questions_are_said_to_be_kept_than_are(monkeypatch):
    monkeypatch.setattr(known, "MOST", 3)
    many = [own_question(TEXT, "nine", f"When {number}?") for number in range(5)]
    visit = bring(own_text(page(), TEXT), "set.jsonl", write_jsonl(many))
    (kept,) = visit.session_state["state"].questions.values()
    assert len(kept) == 3
    assert not any("5 of 5" in found for found in reports(visit))


def test_questions_of_one_document_are_not_asked_of_another():
    data = write_jsonl([own_question(TEXT, "nine")])
    visit = bring(own_text(page(), TEXT), "a.jsonl", data)
    own_text(visit, TEXT + " And more.")
    assert [found.value for found in visit.info]


@pytest.mark.parametrize("name", ["multilingual.md", "tide-tables.csv", FIRST_DOCUMENT])
def test_downloaded_questions_read_back_equal(offered, name):
    page(doc=name)
    questions = list(sample_questions(STORE.get(name).document))
    assert questions
    assert read_jsonl(offered["Questions as JSON Lines"]["data"]) == questions
    assert read_csv(offered["Questions as CSV"]["data"]) == questions


def test_there_is_nothing_to_download_where_there_are_no_questions(offered):
    own_text(page(), TEXT)
    assert offered["Questions as CSV"]["disabled"]
    assert offered["Questions as JSON Lines"]["disabled"]


# --- the run as a file -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scope", ["This document", "All bundled documents"])
def test_a_downloaded_run_repeats_to_the_digit(few, offered, scope):
    visit = choose(page(parents=2), scope=scope, retriever="fused")
    press(visit, "Draw the map")
    run = run_files.read_json(offered["Run as JSON"]["data"])
    assert run_files.read_csv(offered["Run as CSV"]["data"]) == run
    names = (FIRST_DOCUMENT,) if scope == "This document" else sample_names()
    again, note = repeated(run, [STORE.get(name) for name in names], [one for name in names for one in asked_of(name)])
    assert again == run
    assert note == ""
    assert [row.config for row in run.rows] == [to_config(one) for one in visit.session_state["map"].values]


# --- the stage ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [1, 9, 100])
@pytest.mark.parametrize("length", [20, 601, 10_000])
def test_any_question_that_a_set_may_hold_can_be_asked(parts, length):
    """Else choosing it would stop the stage."""
    prepared = prepare(Document("😀" + TEXT * 3))
    one = Question("é" * length, tuple(Reference(at, at + 1) for at in range(1, parts + 1)))
    (given,) = staging.as_spans(prepared, [one])
    assert Ask.of({"question": given["question"], "answers": given["spans"]}).answers


@pytest.fixture
def adds(monkeypatch):
    """`adds(found)`: what the own questions of a document are after the stage sent `found`."""
    prepared = prepare(Document("😀 " + TEXT))
    state = State("playground", "key", [DEFAULTS], [])
    monkeypatch.setattr(staging, "session", lambda: state)
    monkeypatch.setattr(staging, "opened", lambda _: prepared)

    def send(found):
        monkeypatch.setattr(st, "session_state", {"stage": {"question": found}})
        staging._add_question("stage")
        return state.questions.get("key", [])

    return send


def test_a_question_for_selected_text_is_kept_with_its_quote(adds):
    start = 3 + TEXT.index("The sea")  # the face is two units
    message = {"question": "How is the sea?", "start": start, "end": start + 7, "doc": "key"}
    (one,) = adds(message)
    assert one.references == (Reference(start - 1, start + 6, "The sea"),)
    assert (one.question, one.tag, one.demo) == ("How is the sea?", known.OWN, False)
    assert adds(message) == [one]


@pytest.mark.parametrize(
    "found",
    [
        None,
        [],
        "question",
        {},
        {"doc": "other", "question": "Why?", "start": 3, "end": 5},
        {"doc": "key", "question": "Why?", "start": 3},
        {"doc": "key", "question": "Why?", "start": 5, "end": 5},
        {"doc": "key", "question": "Why?", "start": 9, "end": 3},
        {"doc": "key", "question": "Why?", "start": 10**6, "end": 10**7},
        {"doc": "key", "question": "Why?", "start": 10**30, "end": 10**31},
        {"doc": "key", "question": "Why?", "start": float("nan"), "end": 5},
        {"doc": "key", "question": "Why?", "start": 0, "end": float("inf")},
        {"doc": "key", "question": "Why?", "start": "x", "end": []},
        {"doc": "key", "question": "", "start": 3, "end": 5},
        {"doc": "key", "question": " \n", "start": 3, "end": 5},
        {"doc": "key", "question": None, "start": 3, "end": 5},
        {"doc": "key", "question": ["Why?"], "start": 3, "end": 5},
        {"doc": "key", "question": "x" * 10_001, "start": 3, "end": 5},
        {"doc": "key", "question": "\ud800", "start": 3, "end": 5},
    ],
    ids=lambda found: ascii(found)[:60],
)
def test_what_is_no_question_is_not_kept(adds, found):
    assert adds(found) == []


def test_own_questions_come_after_the_bundled_ones():
    state = State("playground", FIRST_DOCUMENT, [DEFAULTS], [])
    prepared = STORE.get(FIRST_DOCUMENT)
    bundled = sample_questions(prepared.document)
    added = replace(bundled[0], question="Another one?", tag=known.OWN)
    known.add_questions(state, FIRST_DOCUMENT, [added, added])
    assert known.known_questions(state, FIRST_DOCUMENT, prepared) == (*bundled, added)
