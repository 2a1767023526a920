"""Contexts: the text that is read before a chunk, and what it costs. Measured once for a document and a unit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playground.core.document import Document
from playground.core.prepared import Prepared, prepare
from playground.core.rulers import LONGEST_SPACE, Offsets
from playground.resources import encoding

JOINT = "\n\n"
"""What stands between a context and the text of its chunk."""
ARROW = " > "
"""What stands between the headings of a path where it is shown as one line."""


def token_count(text: str, tokenizer: str) -> int:
    """How many tokens `text` is by itself."""
    if len(text) < LONGEST_SPACE:
        return len(encoding(tokenizer).encode_ordinary(text))
    return prepare(Document(text)).ruler("token", tokenizer).count


class Contexts:
    """What contexts cost in one unit. Kept with the prepared document, so each is measured once."""

    def __init__(self, unit: str, tokenizer: str) -> None:
        self.unit, self.tokenizer = unit, tokenizer
        self._costs: dict[str, int] = {"": 0}

    def cost(self, context: str) -> int:
        """The units that `context` takes, with the blank line after it."""
        if context not in self._costs:
            self._costs[context] = self._measured(context + JOINT)
        return self._costs[context]

    def _measured(self, text: str) -> int:
        if self.unit == "token":
            return token_count(text, self.tokenizer)
        return prepare(Document(text)).ruler(self.unit, self.tokenizer).count

    def costs(self, contexts: Sequence[str]) -> Offsets:
        """The units that each of `contexts` takes."""
        return np.array([self.cost(context) for context in contexts], np.int32)

    def fitting(self, choices: Sequence[str], size: int) -> str:
        """The first of `choices` that takes at most half of `size`; nothing if none does."""
        return next((choice for choice in choices if 2 * self.cost(choice) <= size), "")


def contexts_in(prepared: Prepared, unit: str, tokenizer: str) -> Contexts:
    """The document's contexts in `unit`, kept with it."""
    return prepared.once(("contexts", unit, tokenizer), lambda: Contexts(unit, tokenizer))
