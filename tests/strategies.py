"""What the tests of the core share: awkward texts and settings for hypothesis, and slow oracles to compare with.

An awkward text is a row of pieces, each from one kind of trouble (a script, an emoji sequence, odd white space,
markup, a long run), so that a short example crosses several kinds and shrinks to the two that matter.
"""

from __future__ import annotations

import unicodedata
from itertools import accumulate, pairwise

import regex
from hypothesis import strategies as st

from playground import ChunkingConfig
from playground.core.config import TAILS
from playground.core.modes import MODES
from playground.core.rulers import UNITS
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
