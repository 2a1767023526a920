"""The table of embedding models: its rows are sound, and an edited row is checked in words that help."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
import tiktoken

from playground.core import models
from playground.core.models import MODELS, EmbeddingModel, ModelError

SMALL = MODELS["text-embedding-3-small"]


def test_no_row_of_the_table_is_lost():
    assert [(model.name, model) for model in models._ROWS] == list(MODELS.items())


def test_tokenizers_are_those_that_tiktoken_names():
    named = {model.name: model.tokenizer for model in MODELS.values() if model.provider == "OpenAI"}
    assert len(named) == 3
    assert named == {name: tiktoken.encoding_name_for_model(name) for name in named}


def test_every_price_has_its_date_and_what_is_free_is_run_by_oneself():
    for model in MODELS.values():
        assert bool(model.priced_on) == (model.price_per_million > 0) == (model.provider != "self-hosted")


def test_a_row_and_the_table_do_not_change():
    with pytest.raises(FrozenInstanceError):
        SMALL.max_tokens = 1
    with pytest.raises(TypeError):
        MODELS["mine"] = SMALL


def test_an_edited_row_from_a_table_widget():
    edited = replace(SMALL, max_tokens=np.int64(512), dimensions=256.0, price_per_million=1, priced_on="2024-02-29")
    assert (edited.max_tokens, edited.dimensions, edited.price_per_million) == (512, 256, 1.0)
    assert [type(value) for value in (edited.max_tokens, edited.dimensions, edited.price_per_million)] == [
        int,
        int,
        float,
    ]


def test_a_free_model_needs_no_date_but_may_have_one():
    assert replace(SMALL, price_per_million=0, priced_on="").priced_on == ""
    assert replace(SMALL, price_per_million=0).priced_on == "2025-06"


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", " ", "name is ' '; it must be a text that is not empty."),
        ("provider", "", "provider is ''; it must be a text that is not empty."),
        ("tokenizer", None, "tokenizer is None; it must be a text that is not empty."),
        ("max_tokens", 0, "max_tokens is 0; it must be at least 1."),
        ("max_tokens", -5, "max_tokens is -5; it must be at least 1."),
        ("max_tokens", 12.5, "max_tokens is 12.5; it must be a whole number."),
        ("max_tokens", True, "max_tokens is True; it must be a whole number."),
        ("max_tokens", float("nan"), "max_tokens is nan; it must be a whole number."),
        ("dimensions", 0, "dimensions is 0; it must be at least 1."),
        ("dimensions", "384", "dimensions is '384'; it must be a whole number."),
        ("dimensions", None, "dimensions is None; it must be a whole number."),
        ("price_per_million", -0.01, "price_per_million is -0.01; it must be 0 or more US dollars."),
        ("price_per_million", float("nan"), "price_per_million is nan; it must be 0 or more US dollars."),
        ("price_per_million", float("inf"), "price_per_million is inf; it must be 0 or more US dollars."),
        ("price_per_million", "0.02", "price_per_million is '0.02'; it must be a number of US dollars."),
        ("price_per_million", None, "price_per_million is None; it must be a number of US dollars."),
        ("priced_on", "", "priced_on is ''; it must say when the price held, as in 2025-06 or 2025-06-30."),
        ("priced_on", "June", "priced_on is 'June'; it must say when the price held, as in 2025-06 or 2025-06-30."),
        ("priced_on", "2025-13", "priced_on is '2025-13'; it must say when the price held, as in 2025-06 or"),
        ("priced_on", "2025-02-30", "priced_on is '2025-02-30'; it must say when the price held, as in 2025-06 or"),
        ("priced_on", None, "priced_on is None; it must say when the price held, as in 2025-06 or 2025-06-30."),
    ],
)
def test_what_cannot_be_is_refused_in_words(field, value, message):
    with pytest.raises(ModelError) as refusal:
        replace(SMALL, **{field: value})
    assert str(refusal.value).startswith(message)
    assert isinstance(refusal.value, ValueError)


def test_a_model_of_ones_own():
    mine = EmbeddingModel("mine", "us", 512, 64, 0, "", "o200k_base")
    assert (mine.max_tokens, mine.price_per_million) == (512, 0)
