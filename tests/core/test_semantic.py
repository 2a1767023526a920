"""The similarity curve, its thresholds and its valleys, each against a second way to compute it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from playground.core.semantic import (
    FEW_SENTENCES,
    THRESHOLDS,
    breakpoints,
    sentence_sums,
    similarity_curve,
    threshold_value,
    worth_it,
)
from playground.core.sentences import sentence_starts
from playground.core.vectors import SpanVectors
from playground.resources.embeddings import embedding

SAMPLES = Path(__file__).parents[2] / "sample_docs"
SEA = "The boat sails on the sea. A ship crosses the ocean. Sailors watch the waves. The harbour lies in the wind. "
TAX = "Invoices are paid by the bank. Taxes are due in May. The auditor checks the accounts. Interest is charged. "
curves = arrays(np.float32, st.integers(0, 40), elements=st.sampled_from([0.0, 0.125, 0.25, 0.5, 0.75]))
floats = arrays(np.float32, st.integers(1, 40), elements=st.floats(-1, 1, width=32))


def curve_of(text: str, window: int = 3) -> np.ndarray:
    return similarity_curve(sentence_sums(text, sentence_starts(text)), window)


def naive_curve(sums: np.ndarray, window: int) -> list[float]:
    values = []
    for at in range(1, len(sums)):
        before = sums[max(0, at - window) : at].astype(float).sum(axis=0)
        after = sums[at : at + window].astype(float).sum(axis=0)
        scale = np.linalg.norm(before) * np.linalg.norm(after)
        values.append(before @ after / scale if scale else 1.0)
    return values


def naive_breakpoints(curve: list[float], threshold: float) -> list[int]:
    """Walk out from each value over its equals to the first different value on both sides."""
    found = []
    for at, value in enumerate(curve):
        low = high = at
        while low > 0 and curve[low - 1] == value:
            low -= 1
        while high + 1 < len(curve) and curve[high + 1] == value:
            high += 1
        beside = [curve[i] for i in (low - 1, high + 1) if 0 <= i < len(curve)]
        if value <= threshold and beside and min(beside) > value and at == (low + high) // 2:
            found.append(at)
    return found


# --- sums of sentences ---------------------------------------------------------------------------------------


def test_sentence_sums_are_those_of_the_tokens_inside():
    text = (SAMPLES / "multilingual.md").read_text("utf-8")
    starts = sentence_starts(text)
    sums = sentence_sums(text, starts)
    assert sums.dtype == np.float32
    ids, places = embedding().encode(text)
    owner = np.searchsorted(starts, places, side="right") - 1
    expected = np.zeros((len(starts), 256))
    np.add.at(expected, owner, embedding().matrix[ids].astype(float))
    assert np.abs(sums - expected).max() < 1e-3
    assert np.array_equal(sums, sentence_sums(SpanVectors.of(text), starts))


@pytest.mark.parametrize(("text", "sentences"), [("", 0), ("One.", 1), (" \n ", 1), ("One. Two.", 2)])
def test_the_smallest_texts(text, sentences):
    sums = sentence_sums(text, sentence_starts(text))
    assert sums.shape == (sentences, 256)
    curve = similarity_curve(sums, 3)
    assert curve.shape == (max(0, sentences - 1),)
    for kind in THRESHOLDS:
        assert breakpoints(curve, threshold_value(curve, kind, 1)).tolist() == []


# --- the curve -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("window", [1, 2, 3, 5, 8, 13, 10_000])
@pytest.mark.parametrize("name", ["company-handbook.md", "multilingual.md", "thousand-tokens.txt"])
def test_the_curve_equals_the_definition(name, window):
    text = (SAMPLES / name).read_text("utf-8")
    sums = sentence_sums(text, sentence_starts(text))
    curve = similarity_curve(sums, window)
    assert curve.dtype == np.float32
    assert np.allclose(curve, naive_curve(sums, window), atol=1e-5)
    assert (np.abs(curve) <= 1).all()


@given(arrays(np.int8, st.tuples(st.integers(0, 30), st.just(4)), elements=st.integers(-2, 2)), st.integers(1, 40))
def test_the_curve_of_any_sums_equals_the_definition(sums, window):
    assert np.allclose(similarity_curve(sums.astype(np.float32), window), naive_curve(sums, window), atol=1e-5)


@pytest.mark.parametrize("window", [1, 3, 300])
def test_more_sentences_than_are_computed_at_once(window):
    sums = np.random.default_rng(3).standard_normal((1500, 8)).astype(np.float32)
    assert np.allclose(similarity_curve(sums, window), naive_curve(sums, window), atol=1e-5)


def test_nothing_speaks_for_a_change_where_a_side_is_blank():
    sums = np.array([[1, 0], [0, 0], [0, 0], [0, 1]], np.float32)
    assert similarity_curve(sums, 1).tolist() == [1, 1, 1]
    assert similarity_curve(sums, 3).tolist() == [0, 0, 0]


@pytest.mark.parametrize("window", [0, -1])
def test_a_window_of_no_sentence_is_refused(window):
    with pytest.raises(ValueError, match="at least 1"):
        similarity_curve(np.zeros((3, 256), np.float32), window)


# --- the threshold -------------------------------------------------------------------------------------------


@given(floats, st.integers(1, 100))
def test_the_percentile_holds_at_least_its_share(curve, percent):
    threshold = threshold_value(curve, "percentile", percent)
    share = 1 + percent * (len(curve) - 1) // 100
    assert (curve.astype(float) <= threshold + 1e-12).sum() >= share
    assert (curve.astype(float) < threshold - 1e-12).sum() <= share


def test_thresholds_by_hand():
    curve = np.array([0.0, 0.25, 0.5, 0.75, 1.0], np.float32)
    assert threshold_value(curve, "percentile", 25) == 0.25
    assert threshold_value(curve, "percentile", 10) == pytest.approx(0.1)
    assert threshold_value(curve, "percentile", 100) == 1
    assert threshold_value(curve, "deviation", 0) == 0.5
    assert threshold_value(curve, "deviation", 1) == pytest.approx(0.5 - 0.125**0.5)
    assert threshold_value(curve, "absolute", 0.3) == 0.3


def test_percentile_zero_cuts_nothing_and_the_least_percent_the_lowest():
    curve = np.array([0.5, 0.1, 0.5, 0.2, 0.5], np.float32)
    assert breakpoints(curve, threshold_value(curve, "percentile", 0)).tolist() == []
    assert breakpoints(curve, threshold_value(curve, "percentile", 0.1)).tolist() == [1]
    assert breakpoints(curve, threshold_value(curve, "percentile", 100)).tolist() == [1, 3]


@pytest.mark.parametrize(
    ("kind", "amount", "message"),
    [
        ("percentile", -1, "0 to 100"),
        ("percentile", 101, "0 to 100"),
        ("quartile", 1, "unknown threshold 'quartile'"),
        ("deviation", float("nan"), "give a number"),
        ("absolute", float("inf"), "give a number"),
    ],
)
def test_wrong_thresholds_are_refused(kind, amount, message):
    with pytest.raises(ValueError, match=message):
        threshold_value(np.array([0.5, 0.6], np.float32), kind, amount)


def test_without_a_boundary_there_is_still_a_number():
    empty = np.zeros(0, np.float32)
    assert [threshold_value(empty, kind, 0.5) for kind in ("percentile", "deviation", "absolute")] == [-1, -1, 0.5]


# --- valleys -------------------------------------------------------------------------------------------------


@given(curves, st.sampled_from([-1.0, 0.0, 0.2, 0.25, 0.6, 1.0]))
def test_breakpoints_equal_the_walk_over_equals(curve, threshold):
    found = breakpoints(curve, threshold)
    assert found.dtype == np.int32
    assert found.tolist() == naive_breakpoints(curve.tolist(), threshold)


@given(floats, st.floats(-1, 1), st.floats(-1, 1))
def test_a_higher_threshold_only_adds_cuts(curve, one, other):
    few, many = (set(breakpoints(curve, threshold).tolist()) for threshold in sorted((one, other)))
    assert few <= many


@given(floats)
def test_between_two_cuts_the_curve_rises(curve):
    cuts = breakpoints(curve, 1).tolist()
    for left, right in pairwise(cuts):
        assert curve[left : right + 1].max() > max(curve[left], curve[right])


@pytest.mark.parametrize("kind", THRESHOLDS)
@pytest.mark.parametrize(
    ("unit", "window"),
    [("The lamp burns all night. ", 1), ("The lamp burns all night. ", 3), ("The lamp burns. Taxes are due. ", 1)],
)
def test_level_curves_are_not_cut(unit, window, kind):
    curve = curve_of(unit * 60, window)
    assert np.ptp(curve) < 1e-5
    assert breakpoints(curve, threshold_value(curve, kind, 1)).tolist() == []


@pytest.mark.parametrize("kind", THRESHOLDS)
def test_rounding_is_no_valley(kind):
    curve = (0.7 + np.random.default_rng(1).uniform(-1e-6, 1e-6, 200)).astype(np.float32)
    assert breakpoints(curve, threshold_value(curve, kind, 1)).tolist() == []


@pytest.mark.parametrize("window", [2, 3, 4])
@pytest.mark.parametrize(("kind", "amount"), [("percentile", 5), ("deviation", 1.5), ("absolute", 0.1)])
def test_the_change_of_subject_is_found_once(kind, amount, window):
    text = SEA * 2 + TAX * 2
    starts = sentence_starts(text)
    curve = similarity_curve(sentence_sums(text, starts), window)
    cuts = breakpoints(curve, threshold_value(curve, kind, amount))
    assert [text[starts[cut + 1] :] for cut in cuts] == [TAX * 2]


# --- whether it is worth it ----------------------------------------------------------------------------------


def test_few_sentences_are_not_worth_it():
    assert f"fewer than {FEW_SENTENCES}" in worth_it(curve_of(SEA))
    assert "fewer" in worth_it(np.zeros(0, np.float32))


def test_a_level_curve_is_not_worth_it():
    assert "hardly varies" in worth_it(curve_of("The lamp burns all night. " * 60))
    assert "hardly varies" in worth_it(curve_of((SAMPLES / "thousand-tokens.txt").read_text("utf-8")))


def test_a_slope_has_no_valley():
    assert "no clear valley" in worth_it(np.linspace(0.9, 0.1, 60, dtype=np.float32))


def test_the_depth_of_a_valley_is_to_its_lower_shoulder():
    """On a slope from 0.9 down to 0.1, a dip of 0.05 is not clear, one of 0.15 is."""
    slope = np.linspace(0.9, 0.1, 60, dtype=np.float32)
    for dip, clear in ((0.05, False), (0.15, True)):
        dipped = slope.copy()
        dipped[30] = dipped[31] - dip
        assert (worth_it(dipped) is None) is clear


@pytest.mark.parametrize("window", [1, 2, 3, 5, 8])
@pytest.mark.parametrize(
    "name", ["company-handbook.md", "lighthouse-narrative.txt", "api-reference.md", "multilingual.md"]
)
def test_documents_of_many_subjects_are_worth_it(name, window):
    assert worth_it(curve_of((SAMPLES / name).read_text("utf-8"), window)) is None
