"""What the scripts of `snippets` have in common: reading and printing, the separators nearest to a mode, and the words.

What a script in plain Python or with a library cannot express is said here, one sentence each. The modules for plain
Python and for the libraries add what holds for them alone.
"""

from __future__ import annotations

import re

from playground.core.config import ChunkingConfig

Written = tuple[str, tuple[str, ...]]
"""A script, and in what its spans differ from those on the screen."""

STAND_INS = {"{sentence}": r"(?<=[.!?])\s+", "{clause}": r"[,;:]\s+"}
"""Patterns that stand in for what the project finds by more than a pattern."""

READ = """\
with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    text = file.read()
"""
"""How a script reads its file."""

_WORDS = "Every ideograph and kana is a word here; the script counts what white space parts."
_SENTENCES = "Sentences end at . ! or ? there; here abbreviations, headings, lists and other scripts are known, too."


def script(body: str, standard: str = "", library: str = "") -> str:
    """`body` under the imports that it needs, and with its spans printed."""
    body += "print(json.dumps(spans))\n"
    used = [f"import {name}" for name in ("json", "re", "sys") if re.search(rf"\b{name}\.", body)]
    others = [f"import {name}" for name in ("regex", "tiktoken") if re.search(rf"\b{name}\.", body)]
    first = "\n".join(filter(None, [*used, standard]))
    second = "\n".join(sorted(filter(None, [*others, library]), key=lambda line: line.split()[1]))
    return f"{first}\n\n{second}\n\n{body}"


def _left_out(config: ChunkingConfig) -> tuple[str, ...]:
    """What only this project does, one sentence for each setting that asks for it."""
    said = {
        "The end of the text is not treated there as the setting for the tail says.": config.tail != "stop",
        "Overlaps start at a boundary as coarse as the cut there, whatever the setting for it says.": (
            config.snap != "cut" and config.overlap > 0
        ),
        "There are no parents there: a chunk may cross from one into the next.": config.parent_size is not None,
        "There are no heading paths, tables or code blocks there: the script goes by paragraphs.": (
            config.mode == "structure"
        ),
        "There is no similarity of sentences there: the script goes by sentences.": config.mode == "semantic",
    }
    return tuple(sentence for sentence, holds in said.items() if holds)


def ladder_of(config: ChunkingConfig) -> tuple[str, ...]:
    """The separators that come closest to the mode."""
    ladders = {
        "fixed": (),
        "recursive": config.separators,
        "paragraph": ("\n\n", "{sentence}", " "),
        "structure": ("\n\n", "{sentence}", " "),
    }
    return ladders.get(config.mode, ("{sentence}", " "))


def opens(separator: str) -> bool:
    """Whether it begins a piece, as a heading does, rather than ends one."""
    return separator.startswith(("\n", "<")) and bool(separator.lstrip("\n"))


def pattern_of(separator: str) -> str:
    """The regular expression for a separator, as Python writes it."""
    return ascii(STAND_INS[separator]) if separator in STAND_INS else f"re.escape({separator!a})"


def approximate(config: ChunkingConfig) -> tuple[str, ...]:
    """What is only nearly the same on every target but this project's own."""
    ladder = ladder_of(config)
    said = list(_left_out(config))
    if any(one in STAND_INS for one in ladder):
        said.append(_SENTENCES)
    if config.unit == "word":
        said.append(_WORDS)
    if config.unit == "token" and ladder:
        said.append(
            "Boundaries are moved here to where a token starts; there the space before a word may be counted twice."
        )
    if config.mode == "paragraph":
        said.append("A line of white space parts paragraphs here; there only two line feeds do.")
    return tuple(said)
