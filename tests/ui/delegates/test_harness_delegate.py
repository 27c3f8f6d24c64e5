import pytest
from PySide6.QtGui import QColor

from sulcus_panel.ui.delegates.harness_delegate import HARNESS_COLOURS, harness_colour
from sulcus_panel.ui.theme import DARK, LIGHT, Theme


def luminance(colour: str) -> float:
    named = QColor(colour)
    red, green, blue = (linear(part) for part in (named.redF(), named.greenF(), named.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("harness", [*HARNESS_COLOURS, "undo", "outside", "never-heard-of"])
def test_a_dot_stands_out_from_every_row(harness: str, theme: Theme) -> None:
    dot = harness_colour(harness, theme)
    assert contrast(dot, theme.base) >= 2.9
    assert contrast(dot, theme.accent_soft) >= 2.5
