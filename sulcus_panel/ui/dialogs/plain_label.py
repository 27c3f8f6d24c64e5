"""A label that never reads its text as markup, whatever a record says."""

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

_LONG_WORD, _VERY_LONG_WORD = re.compile(r"\S{40,}"), re.compile(r"\S{66,}")
_PIECE = 16
BREAK = "\u200b"
"""A place where a line may break, without a width of its own."""

LEAST_WORDS = 120
"""A word that is longer still is cut rather than making a page wider than its window."""


class PlainLabel(QLabel):
    """Plain text, selectable and wrapped where asked; `tone` picks a colour of the theme."""

    def __init__(
        self,
        text: str = "",
        *,
        name: str = "",
        tone: str = "",
        wrap: bool = False,
        selectable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setObjectName(name)
        self.setIndent(0)
        self.setWordWrap(wrap)
        if wrap:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        if selectable:
            self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setText(text)
        self.set_tone(tone)

    def setText(self, text: str) -> None:
        """Show `text`; where it wraps, a word without an end is given places to break at."""
        if not self.wordWrap():
            super().setText(text)
        elif self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse:
            super().setText(_VERY_LONG_WORD.sub(_with_breaks, text))  # a hash is copied without breaks
        else:
            super().setText(breakable(text))

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), LEAST_WORDS), hint.height()) if self.wordWrap() else hint

    def set_tone(self, tone: str) -> None:
        """Change the colour of the text to another of the theme's: good, caution, bad, quiet, or none."""
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)


def breakable(text: str) -> str:
    """Return `text` with places to break at in words that are wider than a narrow page."""
    return _LONG_WORD.sub(_with_breaks, text)


def _with_breaks(word: re.Match[str]) -> str:
    text = word.group()
    return BREAK.join(text[start : start + _PIECE] for start in range(0, len(text), _PIECE))
