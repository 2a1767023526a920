"""Tokenizer ranks and English Punkt parameters that ship with the project, so that nothing is fetched at run time.

tiktoken and NLTK both download their data at first use. This module hands them the shipped files instead, after
checking every byte: rulers take `encoding`, sentence detection takes `punkt_parameters`. `refresh` fills the files.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import tiktoken

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktParameters

TOKENIZERS: tuple[str, ...] = ("cl100k_base", "o200k_base", "r50k_base")

RANKS = Path(__file__).parent / "ranks"
PUNKT = Path(__file__).parent / "punkt"

# tiktoken looks for a file named by the SHA-1 of the address it would download from.
RANK_FILES = MappingProxyType(
    {
        "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
        "r50k_base": "0ea1e91bbb3a60f729a8dc8f777fd2fc07cd8df4",
    }
)
# For the ranks these are the hashes that tiktoken itself expects.
SHA256 = MappingProxyType(
    {
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        "fb374d419588a4632f3f557e76b4b70aebbca790": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        "0ea1e91bbb3a60f729a8dc8f777fd2fc07cd8df4": "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
        "abbrev_types.txt": "92a3e070f43d9b4c5534758ca40ad7343b04e7e29bfe0c2eb658a39445a4f779",
        "collocations.tab": "8e2da1225e4dd2cc9dba261ee231ccb134859e21b46006e7f472c5ee269af0cf",
        "ortho_context.tab": "4bbcca25ed3d3f06c02402abf8419b9f033b8adc06e7b482eca4e45f81a5dc4c",
        "sent_starters.txt": "f3f8535483e1dba487241b764945168123bca3209a9645e59acd1225dc76edac",
    }
)
_CACHE_VARIABLE = "TIKTOKEN_CACHE_DIR"
_lock = threading.Lock()
_loaded: dict[str, tiktoken.Encoding] = {}


class ResourceError(RuntimeError):
    """A shipped file is missing or is not, byte for byte, the file that was shipped."""


def encoding(name: str) -> tiktoken.Encoding:
    """Return the tiktoken encoding called `name`, one of `TOKENIZERS`, from the shipped ranks; never the network.

    The same object is returned every time, to every thread. Raises ValueError for another name and ResourceError
    for a damaged file.

    >>> encoding("cl100k_base").encode_ordinary("hello world")
    [15339, 1917]
    """
    found = _loaded.get(name)
    if found is not None:
        return found
    if name not in RANK_FILES:
        raise ValueError(f"unknown tokenizer {name!r}: choose one of {', '.join(TOKENIZERS)}")
    with _lock:
        if name not in _loaded:
            # Checked before tiktoken looks, because it would delete a damaged file and download another.
            verified(RANKS / RANK_FILES[name])
            with _cache_directory(RANKS):
                _loaded[name] = tiktoken.get_encoding(name)
        return _loaded[name]


def punkt_parameters() -> PunktParameters:
    """Return English Punkt parameters read from the shipped files: a new object at every call, free to be changed.

    Raises ResourceError for a damaged file. NLTK's own loader is not used, because it refuses data files whose
    permissions let a group write to them, as many checkouts do.

    >>> "dr" in punkt_parameters().abbrev_types
    True
    """
    from nltk.tokenize.punkt import PunktParameters  # NLTK takes a while to import

    parameters = PunktParameters()
    parameters.abbrev_types.update(_lines("abbrev_types.txt"))
    parameters.sent_starters.update(_lines("sent_starters.txt"))
    parameters.collocations.update(tuple(line.split("\t")) for line in _lines("collocations.tab"))
    for line in _lines("ortho_context.tab"):
        word, flags = line.split("\t")
        parameters.ortho_context[word] = int(flags)
    return parameters


def verified(path: Path) -> bytes:
    """Return the bytes of a shipped file; raise ResourceError if it is missing or not the one recorded."""
    advice = "restore it from version control or run `python -m playground.resources.refresh`"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ResourceError(f"the shipped file {path} cannot be read ({error.strerror}): {advice}") from error
    check(path.name, data, advice)
    return data


def check(name: str, data: bytes, advice: str) -> None:
    """Raise ResourceError, ending with `advice`, unless `data` has the SHA-256 recorded for the file called `name`."""
    digest = hashlib.sha256(data).hexdigest()
    if digest != SHA256[name]:
        raise ResourceError(f"{name} has SHA-256 {digest} where {SHA256[name]} was expected: {advice}")


def _lines(name: str) -> list[str]:
    return verified(PUNKT / name).decode("utf-8").split("\n")


@contextmanager
def _cache_directory(directory: Path) -> Iterator[None]:
    """Point tiktoken at `directory` for the time of one load, then put the variable back as it was."""
    before = os.environ.get(_CACHE_VARIABLE)
    os.environ[_CACHE_VARIABLE] = str(directory)
    try:
        yield
    finally:
        if before is None:
            del os.environ[_CACHE_VARIABLE]
        else:
            os.environ[_CACHE_VARIABLE] = before
