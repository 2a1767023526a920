"""The colours of figures in both schemes: those of `components/shared/tokens.css`, for what cannot read style sheets.

Importable without Streamlit. `charts` draws with them; a test holds them to the style sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from plotly.colors import sample_colorscale, unlabel_rgb

SCALE: Final = "Cividis"
"""The colours of 0 to 1: evenly spaced to the eye, for the colour-blind as well."""
SANS: Final = '"Source Sans", system-ui, sans-serif'
SMALL: Final = 12
MEDIUM: Final = 13
"""The two sizes of text in figures, in pixels: labels, and titles."""


@dataclass(frozen=True)
class Palette:
    """The colours of one scheme as #rrggbb; what each is for stands in the style sheet."""

    ink: str
    paper: str
    raised: str
    mark_a: str
    mark_b: str
    cut: str

    @property
    def quiet(self) -> str:
        """For text that is not the first to be read."""
        return mixed(self.ink, self.paper, 0.68)

    @property
    def line(self) -> str:
        """For grids and borders."""
        return mixed(self.ink, self.paper, 0.16)


LIGHT: Final = Palette("#1d2733", "#fbfaf7", "#ffffff", "#1f5fae", "#8f5200", "#b01526")
DARK: Final = Palette("#e8e5de", "#171b22", "#1d232d", "#8fbcff", "#ffc27a", "#ff9299")


def palette(dark: bool) -> Palette:
    """The colours of the present scheme."""
    return DARK if dark else LIGHT


def mixed(one: str, other: str, share: float) -> str:
    """`share` of one colour and the rest of another.

    >>> mixed("#ffffff", "#000000", 0.2)
    '#333333'
    """
    parts = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + "".join(f"{round(share * first + (1 - share) * second):02x}" for first, second in parts)


def over_scale(value: float) -> str:
    """Black or white, whichever can be read better over the colour that `SCALE` gives a value from 0 to 1.

    >>> over_scale(0.0), over_scale(1.0)
    ('#ffffff', '#000000')
    """
    under = _luminance(sample_colorscale(SCALE, min(1.0, max(0.0, value)))[0])
    return "#000000" if (under + 0.05) / 0.05 > 1.05 / (under + 0.05) else "#ffffff"


def _luminance(colour: str) -> float:
    """The relative luminance of an "rgb(r, g, b)" (WCAG 2.2)."""
    parts = (part / 255 for part in unlabel_rgb(colour))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)
