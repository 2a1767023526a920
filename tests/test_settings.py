"""The settings table: defaults, bounds, and the nearest valid value for whatever a link or a message holds."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.core.config import BOILERPLATE, SNAPS, TAILS, ChunkingConfig
from playground.core.modes import MODES
from playground.core.outline.forms import FORMS
from playground.core.rulers import UNITS
from playground.core.separators import LONGEST, MOST, PRESETS
from playground.core.thresholds import THRESHOLDS
from playground.resources import TOKENIZERS
from playground.settings import (
    BY_NAME,
    SETTINGS,
    Choice,
    Ladder,
    Whole,
    as_table,
    changed,
    overlap_units,
    parse,
    shown,
    to_config,
)
from playground.settings.kinds import ladder_of, spelled_ladder

DEFAULTS = {
    "mode": "fixed",
    "unit": "token",
    "size": 120,
    "overlap": 15,
    "tokenizer": "cl100k_base",
    "tail": "stop",
    "separators": "prose",
    "form": "auto",
    "context": "on",
    "boilerplate": "keep",
    "threshold": "percentile",
    "amount": 20,
    "window": 3,
    "parents": 0,
    "smallest": 0,
    "snap": "cut",
}
ALWAYS = ("mode", "unit", "size", "overlap", "tokenizer", "tail")
MARKUP = "<img src=x onerror=alert(1)>"
CHOICES = [setting for setting in SETTINGS if isinstance(setting, Choice)]
WHOLES = [setting for setting in SETTINGS if isinstance(setting, Whole)]
LADDERS = [setting for setting in SETTINGS if isinstance(setting, Ladder)]


def named(settings):
    return [pytest.param(setting, id=setting.name) for setting in settings]


# --- the table ---------------------------------------------------------------------------------------------------


def test_nothing_asked_for_gives_the_defaults_without_a_word():
    assert parse({}) == (DEFAULTS, [])
    assert to_config(DEFAULTS) == ChunkingConfig(mode="fixed", unit="token", size=120, overlap=18)


def test_the_choices_are_what_the_core_knows():
    known = {
        "mode": tuple(MODES),
        "unit": UNITS,
        "tokenizer": TOKENIZERS,
        "tail": TAILS,
        "form": tuple(FORMS),
        "context": ("on", "off"),
        "boilerplate": BOILERPLATE,
        "threshold": tuple(THRESHOLDS),
        "snap": SNAPS,
    }
    assert {setting.name: tuple(setting.choices) for setting in CHOICES} == known


def test_every_setting_says_what_it_is():
    assert len(BY_NAME) == len(SETTINGS) == len(DEFAULTS)
    assert {setting.name for setting in (*CHOICES, *WHOLES, *LADDERS)} == set(BY_NAME)
    for setting in SETTINGS:
        assert setting.label
        assert setting.help.endswith(".")
        assert setting.place in ("main", "mode", "more")


def test_a_setting_says_with_which_values_of_others_it_matters():
    """The page hides it otherwise: a name or a value that is unknown would hide it for ever."""
    for setting in SETTINGS:
        assert (setting.place == "mode") == bool(setting.only)
        for other, values in setting.only.items():
            assert set(values) <= set(BY_NAME[other].choices)
            assert list(BY_NAME).index(other) < list(BY_NAME).index(setting.name)
    modes = {mode: [setting.name for setting in SETTINGS if mode in setting.only.get("mode", ())] for mode in MODES}
    assert modes == {
        "fixed": [],
        "sentence": [],
        "paragraph": [],
        "recursive": ["separators"],
        "structure": ["form", "context", "boilerplate"],
        "semantic": ["threshold", "amount", "window"],
    }


@pytest.mark.parametrize("setting", named(CHOICES))
def test_every_choice_is_taken_as_it_is(setting):
    assert setting.default in setting.choices
    for choice in setting.choices:
        values, notices = parse({setting.name: choice})
        assert values[setting.name] == choice
        assert notices == []
        assert isinstance(to_config(values), ChunkingConfig)


@pytest.mark.parametrize("setting", named(WHOLES))
def test_bounds_and_default_are_taken_as_they_are(setting):
    assert set(setting.bounds) == set(setting.defaults) == set(BY_NAME[setting.by].choices)
    for key, (low, high) in setting.bounds.items():
        assert low <= setting.defaults[key] <= high
        assert parse({setting.by: key})[0][setting.name] == setting.defaults[key]
        for number in (low, setting.defaults[key], high):
            for form in (number, str(number)):
                values, notices = parse({setting.by: key, setting.name: form})
                assert values[setting.name] == number
                assert notices == []
                assert isinstance(to_config(values), ChunkingConfig)


@pytest.mark.parametrize("unit", UNITS)
def test_the_default_follows_the_unit(unit):
    assert parse({"unit": unit})[0]["size"] == BY_NAME["size"].defaults[unit]


def test_the_table_for_the_page_holds_every_setting():
    rows = {row["name"]: row for row in json.loads(json.dumps(as_table()))}
    assert list(rows) == list(BY_NAME)
    for setting in CHOICES:
        assert [choice["value"] for choice in rows[setting.name]["choices"]] == list(setting.choices)
        assert rows[setting.name]["default"] == setting.default
    for setting in WHOLES:
        row = rows[setting.name]
        assert {key: tuple(bounds) for key, bounds in row["bounds"].items()} == dict(setting.bounds)
        assert row["defaults"] == dict(setting.defaults)
        assert list(row["scales"]) == list(row["bounds"])
        assert (row["by"], row["suffix"]) == (setting.by, setting.suffix)
    for setting in LADDERS:
        assert list(rows[setting.name]["presets"]) == list(PRESETS)
    kinds = {name: row["kind"] for name, row in rows.items()}
    assert {kind: sum(found == kind for found in kinds.values()) for kind in kinds.values()} == {
        "choice": 9,
        "whole": 6,
        "ladder": 1,
    }
    assert rows["size"]["scales"] == dict.fromkeys(UNITS, 1)
    assert rows["amount"]["scales"] == {"percentile": 1, "deviation": 10, "absolute": 100}
    assert (rows["overlap"]["suffix"], rows["parents"]["suffix"]) == ("%", " × size")
    assert rows["window"]["only"] == {"mode": ["semantic"]}


# --- what the core is given --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({"mode": "structure", "form": "faq"}, {"form": "faq"}),
        ({"context": "off"}, {"context": False}),
        ({"boilerplate": "leave out"}, {"boilerplate": "leave out"}),
        ({"snap": "sentence"}, {"snap": "sentence"}),
        ({"window": 7}, {"window": 7}),
        ({"threshold": "percentile", "amount": 35}, {"amount": 35.0}),
        ({"threshold": "deviation"}, {"threshold": "deviation", "amount": 1.0}),
        ({"threshold": "deviation", "amount": 25}, {"threshold": "deviation", "amount": 2.5}),
        ({"threshold": "absolute"}, {"threshold": "absolute", "amount": 0.3}),
        ({"threshold": "absolute", "amount": -100}, {"threshold": "absolute", "amount": -1.0}),
        ({"size": 100, "overlap": 0, "parents": 3}, {"size": 100, "overlap": 0, "parent_size": 300}),
        ({"size": 100, "overlap": 0, "parents": 1}, {"size": 100, "overlap": 0, "parent_size": 100}),
        ({"size": 100, "overlap": 0, "smallest": 25}, {"size": 100, "overlap": 0, "min_size": 25}),
        ({"separators": "cjk"}, {"separators": PRESETS["cjk"]}),
        ({"separators": "\\n\\n\n;\n\\s"}, {"separators": ("\n\n", ";", " ")}),
        ({"separators": ""}, {"separators": ()}),
    ],
    ids=repr,
)
def test_a_setting_becomes_the_cores(found, expected):
    values, notices = parse(found)
    assert notices == []
    usual = to_config(DEFAULTS).as_dict() | {"mode": values["mode"]}
    assert to_config(values).as_dict() == usual | expected


def test_the_threshold_says_what_an_amount_may_be():
    values, (notice,) = parse({"threshold": "deviation", "amount": 50})
    assert values == DEFAULTS | {"threshold": "deviation", "amount": 40}
    assert notice == "Amount: “50” is outside 0 to 40; 40 is used."
    assert parse({"amount": -50})[0]["amount"] == 0
    assert parse({"threshold": "absolute", "amount": -50}) == (DEFAULTS | {"threshold": "absolute", "amount": -50}, [])


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("parents", range(13))
def test_parents_are_never_smaller_than_their_children(unit, parents):
    for size in BY_NAME["size"].bounds[unit]:
        config = to_config(parse({"unit": unit, "size": size, "parents": parents})[0])
        assert config.parent_size == (size * parents or None)


# --- what a link says --------------------------------------------------------------------------------------------


def test_a_link_says_what_every_chunking_is_known_by():
    assert changed(DEFAULTS) == {name: DEFAULTS[name] for name in ALWAYS}


@pytest.mark.parametrize(
    ("found", "besides"),
    [
        ({"size": 300, "mode": "sentence"}, {}),
        ({"window": 5}, {"window": 5}),
        ({"parents": 4, "smallest": 10}, {"parents": 4, "smallest": 10}),
        ({"threshold": "deviation"}, {"threshold": "deviation"}),
        ({"threshold": "deviation", "amount": 10}, {"threshold": "deviation"}),
        ({"threshold": "deviation", "amount": 20}, {"threshold": "deviation", "amount": 20}),
        ({"threshold": "percentile", "amount": 10}, {"amount": 10}),
        ({"separators": "prose"}, {}),
        ({"separators": ""}, {"separators": ""}),
        ({"separators": ";"}, {"separators": ";"}),
        ({"context": "off", "snap": "word"}, {"context": "off", "snap": "word"}),
    ],
    ids=repr,
)
def test_a_link_says_besides_what_differs_from_its_default(found, besides):
    values = parse(found)[0]
    assert changed(values) == {name: values[name] for name in ALWAYS} | besides
    assert parse(changed(values)) == (values, [])


# --- ladders -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_a_ready_made_ladder_goes_by_its_name_and_reads_back_where_it_is_spelled(name):
    assert parse({"separators": name}) == (DEFAULTS | {"separators": name}, [])
    assert ladder_of(name) == PRESETS[name]
    row = next(row for row in as_table() if row["name"] == "separators")
    text = row["presets"][name]
    values, notices = parse({"separators": text})
    assert (values["separators"], notices) == (text, [])
    assert ladder_of(text) == PRESETS[name]


@pytest.mark.parametrize(
    ("found", "right"),
    [
        pytest.param("\n".join(f"s{n}" for n in range(MOST + 1)), MOST, id="one too many"),
        pytest.param("a\n" + "x" * (LONGEST + 1) + "\nb", 2, id="one too long"),
    ],
)
def test_a_ladder_too_long_is_shortened_with_a_notice(found, right):
    values, (notice,) = parse({"separators": found})
    assert len(ladder_of(values["separators"])) == right
    assert notice == f"Separators: at most {MOST} of at most {LONGEST} characters each; the rest is left out."
    assert parse(values) == (values, [])


@pytest.mark.parametrize(
    "found", [None, 3, True, [], ["\n"], {}, 1.5, "x" * 100_000], ids=lambda found: f"{found!r:.20}"
)
def test_what_is_no_ladder_becomes_the_default_with_a_notice(found):
    values, (notice,) = parse({"separators": found})
    assert values == DEFAULTS
    assert notice == f"Separators: {shown(found)} is no list of separators; prose is used."


@given(ladder=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=LONGEST),
                       max_size=MOST, unique=True))  # fmt: skip
def test_any_ladder_reads_back_where_it_is_spelled(ladder):
    text = spelled_ladder(ladder)
    values, _ = parse({"separators": text})
    assert ladder_of(values["separators"]) == tuple(ladder) or len(text) > MOST * (2 * LONGEST + 1)
    assert parse(values) == (values, [])


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
KEPT = st.one_of(*(st.sampled_from(tuple(setting.choices)) for setting in CHOICES), st.sampled_from(list(PRESETS)))


@given(found=st.dictionaries(st.one_of(st.sampled_from(list(BY_NAME)), SCALARS), st.one_of(ANYTHING, KEPT)))
def test_any_mapping_gives_valid_settings(found):
    values, notices = parse(found)
    config = to_config(values)  # raises for what cannot be
    assert list(values) == list(BY_NAME)
    assert 0 <= overlap_units(values) == config.overlap < config.size
    for setting in WHOLES:
        low, high = setting.bounds[values[setting.by]]
        assert type(values[setting.name]) is int
        assert low <= values[setting.name] <= high
    assert len(notices) <= len(SETTINGS)
    # What was mended once stays as it is.
    assert parse(values) == (values, [])
    assert parse({name: str(value) for name, value in values.items()}) == (values, [])
    assert parse(changed(values)) == (values, [])


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
