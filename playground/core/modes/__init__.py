"""The modes: each a small file that says where one may cut, from the coarsest boundary to the finest.

Measuring, packing, overlap, tail, reasons and flags are shared (`core.packing`). A new mode is one module here and
one entry in `MODES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from playground.core.modes import fixed, sentence
from playground.core.modes.mode import Mode

MODES: Mapping[str, Mode] = MappingProxyType({mode.name: mode for mode in (fixed.MODE, sentence.MODE)})
