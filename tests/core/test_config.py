"""Settings are a value: checked once, with messages that name the field and say what would do."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground import ChunkingConfig, ConfigError


def test_the_defaults():
    config = ChunkingConfig()
    assert config.as_dict() == {
        "mode": "fixed",
        "unit": "token",
        "size": 240,
        "overlap": 40,
        "tokenizer": "cl100k_base",
        "tail": "stop",
        "min_size": None,
        "parent_size": None,
        "snap": "cut",
        "separators": ("\n\n", "\n", "{sentence}", " "),
        "form": "auto",
        "context": True,
        "boilerplate": "keep",
        "threshold": "percentile",
        "amount": 20.0,
        "window": 3,
    }


@given(size=st.integers(1, 10**9), data=st.data())
def test_stride_is_what_is_new_in_each_window(size, data):
    overlap = data.draw(st.integers(0, size - 1))
    config = ChunkingConfig(size=size, overlap=overlap)
    assert config.stride == size - overlap >= 1
    assert (config.size, config.overlap) == (size, overlap)


def test_the_smallest_tail_is_a_quarter_unless_given():
    assert ChunkingConfig(size=10, overlap=0).smallest_tail == 2
    assert ChunkingConfig(size=3, overlap=0).smallest_tail == 0
    assert ChunkingConfig(size=10, overlap=0, min_size=0).smallest_tail == 0
    assert ChunkingConfig(size=10, overlap=0, min_size=70).smallest_tail == 70


@given(size=st.integers(1, 10**6), more=st.integers(0, 100))
def test_an_overlap_that_is_not_below_the_size_is_refused(size, more):
    with pytest.raises(ConfigError) as refused:
        ChunkingConfig(size=size, overlap=size + more)
    message = str(refused.value)
    assert message.startswith(f"overlap is {size + more} and size is {size}: ")
    assert message.endswith(f"Choose an overlap of at most {size - 1}.")


@pytest.mark.parametrize("field", ["size", "overlap", "min_size"])
@pytest.mark.parametrize("value", ["240", 2.5, 240.0, math.nan, math.inf, True, False, [], b"9", 1 + 0j, np.float64(9)])
def test_a_number_that_is_not_whole_is_refused(field, value):
    with pytest.raises(ConfigError) as refused:
        ChunkingConfig(**{field: value})
    assert str(refused.value) == f"{field} is {value!r}; it must be a whole number."


@pytest.mark.parametrize(
    ("field", "value", "least"), [("size", 0, 1), ("size", -5, 1), ("overlap", -1, 0), ("min_size", -1, 0)]
)
def test_a_number_too_small_is_refused(field, value, least):
    with pytest.raises(ConfigError) as refused:
        ChunkingConfig(**{field: value})
    assert str(refused.value) == f"{field} is {value}; it must be at least {least}."


@pytest.mark.parametrize(
    ("field", "choices"),
    [
        ("mode", ("fixed", "sentence")),
        ("unit", ("character", "word", "token")),
        ("tokenizer", ("cl100k_base", "o200k_base", "r50k_base")),
        ("tail", ("stop", "keep", "merge")),
    ],
)
@pytest.mark.parametrize("value", ["foo", "", "Fixed", None, 3, ["fixed"], "<img src=x>"])
def test_a_name_that_is_not_offered_is_refused(field, choices, value):
    with pytest.raises(ConfigError) as refused:
        ChunkingConfig(**{field: value})
    message = str(refused.value)
    assert message.startswith(f"{field} is {value!r}; it can be one of ")
    assert all(choice in message for choice in choices)


def test_overlap_and_smallest_tail_may_be_left_open_and_the_size_may_not():
    assert ChunkingConfig(min_size=None).min_size is None
    assert [ChunkingConfig(size=size).overlap for size in (1, 5, 6, 240, 256)] == [0, 0, 1, 40, 42]
    with pytest.raises(ConfigError, match="size is None"):
        ChunkingConfig(size=None)


def test_numpy_integers_become_integers():
    config = ChunkingConfig(size=np.int64(50), overlap=np.int32(5), min_size=np.uint8(3))
    assert [type(value) for value in (config.size, config.overlap, config.min_size)] == [int, int, int]
    assert config == ChunkingConfig(size=50, overlap=5, min_size=3)
    assert hash(config) == hash(ChunkingConfig(size=50, overlap=5, min_size=3))


def test_a_configuration_never_changes():
    config = ChunkingConfig()
    with pytest.raises(FrozenInstanceError):
        config.size = 3
    assert ChunkingConfig(**config.as_dict()) == config


def test_a_refusal_is_a_value_error():
    assert issubclass(ConfigError, ValueError)
