"""What the tests of the core share: awkward texts and settings for hypothesis, and slow oracles to compare with.

An awkward text is a row of pieces, each from one kind of trouble (a script, an emoji sequence, odd white space,
markup, a long run), so that a short example crosses several kinds and shrinks to the two that matter.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import accumulate, pairwise, takewhile
from typing import Protocol

import numpy as np
import pytest
import regex
from hypothesis import strategies as st

from playground import ChunkingConfig, Document
from playground.core import following
from playground.core.boundaries import Level
from playground.core.config import BOILERPLATE, SNAPS, TAILS
from playground.core.document import KINDS, Block, clean
from playground.core.modes import MODES
from playground.core.plan import Plan
from playground.core.rulers import UNITS, Ruler
from playground.core.separators import PRESETS
from playground.core.steps import step
from playground.resources import TOKENIZERS, encoding

PIECES = {
    "prose": (
        "The cat sat. ",
        "It ran off! ",
        "Why? ",
        "a",
        "No",
        " word",
        "Dr. Who left. ",
        "don't stop, ",
        "1. ",
        "3.14",
    ),
    "line ends": ("\n", "\n\n", "\r\n", "\r\n\r\n", "\r", "\n\r", "end.\r\n"),
    "odd space": (
        " ",
        "  ",
        "\t",
        "\u00a0",
        "\u200b",
        "\u2028",
        "\u2029",
        "\f",
        "\v",
        "\u3000",
        "\u2060",
        "\x1c",
        "\x85",
    ),
    "east asian": (
        "一。",
        "二！",
        "三？",
        "食べ物",
        "猫",
        "ラーメン",
        "「止まれ！」と言った。",
        "ｶﾞｷﾞ",
        "𠮷野家",
        "㍿",
        "か\u3099",
    ),
    "thai": ("ภาษาไทยไม่มีช่องว่าง", "สวัสดี ", "น้ำ", "ที่นี่"),
    "arabic": ("مرحبا بالعالم. ", "هل هذا سؤال؟ ", "كِتَابٌ", "۔", "\u0600١٢"),
    "indic": ("क्षत्रिय ", "नमस्ते। ", "हिन्दी", "தமிழ்", "ക്ഷ", "क्\u200dष"),
    "hangul": ("한국어 ", "\u1112\u1161\u11ab", "\u1100\u1161", "\uac00\u11a8", "\u1100\u1100"),
    "emoji": ("😀", "👨‍👩‍👧", "🇩🇪", "🇫🇷🇩", "1️⃣", "👍🏽", "❤️", "🏴\U000e0067\U000e0062\U000e007f", "🏳️‍🌈", "\u200d"),
    "marks": ("e\u0301", "a\u0308\u0323", " \u0301", "Z\u0351\u0352\u0353", "\u0301", "n\u0303o", "\ufe0f"),
    "special": ("<|endoftext|>", "<|fim_prefix|>", "\ufffd", "\ufeff", "\x01", "\x7f", "\ue000", "\U0010ffff"),
    "markup": (
        "# A\n\n",
        "- item\n",
        "| a | b |\n",
        "```\ncode\n```\n",
        "> quote\n",
        "**bold** ",
        "---\n",
        "[x](y) ",
        "&amp;",
    ),
    "runs": (
        "a" * 40,
        " " * 40,
        "\n" * 12,
        "." * 20,
        "猫" * 15,
        "🇩🇪" * 9,
        "!?" * 8,
        "0" * 25,
        "e" + "\u0301" * 30,
        "=" * 20,
    ),
}


def texts(max_pieces: int = 24) -> st.SearchStrategy[str]:
    """Texts of up to `max_pieces` awkward pieces, at times with any characters at all between them."""
    piece = st.sampled_from(sorted(PIECES)).flatmap(lambda kind: st.sampled_from(PIECES[kind]))
    anything = st.text(st.characters(exclude_categories=["Cs", "Cn"], exclude_characters="\0"), max_size=4)
    one_kind = st.sampled_from(sorted(PIECES)).flatmap(
        lambda kind: st.lists(st.sampled_from(PIECES[kind]), max_size=12)
    )
    any_piece = st.one_of(piece, piece, piece, anything)
    short = st.lists(any_piece, max_size=max_pieces // 2)
    long = st.lists(any_piece, min_size=max_pieces // 2, max_size=max_pieces)
    return st.one_of(short, long, one_kind).map("".join)


def plain_texts(max_words: int = 60) -> st.SearchStrategy[str]:
    """ASCII texts of words and spaces, without anything that could keep a boundary from being cut at."""
    word = st.text("abcdefgXYZ.,!?'-0123", min_size=1, max_size=9)
    space = st.sampled_from((" ", " ", " ", "  ", "\n", "\n\n", "\t"))
    pairs = st.lists(st.tuples(word, space), min_size=1, max_size=max_words)
    return pairs.map(lambda pairs: "".join(word + space for word, space in pairs))


@st.composite
def windows(draw: st.DrawFn, largest: int = 60) -> tuple[int, int]:
    """A size from 1 to `largest`, and an overlap below it: often none, often nearly all of it."""
    size = draw(st.integers(1, largest))
    return size, draw(st.one_of(st.just(0), st.integers(0, size - 1), st.just(size - 1)))


@st.composite
def configs(draw: st.DrawFn, **fixed: object) -> ChunkingConfig:
    """Settings of every kind; what is named in `fixed` is as given there."""
    size, overlap = draw(windows())
    chosen = {
        "mode": draw(st.sampled_from(sorted(MODES))),
        "unit": draw(st.sampled_from(UNITS)),
        "size": size,
        "overlap": overlap,
        "tokenizer": draw(st.sampled_from(TOKENIZERS)),
        "tail": draw(st.sampled_from(TAILS)),
        "min_size": draw(st.one_of(st.none(), st.integers(0, 70))),
    }
    return ChunkingConfig(**(chosen | fixed))


# --- documents -------------------------------------------------------------------------------------------------

_ROWS = st.lists(st.sampled_from(("| a | b |\n", "| long cell here | 1,234 |\n", "| 猫 | 😀 |\n")), max_size=9)
_MARKDOWN = st.one_of(
    st.builds(
        lambda level, words, end: "#" * level + " " + words + end,
        st.integers(1, 6),
        st.sampled_from(
            ("A", "Refunds > Fees", "In/Out", "*Bold* `code`", "猫について", "Why?", "", "A very long heading name")
        ),
        st.sampled_from(("\n\n", "\n", "\r\n", "\r\n\r\n")),
    ),
    st.sampled_from(("Title\n=====\n\n", "Part\n---\n", "---\n\n", "***\n", "---\nowner: A\n---\n")),
    _ROWS.map(lambda rows: "| h | i |\n|---|---|\n" + "".join(rows) + "\n"),
    st.lists(
        st.sampled_from(("- one\n", "  - two words\n", "    1. deep\n", "- # held\n", "\n")), min_size=1, max_size=6
    ).map("".join),
    st.sampled_from(
        (
            "```\n# x\n\ncode(1)\n```\n",
            "~~~py\ndef f():\n    # x\n",
            "    indented\n",
            "> # said\n> so\n",
            "<div>\n# no\n</div>\n\n",
        )
    ),
    st.sampled_from(
        (
            "Some words here. And more of them!\n\n",
            "One line.\n",
            "A\r\nB\r\n\r\n",
            "食べ物。猫。\n\n",
            "e\u0301 👨‍👩‍👧 🇩🇪\n\n",
        )
    ),
)
_FAQ = st.sampled_from(
    (
        "## How do I pay?\n\nBy card. Or by invoice, within thirty days.\n\n",
        "Q: Why?\nA: Because it is so. " + "It really is. " * 4 + "\n\n",
        "**Is it safe?**\n\nYes.\n\n",
        "# Money\n\n",
        "## Where is the 猫?\n\n",
        "Q1. When?\nSoon.\n",
    )
)


def markdown_texts() -> st.SearchStrategy[str]:
    """Markdown of headings, tables, lists, code and words, with all kinds of line ends."""
    return st.lists(_MARKDOWN, min_size=1, max_size=9).map("".join)


def faq_texts() -> st.SearchStrategy[str]:
    """Questions with and without answers."""
    return st.lists(_FAQ, min_size=1, max_size=7).map("".join)


@st.composite
def nested_blocks(draw: st.DrawFn, text: str, kinds: Sequence[str] = tuple(sorted(KINDS))) -> tuple[Block, ...]:
    """Blocks as a reader might deliver them: properly nested, with gaps, from the starts of words or anywhere."""
    anywhere = sorted({0, *(match.start() for match in regex.finditer(r"\S+", text)), len(text)})
    found: list[Block] = []

    def fill(start: int, end: int, depth: int) -> None:
        places = [at for at in anywhere if start <= at <= end]
        if depth > 3 or len(places) < 2:
            return
        edges = sorted(draw(st.sets(st.sampled_from(places), max_size=6)))
        for low, high in pairwise(edges):
            if draw(st.integers(0, 3)):
                kind = draw(st.sampled_from(kinds))
                head = 0
                if kind in ("table", "class", "pair"):
                    head = draw(st.sampled_from((0, *(at for at in anywhere if low < at <= high))))
                name = draw(st.sampled_from(("", "Name", "Store.put", "猫 > b"))) if kind != "row" else ""
                level = draw(st.integers(1, 6)) if kind in ("heading", "item") else 0
                found.append(Block(low, high, kind, level, name, head))
                if (low, high) != (start, end) and kind != "heading":
                    fill(low, high, depth + 1)

    fill(0, len(text), 0)
    return tuple(found)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Documents of every form: awkward text, Markdown, questions, blocks that a reader made, pages."""
    form = draw(st.sampled_from(("plain", "markdown", "markdown", "faq", "blocks", "blocks", "pages")))
    source = {"markdown": markdown_texts(), "faq": faq_texts()}.get(form, st.one_of(texts(), markdown_texts()))
    text = clean(draw(source))[0]
    if form == "blocks":
        return Document(text, blocks=draw(nested_blocks(text)))
    if form == "pages" and text:
        pages = draw(st.sets(st.integers(0, len(text) - 1), max_size=4))
        return Document(text, pages=tuple(sorted({0, *pages})))
    return Document(text, media_type="text/plain" if form == "plain" else "text/markdown")


@st.composite
def all_settings(draw: st.DrawFn, **fixed: object) -> ChunkingConfig:
    """`configs` with parents, snapping and what single modes know of."""
    plain = draw(configs(**fixed))
    parent = draw(st.one_of(st.none(), st.sampled_from((1, 2, 5)).map(lambda times: plain.size * times)))
    amount = {"percentile": st.floats(0, 100), "deviation": st.floats(0, 4), "absolute": st.floats(-1, 1)}
    threshold = draw(st.sampled_from(sorted(amount)))
    ladder = draw(st.sampled_from([*PRESETS.values(), ("{clause}", "a"), ()]))
    chosen = {
        "parent_size": parent,
        "snap": draw(st.sampled_from(SNAPS)),
        "separators": ladder,
        "form": draw(st.sampled_from(("auto", "auto", "markdown", "faq", "pages", "plain"))),
        "context": draw(st.booleans()),
        "boilerplate": draw(st.sampled_from(BOILERPLATE)),
        "threshold": threshold,
        "amount": draw(amount[threshold]),
        "window": draw(st.integers(1, 4)),
    }
    return replace(plain, **chosen)


# --- levels for packing ----------------------------------------------------------------------------------------


class Ground:
    """Units and nested levels of boundaries, as plain lists of offsets and as the packing takes them."""

    def __init__(self, units: list[int], length: int, bounds: list[list[int]]) -> None:
        self.units, self.length, self.bounds = units, length, bounds
        ruler = Ruler("token", np.array(units, np.int32), length)
        self.levels: list[Level] = []
        for number, offsets in enumerate(bounds):
            level = Level.on(ruler, f"level {number}", np.array(offsets, np.int32))
            self.levels.append(self.levels[-1].refined(level, ruler) if self.levels else level)

    def __repr__(self) -> str:
        return f"Ground({self.units}, {self.length}, {self.bounds})"

    def touched(self, start: int, end: int) -> int:
        """How many units have a part in `[start, end)`."""
        return sum(low < end and high > start for low, high in pairwise([*self.units, self.length]))


@st.composite
def grounds(draw: st.DrawFn, most_levels: int = 3, longest: int = 40) -> Ground:
    length = draw(st.integers(1, longest))
    inner = st.sets(st.integers(1, length - 1)) if length > 1 else st.just(set())
    bounds = []
    for _ in range(draw(st.integers(1, most_levels))):
        finer = draw(inner) | (set(bounds[-1]) if bounds else {0, length})
        bounds.append(sorted(finer))
    return Ground(sorted(draw(inner) | {0}), length, bounds)


@contextmanager
def few(chains: int) -> Iterator[None]:
    """`follow` walks singly only what is left when at most `chains` chains are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(following, "FEW", chains)
        yield


# --- the rules of packing once more, on lists of offsets -------------------------------------------------------

Span = tuple[int, int, int]
"""Start, end, and the number of the level of the end."""


class Rules(Protocol):
    """What the rules speak of: `bounds`, offsets from coarse to fine, and `snaps`, where an overlap may start."""

    @property
    def bounds(self) -> Sequence[list[int]]: ...

    @property
    def overlap(self) -> int: ...

    @property
    def strict(self) -> bool: ...

    @property
    def snaps(self) -> list[int] | None: ...

    @property
    def walls(self) -> Sequence[int]: ...

    def touched(self, start: int, end: int) -> int: ...

    def room(self, at: int) -> int: ...

    def wall_before(self, at: int) -> int: ...

    def wall_after(self, at: int) -> int: ...


def by_the_rules(rules: Rules) -> list[Span]:
    """Every chunk, from the rules as they read."""
    chunks: list[Span] = []
    cut, level, previous = 0, 0, -1
    while cut != rules.bounds[0][-1]:
        previous = furthest_back(rules, cut, level, previous)
        cut, level = furthest_on(rules, previous, cut, level)
        chunks.append((previous, cut, level))
    return chunks


def ahead(bounds: Sequence[int], offset: int) -> Sequence[int]:
    """Those of `bounds` that come after `offset`."""
    return bounds[bisect_right(bounds, offset) :]


def furthest_back(rules: Rules, cut: int, level: int, previous: int) -> int:
    """As far back as the overlap allows, so that the next piece still fits, after the wall and the last start."""
    if not rules.overlap:
        return cut
    following = ahead(rules.bounds[level], cut)[0]
    places = rules.bounds[level] if rules.snaps is None else rules.snaps
    for at in places[bisect_left(places, max(rules.wall_before(cut), previous + 1)) : bisect_left(places, cut)]:
        if rules.touched(at, cut) <= rules.overlap and rules.touched(at, following) <= rules.room(cut):
            return at
    return cut


def furthest_on(rules: Rules, start: int, cut: int, level: int) -> tuple[int, int]:
    """At the coarsest boundary within the room and before the wall, the furthest of these; else at the nearest."""
    last, room = rules.wall_after(cut), rules.room(start)
    if rules.strict and level:  # what was cut inside a piece stays inside it
        last = min(last, ahead(rules.bounds[level - 1], cut)[0])
    for number, offsets in enumerate(rules.bounds):
        fitting = list(takewhile(lambda at: at <= last and rules.touched(start, at) <= room, ahead(offsets, start)))
        if fitting:
            return fitting[-1], number
    nearest = ahead(rules.bounds[-1], start)[0]
    return nearest, next(number for number, offsets in enumerate(rules.bounds) if nearest in offsets)


def every_cut_moves_on(plan: Plan) -> bool:
    """Whether each chunk ends after the one before, where what follows a cut depends on the cut alone."""
    cut, at = (0, 0), 0
    while at != plan.levels[0].offsets[-1]:
        _, cut, _ = step(plan, cut, -1)
        before, at = at, int(plan.levels[cut[0]].offsets[cut[1]])
        if at <= before:
            return False
    return True


def merged_by_the_rules(rules: Rules, chunks: Sequence[Span], smallest: int) -> list[Span]:
    """`chunks` with each last one before a wall or the end joined to the one before, if it is below `smallest`."""
    borders = {*rules.walls, rules.bounds[0][-1]}
    joined: list[Span] = []
    for start, end, level in chunks:
        alone = not joined or joined[-1][1] in borders
        first = joined.pop()[0] if end in borders and not alone and rules.touched(start, end) < smallest else start
        joined.append((first, end, level))
    return joined


# --- slow oracles ----------------------------------------------------------------------------------------------


def character_offsets(text: str) -> list[int]:
    """For every byte of `text` in UTF-8 the character that it belongs to."""
    return [index for index, character in enumerate(text) for _ in character.encode()]


def token_spans(text: str, tokenizer: str) -> list[tuple[int, int, bool]]:
    """For every token: its first character, the one after its last, and whether it begins with a whole character.

    Two tokens share a character where the tokenizer cuts the bytes of one.
    """
    encoder = encoding(tokenizer)
    owner = character_offsets(text)
    spans, at = [], 0
    for token in encoder.decode_tokens_bytes(encoder.encode_ordinary(text)):
        whole = at == 0 or owner[at] != owner[at - 1]
        spans.append((owner[at], owner[at + len(token) - 1] + 1, whole))
        at += len(token)
    return spans


_IDEOGRAPHS = ("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "CJK RADICAL", "KANGXI RADICAL", "HANGZHOU NUMERAL")
_MARKS = ("IDEOGRAPHIC ITERATION", "IDEOGRAPHIC CLOSING", "IDEOGRAPHIC NUMBER", "VERTICAL KANA")
_KANA = ("HIRAGANA ", "KATAKANA ", "HALFWIDTH KATAKANA LETTER")


def is_ideograph(character: str) -> bool:
    """Whether `character` is an ideograph or kana by its name (rare kana beyond the basic plane are not)."""
    name = unicodedata.name(character, "")
    letter = unicodedata.category(character) in ("Lo", "Lm", "Nl", "So")
    return letter and (name.startswith(_IDEOGRAPHS + _MARKS) or (name.startswith(_KANA) and character <= "\uffff"))


def is_east_asian(character: str) -> bool:
    """Whether `character` is an ideograph, kana, or wide or halfwidth punctuation."""
    punctuation = unicodedata.category(character).startswith("P") and character <= "\uffff"
    return is_ideograph(character) or (punctuation and unicodedata.east_asian_width(character) in ("W", "F", "H"))


def word_starts(text: str) -> list[int]:
    """Where words start: after white space; at an ideograph; at a letter after what is East Asian."""
    starts = []
    for index, character in enumerate(text):
        before = text[index - 1] if index else " "
        opens = before.isspace() and not character.isspace()
        if opens or is_ideograph(character) or (is_east_asian(before) and character.isalnum()):
            starts.append(index)
    return [0, *starts[1:]] if starts else []


def unit_spans(text: str, unit: str, tokenizer: str) -> list[tuple[int, int, bool]]:
    """As `token_spans`, for any unit."""
    if unit == "token":
        return token_spans(text, tokenizer)
    starts = range(len(text)) if unit == "character" else word_starts(text)
    return [(start, end, True) for start, end in pairwise([*starts, len(text)])] if text else []


def grapheme_bounds(text: str) -> set[int]:
    """The offsets between graphemes, both ends of the text included."""
    return {0, *accumulate(map(len, regex.findall(r"\X", text)))}
