"""A size in another unit: what holds about as much of the document at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playground.core.prepared import Prepared
from playground.settings import BY_NAME, parse


def converted(prepared: Prepared, wanted: Mapping[str, Any], from_unit: str) -> object:
    """The size in the wanted unit that holds about as much of this document as it did in `from_unit`."""
    size, tokenizer = wanted.get("size"), str(parse(wanted)[0]["tokenizer"])
    counts = [prepared.ruler(unit, tokenizer).count for unit in (from_unit, str(wanted["unit"]))]
    if isinstance(size, bool) or not isinstance(size, int) or not counts[0]:
        return size
    setting = BY_NAME["size"]
    size = int(setting.nearest(size, {"unit": from_unit})[0])
    return setting.nearest(_rounded(size * counts[1] / counts[0]), wanted)[0]


def _rounded(size: float) -> int:
    """To two digits, as a person would set a slider."""
    step = 10 ** max(0, len(str(int(size))) - 2)
    return int(round(size / step) * step)
