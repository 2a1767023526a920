"""The settings of the page: their kinds, and the one table that everything takes them from."""

from playground.settings.kinds import Choice, Ladder, Setting, Value, Values, Whole, shown
from playground.settings.table import BY_NAME, SETTINGS, as_table, changed, overlap_units, parse, to_config

__all__ = [
    "BY_NAME",
    "SETTINGS",
    "Choice",
    "Ladder",
    "Setting",
    "Value",
    "Values",
    "Whole",
    "as_table",
    "changed",
    "overlap_units",
    "parse",
    "shown",
    "to_config",
]
