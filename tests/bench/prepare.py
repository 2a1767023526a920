"""Preparing a document against the tokenizer's own work, and chunking it again: `python -m tests.bench.prepare`."""

from __future__ import annotations

from itertools import product

from playground import ChunkingConfig, Document, chunk, describe, prepare
from playground.core.rulers import UNITS, token_ruler, word_ruler
from playground.core.sentences import sentence_starts
from playground.resources import encoding
from tests.bench.table import TEXTS, median, table, timed

SIZE = 1_000_000
TOKENIZER = "cl100k_base"
MODES = ("fixed", "sentence")
SIZES = {"character": (100, 500, 4000), "word": (20, 90, 800), "token": (20, 120, 1000)}


def rulers(text: str) -> None:
    """Words and tokens of a text, as a prepared document makes them."""
    _, space = word_ruler(text)
    token_ruler(text, space, encoding(TOKENIZER))


def preparing() -> None:
    """What preparing costs, in units of one encode of the same text in the same run."""
    rows = []
    for name, make in TEXTS.items():
        text = make(SIZE)
        encode = median(timed(lambda t=text: encoding(TOKENIZER).encode_ordinary(t)))
        made = median(timed(lambda t=text: rulers(t)))
        sentences = median(timed(lambda t=text: sentence_starts(t), 3))
        rows.append(
            (name, encode, made, f"{made / encode:.2f}", sentences, f"{len(text.encode()) / sentences / 1000:.1f}")
        )
    heads = ("1 MB of", "encode_ordinary ms", "rulers ms", "rulers / encode", "sentences ms", "sentences MB/s")
    table("Prepare", heads, rows)


def rechunking() -> None:
    """What a setting costs once a document is prepared: the chunks, and the chunks with every number."""
    text = TEXTS["English"](SIZE)
    encode = median(timed(lambda: encoding(TOKENIZER).encode_ordinary(text)))
    prepared = prepare(Document.from_text(text))
    rows = []
    for mode, unit in product(MODES, UNITS):
        for size in SIZES[unit]:
            config = ChunkingConfig(mode=mode, unit=unit, size=size, overlap=size * 15 // 100)
            describe(chunk(prepared, config))
            only = median(timed(lambda c=config: _touch(prepared, c), 9))
            whole = median(timed(lambda c=config: describe(chunk(prepared, c)), 9))
            count = len(chunk(prepared, config))
            rows.append(
                (f"{mode}, {size} {unit}s", f"{count:,}", f"{only:.2f}", f"1/{encode / only:.0f}", f"{whole:.2f}")
            )
    heads = ("1 MB of English", "chunks", "spans ms", "of one encode", "with all numbers ms")
    table(f"Chunk again (one encode: {encode:.0f} ms)", heads, rows)


def _touch(prepared: object, config: ChunkingConfig) -> None:
    chunking = chunk(prepared, config)  # type: ignore[arg-type]
    _ = chunking.starts, chunking.ends


def main() -> None:
    """Both tables."""
    preparing()
    rechunking()


if __name__ == "__main__":
    main()
