"""The options of the command line: what they are called, and the configuration and the format that they ask for.

What makes no sense is refused here, before any file is opened; `main` says why.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from playground.core.config import BOILERPLATE, SNAPS, TAILS, ChunkingConfig, ConfigError
from playground.core.modes import MODES
from playground.core.outline.forms import FORMS
from playground.core.rulers import UNITS
from playground.core.separators import PRESETS, read_ladder
from playground.core.thresholds import THRESHOLDS
from playground.export.files import EXPORTS
from playground.resources import TOKENIZERS


def parser() -> argparse.ArgumentParser:
    """The options; those of a chunking are named as in `ChunkingConfig`."""
    made = argparse.ArgumentParser(
        prog="python -m playground",
        description="Chunk documents for retrieval and print the statistics.",
        epilog="Exit codes: 0 all went well, 1 a file could not be read or written, 2 the command made no sense.",
    )
    usual = ChunkingConfig()
    add = made.add_argument
    add("files", nargs="+", metavar="FILE", help="documents to chunk; - for text on standard input")
    add("--mode", choices=tuple(MODES), default=usual.mode)
    add("--unit", choices=UNITS, default=usual.unit, help="what sizes count")
    add("--size", type=int, default=usual.size, help="the most that one chunk may hold")
    add("--overlap", default=None, help="units to repeat, or a share of the size such as 15%% (default: a sixth)")
    add("--tokenizer", choices=TOKENIZERS, default=usual.tokenizer)
    add("--tail", choices=TAILS, default=usual.tail)
    add("--min-size", type=int, default=None)
    add("--parent-size", type=int, default=None, help="find chunks inside parents of at most so many units")
    add("--snap", choices=SNAPS, default=usual.snap, help="where an overlap may start")
    add(
        "--separators",
        default="prose",
        help=f"the ladder of mode recursive: {', '.join(PRESETS)}, or separators parted by | with \\n and \\s in them",
    )
    add("--form", choices=tuple(FORMS), default=usual.form, help="the structure to follow in mode structure")
    add("--no-context", action="store_true", help="put no heading path before the chunks")
    add("--boilerplate", choices=BOILERPLATE, default=usual.boilerplate)
    add("--threshold", choices=tuple(THRESHOLDS), default=usual.threshold)
    add("--amount", type=float, default=None, help="how deep a drop in similarity must be in mode semantic")
    add("--window", type=int, default=usual.window, help="sentences compared on either side in mode semantic")
    add("--out", type=Path, default=None, help="the file to write; its extension says the format")
    add("--format", choices=tuple(EXPORTS), default=None, help="the format, if the extension does not say it")
    add("--quiet", action="store_true", help="no progress bar and no table")
    return made


def configured(options: argparse.Namespace) -> ChunkingConfig:
    """The configuration that the options ask for. Raises ConfigError."""
    ladder = options.separators
    return ChunkingConfig(
        mode=options.mode,
        unit=options.unit,
        size=options.size,
        overlap=overlap_of(options.overlap, options.size),  # type: ignore[arg-type]  # None: the default
        tokenizer=options.tokenizer,
        tail=options.tail,
        min_size=options.min_size,
        parent_size=options.parent_size,
        snap=options.snap,
        separators=PRESETS[ladder] if ladder in PRESETS else read_ladder(ladder.replace("|", "\n")),
        form=options.form,
        context=not options.no_context,
        boilerplate=options.boilerplate,
        threshold=options.threshold,
        amount=options.amount,
        window=options.window,
    )


def overlap_of(text: str | None, size: int) -> int | None:
    """The overlap in units from a number or a percentage."""
    if text is None:
        return None
    try:
        return size * int(text[:-1]) // 100 if text.endswith("%") else int(text)
    except ValueError:
        raise ConfigError(
            f"overlap is {text!r}; it must be a whole number of units, or a percentage such as 15%."
        ) from None


def format_of(out: Path | None, named: str | None) -> str:
    """The name of the format to write. Raises ValueError where the extension says none."""
    if named is not None or out is None:
        return named or "jsonl"
    for name, export in EXPORTS.items():
        if out.name.lower().endswith(export.extension):
            return name
    known = ", ".join(export.extension for export in EXPORTS.values())
    raise ValueError(f"the format of {out.name} is not known from its extension ({known}). Name it with --format.")
