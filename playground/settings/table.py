"""One table of settings: what each is called, may be, and means.

Widgets, the address, messages, validation and the README all come from here. Values are plain strings and whole numbers
so that they travel in a link; `to_config` turns them into what the core takes. What cannot be becomes the nearest
that can, with a notice: a link never breaks the page, and the page cannot produce an impossible setting.
"""

from __future__ import annotations

from collections.abc import Mapping

from playground.core.config import BOILERPLATE, SNAPS, TAILS, ChunkingConfig
from playground.core.modes import MODES
from playground.core.outline.forms import FORMS
from playground.core.rulers import UNITS
from playground.core.thresholds import THRESHOLDS
from playground.resources import TOKENIZERS
from playground.settings.kinds import Choice, Ladder, Setting, Value, Values, Whole, ladder_of

MOST_PARENTS = 12
"""How many times the size a parent may be at most."""
SCALES = {"percentile": 1, "deviation": 10, "absolute": 100}
"""In how many steps a unit of each threshold is set."""
_STRUCTURE = {"mode": ("structure",)}
_SEMANTIC = {"mode": ("semantic",)}


def _labelled(names: tuple[str, ...], labels: tuple[str, ...]) -> dict[str, str]:
    return dict(zip(names, labels, strict=True))


SETTINGS: tuple[Setting, ...] = (
    Choice(
        name="mode",
        default="fixed",
        choices={mode.name: mode.label for mode in MODES.values()},
        label="Mode",
        help="Where a cut may fall: anywhere, or only between sentences, paragraphs, separators, sections or topics.",
    ),
    Choice(
        name="unit",
        default="token",
        choices={"character": "Characters", "word": "Words", "token": "Tokens"},
        label="Unit",
        help="What size and overlap count. A token is what a model reads: in English about four characters.",
    ),
    Whole(
        name="size",
        defaults={"character": 500, "word": 90, "token": 120},
        bounds={"character": (20, 8000), "word": (5, 1500), "token": (8, 2048)},
        label="Size",
        help="The most that one chunk may hold.",
    ),
    Whole(
        name="overlap",
        defaults=dict.fromkeys(UNITS, 15),
        bounds=dict.fromkeys(UNITS, (0, 90)),
        label="Overlap",
        help="How much of a chunk the next one repeats, in percent of the size.",
        suffix="%",
    ),
    Choice(
        name="tokenizer",
        default="cl100k_base",
        choices={name: name for name in TOKENIZERS},
        place="more",
        label="Tokenizer",
        help="Whose tokens are counted: cl100k_base (GPT-4, text-embedding-3), o200k_base (GPT-4o and later) or "
        "r50k_base (GPT-3).",
    ),
    Choice(
        name="tail",
        default="stop",
        choices=_labelled(TAILS, ("Stop at the end", "Keep naive tails", "Merge a short tail")),
        place="more",
        label="Tail",
        help="What happens at the end: stop with the first chunk that reaches it, keep the useless windows inside it "
        "(to see them), or join a last chunk below the smallest size to the one before.",
    ),
    Ladder(
        name="separators",
        default="prose",
        label="Separators",
        help="The ladder of the recursive mode, coarsest first: each is tried only where the ones before left a piece "
        "too large.",
        place="mode",
        only={"mode": ("recursive",)},
    ),
    Choice(
        name="form",
        default="auto",
        choices=dict(FORMS),
        label="Structure",
        help="The form in which the document is seen: its own, or Markdown, questions, code, pages, plain paragraphs.",
        place="mode",
        only=_STRUCTURE,
    ),
    Choice(
        name="context",
        default="on",
        choices={"on": "In front of each chunk", "off": "Left out"},
        label="Heading path",
        help="Whether headings, a table's header or a question are put in front of a chunk; they count in its size.",
        place="mode",
        only=_STRUCTURE,
    ),
    Choice(
        name="boilerplate",
        default="keep",
        choices=_labelled(BOILERPLATE, ("Kept", "Left out")),
        label="Navigation and footers",
        help="Whether the navigation and the footers of a web page become chunks.",
        place="mode",
        only=_STRUCTURE,
    ),
    Choice(
        name="threshold",
        default="percentile",
        choices={name: threshold.label for name, threshold in THRESHOLDS.items()},
        label="Threshold",
        help="How deep a drop in similarity must be: among the lowest percent, so far below the mean, or a value.",
        place="mode",
        only=_SEMANTIC,
    ),
    Whole(
        name="amount",
        defaults={name: round(found.default * SCALES[name]) for name, found in THRESHOLDS.items()},
        bounds={
            name: (round(found.low * SCALES[name]), round(found.high * SCALES[name]))
            for name, found in THRESHOLDS.items()
        },
        by="threshold",
        scales=SCALES,
        label="Amount",
        help="The percentile; standard deviations below the mean, in tenths; or the similarity, in hundredths.",
        place="mode",
        only=_SEMANTIC,
    ),
    Whole(
        name="window",
        defaults=dict.fromkeys(UNITS, 3),
        bounds=dict.fromkeys(UNITS, (1, 12)),
        label="Window",
        help="How many sentences on either side are compared: more are smoother.",
        place="mode",
        only=_SEMANTIC,
        suffix=" sentences",
    ),
    Whole(
        name="parents",
        defaults=dict.fromkeys(UNITS, 0),
        bounds=dict.fromkeys(UNITS, (0, MOST_PARENTS)),
        label="Parents",
        help="Chunks are found inside parents of so many times their size, which are what is read (0: no parents).",
        place="more",
        suffix=" × size",
    ),
    Whole(
        name="smallest",
        defaults=dict.fromkeys(UNITS, 0),
        bounds=dict.fromkeys(UNITS, (0, 60)),
        label="Minimum",
        help="In percent of the size: below it a merged tail, a section or a topic joins its neighbour "
        "(0: a quarter for a tail, nothing for others).",
        place="more",
        suffix="%",
    ),
    Choice(
        name="snap",
        default="cut",
        choices=_labelled(SNAPS, ("As the cut", "Any unit", "A word", "A sentence")),
        label="Overlap starts at",
        help="Where the repeated part may start: at a boundary as coarse as the cut, anywhere, at a word, a sentence.",
        place="more",
    ),
)
ALWAYS = ("mode", "unit", "size", "overlap", "tokenizer", "tail")
"""What a link always says."""
BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}


def parse(found: Mapping[str, object]) -> tuple[Values, list[str]]:
    """All settings, valid, from what a link or a message holds, and a notice for each that had to change."""
    values: Values = {}
    notices = []
    for setting in SETTINGS:
        if setting.name not in found:
            values[setting.name] = setting.default_for(values)
            continue
        values[setting.name], notice = setting.nearest(found[setting.name], values)
        if notice:
            notices.append(notice)
    return values, notices


def changed(values: Mapping[str, Value]) -> Values:
    """The settings that differ from their defaults, and always those that every chunking is known by."""
    return {
        setting.name: values[setting.name]
        for setting in SETTINGS
        if setting.name in ALWAYS or values[setting.name] != setting.default_for(values)
    }


def overlap_units(values: Mapping[str, Value]) -> int:
    """The overlap in units: its percentage of the size, rounded down; always smaller than the size."""
    return int(values["size"]) * int(values["overlap"]) // 100


def to_config(values: Mapping[str, Value]) -> ChunkingConfig:
    """The core's configuration for valid settings."""
    size, threshold = int(values["size"]), str(values["threshold"])
    return ChunkingConfig(
        mode=str(values["mode"]),
        unit=str(values["unit"]),
        size=size,
        overlap=overlap_units(values),
        tokenizer=str(values["tokenizer"]),
        tail=str(values["tail"]),
        min_size=max(1, size * int(values["smallest"]) // 100) if values["smallest"] else None,
        parent_size=size * int(values["parents"]) or None,
        snap=str(values["snap"]),
        separators=ladder_of(str(values["separators"])),
        form=str(values["form"]),
        context=values["context"] == "on",
        boilerplate=str(values["boilerplate"]),
        threshold=threshold,
        amount=int(values["amount"]) / SCALES[threshold],
        window=int(values["window"]),
    )


def as_table() -> list[dict[str, object]]:
    """The table for the page's controls, as JSON."""
    return [setting.as_row() for setting in SETTINGS]
