"""Structure-aware: by the document's own form. A chunk stays in its section and is read under its headings.

Blocks (a table, a list, fenced code) stay whole where they fit; a table too large goes by rows under its header, a
class by methods under its own, an answer under its question.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from playground.core.areas import areas
from playground.core.cuts import Cuts
from playground.core.modes.mode import Mode
from playground.core.outline.forms import outline
from playground.core.plan import Plan
from playground.core.prepared import Prepared
from playground.core.rulers import Offsets
from playground.core.structure import Structure, structure

if TYPE_CHECKING:
    from playground.core.config import ChunkingConfig


def structure_of(prepared: Prepared, form: str) -> Structure:
    """The document's structure in `form`, found once."""
    document = prepared.document
    return prepared.once(("structure", form), lambda: structure(document, outline(document, form)))


def plan(prepared: Prepared, config: ChunkingConfig) -> Plan:
    """Blocks, what they hold, what that holds, paragraphs, lines of code, sentences, words, units; walled sections."""
    found = structure_of(prepared, config.form)
    kinds = (
        Cuts("block", (config.form, "block"), lambda _: found.blocks),
        Cuts("part", (config.form, "part"), lambda _: found.parts),
        Cuts("inner part", (config.form, "detail"), lambda _: found.details),
        Cuts("paragraph", (config.form, "paragraph"), partial(_unheld, found, "paragraphs")),
        Cuts("line", (config.form, "line"), lambda _: found.lines),
        Cuts("sentence", (config.form, "sentence"), partial(_unheld, found, "sentences")),
        "word",
        "unit",
    )
    levels = prepared.levels(kinds, config.unit, config.tokenizer)
    return Plan(levels, config.size, config.overlap, areas(prepared, found, config))


def _unheld(found: Structure, name: str, prepared: Prepared) -> Offsets:
    """The boundaries called `name` that do not part a heading from its text."""
    return found.without_held(getattr(prepared, name))


def is_ready(prepared: Prepared, config: ChunkingConfig) -> bool:
    """Whether the document's structure in this form is known."""
    return prepared.knows(("structure", config.form))


MODE = Mode(
    "structure",
    "Structure-aware",
    "Follows headings, tables, code and questions; adds the heading path.",
    plan,
    is_ready,
)
