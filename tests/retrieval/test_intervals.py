"""Intervals against published values, closed forms and many simulated question sets."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.retrieval import intervals
from playground.retrieval.intervals import bootstrap_mean, not_separable, questions_needed, wilson


@pytest.mark.parametrize(
    ("successes", "count", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),  # Newcombe (1998), table I
        (15, 148, 0.0624, 0.1605),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_has_the_published_values(successes, count, low, high):
    found = wilson(successes, count)
    assert (found.value, found.count) == (successes / count, count)
    assert found.low == pytest.approx(low, abs=6e-5)
    assert found.high == pytest.approx(high, abs=6e-5)


@given(count=st.integers(1, 500), data=st.data())
def test_wilson_holds_the_share_and_mirrors(count, data):
    successes = data.draw(st.integers(0, count))
    found, mirrored = wilson(successes, count), wilson(count - successes, count)
    assert 0 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1
    assert found.low == pytest.approx(1 - mirrored.high)


def test_wilson_without_questions_knows_nothing():
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)


@pytest.mark.parametrize(("successes", "count"), [(-1, 5), (6, 5)])
def test_a_share_that_cannot_be(successes, count):
    with pytest.raises(ValueError, match="no share"):
        wilson(successes, count)


def test_the_bootstrap_is_near_the_normal_interval_of_a_large_sample():
    values = np.random.default_rng(1).normal(0.4, 0.2, 400)
    found, reach = bootstrap_mean(values), 1.96 * values.std() / math.sqrt(400)
    assert found.value == pytest.approx(values.mean())
    assert found.low == pytest.approx(values.mean() - reach, abs=0.1 * reach)
    assert found.high == pytest.approx(values.mean() + reach, abs=0.1 * reach)


def test_the_bootstrap_interval_holds_the_truth_about_as_often_as_it_says():
    generator = np.random.default_rng(2)
    inside = 0
    for _ in range(300):
        found = bootstrap_mean(generator.random(30), resamples=500)
        inside += found.low <= 0.5 <= found.high
    assert 270 <= inside <= 297  # 285 of 300 would be 95%


def test_the_same_values_give_the_same_interval_and_another_seed_another():
    values = np.random.default_rng(3).random(20)
    assert bootstrap_mean(values) == bootstrap_mean(values.copy())
    assert bootstrap_mean(values) != bootstrap_mean(values, seed=1)


def test_equal_values_have_no_width():
    found = bootstrap_mean([0.25] * 7)
    assert (found.value, found.low, found.high) == (0.25, 0.25, 0.25)


def test_large_sets_are_drawn_in_parts(monkeypatch):
    values = np.random.default_rng(4).random(50)
    whole = bootstrap_mean(values)
    rows, real = [], intervals._drawn
    monkeypatch.setattr(intervals, "_KEPT", 1_000)
    monkeypatch.setattr(intervals, "_drawn", lambda *where: rows.append(where[2]) or real(*where))
    parts = bootstrap_mean(values)
    assert rows == [20] * 100
    assert parts.low == pytest.approx(whole.low, abs=0.01)
    assert parts.high == pytest.approx(whole.high, abs=0.01)


@pytest.mark.parametrize("values", [[], [[0.5]]])
def test_values_that_cannot_be_resampled(values):
    with pytest.raises(ValueError, match="one value for each question"):
        bootstrap_mean(values)


def test_a_pair_on_the_same_questions_is_told_apart_where_two_intervals_overlap():
    hard = np.tile([0.1, 0.9], 20)
    better = hard + 0.05
    assert bootstrap_mean(better).low < bootstrap_mean(hard).high
    assert not_separable(np.stack([hard, better])).tolist() == [False, True]


def test_a_single_question_more_is_no_proof():
    one, other = np.zeros(20), np.zeros(20)
    one[3] = 1
    # A resample of twenty is without that question with probability (19/20)^20 = 0.358, and the settings are even.
    assert not_separable(np.stack([other, one])).tolist() == [True, True]


def test_equal_settings_are_even():
    assert not_separable(np.tile([0.3, 0.7, 0.1], (2, 1))).tolist() == [True, True]


def test_what_cannot_be_told_from_the_best():
    generator = np.random.default_rng(5)
    best = np.where(generator.random(40) < 0.9, 1.0, 0.0)
    same, worse, nearly = best.copy(), np.zeros(40), best.copy()
    nearly[np.flatnonzero(best)[0]] = 0
    values = np.stack([worse, best, same, nearly])
    assert not_separable(values).tolist() == [False, True, True, True]
    assert not_separable(values, best=0).tolist() == [True, False, False, False]


def test_a_mask_is_each_pair_alone():
    values = np.random.default_rng(6).random((8, 25))
    values[2] += 0.3
    expected = [bool(not_separable(np.stack([row, values[2]]), 1)[0]) for row in values]
    assert not_separable(values, 2).tolist() == expected
    assert expected[2]
    assert not all(expected)


@pytest.mark.parametrize(
    ("difference", "deviation", "expected"),
    [(0.5, 1.0, 32), (0.2, 1.0, 197), (0.05, 0.3, 283), (-0.05, 0.3, 283), (0.1, 0.0, 2), (0.0, 0.3, None)],
)
def test_questions_needed_is_the_textbook_number(difference, deviation, expected):
    """((1.960 + 0.842) / 0.5)^2 = 31.4, and so on."""
    assert questions_needed(difference, deviation) == expected


def test_with_so_many_questions_the_difference_is_seen_four_times_of_five():
    count, generator = questions_needed(0.1, 0.4), np.random.default_rng(7)
    sets = [generator.normal(0.1, 0.4, count) for _ in range(200)]
    seen = sum(not not_separable(np.stack([one, np.zeros(count)]), 0, resamples=400)[1] for one in sets)
    assert 145 <= seen <= 180


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95])
def test_a_confidence_that_cannot_be(confidence):
    with pytest.raises(ValueError, match="between 0 and 1"):
        wilson(1, 2, confidence)
