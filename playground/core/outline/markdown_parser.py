"""The block phase of markdown-it, made light: it says which lines are what, and builds no content.

What decides is markdown-it's own rules and their light twins in `markdown_rules`; a look at a line's first character
spares the rules that cannot match. The lines go to `markdown`, which turns them into characters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, cast

from markdown_it import MarkdownIt, rules_block
from markdown_it.rules_block import StateBlock

from playground.core.outline.markdown_rules import OutlineState, paragraph, reference, table, thematic_break

Rule = Callable[[StateBlock, int, int, bool], bool]

DEEPEST = 40
"""Lists and quotes inside each other open no further block from this many levels on (a list takes two)."""

_BY_FIRST: dict[str, tuple[Rule, ...]] = {
    "`": (rules_block.fence,),
    "~": (rules_block.fence,),
    ">": (rules_block.blockquote,),
    "_": (thematic_break,),
    "*": (thematic_break, rules_block.list_block),
    "-": (thematic_break, rules_block.list_block),
    "+": (rules_block.list_block,),
    **dict.fromkeys("0123456789", (rules_block.list_block,)),
    "[": (reference,),
    "<": (rules_block.html_block,),
    "#": (rules_block.heading,),
}
"""Which rules can match a line that starts with this, in markdown-it's order; tables and paragraphs start anyhow."""


def _asker(*without: Rule, before: tuple[Rule, ...] = (), after: tuple[Rule, ...] = ()) -> Rule:
    """One rule that asks, in order, only those that can match the line at hand, and never the ones in `without`."""
    others = (*before, *after)
    by_first = {
        first: (*before, *(rule for rule in rules if rule not in without), *after) for first, rules in _BY_FIRST.items()
    }

    def ask(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        if state.sCount[line] - state.blkIndent > 3:
            return not silent and rules_block.code(state, line, end, silent)
        at = state.bMarks[line] + state.tShift[line]
        for rule in by_first.get(state.src[at : at + 1], others):  # noqa: SIM110  a generator costs as much as the rules
            if rule(state, line, end, silent):
                return True
        return False

    return ask


_list, _quote, _html = (
    rules_block.list_block,
    rules_block.blockquote,
    rules_block.html_block,
)
_opens = _asker(before=(table,), after=(paragraph,))
_opens_leaf = _asker(_list, _quote, before=(table,), after=(paragraph,))
_interrupts = _asker(reference, before=(table,))
_ends_quote = _asker(reference)
_ends_item = _asker(_list, _html, rules_block.heading)


def _block(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    return (_opens if state.level < DEEPEST else _opens_leaf)(state, line, end, silent)


class _Ruler:
    """What markdown-it asks for rules: one rule for each place where it would try many."""

    chains: Mapping[str, list[Rule]] = MappingProxyType(
        {
            "": [_block],
            "paragraph": [_interrupts],
            "reference": [_interrupts],
            "blockquote": [_ends_quote],
            "list": [_ends_item],
        }
    )

    def getRules(self, chain: str) -> list[Rule]:
        return self.chains[chain]

    def get_active_rules(self) -> list[str]:
        return ["code"]


_PARSER = MarkdownIt("commonmark", {"maxNesting": 1_000})
_PARSER.block.ruler = cast(Any, _Ruler())


def outline_state(text: str) -> OutlineState:
    """Run the block phase over `text`, whose only line ends are line feeds: blocks in `found`, references in `env`."""
    state = OutlineState(text, _PARSER, {})
    _PARSER.block.tokenize(state, state.line, state.lineMax)
    return state
