"""The numbers of a chunking as small JSON: what the side panel shows. No number is made here."""

from __future__ import annotations

from playground.core.chunking import Chunking
from playground.core.stats import ChunkingStats, describe, histogram
from playground.live.near import Message

_PLAIN = (
    "count", "smallest", "largest", "oversized", "document_tokens", "processed_tokens", "duplicated_tokens",
    "context_tokens", "parents", "fits", "deepest_cover", "boundaries", "word_cuts", "sentence_cuts", "overlap_asked",
    "overlap_least", "overlap_full",
)  # fmt: skip


def numbers(chunking: Chunking) -> Message:
    """The numbers of the side panel, as JSON."""
    stats = describe(chunking)
    counts, width = histogram(chunking.sizes, chunking.config.size)
    return {
        **{name: getattr(stats, name) for name in _PLAIN},
        "cut_levels": [{"name": name, "count": count} for name, count in stats.cut_levels.items()],
        "median": round(stats.median, 1),
        "mean": round(stats.mean, 1),
        "overlap_mean": round(stats.overlap_mean, 1),
        "duplicated_percent": round(stats.duplicated_percent, 1),
        "overlap_limits": {limit.name.lower(): number for limit, number in stats.overlap_limits.items()},
        "check": _check(stats),
        "histogram": {"counts": counts.tolist(), "width": width, "limit": chunking.config.size},
        "arithmetic": arithmetic(chunking),
    }


def arithmetic(chunking: Chunking, shown: int = 6) -> Message:
    """What the worked arithmetic needs: stride, and where the first chunks start and how large they are, in units."""
    config = chunking.config
    ruler = chunking.prepared.ruler(config.unit, config.tokenizer)
    return {
        "size": config.size,
        "overlap": config.overlap,
        "stride": config.stride,
        "total": ruler.count,
        "starts": ruler.within(chunking.starts[:shown]).tolist(),
        "sizes": chunking.sizes[:shown].tolist(),
    }


def _check(stats: ChunkingStats) -> Message:
    check = stats.check
    return {
        "passed": check.passed,
        "in_order": check.in_order,
        "in_document": check.in_document,
        "no_gap": check.no_gap,
        "no_split_character": check.no_split_character,
        "coverage_percent": round(check.coverage_percent, 2),
    }
