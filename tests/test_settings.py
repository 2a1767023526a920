"""The settings table: defaults, bounds, and the nearest valid value for whatever a link or a message holds."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.core.config import TAILS, ChunkingConfig
from playground.core.modes import MODES
from playground.core.rulers import UNITS
from playground.resources import TOKENIZERS
from playground.settings import BY_NAME, SETTINGS, Choice, Whole, as_table, overlap_units, parse, shown, to_config

DEFAULTS = {
    "mode": "fixed",
    "unit": "token",
    "size": 120,
    "overlap": 15,
    "tokenizer": "cl100k_base",
    "tail": "stop",
}
MARKUP = "<img src=x onerror=alert(1)>"
CHOICES = [setting for setting in SETTINGS if isinstance(setting, Choice)]
WHOLES = [setting for setting in SETTINGS if isinstance(setting, Whole)]


def named(settings):
    return [pytest.param(setting, id=setting.name) for setting in settings]


# --- the table ---------------------------------------------------------------------------------------------------


def test_nothing_asked_for_gives_the_defaults_without_a_word():
    assert parse({}) == (DEFAULTS, [])
    assert to_config(DEFAULTS) == ChunkingConfig(mode="fixed", unit="token", size=120, overlap=18)


def test_the_choices_are_what_the_core_knows():
    known = {"mode": tuple(MODES), "unit": UNITS, "tokenizer": TOKENIZERS, "tail": TAILS}
    assert {setting.name: tuple(setting.choices) for setting in CHOICES} == known


def test_every_setting_says_what_it_is():
    assert len(BY_NAME) == len(SETTINGS)
    for setting in SETTINGS:
        assert setting.label
        assert setting.help.endswith(".")


@pytest.mark.parametrize("setting", named(CHOICES))
def test_every_choice_is_taken_as_it_is(setting):
    assert setting.default in setting.choices
    for choice in setting.choices:
        values, notices = parse({setting.name: choice})
        assert values[setting.name] == choice
        assert notices == []
        assert isinstance(to_config(values), ChunkingConfig)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("setting", named(WHOLES))
def test_bounds_and_default_are_taken_as_they_are(setting, unit):
    low, high = setting.bounds[unit]
    assert low <= setting.defaults[unit] <= high
    for number in (low, setting.defaults[unit], high):
        for form in (number, str(number)):
            values, notices = parse({"unit": unit, setting.name: form})
            assert values[setting.name] == number
            assert notices == []


@pytest.mark.parametrize("unit", UNITS)
def test_the_default_follows_the_unit(unit):
    assert parse({"unit": unit})[0]["size"] == BY_NAME["size"].defaults[unit]


def test_the_table_for_the_page_holds_every_setting():
    rows = {row["name"]: row for row in json.loads(json.dumps(as_table()))}
    assert list(rows) == list(BY_NAME)
    for setting in CHOICES:
        assert [choice["value"] for choice in rows[setting.name]["choices"]] == list(setting.choices)
    for setting in WHOLES:
        assert {unit: tuple(bounds) for unit, bounds in rows[setting.name]["bounds"].items()} == dict(setting.bounds)


# --- what cannot be ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "found", "unit", "right"),
    [
        ("size", "-5", "token", 8),
        ("size", -5, "character", 20),
        ("size", 0, "word", 5),
        ("size", "0", "token", 8),
        ("size", "1000000", "token", 2048),
        ("size", 10**30, "character", 8000),
        ("size", "9" * 30, "word", 1500),
        ("size", 1e308, "word", 1500),
        ("size", -1e308, "word", 5),
        ("overlap", "100", "token", 90),
        ("overlap", 91, "character", 90),
        ("overlap", "-1", "word", 0),
        ("overlap", 10**9, "token", 90),
    ],
)
def test_a_number_out_of_bounds_becomes_the_nearest_bound(name, found, unit, right):
    values, (notice,) = parse({"unit": unit, name: found})
    assert values[name] == right
    assert notice.startswith(BY_NAME[name].label)
    assert shown(found) in notice
    assert f"{right:,} is used" in notice


@pytest.mark.parametrize(
    ("found", "right"),
    [(150.7, 151), ("150.7", 151), (12.4, 12), ("12.4", 12), ("1e3", 1000), (3.9, 8), ("-0.5", 8), ("2048.4", 2048)],
)
def test_a_fraction_becomes_the_nearest_whole_number_with_a_notice(found, right):
    values, notices = parse({"size": found})
    assert values["size"] == right
    if float(found) != right:
        assert len(notices) == 1
        assert shown(found) in notices[0]


def test_a_whole_number_written_as_a_fraction_needs_no_notice():
    assert parse({"size": 150.0, "overlap": 20.0}) == (DEFAULTS | {"size": 150, "overlap": 20}, [])


@pytest.mark.parametrize(
    "found", ["", " ", "foo", "12a", "0x10", "½", "NaN", math.nan, None, True, False, [], [120], {}, {"a": 1}, MARKUP]
)
@pytest.mark.parametrize("setting", named(WHOLES))
def test_what_is_no_number_becomes_the_default_with_a_notice(setting, found):
    values, (notice,) = parse({setting.name: found})
    assert values == DEFAULTS
    assert notice == f"{setting.label}: {shown(found)} is not a whole number; {DEFAULTS[setting.name]} is used."


@pytest.mark.parametrize(
    ("found", "right"),
    [
        pytest.param("9" * 5000, 2048, id="5,000 digits in a link"),
        pytest.param("-" + "9" * 5000, 8, id="5,000 digits below zero in a link"),
        pytest.param(10**5000, 2048, id="5,001 digits"),
        pytest.param(-(10**5000), 8, id="5,001 digits below zero"),
        pytest.param(10**400, 2048, id="larger than any float"),
        pytest.param("1e999", 2048, id="infinite in a link"),
        pytest.param(math.inf, 2048, id="infinite"),
        pytest.param(-math.inf, 8, id="infinite below zero"),
    ],
)
def test_a_number_beyond_all_bounds_is_still_a_number(found, right):
    """Python refuses to turn more than 4,300 digits into a number or back, so this takes some care."""
    values, (notice,) = parse({"size": found})
    assert values["size"] == right
    assert len(notice) < 200


@pytest.mark.parametrize(
    "found", ["", "foo", "FIXED", " fixed", 0, 1.5, None, True, math.nan, [], ["fixed"], {"fixed": 1}, MARKUP]
)
@pytest.mark.parametrize("setting", named(CHOICES))
def test_an_unknown_choice_becomes_the_default_with_a_notice(setting, found):
    values, (notice,) = parse({setting.name: found})
    assert values == DEFAULTS
    assert shown(found) in notice
    assert f"{setting.default} is used" in notice
    assert all(choice in notice for choice in setting.choices)


def test_a_link_with_several_impossible_settings():
    values, notices = parse({"mode": "foo", "size": "-5", "overlap": "300", "unit": "word", "tail": MARKUP})
    assert values == DEFAULTS | {"unit": "word", "size": 5, "overlap": 90}
    assert [notice.split(":")[0] for notice in notices] == ["Mode", "Size", "Overlap", "Tail"]


def test_an_impossible_unit_is_mended_before_the_size_is_judged():
    values, notices = parse({"size": 8000, "unit": "page"})
    assert values == DEFAULTS | {"size": 2048}
    assert len(notices) == 2


def test_what_is_no_setting_is_left_alone():
    assert parse({"page": "compare", "b_size": "-5", "": "", 3: 4}) == (DEFAULTS, [])


def test_a_notice_quotes_at_most_forty_characters():
    assert shown("x" * 41) == f"“{'x' * 40}…”"
    assert shown("x" * 40) == f"“{'x' * 40}”"
    assert len(parse({"mode": "m" * 100_000})[1][0]) < 200


# --- any mapping at all ------------------------------------------------------------------------------------------

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.integers(-100, 10_000).map(str),
    st.sampled_from([MARKUP, "NaN", "١٢", "1_0", "-0", "1e5", "0.5"]),
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3), st.tuples(inner)
    ),
    max_leaves=3,
)
KEPT = st.one_of(*(st.sampled_from(tuple(setting.choices)) for setting in CHOICES))


@given(found=st.dictionaries(st.one_of(st.sampled_from(list(BY_NAME)), SCALARS), st.one_of(ANYTHING, KEPT)))
def test_any_mapping_gives_valid_settings(found):
    values, notices = parse(found)
    config = to_config(values)  # raises for what cannot be
    assert list(values) == list(BY_NAME)
    assert 0 <= overlap_units(values) == config.overlap < config.size
    for setting in WHOLES:
        low, high = setting.bounds[config.unit]
        assert type(values[setting.name]) is int
        assert low <= values[setting.name] <= high
    assert len(notices) <= len(SETTINGS)
    # What was mended once stays as it is.
    assert parse(values) == (values, [])
    assert parse({name: str(value) for name, value in values.items()}) == (values, [])


@given(size=st.integers(1, 10**9), overlap=st.integers(0, 90))
def test_the_overlap_is_always_smaller_than_the_size(size, overlap):
    units = overlap_units({"size": size, "overlap": overlap})
    assert units == math.floor(Fraction(size * overlap, 100)) < size


@given(found=st.one_of(st.integers(), st.floats(allow_nan=False)), unit=st.sampled_from(UNITS))
def test_no_valid_size_is_nearer_than_the_one_that_is_used(found, unit):
    values, _ = parse({"unit": unit, "size": found})
    low, high = BY_NAME["size"].bounds[unit]
    used = values["size"]
    neighbours = [number for number in (used - 1, used + 1) if low <= number <= high]
    if not math.isinf(found):
        assert all(abs(Fraction(found) - used) <= abs(Fraction(found) - number) for number in neighbours)
    else:
        assert used == (high if found > 0 else low)
