"""What is on the screen as a script: with this project, in plain Python, or with a library that many use.

Each script reads the text file named on its command line and prints the spans as a JSON list of `[start, end]`. What a
target cannot express is not hidden: `Snippet.differences` says it, and `Snippet.same` holds only where there is nothing
to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from playground.core.config import ChunkingConfig
from playground.export.snippets_common import Written
from playground.export.snippets_libraries import chonkie, langchain, llamaindex
from playground.export.snippets_python import plain_python


@dataclass(frozen=True)
class Snippet:
    """A complete script, and in what its spans differ from those on the screen, a sentence each."""

    code: str
    differences: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether its spans are those on the screen."""
        return not self.differences


READ_ELSEWHERE = (
    "The script reads a text file in UTF-8; this document came out of another format or encoding: save its text first."
)


def snippet(config: ChunkingConfig, target: str, title: str, *, verbatim: bool = True) -> Snippet:
    """The script that chunks a file under `config` with `target`, a key of `TARGETS`; `title` is in its first line.

    `verbatim`: whether the file is the document's text in UTF-8, which all but "playground" rely on. Raises KeyError
    for another target.

    >>> snippet(ChunkingConfig(size=100), "playground", "notes.txt").code.splitlines()[-2]
    'chunking = chunk(read(sys.argv[1]), ChunkingConfig(size=100))'
    """
    code, differences = TARGETS[target](config)
    if not verbatim and target != "playground":
        differences = (READ_ELSEWHERE, *differences)
    return Snippet(f"# Chunks of {title!a}, as [start, end] in characters\n{code}", differences)


def _playground(config: ChunkingConfig) -> Written:
    usual, default = ChunkingConfig(size=config.size, threshold=config.threshold), ChunkingConfig()
    chosen = [
        f"{name}={value!a}"
        for name, value in config.as_dict().items()
        if value != getattr(default if name in ("size", "threshold") else usual, name)
    ]
    code = f"""\
import json
import sys

from playground import ChunkingConfig, chunk, read

chunking = chunk(read(sys.argv[1]), ChunkingConfig({", ".join(chosen)}))
print(json.dumps([[one.start, one.end] for one in chunking]))
"""
    return code, ()


TARGETS: Mapping[str, Callable[[ChunkingConfig], Written]] = MappingProxyType(
    {
        "playground": _playground,
        "python": plain_python,
        "langchain": langchain,
        "llamaindex": llamaindex,
        "chonkie": chonkie,
    }
)
"""Who writes the script for each target: its code, and the differences."""
