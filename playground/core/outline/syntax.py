"""Parsing source code within bounds: the tree of a text that has no syntax error, or the reason why there is none.

Parsers of this kind repair errors, and on text made for it the repair takes memory and time without end in one step
that nothing can stop. So three guards stand around it: texts nested or chained too deep are not parsed at all, the
steps of a parse are counted, and a clock stops what is slow all the same.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

import numpy as np
from tree_sitter import Node, Parser, Tree

from playground.core.outline.languages import Language, load_grammar

_STEPS, _STEPS_PER_KB = 500, 80  # of a hundred moves each; the busiest real code takes 60 per KB
_STRAY = 100  # in comments and strings a few are never opened
_SECONDS, _SECONDS_PER_MB = 1.0, 3.0  # real code takes 0.2 s per MB, the densest 1.4 s
_PIECE = 1 << 16
_BRACKETS = np.zeros(256, dtype=np.int8)
_BRACKETS[np.frombuffer(b"([{", dtype=np.uint8)] = 1
_BRACKETS[np.frombuffer(b")]}", dtype=np.uint8)] = -1


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no tree, as the first half of a sentence for a person."""

    reason: str


def parse(source: bytes, language: Language) -> Tree | Failure:
    """The syntax tree of `source` (UTF-8), without errors in it; else why there is none."""
    if _nesting(source) > language.nesting:
        return Failure(f"Brackets are nested more than {language.nesting:,} deep")
    if _stray(source) > _STRAY:
        return Failure(f"More than {_STRAY} closing brackets were never opened")
    if language.chain and _chain(source) > language.chain:
        return Failure(f"More than {language.chain:,} signs stand in one chain")
    if language.never and len(re.findall(language.never, source)) > language.chain:
        return Failure(f"This is not valid {language.label} in more than {language.chain:,} places")
    tree = _bounded(source, language)
    if tree is None:
        return Failure(f"Reading this as {language.label} takes too long")
    if tree.root_node.has_error:
        row = _first_error(tree.root_node).start_point.row
        return Failure(f"This is not valid {language.label} (near line {row + 1:,})")
    return tree


def _nesting(source: bytes) -> int:
    """How deep brackets are nested at most, above the lowest depth so far."""
    depth = np.cumsum(_BRACKETS[np.frombuffer(source, dtype=np.uint8)], dtype=np.int32)
    return int(np.max(depth - np.minimum(np.minimum.accumulate(depth), 0), initial=0)) if len(depth) else 0


def _stray(source: bytes) -> int:
    """How many closing brackets of one kind had at most come without an opening one, comments and strings included."""
    points = np.frombuffer(source, dtype=np.uint8)
    depths = (np.cumsum((points == pair[0]).astype(np.int32) - (points == pair[1])) for pair in (b"()", b"[]", b"{}"))
    return max(-int(depth.min(initial=0)) for depth in depths)


def _chain(source: bytes) -> int:
    """The most signs `<` and `=` between two of `; , { }`; a run of one sign counts once."""
    marks = re.sub(rb"(?<=<)<+|(?<==)=+|[^<=;,{}]+", b"", source)
    return max(map(len, re.split(rb"[;,{}]+", marks)))


def _bounded(source: bytes, language: Language) -> Tree | None:
    """The tree, errors and all, or None when it takes too many steps or too much of this thread's time."""
    steps = _STEPS + _STEPS_PER_KB * len(source) // 1_000
    deadline = time.thread_time() + _SECONDS + _SECONDS_PER_MB * len(source) / 1e6

    def read(offset: int, _point: object) -> bytes:
        return source[offset : offset + _PIECE]

    def too_long(_offset: int, _has_error: bool) -> bool:
        nonlocal steps
        steps -= 1
        return steps < 0 or time.thread_time() > deadline

    parser = Parser(load_grammar(language.package, language.grammar))
    try:
        return parser.parse(read, progress_callback=too_long)
    except ValueError:  # how a parse that was stopped ends
        return None


def _first_error(root: Node) -> Node:
    """The innermost node at the first error or missing token."""
    cursor = root.walk()
    found = root
    while cursor.goto_first_child():
        while not (cursor.node is None or cursor.node.has_error):
            if not cursor.goto_next_sibling():
                return found
        if cursor.node is None:
            return found
        found = cursor.node
    return found
