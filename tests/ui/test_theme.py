"""Every text can be read on every fill it may stand on, in both themes; the system is followed."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPalette
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QSpinBox
from pytestqt.qtbot import QtBot

from sulcus_panel.ui.syntax import TokenClass
from sulcus_panel.ui.theme import (
    DARK,
    LIGHT,
    SCROLL_BAR,
    Theme,
    ThemeChoice,
    ThemeSwitch,
    code_font,
    palette_of,
    theme_of,
)

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def luminance(colour: str) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    shown = QColor(colour)
    red, green, blue = (linear(part) for part in (shown.redF(), shown.greenF(), shown.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2.2, 1 to 21."""
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def text_pairs(theme: Theme) -> Iterator[tuple[str, str]]:
    plain = (theme.window, theme.base, theme.raised, theme.accent_soft)
    code = (theme.base, theme.added, theme.added_mark, theme.removed, theme.removed_mark, theme.selection)
    for fill in (*plain, *code, theme.banner):
        yield theme.text, fill
    for colour in (theme.muted, theme.accent, theme.plus, theme.minus, theme.good, theme.danger):
        for fill in plain:
            yield colour, fill
    for colour in theme.syntax:
        for fill in code:
            yield colour, fill
    for fill in (theme.added, theme.removed, theme.selection, theme.banner):
        yield theme.muted, fill
    yield theme.on_accent, theme.accent
    yield theme.accent, theme.banner


@THEMES
def test_every_text_has_a_contrast_of_at_least_4_5(theme: Theme) -> None:
    poor = [(text, fill) for text, fill in text_pairs(theme) if contrast(text, fill) < 4.5]
    assert poor == []


@THEMES
def test_word_marks_stand_out_from_their_line_and_lines_from_the_page(theme: Theme) -> None:
    for line, mark in ((theme.added, theme.added_mark), (theme.removed, theme.removed_mark)):
        assert contrast(line, mark) > 1.2
        assert contrast(line, theme.base) > 1.1


@THEMES
def test_every_class_of_characters_has_a_colour(theme: Theme) -> None:
    assert len(theme.syntax) == len(TokenClass)


@THEMES
def test_the_palette_tells_its_theme(theme: Theme) -> None:
    assert theme_of(palette_of(theme)) is theme


def test_disabled_text_is_muted_but_still_readable() -> None:
    disabled = palette_of(DARK).color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    assert disabled == QColor(DARK.muted)


@pytest.fixture
def switch(qapp: QApplication) -> Iterator[ThemeSwitch]:
    before = qapp.palette()
    made = ThemeSwitch(qapp)
    yield made
    made.deleteLater()
    qapp.setPalette(before)


def test_scroll_bars_are_slim_and_follow_the_theme(
    switch: ThemeSwitch, qtbot: QtBot, qapp: QApplication
) -> None:
    area = QPlainTextEdit("line\n" * 200)
    qtbot.addWidget(area)
    for choice, theme in ((ThemeChoice.DARK, DARK), (ThemeChoice.LIGHT, LIGHT)):
        switch.choose(choice)
        area.show()
        assert area.verticalScrollBar().sizeHint().width() == SCROLL_BAR
        assert theme.grip in qapp.styleSheet()


def test_a_field_to_be_filled_in_has_a_border_to_be_seen(switch: ThemeSwitch, qtbot: QtBot) -> None:
    for choice, theme in ((ThemeChoice.DARK, DARK), (ThemeChoice.LIGHT, LIGHT)):
        switch.choose(choice)
        for field in (QLineEdit(), QSpinBox()):
            qtbot.addWidget(field)
            field.resize(120, 28)
            shown = field.grab().toImage()
            left = [shown.pixelColor(x, 14).lightness() for x in range(4)]
            ground = QColor(theme.base).lightness()
            assert max(abs(each - ground) for each in left) >= 35, (theme.dark, type(field), left)


def test_a_choice_sets_the_palette_of_the_application(switch: ThemeSwitch, qtbot: QtBot) -> None:
    with qtbot.waitSignal(switch.theme_changed) as heard:
        switch.choose(ThemeChoice.DARK)
    assert heard.args == [DARK]
    assert theme_of(QApplication.palette()) is DARK
    switch.choose(ThemeChoice.LIGHT)
    assert theme_of(QApplication.palette()) is LIGHT


def test_the_system_is_followed_only_while_it_is_the_choice(switch: ThemeSwitch, qtbot: QtBot) -> None:
    hints = QApplication.styleHints()
    switch.choose(ThemeChoice.SYSTEM)
    with qtbot.waitSignal(switch.theme_changed):
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
    switch.choose(ThemeChoice.DARK)
    with qtbot.assertNotEmitted(switch.theme_changed):
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert theme_of(QApplication.palette()) is DARK


def test_code_is_shown_in_a_fixed_width_font(qapp: QApplication) -> None:
    widths = QFontMetricsF(code_font())  # QFontInfo.fixedPitch() is false for some fixed-width fonts
    assert widths.horizontalAdvance("i") == widths.horizontalAdvance("W")
    assert qapp is not None
