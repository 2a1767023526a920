"""Embedding models as far as chunking is concerned: how much text one takes, how long its vectors are, what it costs.

`MODELS` is a table to start from, and every row may be edited; a row is checked when made. `playground.core.costs`
reads it.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

_MONTH_OR_DAY = re.compile(r"\d{4}-\d{2}(-\d{2})?")


class ModelError(ValueError):
    """A model that cannot be; the message names the field, what was found, and what would do."""


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """One embedding model.

    `max_tokens` is the longest input it reads, in its own tokens (a few models put markers of their own in there).
    `dimensions` is the length of a vector as it comes by default. `price_per_million` is in US dollars for a million
    tokens of input, 0 where one runs the model oneself, and held on `priced_on` (YYYY-MM or YYYY-MM-DD; "" only where
    it is free). `tokenizer` names the model's tokenizer; one that this project has gives exact counts, any other an
    estimate. Raises `ModelError`.
    """

    name: str
    provider: str
    max_tokens: int
    dimensions: int
    price_per_million: float
    priced_on: str
    tokenizer: str

    def __post_init__(self) -> None:
        for field in ("name", "provider", "tokenizer"):
            value = getattr(self, field)
            if not isinstance(value, str) or not value.strip():
                raise ModelError(f"{field} is {value!r}; it must be a text that is not empty.")
        object.__setattr__(self, "max_tokens", _count(self.max_tokens, "max_tokens"))
        object.__setattr__(self, "dimensions", _count(self.dimensions, "dimensions"))
        object.__setattr__(self, "price_per_million", _price(self.price_per_million))
        _check_day(self.priced_on, self.price_per_million)


def _count(value: object, field: str) -> int:
    """`value` as an int of at least 1; numpy integers and whole floats (a table's cell) pass, booleans do not."""
    try:
        if isinstance(value, bool):
            raise TypeError
        whole = int(value) if isinstance(value, float) and value.is_integer() else value
        number = operator.index(whole)  # type: ignore[arg-type]
    except TypeError:
        raise ModelError(f"{field} is {value!r}; it must be a whole number.") from None
    if number < 1:
        raise ModelError(f"{field} is {number}; it must be at least 1.")
    return number


def _price(value: object) -> float:
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise ModelError(f"price_per_million is {value!r}; it must be a number of US dollars.")
    price = float(value)
    if not math.isfinite(price) or price < 0:
        raise ModelError(f"price_per_million is {value!r}; it must be 0 or more US dollars.")
    return price


def _check_day(value: object, price: float) -> None:
    if value == "" and price == 0:
        return
    wanted = f"priced_on is {value!r}; it must say when the price held, as in 2025-06 or 2025-06-30."
    if not isinstance(value, str) or not _MONTH_OR_DAY.fullmatch(value):
        raise ModelError(wanted)
    try:
        date.fromisoformat(value if len(value) > len("2025-06") else f"{value}-01")
    except ValueError:
        raise ModelError(wanted) from None


_ROWS = (
    EmbeddingModel("text-embedding-3-small", "OpenAI", 8191, 1536, 0.02, "2025-06", "cl100k_base"),
    EmbeddingModel("text-embedding-3-large", "OpenAI", 8191, 3072, 0.13, "2025-06", "cl100k_base"),
    EmbeddingModel("text-embedding-ada-002", "OpenAI", 8191, 1536, 0.10, "2025-06", "cl100k_base"),
    EmbeddingModel("embed-v4.0", "Cohere", 128_000, 1536, 0.12, "2025-06", "Cohere embed v4"),
    EmbeddingModel("embed-english-v3.0", "Cohere", 512, 1024, 0.10, "2025-06", "Cohere embed v3"),
    EmbeddingModel("voyage-3.5", "Voyage AI", 32_000, 1024, 0.06, "2025-06", "Voyage 3.5"),
    EmbeddingModel("voyage-3.5-lite", "Voyage AI", 32_000, 1024, 0.02, "2025-06", "Voyage 3.5"),
    EmbeddingModel("gemini-embedding-001", "Google", 2048, 3072, 0.15, "2025-07", "Gemini"),
    EmbeddingModel("all-MiniLM-L6-v2", "self-hosted", 256, 384, 0, "", "BERT WordPiece"),
    EmbeddingModel("bge-small-en-v1.5", "self-hosted", 512, 384, 0, "", "BERT WordPiece"),
    EmbeddingModel("nomic-embed-text-v1.5", "self-hosted", 8192, 768, 0, "", "BERT WordPiece"),
    EmbeddingModel("multilingual-e5-large", "self-hosted", 512, 1024, 0, "", "XLM-R SentencePiece"),
)

MODELS: Mapping[str, EmbeddingModel] = MappingProxyType({model.name: model for model in _ROWS})
"""Well-known models by name, with the list price of the month in `priced_on`.

Prices change: look up today's and edit the row. Batch discounts, free quotas and shorter vectors are left out.
"""
