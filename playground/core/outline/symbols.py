"""What a node of a syntax tree means in its language: which symbol it is, what it is called, what it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from playground.core.outline.languages import Language, Rule

_NAME = 120  # characters of a name: names are repeated in those of members
_WRAPPERS = 8  # `export default`, `const f =`, ...: nothing real has more around a symbol
_WORDS = 50  # nodes to look at for the word in a name


Symbol = tuple[Rule, str, Node]


def symbol(node: Node, language: Language, source: bytes) -> Symbol | None:
    """The rule, the name and the defining node of the symbol that `node` is or wraps; None for other code.

    The outermost name counts: in `const f = function g() {}` it is f.
    """
    name = otherwise = ""
    inner: Node | None = node
    for _ in range(_WRAPPERS):
        rule = language.rules.get(inner.type) if inner else None
        if inner is None or rule is None:
            return None
        name = name or _name(inner, rule, source)
        otherwise = otherwise or rule.otherwise
        if rule.kind:
            mentioned = not rule.bare and inner.child_by_field_name("body") is None
            return None if mentioned else (rule, name or otherwise, inner)
        known = [child for child in inner.named_children if child.type in language.rules]
        inner = known[0] if len(known) == 1 else None
    return None


def inside(node: Node, language: Language) -> tuple[Node, list[Node]] | None:
    """The sign that ends the header of the class `node`, and the nodes after it; None for a class without a body."""
    holder: Node | None = node
    if language.opener == "{":
        holder = node.child_by_field_name("body") or next((c for c in node.children if c.type in language.bodies), node)
    children = holder.children if holder else []
    at = next((i for i, child in enumerate(children) if child.type == language.opener), None)
    if at is None:
        return None
    members = children[at + 1 :]
    return children[at], members[:-1] if members and members[-1].type == "}" else members


def flat(nodes: Iterable[Node], language: Language, source: bytes) -> Iterator[tuple[Node, Symbol | None]]:
    """`nodes`, each with its symbol; an `open` one that is none is replaced by what it holds, however deep it goes."""
    stack = list(nodes)[::-1]
    while stack:
        node = stack.pop()
        found = symbol(node, language, source)
        if found is None and node.type in language.open:
            stack += node.children[::-1]
        else:
            yield node, found


def _name(node: Node, rule: Rule, source: bytes) -> str:
    """The name as `rule` says, with the owner before it."""
    own = node.child_by_field_name(rule.name) if rule.name else None
    owner = node.child_by_field_name(rule.owner) if rule.owner else None
    return ".".join(_word(part, rule.word, source) for part in (owner, own) if part)


def _word(node: Node, kinds: frozenset[str], source: bytes) -> str:
    """The first node of `kinds` at or under `node`, as text on one line; all of `node` when there is none."""
    found, stack = node, [node] if kinds else []
    for _ in range(_WORDS):
        if not stack:
            break
        current = stack.pop()
        if current.type in kinds:
            found = current
            break
        stack += current.children[::-1]
    text = source[found.start_byte : min(found.end_byte, found.start_byte + 4 * _NAME)].decode("utf-8", "ignore")
    return " ".join(text.split())[:_NAME].strip("\"'")
