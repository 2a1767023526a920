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
from playground.readers import READERS, read
from playground.retrieval.questions import Question, read_jsonl

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"
QUESTIONS = ".questions.jsonl"
"""How the file with a document's labelled questions ends."""
MAX_BYTES = 512 * 2**20


@cache
def sample_names() -> tuple[str, ...]:
    """The file names of the bundled documents, in alphabetical order."""
    files = (path for path in SAMPLES.iterdir() if path.suffix in READERS and not path.name.endswith(QUESTIONS))
    return tuple(sorted(path.name for path in files))


def read_sample(name: str) -> Document:
    """The bundled document `name`; raises KeyError for any other name, so a link reaches no other file."""
    if name not in sample_names():
        raise KeyError(name)
    return read(SAMPLES / name)


def sample_questions(document: Document) -> tuple[Question, ...]:
    """The labelled questions of a bundled document; none for any other, or for one that has changed since."""
    path = SAMPLES / f"{document.title}{QUESTIONS}"
    if document.title not in sample_names() or not path.is_file():
        return ()
    return tuple(one for one in read_jsonl(path.read_bytes()) if one.document_sha256 == document.version)


class Store:
    """Prepared documents by key, bounded in bytes. Safe to share between threads."""

    def __init__(self, max_bytes: int = MAX_BYTES, sample: Callable[[str], Document] = read_sample) -> None:
        self._max_bytes = max_bytes
        self._sample = sample
        self._kept: OrderedDict[str, Prepared] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._total = 0
        self._lock = threading.Lock()

    def put(self, document: Document, key: str | None = None) -> str:
        """Keep `document` and return its key: a new unguessable one, or the one it had before it was dropped."""
        key = key or new_key()
        self._keep(document, key)
        return key

    def _keep(self, document: Document, key: str) -> Prepared:
        with self._lock:
            if key not in self._kept:
                self._kept[key] = prepare(document)
            return self._used(key)

    def held(self, key: str) -> Prepared | None:
        """The prepared document if it is in memory now."""
        with self._lock:
            return self._used(key) if key in self._kept else None

    def get(self, key: str) -> Prepared | None:
        """The prepared document, read again if it is a bundled one; None for an unknown or a dropped upload."""
        found = self.held(key)
        if found is None:
            try:
                found = self._keep(self._sample(key), key)
            except KeyError:
                return None
        return found

    def _used(self, key: str) -> Prepared:
        """Make `key` the newest. It and the one before are counted anew: documents grow when they are first used."""
        for used in (next(reversed(self._kept)), key):
            size = self._kept[used].nbytes
            self._total += size - self._sizes.get(used, 0)
            self._sizes[used] = size
        self._kept.move_to_end(key)
        self._trim()
        return self._kept[key]

    def drop(self, keys: Iterable[str]) -> None:
        """Forget these documents."""
        with self._lock:
            for key in keys:
                self._kept.pop(key, None)
                self._total -= self._sizes.pop(key, 0)

    def _trim(self) -> None:
        """Drop the least recently used until the rest fits; the newest always stays."""
        while self._total > self._max_bytes and len(self._kept) > 1:
            key, _ = self._kept.popitem(last=False)
            self._total -= self._sizes.pop(key)


def new_key() -> str:
    """A key that cannot be guessed."""
    return secrets.token_urlsafe(24)


STORE = Store()
"""The store of this server process."""
