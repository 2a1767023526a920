"""Starting points are what their reasons say: every claim is asked again of the questions that come with the sample."""

from __future__ import annotations

from functools import cache

import pytest

from playground import chunk, describe
from playground.core.modes import MODES
from playground.lessons.starting import FILE, read_starting_points, starting_points
from playground.live.store import STORE, sample_names, sample_questions
from playground.retrieval.grid import compared, grid
from playground.retrieval.ranking import RETRIEVERS
from playground.settings import SETTINGS, parse, to_config

POINTS = {point.name: point for point in starting_points()}
OTHERS = [
    parse({"mode": mode, "unit": "token", "size": size, "overlap": overlap})[0]
    for mode in MODES
    for size in (60, 120, 240, 480)
    for overlap in (0, 15)
]


def asked(sample, values, retriever="bm25"):
    """A cell for each of some settings, asked the sample's own questions."""
    document = STORE.get(sample)
    questions = [one for one in sample_questions(document.document) if not one.demo]
    configs = [to_config(one) for one in values]
    return list(grid(document, questions, configs, retriever, (5,), (500, 1000), with_context=True, phase_count=2))


@cache
def beside_others(name, retriever):
    """The starting point, and then the small grid."""
    return asked(POINTS[name].sample, [dict(POINTS[name].settings), *OTHERS], retriever)


def recall(cell, **depth):
    return cell.mean("token_recall", **depth).value


def chunked(name, **changed):
    point = POINTS[name]
    return chunk(STORE.get(point.sample), to_config({**point.settings, **changed}))


# --- what the file must be ---------------------------------------------------------------------------------------


def test_the_kinds_of_text_are_there_each_with_a_sample_of_its_own():
    assert list(POINTS) == ["prose", "reference", "narrative", "faq", "code"]
    assert {point.sample for point in POINTS.values()} <= set(sample_names())
    assert len({point.sample for point in POINTS.values()}) == len(POINTS)
    assert len({tuple(point.settings.values()) for point in POINTS.values()}) == len(POINTS)


@pytest.mark.parametrize("name", POINTS)
def test_every_point_has_all_settings_and_none_needs_a_notice(name):
    settings = dict(POINTS[name].settings)
    assert list(settings) == [setting.name for setting in SETTINGS]
    assert parse(settings) == (settings, [])
    to_config(settings)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("size = 120, overlap = 15", "size = 9999, overlap = 15", "prose.*outside"),
        ('mode = "sentence"', 'mode = "sentences"', "narrative.*not known"),
        ("overlap = 25", "overlaps = 25", "narrative.*no setting overlaps"),
        ('label = "FAQ"', "label = 7", "faq.*label must be a text"),
        ('label = "FAQ"', 'labels = "FAQ"', "faq.*label must be a text"),
        ('label = "FAQ"', 'label = "FAQ"\nwhy = "so"', "faq.*why is not known"),
        ('name = "faq"', 'name = "code"', "'code' is there 2 times"),
        ("Where nothing is cut", "Really. Where nothing is cut", "faq.*2 sentences at most"),
        ("[[point]]", "[[points]]", "nothing else"),
        ("[[point]]", "[point", "no TOML"),
        (
            'settings = { mode = "sentence", unit = "token", size = 120, overlap = 25 }',
            "",
            "narrative.*settings must be",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said(old, new, said):
    text = FILE.read_text("utf-8")
    assert old in text
    with pytest.raises(ValueError, match=said):
        read_starting_points(text.replace(old, new, 1))


# --- what the settings were chosen for ---------------------------------------------------------------------------


@pytest.mark.parametrize("retriever", RETRIEVERS)
@pytest.mark.parametrize("name", POINTS)
def test_the_questions_cannot_tell_its_recall_from_the_best(name, retriever):
    cells = beside_others(name, retriever)
    for budget in (500, 1000):
        result = compared(cells, "token_recall", budget=budget)
        assert result.inseparable[0], (budget, result.means[0], result.means[result.best])
        assert not result.inseparable.all()  # else any settings would do


@pytest.mark.parametrize("name", POINTS)
def test_nor_its_iou_under_the_pages_own_ranking(name):
    result = compared(beside_others(name, "bm25"), "iou", budget=500)
    assert result.inseparable[0]
    assert not result.inseparable.all()


@pytest.mark.parametrize("retriever", RETRIEVERS)
@pytest.mark.parametrize("name", POINTS)
def test_it_finds_more_than_fixed_windows_of_the_same_size(name, retriever):
    own = dict(POINTS[name].settings)
    here, fixed = asked(POINTS[name].sample, [own, {**own, "mode": "fixed"}], retriever)
    assert recall(here, budget=1000) > recall(fixed, budget=1000)


# --- what the reasons say ----------------------------------------------------------------------------------------


def torn(cell):
    return int(cell.evaluations[0].torn.sum())


def test_prose_smaller_chunks_hold_less_beside_the_answer_but_tear_more():
    own = dict(POINTS["prose"].settings)
    here, smaller = asked(POINTS["prose"].sample, [own, {**own, "size": 40}])
    assert smaller.mean("precision_omega").value > here.mean("precision_omega").value
    assert torn(smaller) > torn(here) == 0
    contexts = [one.context for one in chunked("prose")]
    assert sum(map(bool, contexts)) > len(contexts) / 2


def test_reference_small_chunks_hold_little_beside_the_answer_and_five_of_them_are_few():
    own = dict(POINTS["reference"].settings)
    here, larger = asked(POINTS["reference"].sample, [own, {**own, "size": 240}])
    assert here.mean("precision_omega").value > larger.mean("precision_omega").value
    assert recall(here, k=5) < recall(larger, k=5)
    assert recall(here, budget=500) > recall(larger, budget=500)


def test_narrative_has_no_headings_and_a_wide_overlap_tears_less():
    own = dict(POINTS["narrative"].settings)
    here, without = asked(POINTS["narrative"].sample, [own, {**own, "overlap": 0}])
    assert torn(without) > torn(here) == 0
    assert not any(one.context for one in chunked("narrative", mode="structure"))


def test_faq_a_question_and_its_answer_are_one_chunk():
    first, *pairs = chunked("faq")
    assert "###" not in first.text
    assert len(pairs) == 40
    assert all(one.text.count("### ") == 1 and "?\n" in one.text for one in pairs)
    assert len(chunked("faq", size=2048)) == len(pairs) + 1  # the size bounds nothing here
    assert describe(chunked("faq")).duplicated_percent == 0


@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_code_blank_lines_find_more_than_whole_functions(retriever):
    own = dict(POINTS["code"].settings)
    functions = [{**own, "mode": "structure", "size": size} for size in (120, 240, 480)]
    here, *others = asked(POINTS["code"].sample, [own, *functions], retriever)
    assert recall(here, budget=500) > max(recall(one, budget=500) for one in others)
    assert describe(chunked("code")).duplicated_percent > 0
