"""The outline of questions and answers: Markdown's blocks, with each question and its answer made one pair.

A question is a heading that ends in a question mark, a paragraph's line that starts with "Q:" or "Question:", or a bold
line that ends in a question mark. Its answer runs up to the next question or the next heading of its level or above.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from types import MappingProxyType

from playground.core.document import Block
from playground.core.outline.markdown import markdown_blocks, plain_text

FEWEST_PAIRS = 3
BELOW_HEADINGS = 7

_ENDS = ("?", "？", "؟")
_MARK = re.compile(r"(?:Q(?:uestion)?|QUESTION)[ ]?\d{0,4}[ ]?[:：]|Q[ ]?\d{0,4}[.)](?=[*_]{0,2}[ \t])")
_ANSWER = re.compile(r"[*_]{0,2}(?:A(?:nswer)?|ANSWER)[ ]?\d{0,4}[ ]?[:：.)]")
_BOLD = re.compile(r"(\*\*|__)(?=\S)((?:(?!\1).)+)\1[ \t]*([?？؟:]?)$")
_CUE = re.compile(r"[?？؟][*_:# \t]*$|^[ \t>*_-]*Q(?:uestion|UESTION)?[ ]?\d{0,4}[ ]?[:：.)]", re.MULTILINE)
_LINE = re.compile(r"[^\r\n]+")


@dataclass(frozen=True, slots=True)
class _Question:
    """A question's span and words, and the level of headings that end its answer."""

    start: int
    end: int
    level: int
    name: str


def faq_blocks(text: str, blocks: tuple[Block, ...] | None = None) -> tuple[Block, ...]:
    r"""Return Markdown's blocks with a "pair" for every question and its answer; `head` is where the question ends.

    A heading that is a question is no heading here, so that the sections' names stay the sections' own. Where a heading
    ends earlier than the next heading of its level, because of a question above it, a "section" says so. `blocks` are
    those of `markdown_blocks`, where they are known already.

    >>> [(block.kind, block.name) for block in faq_blocks("## Why?\n\nBecause.\n")]
    [('pair', 'Why?'), ('paragraph', '')]
    """
    blocks = markdown_blocks(text) if blocks is None else blocks
    questions = [
        question for block in _outermost(blocks) for question in _QUESTIONS.get(block.kind, _none)(text, block)
    ]
    if not questions:
        return blocks
    starts = [question.start for question in questions]
    kept = [part for block in blocks for part in _around(text, block, questions, starts)]
    outer = _outermost(kept)
    headings = [block for block in outer if block.kind == "heading"]
    ends = _Ends([*outer, *questions])
    pairs = _pairs(questions, headings, ends)
    return tuple(
        sorted(
            (*_sections(pairs, questions, headings, ends), *pairs, *kept), key=lambda block: (block.start, -block.end)
        )
    )


def may_hold_pairs(text: str) -> bool:
    """Whether enough lines could be questions for `looks_like_faq` to be true: a glance, before blocks are found."""
    return sum(1 for _ in islice(_CUE.finditer(text), FEWEST_PAIRS)) == FEWEST_PAIRS


def looks_like_faq(text: str, blocks: Iterable[Block]) -> bool:
    """Whether `blocks`, as `faq_blocks` gives them, hold at least 3 pairs that cover more than half of the text."""
    pairs = [block for block in blocks if block.kind == "pair"]
    return len(pairs) >= FEWEST_PAIRS and 2 * sum(pair.end - pair.start for pair in pairs) > len(text.strip())


def _outermost(blocks: Iterable[Block]) -> list[Block]:
    found: list[Block] = []
    for block in blocks:
        if not found or block.start >= found[-1].end:
            found.append(block)
    return found


def _none(text: str, block: Block) -> Iterator[_Question]:
    return iter(())


def _heading_question(text: str, block: Block) -> Iterator[_Question]:
    if block.name.endswith(_ENDS) or _MARK.match(block.name):
        yield _Question(block.start, block.end, block.level, _without_mark(block.name))


def _line_questions(text: str, block: Block) -> Iterator[_Question]:
    """The questions among a paragraph's lines."""
    lines = [
        (found.start(), found.end(), found[0].strip(" \t")) for found in _LINE.finditer(text, block.start, block.end)
    ]
    marked = [index for index, (_, _, line) in enumerate(lines) if _MARK.match(line.lstrip("*_")) or _is_bold(line)]
    for index, following in pairwise([*marked, len(lines)]):
        last = index if _is_bold(lines[index][2]) else _last_line(lines[index:following]) + index
        start, end = lines[index][0], lines[last][1]
        yield _Question(start, end, BELOW_HEADINGS, _without_mark(plain_text(text[start:end])))


def _last_line(lines: list[tuple[int, int, str]]) -> int:
    """Which of the lines ends the question: the one before the answer's mark, else the first with a question mark."""
    for index, (_, _, line) in enumerate(lines[1:]):
        if _ANSWER.match(line):
            return index
    return next((index for index, (_, _, line) in enumerate(lines) if line.rstrip("*_").endswith(_ENDS)), 0)


def _is_bold(line: str) -> bool:
    found = _BOLD.match(line)
    return found is not None and (found[2].rstrip().endswith(_ENDS) or found[3] in _ENDS)


def _without_mark(name: str) -> str:
    found = _MARK.match(name)
    return (name[found.end() :].strip() if found else name) or name


_QUESTIONS: Mapping[str, Callable[[str, Block], Iterator[_Question]]] = MappingProxyType(
    {"heading": _heading_question, "paragraph": _line_questions}
)


def _around(text: str, block: Block, questions: list[_Question], starts: list[int]) -> Iterator[Block]:
    """What is left of `block` beside the questions in it: all of it, nothing, or the lines between them."""
    low, high = bisect_left(starts, block.start), bisect_left(starts, block.end)
    if low == high or block.kind not in _QUESTIONS:
        yield block
        return
    edges = [block.start, *(edge for asked in questions[low:high] for edge in (asked.start, asked.end)), block.end]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        between = text[start:end]
        start += len(between) - len(between.lstrip("\r\n"))
        end -= len(between) - len(between.rstrip("\r\n"))
        if start < end:
            yield replace(block, start=start, end=end)


class _Ends:
    """Where the last of some outermost stretches before an offset ends."""

    def __init__(self, stretches: Iterable[Block | _Question]) -> None:
        ordered = sorted((stretch.start, stretch.end) for stretch in stretches)
        self._starts = [start for start, _ in ordered]
        self._ends = [end for _, end in ordered]

    def before(self, limit: int) -> int:
        return self._ends[bisect_left(self._starts, limit) - 1]


def _pairs(questions: list[_Question], headings: list[Block], ends: _Ends) -> list[Block]:
    """One pair a question, from its start to the end of what stands before the next question or the section's end."""
    pairs: list[Block] = []
    limit = sys.maxsize
    nearest = [limit] * (BELOW_HEADINGS + 1)
    ahead = headings.copy()
    for question in reversed(questions):
        while ahead and ahead[-1].start > question.start:
            heading = ahead.pop()
            nearest[heading.level :] = [heading.start] * (BELOW_HEADINGS + 1 - heading.level)
        stop = ends.before(min(limit, nearest[question.level]))
        pairs.append(Block(question.start, stop, "pair", 0, question.name, question.end))
        limit = question.start
    return pairs[::-1]


def _sections(pairs: list[Block], questions: list[_Question], headings: list[Block], ends: _Ends) -> Iterator[Block]:
    """Pairs with headings inside, and headings that a question of their level or above ends."""
    last = -1
    open_headings: list[Block] = []
    items: list[Block | _Question] = sorted([*headings, *questions], key=lambda item: item.start)
    for item in items:
        if isinstance(item, _Question):
            while open_headings and open_headings[-1].level >= item.level:
                ended = open_headings.pop()
                yield Block(ended.start, ends.before(item.start), "section")
            last += 1
        elif last >= 0 and item.start < pairs[last].end:
            yield Block(pairs[last].start, pairs[last].end, "section")
        else:
            while open_headings and open_headings[-1].level >= item.level:
                open_headings.pop()
            open_headings.append(item)
