"""Front matter: the facts about a page between `---` (YAML) or `+++` (TOML) lines at its very start.

Only what is simple is read: names with a string or a list of strings. Nothing is executed, and no YAML library takes
part. `markdown` skips what is found here, and readers keep its pairs as metadata.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from types import MappingProxyType

LONGEST = 65_536
"""Front matter that is not closed within this many characters is none."""

_LINE_END = re.compile(r"\r\n?|\n")
_NAME = re.compile(r"\w[\w .-]*")
_QUOTES = ('"', "'")
_BLOCK_SCALAR = re.compile(r"[|>][+-]?\d?[+-]?$")


def front_matter(text: str) -> tuple[int, dict[str, object]]:
    r"""Return the offset after the front matter of `text` and its pairs; `(0, {})` if it has none that is well formed.

    A value is a string, numbers and dates too, or a list of strings. What holds more than that is left out.

    >>> front_matter("---\ntitle: Tides\ntags: [sea, moon]\n---\n# Tides\n")
    (39, {'title': 'Tides', 'tags': ['sea', 'moon']})
    """
    fence = text[:3]
    if fence not in _FORMS:
        return 0, {}
    head = text[:LONGEST]
    lines: list[str] = []
    start = 0
    for found in _LINE_END.finditer(head):
        lines.append(head[start : found.start()])
        start = found.end()
        if len(lines) > 1 and _closes(lines[-1], fence):
            return _read(lines, fence, start)
    if len(head) == len(text) and lines and _closes(text[start:], fence):
        return _read([*lines, text[start:]], fence, len(text))
    return 0, {}


def _closes(line: str, fence: str) -> bool:
    return line.rstrip(" \t") == fence or (fence == "---" and line.rstrip(" \t") == "...")


def _read(lines: list[str], fence: str, end: int) -> tuple[int, dict[str, object]]:
    if lines[0].rstrip(" \t") != fence:
        return 0, {}
    pairs = _FORMS[fence](lines[1:-1])
    return (0, {}) if pairs is None else (end, pairs)


def _yaml(lines: list[str]) -> dict[str, object] | None:
    """The simple pairs; None if a line is neither a pair nor part of one, or if there is no pair at all."""
    pairs: dict[str, tuple[str, list[str]]] = {}
    key = ""
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, value = line.partition(":")
        if colon and value[:1] in ("", " ", "\t") and _NAME.fullmatch(name):
            key = name.rstrip()
            pairs[key] = (_uncommented(value.strip()), [])
        elif key and (line[0] in " \t" or line.startswith("- ")):
            pairs[key][1].append(line.strip())
        else:
            return None
    if not pairs:
        return None
    values = {key: _value(first, rest) for key, (first, rest) in pairs.items()}
    return {key: value for key, value in values.items() if value is not None}


def _value(first: str, rest: list[str]) -> object:
    """What stands after a name, in its line and the lines that belong to it; None if that is not simple."""
    if _BLOCK_SCALAR.match(first):
        return ("\n" if first[0] == "|" else " ").join(rest)
    rest = [line for line in rest if not line.startswith("#")]
    if first.startswith("["):
        whole = " ".join([first, *rest])
        return _items(whole[1:-1]) if whole.endswith("]") else None
    if not first and rest:
        if not all(line.startswith("- ") for line in rest):
            return None
        return [_unquoted(_uncommented(line[2:].strip())) for line in rest]
    return None if first.startswith("{") else _unquoted(" ".join([first, *rest]))


def _uncommented(value: str) -> str:
    """`value` without a comment after it; a `#` inside quotes stays."""
    if value.startswith(_QUOTES):
        end = value.find(value[0], 1)
        return value if end < 0 or not value[end + 1 :].lstrip().startswith("#") else value[: end + 1]
    return "" if value.startswith("#") else re.split(r"[ \t]#", value, maxsplit=1)[0].strip()


def _unquoted(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] in _QUOTES and value[-1] == value[0] else value


def _items(inside: str) -> list[str]:
    """The values between the brackets of a list; a comma inside quotes divides nothing."""
    found = re.findall(r"""[ \t]*("[^"]*"|'[^']*'|[^,]*)[ \t]*(?:,|$)""", inside)
    return [_unquoted(item) for item in found if item.strip()]


def _toml(lines: list[str]) -> dict[str, object] | None:
    try:
        pairs = tomllib.loads("\n".join(lines), parse_float=str)
    except (ValueError, RecursionError):
        return None
    simple = {key: _toml_value(value) for key, value in pairs.items()}
    return {key: value for key, value in simple.items() if value is not None}


def _toml_value(value: object) -> object:
    if isinstance(value, dict):
        return None
    if isinstance(value, list):
        return None if any(isinstance(item, dict | list) for item in value) else [_toml_value(item) for item in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


_FORMS: Mapping[str, Callable[[list[str]], dict[str, object] | None]] = MappingProxyType({"---": _yaml, "+++": _toml})
