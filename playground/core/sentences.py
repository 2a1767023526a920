"""Where sentences start, in any script.

The text is first cut into blocks (`sentence_blocks`), which makes the answer for a paragraph independent of the
document around it. Inside a block of prose one regular expression finds every terminator with the closing
quotes and brackets that belong to it; a short decision follows for each. The boundaries take the result.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from playground.core.sentence_blocks import UNDERLINE, blocks
from playground.core.sentence_rules import period_ends, special_words
from playground.core.sentence_unspaced import (
    NOT_A_START,
    QUOTES,
    UNSPACED,
    between_east_asian,
    skip_marks,
    skip_space,
    start_after,
)

SPACED = ".!?…‼⁇⁈⁉"
_GREEK_QUESTION = ";\u037e"
_ALL = re.escape(UNSPACED + SPACED + _GREEK_QUESTION)
_CANDIDATE = re.compile(
    rf"([{_ALL}](?<![{_ALL}]{{2}})[{_ALL}]*+)"
    r"((?:[\"'”’“‘»›«‹)\]}*_`~\u0300-\u036f\u200d\u20dd-\u20e3\ufe0e\ufe0f]"
    r"|[ \xa0\u202f][»›](?=[\s,.;]|\Z)|\[\^?\w{1,6}\])*+)"  # « Non ! » and a note.[3]
    r"(\s*+)"
)
_EMOJI = re.compile(
    "(?:[\u2600-\u27bf\u2b50\u2b55\U0001f000-\U0001faff\ufe0f\u200d\U000e0020-\U000e007f]++(?:\\s++|\\Z))++"
)
_NEXT = re.compile(
    r"(?:>[ \t]*+)*+[\"'“”‘’«‹»(\[{¿¡*_`„‚]*+(?P<dash>[—–-]++\s*+)?[\"“„«]*+"
    r"(?P<word>[^\s()\[\]{}\"“”«»*:;,!?…]*+)"
)
_GREEK = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]")
_SAID = re.compile(
    r"(?!(?:He|She|It|We|They|You|The|This|That|Then)\b)(?:[^\W\d_][\w’'.-]*+ ){1,3}?"
    r"(?:said|asked|cried|shouted|replied|whispered|exclaimed|called|yelled|answered|added)\b"
)
_ENUMERATOR = re.compile(r"\(?(?:\d{1,3}(?:\.\d{1,3})*+|[A-Za-z]|[ivxIVX]{1,4})")
_GERMAN_ORDINAL = re.compile(r"\b(?:im|der|den|dem|des|vom|zum|zur|beim) \d{1,2}\Z")
_WORD_BREAK = re.compile(r"[()\[\]{}\"“”„«»*:;@!?`~>#|=—–]")
_WINDOW = 48


def sentence_starts(text: str) -> npt.NDArray[np.int32]:
    r"""Return the offsets at which sentences start: the first is 0, they increase, each is less than `len(text)`.

    The pieces `text[starts[i]:starts[i + 1]]` are the text without a gap. White space, closing quotes, brackets and
    combining marks stay with the sentence before them, so every start but the first is at a character that is
    neither white space nor inside a grapheme cluster. Empty text has no starts. Linear in the text.

    >>> sentence_starts("Dr. Who left. 一。二！").tolist()
    [0, 14, 16]
    """
    starts = [0] if text else []
    for number, (start, end, prose) in enumerate(blocks(text)):
        if number and skip_marks(text, start, end) == start:
            starts.append(start)
        if prose:
            _cut_block(text, start, end, starts)
    return np.array(starts, dtype=np.int32)


def _cut_block(text: str, start: int, end: int, starts: list[int]) -> None:
    """Append the starts of the sentences in `text[start:end]` after the first one."""
    special = special_words()
    last = start
    for match in _CANDIDATE.finditer(text, start, end):
        run, closing, space = match.groups()
        cut = match.end()
        if cut == end:
            continue
        if run == "." and space and not closing and text[cut].isalpha():
            # The plain case, by far the most frequent: "... the end. The next ..."
            word = _word_before(text, last, match.start())
            if len(word) == 1 and text[cut].islower() and word.isalpha():  # "r. m. s."
                continue
            plain = len(word) > 1 and word.isalpha() and word.lower() not in special
            if not plain and not _period(text, last, match, end, word):
                continue
        elif run.strip(SPACED + _GREEK_QUESTION) or (not space and between_east_asian(text, match, end)):
            cut = start_after(text, last, match, end)
        elif not space or not _spaced(text, last, match, end):
            continue
        cut = _settled(text, cut, end)
        if cut > last:
            starts.append(cut)
            last = cut


def _settled(text: str, cut: int, end: int) -> int:
    """Move a cut to the right past marks that belong to what is before, and emoji; -1 if nothing is left to start."""
    if cut < 0:
        return cut
    if text[cut] >= "\u2190" and not "\u2e80" <= text[cut] <= "\uf8ff":
        emoji = _EMOJI.match(text, cut, end)
        cut = emoji.end() if emoji else cut
    while (after := skip_marks(text, cut, end)) > cut:
        cut = skip_space(text, after, end)
    return -1 if cut >= end or UNDERLINE.match(text, cut, end) else cut


def _word_before(text: str, last: int, at: int) -> str:
    """The characters from the last white space, or from the start of the sentence, up to `at`."""
    window = text[max(last, at - _WINDOW) : at]
    return window.rsplit(None, 1)[-1] if window and not window[-1].isspace() else ""


# --- terminators with white space after them -----------------------------------------------------------------


def _spaced(text: str, last: int, match: re.Match[str], end: int) -> bool:
    """Whether a sentence ends at a terminator, closed by `match[2]`, that white space follows."""
    run, closing = match[1], match[2]
    at, after = match.start(), match.end()
    if text[after] in NOT_A_START or (text[after] == "." and not text[after + 1 : after + 2].isalnum()):
        return False
    if closing and text[at - 1 : at] in ("(", "["):  # "(!)", "[...]"
        return False
    if run == ".":
        return _period(text, last, match, end, _word_before(text, last, at))
    dash, word = _next_word(text, after, end)
    if run[-1] == "…" or run.endswith(".."):
        return _ellipsis(word)
    if run[0] in _GREEK_QUESTION and not _GREEK.match(text, at - 1):
        return False
    if word[:1].islower():
        # "What? no" is two sentences, "Yahoo! said" is one; a quotation or a dash goes on: "Stop!" he said.
        return not closing and not dash and not (run[0] == "!" and _word_before(text, last, at)[:1].isupper())
    return not (QUOTES.intersection(closing) and _SAID.match(text, after, end))


def _next_word(text: str, at: int, end: int) -> tuple[bool, str]:
    """Whether a dash comes first, and the next word without opening quotes and brackets (empty: a symbol)."""
    window = text[at : min(end, at + _WINDOW)]
    word = window.split(None, 1)[0]
    if word.rstrip(".,").isalpha():
        return False, word.rstrip(",")
    found = _NEXT.match(window)
    return (bool(found["dash"]), found["word"]) if found else (False, "")


def _ellipsis(word: str) -> bool:
    """Whether the word after an ellipsis starts a sentence: a capital does, but "I" has one anywhere."""
    return word[:1].isupper() and not (word[0] == "I" and not word[1:2].isalnum())


def _period(text: str, last: int, match: re.Match[str], end: int, word: str) -> bool:
    """Whether a sentence ends at the period after `word` (empty: after white space)."""
    at, after = match.start(), match.end()
    dash, following = _next_word(text, after, end)
    if following[:1].islower() and (match[2] or dash):
        return False
    if at - last <= 12 and _ENUMERATOR.fullmatch(text[last:at].strip("> \t\r\n#*_-+•")):
        return False
    ordinal = len(word) <= 2 and word.isdecimal() and following[:1].isupper()
    if ordinal and _GERMAN_ORDINAL.search(text, max(last, at - 12), at):  # "im 2. Weltkrieg"
        return False
    if not word and text.endswith((". ", ".\xa0"), last, at):  # ". . ."
        return _ellipsis(following)
    if not word.isalpha():
        word = _WORD_BREAK.split(word)[-1].lstrip("'‘’_") or word
    alone = at - last <= _WINDOW and not text[last : at - len(word)].strip()
    return not word or period_ends(word, following, alone=alone)
