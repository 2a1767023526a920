r"""Static word embeddings that a Python package carries: a table of token vectors and the tokenizer that goes with it.

The package `wordllama` holds both as files; they are read from where it is installed and checked byte for byte. It is
never imported, because importing it sets up logging and loads pydantic, requests and compiled code for ten times as
long as the two files take. `playground.core.vectors` makes the vectors of spans from what is here.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from playground.resources import ResourceError

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

PACKAGE = "wordllama"
VERSION = "0.4.0.post1"
WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
SHA256 = {
    WEIGHTS: "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    TOKENIZER: "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
}
LONGEST_WORD = 1000
"""A longer run of characters without white space is taken for several words, so that time stays linear."""

_WORD = re.compile(rf"\S{{1,{LONGEST_WORD}}}")
_BATCH = 256  # words encoded at once: bounds what the tokenizer holds in between
_lock = threading.Lock()


@dataclass(frozen=True, eq=False)
class Embedding:
    """A vector for every token: `matrix` is float32 [vocabulary, dimensions], read-only."""

    matrix: npt.NDArray[np.float32]
    tokenizer: Tokenizer

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self.matrix.shape[1])

    def encode(self, text: str) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return the ids of the tokens of `text` and for each the offset of its first character; both int32 [n].

        The tokens are those that the tokenizer gives for the words of the text joined by single spaces, "▁" standing
        for the space. So white space has no token, re-wrapped text has the same tokens, and a token belongs to the word
        it is in: " two" starts at its "t". Offsets never decrease; the tokens of one character (bytes, or "▁" alone)
        share its offset. Each distinct word is encoded once, which makes this some ten times as fast as the text in
        one piece. A "▁" of the text itself joins no other word. Raises UnicodeEncodeError for a lone surrogate.

        >>> ids, starts = embedding().encode("Hello\\n world")
        >>> starts.tolist()
        [0, 7]
        """
        text.encode()  # the tokenizer would call a lone surrogate a TypeError
        found: dict[str, int] = {}
        places: list[int] = []
        order: list[int] = []
        for match in _WORD.finditer(text):
            places.append(match.start())
            order.append(found.setdefault(match[0], len(found)))
        if not order:
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        ids, within, counts = self._encode_words(list(found))
        return _laid_out(ids, within, counts, np.array(order), np.array(places, dtype=np.int32))

    def _encode_words(
        self, words: list[str]
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Ids and offsets within the word of all words' tokens in one row, and how many each word has."""
        parts = list(self._batches(words))
        return tuple(np.concatenate([part[column] for part in parts]) for column in range(3))  # type: ignore[return-value]

    def _batches(self, words: list[str]) -> Iterator[tuple[npt.NDArray[np.int32], ...]]:
        for at in range(0, len(words), _BATCH):
            batch: list[Encoding] = self.tokenizer.encode_batch(words[at : at + _BATCH], add_special_tokens=False)
            ids = [token for encoded in batch for token in encoded.ids]
            within = [start for encoded in batch for start, _ in encoded.offsets]
            yield np.array(ids, np.int32), np.array(within, np.int32), np.array([len(one) for one in batch], np.int32)


@cache
def _load() -> Embedding:
    from safetensors.numpy import load
    from tokenizers import Tokenizer

    matrix = load(_verified(WEIGHTS))["embedding.weight"].astype(np.float32)
    matrix.flags.writeable = False
    tokenizer = Tokenizer.from_buffer(_verified(TOKENIZER))
    tokenizer.encode_special_tokens = True  # "<s>" in a document is HTML, never the start of a sequence
    return Embedding(matrix, tokenizer)


def embedding() -> Embedding:
    """Return the embedding: read at the first call (about 0.3 s), the same object ever after, to every thread.

    Raises ResourceError if the package is missing or its files are not those of the version this was tested with.
    """
    with _lock:
        return _load()


def _verified(name: str) -> bytes:
    """The bytes of a file of the package; ResourceError if it is missing or not the one recorded."""
    advice = f"install {PACKAGE}=={VERSION}"
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ResourceError(f"the package {PACKAGE} is not installed: {advice}")
    path = Path(spec.submodule_search_locations[0]) / name
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ResourceError(f"{path} cannot be read ({error.strerror}): {advice}") from error
    digest = hashlib.sha256(data).hexdigest()
    if digest != SHA256[name]:
        raise ResourceError(f"{path} has SHA-256 {digest} where {SHA256[name]} was expected: {advice}")
    return data


def _laid_out(
    ids: npt.NDArray[np.int32],
    within: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
    order: npt.NDArray[np.int64],
    places: npt.NDArray[np.int32],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Put the tokens of distinct words in the order of the text: word `order[i]` stands at offset `places[i]`."""
    first = np.cumsum(counts) - counts
    lengths = counts[order]
    index = np.repeat(first[order] - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
    return ids[index], np.repeat(places, lengths) + within[index]
