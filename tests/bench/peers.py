"""Against other libraries on the same text, from cold to chunks, and how time grows: `python -m tests.bench.peers`."""

from __future__ import annotations

from collections.abc import Callable

import chonkie
import tiktoken
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter, TokenTextSplitter
from llama_index.core.node_parser import MarkdownNodeParser, SentenceSplitter
from llama_index.core.schema import Document as LlamaDocument
from semantic_text_splitter import MarkdownSplitter, TextSplitter

from playground import ChunkingConfig, Document, chunk, prepare
from playground.core.modes import MODES
from playground.core.separators import PRESETS
from playground.resources import encoding
from tests.bench.table import TEXTS, median, table, timed

SIZE, OVERLAP = 256, 38
TOKENIZER = "cl100k_base"
Split = Callable[[str], object]


def peers(encoder: tiktoken.Encoding) -> dict[str, dict[str, Split]]:
    """For each of our modes the nearest splitters, with sizes in tokens."""

    def tokens(text: str) -> int:
        return len(encoder.encode_ordinary(text))

    recursive = RecursiveCharacterTextSplitter.from_tiktoken_encoder(
        encoding_name=TOKENIZER, chunk_size=SIZE, chunk_overlap=OVERLAP
    )
    headers = MarkdownHeaderTextSplitter([("#", "1"), ("##", "2"), ("###", "3")])
    sentences = SentenceSplitter(chunk_size=SIZE, chunk_overlap=OVERLAP, tokenizer=encoder.encode_ordinary)
    nodes = MarkdownNodeParser()
    by_tokens = TokenTextSplitter(encoding_name=TOKENIZER, chunk_size=SIZE, chunk_overlap=OVERLAP)
    theirs = chonkie.TokenChunker(encoder, SIZE, OVERLAP)
    spoken = chonkie.SentenceChunker(encoder, SIZE, OVERLAP)
    ladder = chonkie.RecursiveChunker(encoder, SIZE)
    rust = TextSplitter.from_tiktoken_model("gpt-4", SIZE, overlap=OVERLAP)
    marked = MarkdownSplitter.from_tiktoken_model("gpt-4", SIZE, overlap=OVERLAP)
    assert tokens("one two") == 2
    return {
        "fixed": {"LangChain token": by_tokens.split_text, "Chonkie token": theirs.chunk},
        "sentence": {"LlamaIndex sentence": sentences.split_text, "Chonkie sentence": spoken.chunk},
        "paragraph": {"semantic-text-splitter": rust.chunks},
        "recursive": {"LangChain recursive": recursive.split_text, "Chonkie recursive, no overlap": ladder.chunk},
        "structure": {
            "LangChain Markdown, then recursive": lambda text: recursive.split_documents(headers.split_text(text)),
            "LlamaIndex Markdown, no size": lambda text: nodes.get_nodes_from_documents([LlamaDocument(text=text)]),
            "semantic-text-splitter Markdown": marked.chunks,
        },
    }


def cold(text: str, mode: str) -> None:
    """Everything from a text to spans, nothing kept from before."""
    document = Document.from_text(text, media_type="text/markdown")
    config = ChunkingConfig(mode=mode, size=SIZE, overlap=OVERLAP, separators=PRESETS["classic"])
    chunking = chunk(prepare(document), config)
    _ = chunking.starts, chunking.ends


def against_peers(size: int = 1_000_000) -> None:
    """Each mode and the nearest of others, in units of one encode of the same text."""
    text = TEXTS["Markdown"](size)
    encoder = encoding(TOKENIZER)
    encode = median(timed(lambda: encoder.encode_ordinary(text)))
    rows = []
    for mode, others in peers(encoder).items():
        ours = median(timed(lambda m=mode: cold(text, m), 3))
        rows.append((f"**{mode}**", ours, f"{ours / encode:.1f}", ""))
        for name, split in others.items():
            theirs = median(timed(lambda s=split: s(text), 1))
            rows.append((name, theirs, f"{theirs / encode:.1f}", f"{theirs / ours:.1f}"))
    heads = (f"1 MB of Markdown, {SIZE} tokens, overlap {OVERLAP}", "ms", "in encodes", "of ours")
    table(f"Cold, against others (one encode: {encode:.0f} ms)", heads, rows)


def growth() -> None:
    """Milliseconds for each MB, from 100 KB to 10 MB: equal if time is linear."""
    rows = []
    for mode in MODES:
        cells = []
        for size in (100_000, 1_000_000, 10_000_000):
            text = TEXTS["Markdown"](size)
            cells.append(median(timed(lambda t=text, m=mode: cold(t, m), 3 if size < 10**7 else 1)) / (size / 1e6))
        rows.append((mode, *cells, f"{cells[-1] / cells[0]:.2f}"))
    table("Growth", ("cold, ms a MB", "100 KB", "1 MB", "10 MB", "10 MB / 100 KB"), rows)


def main() -> None:
    """Both tables."""
    against_peers()
    growth()


if __name__ == "__main__":
    main()
