"""Terminators that need no white space after them, such as the full stops of Chinese, Urdu, Hindi or Amharic.

`sentences` finds the terminators and asks here where the next sentence starts: after closing quotes, brackets and
combining marks, and not at all where the sentence goes on after a quotation.
"""

from __future__ import annotations

import re

import regex

# CJK, Arabic and Urdu, Indic, Ethiopic, Burmese, Khmer, Armenian, Tibetan, Mongolian, N'Ko, Canadian syllabics,
# Javanese, Meetei, Ol Chiki.
UNSPACED = "。！？．｡︒؟۔।॥።፧፨။។៕։།༎᠃᠉߹᙮꧉꯫᱾᱿"
NOT_A_START = frozenset("、，,;；：:)]}%）」』】")
QUOTES = frozenset("\"'”’“»›」』＂")

_MARK = r"\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}"
_MARKS = regex.compile(rf"[{_MARK}]++")
_CLOSERS = regex.compile(rf"[{_MARK}”’»›)\]}}）］｝】」』〕〉》＂＇]*+")
_SPACE = re.compile(r"\s*+")
_LATIN_OR_DIGIT = re.compile(r"[0-9A-Za-z０-９Ａ-Ｚａ-ｚ]")
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_SAID_CHINESE = re.compile(r"[\u4e00-\u9fff]{0,6}?[说說道问問喊叫答](?=[，。：,！])")
_JAPANESE_PARTICLE = re.compile(r"[とっをがはにのもで]")
_WINDOW = 1000


def skip_space(text: str, at: int, end: int) -> int:
    """The first offset from `at` to `end` that is not at white space."""
    found = _SPACE.match(text, at, end)
    return found.end() if found else at


def skip_marks(text: str, at: int, end: int) -> int:
    """The first offset from `at` to `end` that is not at a character which belongs to the one before it."""
    found = _MARKS.match(text, at, end) if at < end and text[at] >= "\u0300" else None
    return int(found.end()) if found else at


def between_east_asian(text: str, match: re.Match[str], end: int) -> bool:
    """Whether "!" or "?" stands between two East Asian characters: 你好!我很好"""
    if match[1][-1] not in "!?" or match.end(1) >= end:
        return False
    return bool(_EAST_ASIAN.match(text, match.start() - 1) and _EAST_ASIAN.match(text, match.end(1)))


def start_after(text: str, last: int, match: re.Match[str], end: int) -> int:
    """Where the sentence after an unspaced terminator and its closing marks starts; -1 if it goes on."""
    at, after = match.start(), match.end(1)
    if match[1] == "．" and _LATIN_OR_DIGIT.match(text, at - 1) and _LATIN_OR_DIGIT.match(text, after):
        return -1
    closed = _closed(text, last, after, end)
    cut = skip_space(text, closed, end)
    if cut >= end or text[cut] in NOT_A_START:
        return -1
    if closed > after and cut == closed:
        # 「止まれ！」と言った and “停！”他说。 go on after the quotation.
        quoted = not QUOTES.isdisjoint(text[after:closed])
        if _JAPANESE_PARTICLE.match(text, cut) or (quoted and _SAID_CHINESE.match(text, cut, end)):
            return -1
    return cut


def _closed(text: str, last: int, at: int, end: int) -> int:
    """The end of the closing quotes, brackets and marks at `at`; a straight quote closes if one is open."""
    while True:
        found = _CLOSERS.match(text, at, end)
        at = found.end() if found else at
        quote = text[at : min(at + 1, end)]
        if quote not in ('"', "'") or text.count(quote, max(last, at - _WINDOW), at) % 2 == 0:
            return at
        at += 1
