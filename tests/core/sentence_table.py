"""Print the table of sentence cases as Markdown: `python tests/core/sentence_table.py > tests/core/SENTENCES.md`."""

from __future__ import annotations

import re
import sys
from itertools import pairwise
from pathlib import Path

if __name__ == "__main__":  # run as a script: the project and the tests are not on the path yet
    sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]

from core.sentence_cases import CASES, Case

from playground.core.sentences import sentence_starts

_VISIBLE = {"\r\n": "↵", "\n": "↵", "\u2028": "↵", "\u2029": "¶", "\t": "⇥", "\xa0": "⍽"}


def ours(case: Case) -> tuple[str, ...]:
    """The sentences that we find, without the white space after them."""
    starts = [*sentence_starts(case.text).tolist(), len(case.text)]
    return tuple(case.text[start:end].rstrip() for start, end in pairwise(starts))


def cell(sentences: tuple[str, ...]) -> str:
    """One sentence a line, with line ends made visible and nothing left for Markdown to read."""
    text = "<br>".join(re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", sentence) for sentence in sentences)
    return re.sub("|".join(_VISIBLE), lambda found: _VISIBLE[found[0]], text)


def table() -> str:
    """The whole table, with a heading and the count."""
    rows, right = [], 0
    for number, case in enumerate(CASES, 1):
        found = ours(case)
        same = found == case.expected
        right += same
        what = "the same" if same else cell(found)
        verdict = "right" if same else "**wrong**"
        rows.append(f"| {number} | {case.name} | {case.tag} | {cell(case.expected)} | {what} | {verdict} |")
    return "\n".join(
        (
            "# Sentence boundaries: what is expected, and what we do",
            "",
            f"{right} of {len(CASES)} cases are right ({100 * right / len(CASES):.0f}%). A sentence a line; ↵ is a line"
            " end inside a sentence. The cases are in `sentence_cases.py`, and a test holds this page to the code.",
            "",
            "| # | Case | Language | Expected | Ours | Verdict |",
            "|---|---|---|---|---|---|",
            *rows,
            "",
        )
    )


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.write(table())
