"""The chunks of every bundled document in every mode, as they were: a change that moves a span has to be meant.

`tests/snapshots/<document>.json` holds, by mode, unit, size and overlap (and the size of the parents), a list of
`[start, end, context]`, the context as the first digits of its hash. To write them anew, run
`python -m tests.test_snapshots` at the top of the project and look at what changed.
"""

from __future__ import annotations

import hashlib
import json
from itertools import zip_longest
from pathlib import Path

import pytest

from playground import Chunk, Chunking, ChunkingConfig, Document, chunk, prepare
from playground.core.modes import MODES
from playground.live.store import read_sample, sample_names

FOLDER = Path(__file__).parent / "snapshots"
AGAIN = "If that is meant: python -m tests.test_snapshots"
MOST_BYTES = 200_000
CONFIGS = [
    config
    for mode in MODES
    for config in (
        ChunkingConfig(mode, "token", 120, 18),
        ChunkingConfig(mode, "character", 500, 0, parent_size=2000),
    )
]

Row = list[int | str]


def key_of(config: ChunkingConfig) -> str:
    """`"fixed-token-120-18"`, and with parents their size after it."""
    parents = () if config.parent_size is None else (config.parent_size,)
    return "-".join(map(str, (config.mode, config.unit, config.size, config.overlap, *parents)))


def row_of(one: Chunk) -> Row:
    digits = hashlib.sha256(one.context.encode()).hexdigest()[:8] if one.context else ""
    return [one.start, one.end, digits]


def chunkings(name: str) -> dict[str, Chunking]:
    prepared = prepare(read_sample(name))
    return {key_of(config): chunk(prepared, config) for config in CONFIGS}


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.json"


def difference(key: str, chunking: Chunking, kept: list[Row]) -> str:
    """Which chunk is the first to differ from the snapshot, with both texts; "" if none does."""
    text = chunking.document.text
    for number, (one, row) in enumerate(zip_longest(chunking, kept)):
        found = None if one is None else row_of(one)
        if found != row:
            was = "no chunk" if row is None else f"{row}: {text[row[0] : row[1]]!r}"
            now = "no chunk" if one is None else f"{found}: {one.text!r}, read under {one.context!r}"
            return f"{key}: chunk {number} of {len(chunking)} ({len(kept)} before)\n  was {was}\n  is  {now}\n{AGAIN}"
    return ""


@pytest.mark.parametrize("name", sample_names())
def test_chunks_are_as_they_were(name):
    kept = json.loads(path_of(name).read_text(encoding="utf-8"))
    found = chunkings(name)
    assert list(kept) == list(found), AGAIN
    for key, chunking in found.items():
        assert not (differs := difference(key, chunking, kept[key])), differs


def test_every_snapshot_is_of_a_bundled_document_and_small():
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.json" for name in sample_names()}
    assert max(path.stat().st_size for path in FOLDER.iterdir()) <= MOST_BYTES


def test_the_first_chunk_that_differs_is_shown_with_its_text():
    chunking = chunk(Document.from_text("abcdef"), ChunkingConfig("fixed", "character", 2, 0))
    assert difference("k", chunking, [[0, 2, ""], [2, 4, ""], [4, 6, ""]]) == ""
    assert difference("k", chunking, [[0, 2, ""], [2, 5, ""], [5, 6, ""]]) == (
        f"k: chunk 1 of 3 (3 before)\n  was [2, 5, '']: 'cde'\n  is  [2, 4, '']: 'cd', read under ''\n{AGAIN}"
    )
    assert "was no chunk\n  is  [4, 6, '']: 'ef'" in difference("k", chunking, [[0, 2, ""], [2, 4, ""]])
    assert "was [6, 7, '']: ''\n  is  no chunk" in difference(
        "k", chunking, [[0, 2, ""], [2, 4, ""], [4, 6, ""], [6, 7, ""]]
    )
    assert "was [0, 2, '0123abcd']: 'ab'" in difference("k", chunking, [[0, 2, "0123abcd"]])


def write() -> None:
    """Every snapshot anew, a line for each way to chunk; what belongs to no document goes."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.json"):
        path.unlink()
    for name in sample_names():
        rows = {key: [row_of(one) for one in chunking] for key, chunking in chunkings(name).items()}
        lines = (f"{json.dumps(key)}:{json.dumps(row, separators=(',', ':'))}" for key, row in rows.items())
        path_of(name).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
