"""What embedding a chunking takes: vectors, bytes, tokens and money, and which chunks the model would cut off.

Token totals are those of `playground.core.stats` (a token belongs to each chunk in which it starts) with the tokens
of the contexts on top; the page shows them for this document, and for as many documents like it as one names.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from playground.core.chunking import Chunking
from playground.core.models import EmbeddingModel
from playground.core.rulers import Mask
from playground.core.spans import covered
from playground.resources import TOKENIZERS

BYTES_PER_DIMENSION = 4  # float32


@dataclass(frozen=True)
class Bill:
    """What is stored, processed and paid. Costs are in US dollars; `overlap_*` is the part that overlap causes."""

    vectors: int
    storage_bytes: int
    embedded_tokens: int
    context_tokens: int
    overlap_tokens: int
    embedding_cost: float
    overlap_cost: float

    @property
    def overlap_share(self) -> float:
        """overlap_tokens / embedded_tokens, and so the share of the cost, too: 0 to 1."""
        return self.overlap_tokens / self.embedded_tokens if self.embedded_tokens else 0.0


@dataclass(frozen=True, eq=False)
class Costs:
    """The bill for one document and for `documents` like it.

    `over_limit[k]` says whether chunk k with its context is longer than the model reads. `exact` is whether tokens were
    counted with the model's own tokenizer (`tokenizer` names the one that was used).
    """

    model: EmbeddingModel
    documents: int
    tokenizer: str
    exact: bool
    one: Bill
    all: Bill
    over_limit: Mask

    @property
    def over_limit_count(self) -> int:
        """How many chunks of this document are over the limit."""
        return int(self.over_limit.sum())


def costs(
    chunking: Chunking,
    model: EmbeddingModel,
    documents: int = 1,
    context_tokens: npt.ArrayLike | None = None,
) -> Costs:
    """What embedding `chunking` with `model` takes, once and for `documents` such documents.

    `context_tokens[k]` are the tokens of what is put before chunk k (None: those of its context). With chunk k's span
    holding `span_k` tokens:

        vectors         = chunks
        storage_bytes   = vectors x dimensions x 4 (float32, without the index)
        embedded_tokens = sum of span_k + context_tokens_k
        overlap_tokens  = sum of span_k - tokens covered at least once
        embedding_cost  = embedded_tokens x price_per_million / 1,000,000
        overlap_cost    = overlap_tokens x price_per_million / 1,000,000
        over_limit_k    = tokens that chunk k touches + context_tokens_k > max_tokens

    Tokens are counted with the model's tokenizer, or, if the project does not have it, with the one of the
    configuration: an estimate. 1,000 tokens at 240/40 are 5 vectors and 1,160 tokens; at 1536 dimensions 30,720 bytes;
    at $0.02 a million $0.0000232, of which 160/1,160 = 13.8% is overlap. Raises ValueError if `documents` is below 1
    or if `context_tokens` does not fit the chunks.
    """
    number = _documents(documents)
    exact = model.tokenizer in TOKENIZERS
    tokenizer = model.tokenizer if exact else chunking.config.tokenizer
    ruler = chunking.prepared.ruler("token", tokenizer)
    first, last = ruler.before(chunking.starts), ruler.before(chunking.ends)
    spans = int((last.astype(np.int64) - first).sum())
    given = chunking.context_tokens(tokenizer) if context_tokens is None else context_tokens
    contexts = _checked(given, len(chunking))
    touched = ruler.measure(chunking.starts, chunking.ends).astype(np.int64)
    counts = (len(chunking), spans, int(contexts.sum()), spans - covered(first, last))
    return Costs(
        model=model,
        documents=number,
        tokenizer=tokenizer,
        exact=exact,
        one=_bill(model, 1, *counts),
        all=_bill(model, number, *counts),
        over_limit=touched + contexts > model.max_tokens,
    )


def _bill(model: EmbeddingModel, documents: int, vectors: int, spans: int, contexts: int, overlap: int) -> Bill:
    embedded, repeated = documents * (spans + contexts), documents * overlap
    return Bill(
        vectors=documents * vectors,
        storage_bytes=documents * vectors * model.dimensions * BYTES_PER_DIMENSION,
        embedded_tokens=embedded,
        context_tokens=documents * contexts,
        overlap_tokens=repeated,
        embedding_cost=embedded * model.price_per_million / 1_000_000,
        overlap_cost=repeated * model.price_per_million / 1_000_000,
    )


def _documents(value: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"documents is {value!r}; it must be a whole number.") from None
    if number < 1:
        raise ValueError(f"documents is {number}; it must be at least 1.")
    return number


def _checked(values: npt.ArrayLike, chunks: int) -> npt.NDArray[np.int64]:
    contexts = np.asarray(values).astype(np.int64)
    if contexts.shape != (chunks,):
        raise ValueError(
            f"context_tokens has the shape {contexts.shape}; it must hold one number for each of {chunks}."
        )
    if (contexts < 0).any():
        raise ValueError("context_tokens holds a number below 0.")
    return contexts
