"""Every number that the page shows about a chunking, computed from its arrays.

Token totals are counted on the document's ruler: a token belongs to each chunk in which it starts. So without
overlap the chunks' tokens add up to the document's, and the duplicated share is exactly what overlap costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from playground.core.boundaries import contains
from playground.core.chunking import Chunking
from playground.core.overlap import Limit
from playground.core.rulers import Offsets
from playground.core.spans import covered, deepest


@dataclass(frozen=True)
class SelfCheck:
    """What was verified about every chunk; `passed` if all of it holds."""

    in_order: bool
    in_document: bool
    no_gap: bool
    no_split_character: bool
    coverage_percent: float

    @property
    def passed(self) -> bool:
        """Whether every check holds."""
        return self.in_order and self.in_document and self.no_gap and self.no_split_character


@dataclass(frozen=True)
class ChunkingStats:
    """Numbers of one chunking. Sizes and overlaps count the configuration's unit; a boundary is where a chunk
    ends and the next goes on, so there is one fewer than chunks.

    `duplicated_percent` = (processed_tokens - covered_tokens) / covered_tokens * 100. `context_tokens` come on top
    of the processed ones. `cut_levels` counts boundaries by the kind of piece that ends there; `fits`: one chunk would
    do.
    """

    count: int
    smallest: int
    median: float
    mean: float
    largest: int
    oversized: int
    document_tokens: int
    processed_tokens: int
    covered_tokens: int
    duplicated_percent: float
    deepest_cover: int
    boundaries: int
    word_cuts: int
    sentence_cuts: int
    overlap_asked: int
    overlap_mean: float
    overlap_least: int
    overlap_full: int
    overlap_limits: Mapping[Limit, int]
    context_tokens: int
    cut_levels: Mapping[str, int]
    parents: int
    fits: bool
    check: SelfCheck

    @property
    def duplicated_tokens(self) -> int:
        """Tokens that are processed again: 1,160 processed - 1,000 covered = 160."""
        return self.processed_tokens - self.covered_tokens

    @property
    def coverage_percent(self) -> float:
        """The share of the document's characters that lie in at least one chunk."""
        return self.check.coverage_percent


def describe(chunking: Chunking) -> ChunkingStats:
    """All numbers of `chunking`; without chunks they are 0 (and the coverage of nothing is 100%)."""
    prepared, config = chunking.prepared, chunking.config
    tokens = prepared.ruler("token", config.tokenizer)
    first, last = tokens.before(chunking.starts), tokens.before(chunking.ends)
    once = covered(first, last)
    processed = int((last.astype(np.int64) - first).sum())
    sizes, overlaps = np.sort(chunking.sizes), chunking.overlaps
    boundaries = max(len(chunking) - 1, 0)
    counts = np.bincount(chunking.overlap_limits, minlength=len(Limit)).tolist()
    limits = {limit: count for limit, count in zip(Limit, counts, strict=True) if count}
    return ChunkingStats(
        count=len(chunking),
        smallest=int(sizes[0]) if len(sizes) else 0,
        median=(int(sizes[len(sizes) // 2]) + int(sizes[(len(sizes) - 1) // 2])) / 2 if len(sizes) else 0.0,
        mean=float(sizes.mean()) if len(sizes) else 0.0,
        largest=int(sizes[-1]) if len(sizes) else 0,
        oversized=int(chunking.oversized.sum()),
        document_tokens=tokens.count,
        processed_tokens=processed,
        covered_tokens=once,
        duplicated_percent=100.0 * (processed - once) / once if once else 0.0,
        deepest_cover=deepest(chunking.starts, chunking.ends),
        boundaries=boundaries,
        word_cuts=int(chunking.word_cuts.sum()),
        sentence_cuts=int(chunking.sentence_cuts.sum()),
        overlap_asked=config.overlap,
        overlap_mean=float(overlaps.mean()) if boundaries else 0.0,
        overlap_least=int(overlaps.min()) if boundaries else 0,
        overlap_full=limits.get(Limit.NONE, 0),
        overlap_limits={limit: count for limit, count in limits.items() if limit is not Limit.NONE},
        context_tokens=int(chunking.context_tokens(config.tokenizer).sum()),
        cut_levels=_cut_levels(chunking),
        parents=0 if chunking.parents is None else len(chunking.parents),
        fits=0 < prepared.ruler(config.unit, config.tokenizer).count <= config.size,
        check=verify(chunking),
    )


def _cut_levels(chunking: Chunking) -> Mapping[str, int]:
    """How many chunks, the last one apart, end at which kind of boundary."""
    counts = np.bincount(chunking.packed.cuts.level[:-1], minlength=len(chunking.levels)).tolist()
    return {level.name: count for level, count in zip(chunking.levels, counts, strict=True) if count}


def verify(chunking: Chunking) -> SelfCheck:
    """Check every offset of the chunking against what all modes promise."""
    starts, ends, length = chunking.starts, chunking.ends, len(chunking.document)
    kept = chunking.config.tail == "keep"
    skipped_starts, skipped_ends = chunking.left_out
    wanted = length - covered(skipped_starts, skipped_ends)
    share = 100.0 * covered(starts, ends) / wanted if wanted else 100.0
    forbidden = chunking.prepared.forbidden
    cuts = np.concatenate((starts, ends))
    return SelfCheck(
        in_order=bool((np.diff(starts) > 0).all() and (np.diff(ends) >= (0 if kept else 1)).all()),
        in_document=bool((starts >= 0).all() and (starts < ends).all() and (ends <= length).all()),
        no_gap=share == 100.0 and bool((starts[1:] <= ends[:-1]).all() or len(skipped_starts)),
        no_split_character=not bool(contains(forbidden, cuts).any()),
        coverage_percent=share,
    )


def histogram(sizes: Offsets, limit: int, bins: int = 24) -> tuple[npt.NDArray[np.int64], int]:
    """Counts of chunks by size, and a bin's width in units: bin i holds sizes from i * width + 1 to (i + 1) * width.

    The last bin reaches the largest chunk or the limit, whichever is larger.
    """
    width = max(1, -(-max(int(sizes.max(initial=0)), limit) // bins))
    return np.bincount(np.maximum(sizes - 1, 0) // width, minlength=bins).astype(np.int64), width
