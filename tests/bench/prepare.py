"""Preparing a document against the tokenizer's own work, and chunking it again: `python -m tests.bench.prepare`."""

from __future__ import annotations

from itertools import product

from playground import ChunkingConfig, Document, chunk, describe, prepare
from playground.core.modes import MODES
from playground.core.modes.semantic import topics
from playground.core.modes.structure import structure_of
from playground.core.rulers import UNITS, token_ruler, word_ruler
from playground.core.sentences import sentence_starts
from playground.resources import encoding
from tests.bench.table import TEXTS, median, table, timed

SIZE = 1_000_000
TOKENIZER = "cl100k_base"
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


def outlining() -> None:
    """What structure and similarity cost once a document, in units of one encode."""
    rows = []
    for name in ("English", "Markdown"):
        text = TEXTS[name](SIZE)
        encode = median(timed(lambda t=text: encoding(TOKENIZER).encode_ordinary(t)))
        document = Document.from_text(text, media_type="text/markdown")
        prepared = prepare(document)
        rulered = median(timed(lambda p=prepared: (p.ruler("token", TOKENIZER), p.forbidden), 1))
        _ = prepared.sentences
        outlined = median(timed(lambda p=prepared: structure_of(p, "auto"), 1))
        first = median(timed(lambda p=prepared: chunk(p, ChunkingConfig(mode="structure")), 1))
        embedded = median(timed(lambda p=prepared: topics(p, ChunkingConfig(mode="semantic")), 1))
        total = (rulered + outlined + first) / encode
        rows.append((name, encode, rulered, outlined, first, f"{total:.2f}", embedded, f"{embedded / encode:.2f}"))
    heads = (
        "1 MB of", "encode ms", "rulers ms", "outline ms", "first chunking ms", "together / encode", "vectors ms",
        "vectors / encode",
    )  # fmt: skip
    table("Structure and similarity, once", heads, rows)


def rechunking() -> None:
    """What a setting costs once a document is prepared: the chunks, and the chunks with every number."""
    text = TEXTS["Markdown"](SIZE)
    encode = median(timed(lambda: encoding(TOKENIZER).encode_ordinary(text)))
    prepared = prepare(Document.from_text(text, media_type="text/markdown"))
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
    heads = ("1 MB of Markdown", "chunks", "spans ms", "of one encode", "with all numbers ms")
    table(f"Chunk again (one encode: {encode:.0f} ms)", heads, rows)


def _touch(prepared: object, config: ChunkingConfig) -> None:
    chunking = chunk(prepared, config)  # type: ignore[arg-type]
    _ = chunking.starts, chunking.ends


def main() -> None:
    """All tables."""
    preparing()
    outlining()
    rechunking()


if __name__ == "__main__":
    main()
