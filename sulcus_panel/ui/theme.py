"""The colours and fonts of the window: one light and one dark palette, and the switch between them.

Every text reads at 4.5:1 or better on every fill it can stand on; a test holds that. Added is blue and
removed is orange, so that everyone can tell them apart. The palettes are our own, set on Fusion, because
QStyleHints.setColorScheme() does nothing on some platforms.
"""

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from sulcus_panel.ui.syntax import TokenClass

SCROLL_BAR = 10
"""Pixels across a scroll bar; its handle is 4 less."""


class ThemeChoice(StrEnum):
    """What a person can choose."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of one palette, each as #rrggbb."""

    dark: bool
    window: str
    base: str
    """Behind lists, tables and text."""
    raised: str
    """Behind what stands apart from the base: folds, heads, chips, quotes."""
    text: str
    muted: str
    """Text that may be overlooked: times, line numbers, hints."""
    border: str
    accent: str
    on_accent: str
    accent_soft: str
    """Behind the selected row and the chosen chip."""
    selection: str
    """Behind selected diff lines; neither blue nor orange."""
    banner: str
    banner_border: str
    added: str
    added_mark: str
    removed: str
    removed_mark: str
    plus: str
    minus: str
    good: str
    danger: str
    hatch: str
    grip: str
    """The handle of a scroll bar; a little stronger under the mouse (`muted`)."""
    syntax: tuple[str, ...]
    """One colour a TokenClass."""

    def token(self, kind: TokenClass) -> str:
        """Return the colour of a class of characters."""
        return self.syntax[kind]


FIELDS = ("QLineEdit", "QAbstractSpinBox", "QCheckBox", "QRadioButton")
FUSION_FRAME = 140
"""In percent: so much darker than the window is what Fusion frames a field with."""

LIGHT = Theme(
    dark=False,
    window="#ffffff",
    base="#ffffff",
    raised="#f4f6f8",
    text="#1b212b",
    muted="#58616f",
    border="#dde2e8",
    accent="#2457d6",
    on_accent="#ffffff",
    accent_soft="#e6edfd",
    selection="#e6e1fb",
    banner="#fff3d2",
    banner_border="#e2b93b",
    added="#d6e9ff",
    added_mark="#a8d0fb",
    removed="#ffe3cc",
    removed_mark="#ffc48f",
    plus="#1f5fc4",
    minus="#a8480a",
    good="#15703a",
    danger="#b3261e",
    hatch="#d3d8df",
    grip="#c3cad3",
    syntax=("#7a1fa2", "#0b5a36", "#4a5563", "#8a3a00", "#1c3faa", "#0b5566", "#1c3faa"),
)

DARK = Theme(
    dark=True,
    window="#1b2028",
    base="#1b2028",
    raised="#252b35",
    text="#e6eaf0",
    muted="#a2acba",
    border="#303845",
    accent="#7ba4ff",
    on_accent="#10151d",
    accent_soft="#22304f",
    selection="#372f5e",
    banner="#3d3213",
    banner_border="#b8932a",
    added="#16324f",
    added_mark="#1b4a76",
    removed="#4a2c0f",
    removed_mark="#683a12",
    plus="#7db4f8",
    minus="#f0a05c",
    good="#5fcf8f",
    danger="#ff8a80",
    hatch="#39424f",
    grip="#4a5463",
    syntax=("#dfa3f5", "#93dbab", "#b4bfcc", "#f5bd8a", "#a9c7ff", "#8fd6e0", "#a9c7ff"),
)


def theme_of(palette: QPalette) -> Theme:
    """Return the theme a widget with this palette is shown in."""
    return DARK if palette.color(QPalette.ColorRole.Base).lightness() < 128 else LIGHT


def palette_of(theme: Theme) -> QPalette:
    """Return a complete palette for the Fusion style."""
    role = QPalette.ColorRole
    palette = QPalette()
    for name, colour in (
        (role.Window, theme.window),
        (role.WindowText, theme.text),
        (role.Base, theme.base),
        (role.AlternateBase, theme.raised),
        (role.Text, theme.text),
        (role.PlaceholderText, theme.muted),
        (role.Button, theme.raised),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.danger),
        (role.ToolTipBase, theme.raised),
        (role.ToolTipText, theme.text),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.on_accent),
        (role.Accent, theme.accent),
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
        (role.Light, theme.raised),
        (role.Midlight, theme.border),
        (role.Mid, theme.border),
        (role.Dark, theme.hatch),
        (role.Shadow, theme.hatch),
    ):
        palette.setColor(name, QColor(colour))
    for name in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, QColor(theme.muted))
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(theme.border))
    palette.setColor(QPalette.ColorGroup.Disabled, role.HighlightedText, QColor(theme.muted))
    return palette


def field_palette_of(theme: Theme) -> QPalette:
    """Return the palette of fields to be filled in.

    Fusion frames these in a shade darker than the window's colour, which on a dark window is no frame; they show
    nothing else of it, so they have another one, whose shade is a border to be seen.
    """
    palette = palette_of(theme)
    palette.setColor(QPalette.ColorRole.Window, QColor(theme.grip).lighter(FUSION_FRAME))
    return palette


def scroll_bar_style(theme: Theme) -> str:
    """Return the style sheet of every scroll bar: a slim handle on the ground it stands on, no arrows."""
    return f"""
    QScrollBar {{ background: transparent; border: none; margin: 0; }}
    QScrollBar:vertical {{ width: {SCROLL_BAR}px; }}
    QScrollBar:horizontal {{ height: {SCROLL_BAR}px; }}
    QScrollBar::handle {{ background: {theme.grip}; border-radius: 3px; margin: 2px; }}
    QScrollBar::handle:vertical {{ min-height: 28px; }}
    QScrollBar::handle:horizontal {{ min-width: 28px; }}
    QScrollBar::handle:hover, QScrollBar::handle:pressed {{ background: {theme.muted}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; border: none; background: none; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: none; }}
    QAbstractScrollArea::corner {{ background: transparent; border: none; }}
    """


def code_font() -> QFont:
    """Return the system's fixed-width font."""
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)


class ThemeSwitch(QObject):
    """Sets the application's palette by choice, or as the system's own changes."""

    theme_changed = Signal(object)

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._choice = ThemeChoice.SYSTEM
        app.setStyle("Fusion")
        app.styleHints().colorSchemeChanged.connect(self._on_scheme_changed)

    @property
    def choice(self) -> ThemeChoice:
        """What the person chose."""
        return self._choice

    @property
    def theme(self) -> Theme:
        """The theme that the choice comes to now."""
        if self._choice is ThemeChoice.SYSTEM:
            return DARK if self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark else LIGHT
        return DARK if self._choice is ThemeChoice.DARK else LIGHT

    def choose(self, choice: ThemeChoice) -> None:
        """Show the window in this theme from now on."""
        self._choice = choice
        self._show()

    @Slot()
    def _on_scheme_changed(self) -> None:
        if self._choice is ThemeChoice.SYSTEM:
            self._show()

    def _show(self) -> None:
        theme = self.theme
        self._app.setPalette(palette_of(theme))
        for kind in FIELDS:
            # The stubs ask for bytes, which Qt's binding refuses: it takes str alone.
            self._app.setPalette(field_palette_of(theme), kind)  # type: ignore[arg-type]
        self._app.setStyleSheet(scroll_bar_style(theme))
        self.theme_changed.emit(theme)
