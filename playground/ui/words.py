"""Text that comes from outside, made safe for Streamlit, which reads labels and messages as Markdown."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|:$~&^=\"'])")


def plain(text: str, limit: int = 300) -> str:
    r"""`text` on one line, cut at `limit` characters, so that Markdown shows exactly these characters.

    >>> plain("![x](y)")
    '\\!\\[x\\]\\(y\\)'
    """
    line = " ".join(text.split())
    if len(line) > limit:
        line = line[:limit] + "…"
    return _SPECIAL.sub(r"\\\1", line)
