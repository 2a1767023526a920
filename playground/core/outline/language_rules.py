"""What has to be said of a programming language before its code can be outlined: `Language`, and a `Rule` a symbol.

A grammar gives every stretch of code a kind ("function_definition"); rules say which kinds are symbols and where their
names stand. The table of `languages` is made of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """How a node becomes a symbol.

    `kind` is "class" or "function"; without one the node only wraps a symbol, its one child that has a rule. `name` is
    the field that holds the name: its first node of a kind in `word`, or all of it. `owner` is a field whose first
    `word` names the class that a method belongs to. `otherwise` is the name if there is no other. A symbol that is not
    `bare` needs a body: without one it only mentions a name.
    """

    kind: str = ""
    name: str = "name"
    word: frozenset[str] = frozenset()
    owner: str = ""
    otherwise: str = ""
    bare: bool = True


@dataclass(frozen=True)
class Language:
    """A programming language.

    `label` is for people; `extensions` are lower case with their dot. `rules` go by kind of node. `open` nodes are no
    unit: what they hold is judged as if it stood beside them. `comments` belong to the symbol that follows directly,
    `marks` (decorators, attributes) to whatever follows. `opener` ends a class's header; `bodies` are kinds of nodes
    that hold a class's members where no field says so.

    Error repair costs at least the square of what stands open, so some text is not even parsed: with brackets nested
    deeper than `nesting`, with more signs `<` and `=` than `chain` in one statement (0: any number), or with more than
    `chain` places that match `never`, which is always an error.
    """

    name: str
    label: str
    extensions: tuple[str, ...]
    media_type: str
    package: str
    rules: Mapping[str, Rule]
    grammar: str = "language"
    open: frozenset[str] = frozenset()
    comments: frozenset[str] = frozenset({"comment"})
    marks: frozenset[str] = frozenset()
    bodies: frozenset[str] = frozenset()
    opener: str = "{"
    nesting: int = 500
    chain: int = 0
    never: bytes = b""


def rules(kind: str, nodes: str, **more: object) -> dict[str, Rule]:
    """The same rule for several kinds of nodes, parted by spaces."""
    rule = Rule(kind, **more)  # type: ignore[arg-type]
    return dict.fromkeys(nodes.split(), rule)
