"""Other libraries give the same spans where they are exact, and one worked example each says where they are not."""

from __future__ import annotations

import socket
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from chonkie import RecursiveChunker, RecursiveLevel, RecursiveRules, SentenceChunker, TokenChunker
from langchain_text_splitters import CharacterTextSplitter, RecursiveCharacterTextSplitter, TokenTextSplitter
from semantic_text_splitter import TextSplitter

from playground import ChunkingConfig, Document, chunk, read
from playground.core.separators import PRESETS
from playground.resources import RANKS, TOKENIZERS, encoding

SAMPLES = Path(__file__).parents[2] / "sample_docs"
NARRATIVE = read(SAMPLES / "lighthouse-narrative.txt").text
THOUSAND = read(SAMPLES / "thousand-tokens.txt").text
HANDBOOK = read(SAMPLES / "company-handbook.md").text
# Texts without a character of several code points or tokens, and one with some.
EXACT = {"narrative": NARRATIVE.encode("ascii", "replace").decode(), "thousand": THOUSAND, "handbook": HANDBOOK}
CLASSIC = PRESETS["classic"]
CHONKIE_CLASSIC = RecursiveRules(
    [
        RecursiveLevel(delimiters=["\n\n"]),
        RecursiveLevel(delimiters=["\n"]),
        RecursiveLevel(whitespace=True),
        RecursiveLevel(),
    ]
)
SIZES = (20, 90, 400, 2000)


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """No peer may reach out: neither for a tokenizer nor to tell anyone that it was used."""

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a library tried to reach the network")

    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(RANKS))
    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)


def ours(text: str, mode: str, unit: str, size: int, overlap: int = 0, **settings: object) -> list[str]:
    config = ChunkingConfig(mode, unit, size, overlap, **settings)
    return [one.text for one in chunk(Document.from_text(text), config)]


def our_spans(
    text: str, mode: str, unit: str, size: int, overlap: int = 0, **settings: object
) -> list[tuple[int, int]]:
    found = chunk(Document.from_text(text), ChunkingConfig(mode, unit, size, overlap, **settings))
    return [(one.start, one.end) for one in found]


def end_to_end(parts: list[str]) -> list[tuple[int, int]]:
    """The spans of texts that lie end to end."""
    ends = [0]
    for part in parts:
        ends.append(ends[-1] + len(part))
    return list(pairwise(ends))


def langchain_recursive(text: str, size: int, overlap: int = 0, **settings: object) -> list[str]:
    exact = {"keep_separator": "end", "strip_whitespace": False, "length_function": len}
    chosen = exact | {"separators": [*CLASSIC, ""]} | settings
    return RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap, **chosen).split_text(text)


# --- where they agree ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", EXACT)
def test_langchain_recursive_without_overlap(name, size):
    text = EXACT[name]
    parts = langchain_recursive(text, size)
    assert "".join(parts) == text
    assert our_spans(text, "recursive", "character", size, separators=CLASSIC) == end_to_end(parts)


@pytest.mark.parametrize("ladder", [("\n\n", ". ", " "), (". ", ", ", " "), ("\n", "e"), ()])
def test_langchain_recursive_with_other_ladders(ladder):
    parts = langchain_recursive(NARRATIVE, 150, separators=[*ladder, ""])
    assert our_spans(NARRATIVE, "recursive", "character", 150, separators=ladder) == end_to_end(parts)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", EXACT)
def test_chonkie_recursive(name, size):
    text = EXACT[name]
    chunker = RecursiveChunker("character", size, CHONKIE_CLASSIC, min_characters_per_chunk=1)
    found = [(one.start_index, one.end_index) for one in chunker.chunk(text)]
    assert our_spans(text, "recursive", "character", size, separators=CLASSIC) == found


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize(("size", "overlap"), [(1000, 0), (240, 40), (50, 49), (7, 3)])
def test_token_windows_are_the_same_everywhere(size, overlap, tokenizer):
    found = our_spans(THOUSAND, "fixed", "token", size, overlap, tokenizer=tokenizer)
    texts = [THOUSAND[start:end] for start, end in found]
    assert TokenTextSplitter(tokenizer, chunk_size=size, chunk_overlap=overlap).split_text(THOUSAND) == texts
    chonkie = TokenChunker(encoding(tokenizer), size, overlap).chunk(THOUSAND)
    assert [(one.start_index, one.end_index) for one in chonkie] == found


@pytest.mark.parametrize(("size", "overlap"), [(100, 0), (100, 30), (9, 8), (1, 0)])
def test_character_windows_are_the_same_everywhere(size, overlap):
    found = our_spans(THOUSAND, "fixed", "character", size, overlap)
    chonkie = TokenChunker("character", size, overlap).chunk(THOUSAND)
    assert [(one.start_index, one.end_index) for one in chonkie] == found
    splitter = CharacterTextSplitter("", chunk_size=size, chunk_overlap=overlap, strip_whitespace=False)
    assert splitter.split_text(THOUSAND) == [THOUSAND[start:end] for start, end in found]


PLAIN = "The cat sat on the mat. It ran off! Why did it go? Nobody in the house knew. " * 12


@pytest.mark.parametrize("size", [30, 77, 200, 5000])
def test_plain_sentences_are_packed_the_same_everywhere(size):
    found = our_spans(PLAIN, "sentence", "character", size)
    chunker = SentenceChunker("character", size, min_characters_per_sentence=1)
    assert [(one.start_index, one.end_index) for one in chunker.chunk(PLAIN)] == found
    rust = TextSplitter(size, trim=False).chunk_indices(PLAIN)
    assert [(start, start + len(part)) for start, part in rust] == found


@pytest.mark.parametrize("size", [60, 150, 600])
def test_plain_paragraphs_are_packed_the_same_everywhere(size):
    text = "\n\n".join([PLAIN[:51].rstrip(), PLAIN[51:77].rstrip(), PLAIN[:35].rstrip()] * 9)
    rust = TextSplitter(size, trim=False).chunk_indices(text)
    joined = [part for _, part in rust]
    assert "".join(joined) == text
    splitter = CharacterTextSplitter(
        "\n\n", chunk_size=size, chunk_overlap=0, keep_separator="end", strip_whitespace=False
    )
    assert splitter.split_text(text) == ours(text, "paragraph", "character", size)


# --- where they do not -----------------------------------------------------------------------------------------


def test_langchain_drops_white_space_unless_told_not_to():
    text = "one two\n\n  three four"
    assert langchain_recursive(text, 12, strip_whitespace=True) == ["one two", "three four"]
    assert ours(text, "recursive", "character", 12, separators=CLASSIC) == ["one two\n\n", "  three four"]


def test_langchain_cuts_a_character_whose_bytes_are_two_tokens():
    splitter = TokenTextSplitter("cl100k_base", chunk_size=1, chunk_overlap=0)
    text = "猫𠮷"
    assert "\ufffd" in "".join(splitter.split_text(text))
    assert ours(text, "fixed", "token", 1) == ["猫", "𠮷"]


def test_langchain_refuses_the_name_of_a_special_token():
    with pytest.raises(ValueError, match="disallowed special token"):
        TokenTextSplitter("cl100k_base", chunk_size=9, chunk_overlap=0).split_text("a <|endoftext|> b")
    assert ours("a <|endoftext|> b", "fixed", "token", 99) == ["a <|endoftext|> b"]


def test_langchain_repeats_nothing_of_a_paragraph_larger_than_the_overlap():
    text = "A" * 26 + "\n\n" + "B" * 10
    assert langchain_recursive(text, 30, 10) == ours(text, "recursive", "character", 30, 10, separators=CLASSIC)
    assert ours(text, "recursive", "character", 30, 10, separators=CLASSIC, snap="unit")[1] == (
        "A" * 8 + "\n\n" + "B" * 10
    )


def test_langchain_parts_an_opening_separator_from_what_it_opens():
    text = "intro text\n## One\nfirst"
    assert langchain_recursive(text, 14, separators=["\n## ", ""]) == ["intro text\n## ", "One\nfirst"]
    assert ours(text, "recursive", "character", 14, separators=("\n## ",)) == ["intro text\n", "## One\nfirst"]


def test_chonkie_cuts_inside_what_a_reader_sees_as_one_character():
    assert [one.text for one in TokenChunker("character", 3, 0).chunk("ab👍🏽cd")] == ["ab👍", "🏽cd"]
    assert ours("ab👍🏽cd", "fixed", "character", 3) == ["ab", "👍🏽c", "d"]


def test_chonkie_cuts_after_an_abbreviation_and_leaves_a_long_sentence_whole():
    text = "Dr. Who left. He never came back to the old house by the sea."
    chunker = SentenceChunker("character", 16, min_characters_per_sentence=1)
    assert [one.text for one in chunker.chunk(text)] == [
        "Dr. Who left. ",
        "He never came back to the old house by the sea.",
    ]
    assert ours(text, "sentence", "character", 16) == [
        "Dr. Who left. ",
        "He never came ",
        "back to the old ",
        "house by the ",
        "sea.",
    ]


def test_the_rust_splitter_lets_blank_lines_be_a_chunk_and_cuts_words_at_hyphens():
    text = "a b\n\n\n\nc d\n\ne f"
    assert TextSplitter(6, trim=False).chunks(text) == ["a b", "\n\n\n\n", "c d\n\n", "e f"]
    assert ours(text, "paragraph", "character", 6) == ["a ", "b\n\n\n\n", "c d\n\n", "e f"]
    assert TextSplitter(6, trim=False).chunks("well-known fact") == ["well-", "known ", "fact"]
    assert ours("well-known fact", "sentence", "character", 6) == ["well-k", "nown ", "fact"]


WATCHED = """
import os, socket, sys, threading
def refused(*_, **__):
    print("reached for the network"); os._exit(3)
socket.socket.connect = socket.socket.connect_ex = socket.socket.sendto = socket.getaddrinfo = refused
import chonkie, langchain_text_splitters, llama_index.core.node_parser, semantic_text_splitter
text = "One two. Three four. " * 40
chonkie.TokenChunker("character", 30, 5).chunk(text)
chonkie.SentenceChunker("character", 30).chunk(text)
chonkie.RecursiveChunker("character", 30).chunk(text)
langchain_text_splitters.RecursiveCharacterTextSplitter(chunk_size=30, chunk_overlap=5).split_text(text)
llama_index.core.node_parser.TokenTextSplitter(chunk_size=90, chunk_overlap=5, tokenizer=list).split_text(text)
semantic_text_splitter.TextSplitter(30).chunks(text)
assert threading.active_count() == 1, threading.enumerate()
clients = {"posthog", "sentry_sdk", "segment", "analytics", "mixpanel", "scarf"} & set(sys.modules)
assert not clients, clients
"""


def test_no_peer_tells_anyone_that_it_is_used():
    """Neither the import nor the use reaches for the network, starts a thread, or loads a client of telemetry."""
    done = subprocess.run([sys.executable, "-c", WATCHED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
