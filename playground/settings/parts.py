"""What of the page can be left out, by name: by lessons that need only some of it, by links of teachers (`hide`)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from playground.settings.table import SETTINGS

PARTS: Mapping[str, str] = MappingProxyType(
    {
        **{setting.name: setting.label for setting in SETTINGS},
        "header": "The pages, the documents and the way to add some",
        "lines": "The three lines that say what to notice",
        "question": "The box for a question",
        "found": "What becomes of the answer, and the ranks of the chunks",
        "retriever": "How a question ranks the chunks",
        "scope": "Which documents are searched",
        "k": "How many chunks are read",
        "budget": "How many tokens are read",
        "neighbours": "How many neighbours are read",
        "reader": "Whether parents are read",
        "spaces": "The switch for idle white space",
        "legend": "What the shades mean",
        "numbers": "The numbers beside the text",
        "figure": "The figure of sizes",
        "curve": "The curve of similarity",
        "workbench": "What stands below the text",
    }
)
"""Every name that `hide` may hold, with what it stands for."""
ASIDE = frozenset({"header", "lines", "spaces", "figure", "workbench"})
"""What a projector does without."""
EVERYWHERE = frozenset({"header", "legend"})
"""What a lesson need not name among its controls: the page itself decides."""
