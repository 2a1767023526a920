"""Where prepared documents wait for pages and the channel: one store, least recently used out first.

A bundled document has a readable key. An upload has an unguessable one that only its own page knows; whoever holds
the key may read the document, so keys never enter a link or a log.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from playground.core.document import Document
from playground.core.prepared import Prepared, prepare
from playground.readers import read

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"
SAMPLE_SUFFIXES = (".md", ".txt")
MAX_BYTES = 512 * 2**20


@cache
def sample_names() -> tuple[str, ...]:
    """The file names of the bundled documents, in alphabetical order."""
    return tuple(sorted(path.name for path in SAMPLES.iterdir() if path.suffix in SAMPLE_SUFFIXES))


def read_sample(name: str) -> Document:
    """The bundled document `name`; raises KeyError for any other name, so a link reaches no other file."""
    if name not in sample_names():
        raise KeyError(name)
    return read(SAMPLES / name)


class Store:
    """Prepared documents by key, bounded in bytes. Safe to share between threads."""

    def __init__(self, max_bytes: int = MAX_BYTES, sample: Callable[[str], Document] = read_sample) -> None:
        self._max_bytes = max_bytes
        self._sample = sample
        self._kept: OrderedDict[str, Prepared] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, document: Document, key: str | None = None) -> str:
        """Keep `document` and return its key: a new unguessable one, or the one it had before it was dropped."""
        key = key or new_key()
        with self._lock:
            if key not in self._kept:
                self._kept[key] = prepare(document)
            self._kept.move_to_end(key)
        self._trim(key)
        return key

    def held(self, key: str) -> Prepared | None:
        """The prepared document if it is in memory now."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key]

    def get(self, key: str) -> Prepared | None:
        """The prepared document, read again if it is a bundled one; None for an unknown or a dropped upload."""
        found = self.held(key)
        if found is None:
            try:
                self.put(self._sample(key), key)
            except KeyError:
                return None
            found = self.held(key)
        return found

    def drop(self, keys: Iterable[str]) -> None:
        """Forget these documents."""
        with self._lock:
            for key in keys:
                self._kept.pop(key, None)

    def _trim(self, newest: str) -> None:
        """Drop the least recently used until the rest fits; the newest always stays."""
        with self._lock:
            sizes = {key: prepared.nbytes for key, prepared in self._kept.items()}
            total = sum(sizes.values())
            for key in list(self._kept):
                if total <= self._max_bytes:
                    return
                if key != newest:
                    total -= sizes[key]
                    del self._kept[key]


def new_key() -> str:
    """A key that cannot be guessed."""
    return secrets.token_urlsafe(24)


STORE = Store()
"""The store of this server process."""
