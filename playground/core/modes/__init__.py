"""The modes: each a small file that says where one may cut, from the coarsest boundary to the finest.

Measuring, packing, overlap, tail, reasons and flags are shared (`core.packing`). A new mode is one module here and
one entry in `MODES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from playground.core.modes import fixed, paragraph, recursive, semantic, sentence, structure
from playground.core.modes.mode import Mode

MODES: Mapping[str, Mode] = MappingProxyType(
    {module.MODE.name: module.MODE for module in (fixed, sentence, paragraph, recursive, structure, semantic)}
)
