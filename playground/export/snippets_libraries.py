"""The scripts with LangChain, LlamaIndex and Chonkie, for `snippets`, and what each library does in its own way.

A library that gives texts without offsets has its texts looked for, or added up where they cover everything.
"""

from __future__ import annotations

from playground.core.config import ChunkingConfig
from playground.export.snippets_common import (
    READ,
    STAND_INS,
    Written,
    approximate,
    ladder_of,
    opens,
    pattern_of,
    script,
)

_CHARACTERS = "The script may cut inside what a reader sees as one character: an emoji, an accented letter, a line end."
_OPENING = "A separator that opens a piece stays with it here; there it stays with the piece before."
_WHOLE = "Overlaps follow the library's own rule there, so that they start elsewhere or are left out."
_FOUND = (
    "The library returns texts without offsets: where a text repeats itself, one may be found too early or not at all."
)

_LENGTHS = {
    "character": "length = len\n",
    "word": "\n\ndef length(part):\n    return len(part.split())\n\n\n",
    "token": """\
encoding = tiktoken.get_encoding({tokenizer})


def length(part):
    return len(encoding.encode_ordinary(part))


""",
}


def _window(config: ChunkingConfig) -> str:
    return f"chunk_size={config.size}, chunk_overlap={config.overlap}"


def _library_differences(config: ChunkingConfig) -> tuple[str, ...]:
    said = (*approximate(config), _CHARACTERS)
    if config.mode == "recursive" and any(map(opens, config.separators)):
        said = (*said, _OPENING)
    return (*said, _WHOLE) if config.overlap and config.mode != "fixed" else said


_FIND = """\
spans, start = [], -1
for part in parts:  # the library returns texts: each is looked for after the start of the one before
    found = text.find(part, start + 1)
    if found >= 0:
        start = found
        spans.append([start, start + len(part)])
"""
_ADD = """\
ends = [0]
for part in parts:
    ends.append(ends[-1] + len(part))
spans = [list(span) for span in zip(ends, ends[1:])]
"""


def langchain(config: ChunkingConfig) -> Written:
    """The script with LangChain's text splitters."""
    windows = config.mode == "fixed" and config.unit == "token"
    if windows:
        kind, length = "TokenTextSplitter", ""
        rules = f"encoding_name={config.tokenizer!a}, disallowed_special=()"
    else:
        kind, length = "RecursiveCharacterTextSplitter", _LENGTHS[config.unit].format(tokenizer=ascii(config.tokenizer))
        ladder = ", ".join([*map(pattern_of, ladder_of(config) or ((" ",) if config.unit == "word" else ())), '""'])
        rules = f'separators=[{ladder}], is_separator_regex=True, keep_separator="end", length_function=length'
    code = f"""\
splitter = {kind}(
    {_window(config)}, strip_whitespace=False,
    {rules},
)
parts = splitter.split_text(text)
"""
    find, said = (_FIND, (_FOUND,)) if config.overlap or windows else (_ADD, ())
    library = f"from langchain_text_splitters import {kind}"
    return script(f"{READ}{length}{code}{find}", library=library), (*_library_differences(config), *said)


def llamaindex(config: ChunkingConfig) -> Written:
    """The script with LlamaIndex's node parsers."""
    tokenizer = {
        "character": "list",
        "word": "str.split",
        "token": f"tiktoken.get_encoding({config.tokenizer!a}).encode_ordinary",
    }[config.unit]
    kind = "TokenTextSplitter" if config.mode in ("fixed", "recursive") else "SentenceSplitter"
    ladder = [one for one in ladder_of(config) if one not in STAND_INS] or [" "]
    rungs = f"separator={ladder[0]!a}, backup_separators={ladder[1:]!a}"
    rules = (
        rungs
        if kind == "TokenTextSplitter"
        else r'chunking_tokenizer_fn=lambda part: re.findall(r"\S.*?(?:[.!?]\s+|$)", part, re.S) or [part]'
    )
    code = f"""\
splitter = {kind}(
    {_window(config)}, tokenizer={tokenizer},
    {rules},
)
parts = splitter.split_text(text)
"""
    strips = "White space at both ends of a chunk is dropped there."
    coarse = ("The library has no windows: it cuts at white space where it can.",) if config.mode == "fixed" else ()
    said = (*coarse, *_library_differences(config), strips, _FOUND)
    return script(f"{READ}{code}{_FIND}", library=f"from llama_index.core.node_parser import {kind}"), said


def chonkie(config: ChunkingConfig) -> Written:
    """The script with Chonkie's chunkers."""
    tokenizer = f"tiktoken.get_encoding({config.tokenizer!a})" if config.unit == "token" else ascii(config.unit)
    kinds = {"fixed": "TokenChunker", "sentence": "SentenceChunker", "semantic": "SentenceChunker"}
    kind = kinds.get(config.mode, "RecursiveChunker")
    delimiters = {"{sentence}": [". ", "! ", "? "], "{clause}": [", ", "; ", ": "]}
    rules = [
        "whitespace=True" if one == " " else f"delimiters={delimiters.get(one, [one])!a}" for one in ladder_of(config)
    ]
    levels = ", ".join(f"RecursiveLevel({rule})" for rule in [*rules, ""])
    settings = {
        "TokenChunker": _window(config),
        "SentenceChunker": f"{_window(config)}, min_characters_per_sentence=1",
        "RecursiveChunker": f"chunk_size={config.size}, min_characters_per_chunk=1, rules=RecursiveRules([{levels}])",
    }[kind]
    names = f"{kind}, RecursiveLevel, RecursiveRules" if kind == "RecursiveChunker" else kind
    code = f"""\
chunker = {kind}(
    {tokenizer},
    {settings},
)
spans = [[one.start_index, one.end_index] for one in chunker.chunk(text)]
"""
    said = _library_differences(config)
    if kind == "SentenceChunker":
        said = (*said, "A sentence larger than the size stays whole there.")
    return script(f"{READ}{code}", library=f"from chonkie import {names}"), said
