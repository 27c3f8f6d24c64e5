"""Words on the screen: always plain text, wrapped even where they have no blanks, in theme colours."""

from enum import StrEnum

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QSizePolicy

from sulcus_panel.ui.theme import Theme, theme_of

ELLIPSIS = "…"
WIDEST = 420
"""Pixels that a label asks for at most; it takes less and wraps."""


class Ink(StrEnum):
    """Which of the theme's colours words have."""

    TEXT = "text"
    MUTED = "muted"
    ACCENT = "accent"
    GOOD = "good"
    DANGER = "danger"

    def of(self, theme: Theme) -> str:
        """Return the colour in a theme."""
        return {
            Ink.TEXT: theme.text,
            Ink.MUTED: theme.muted,
            Ink.ACCENT: theme.accent,
            Ink.GOOD: theme.good,
            Ink.DANGER: theme.danger,
        }[self]


class ThemedLabel(QLabel):
    """A label that wraps anywhere and ends with an ellipsis after `max_lines` (0: never)."""

    def __init__(
        self,
        text: str = "",
        *,
        ink: Ink = Ink.TEXT,
        scale: float = 1.0,
        strong: bool = False,
        max_lines: int = 0,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__()
        self.ink = ink
        self._elide = elide
        self._max_lines = max_lines
        self.setTextFormat(Qt.TextFormat.PlainText)
        font = QFont(self.font())
        if font.pointSizeF() > 0:
            font.setPointSizeF(font.pointSizeF() * scale)
        if strong:
            font.setWeight(QFont.Weight.DemiBold)
        self.setFont(font)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setText(text)

    def set_ink(self, ink: Ink) -> None:
        """Change the colour."""
        self.ink = ink
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if not self.text():
            return 0
        margins = self.contentsMargins()
        lines = self._lines(width - margins.left() - margins.right())
        return len(lines) * self.fontMetrics().lineSpacing() + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        margins = self.contentsMargins()
        longest = max(map(self.fontMetrics().horizontalAdvance, self.text().split("\n")))
        width = min(longest + 2, WIDEST) + margins.left() + margins.right()
        return QSize(width, max(self.heightForWidth(width), self.fontMetrics().height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height() if self.text() else 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QColor(self.ink.of(theme_of(self.palette()))))
        spacing = self.fontMetrics().lineSpacing()
        area = self.contentsRect()
        for number, line in enumerate(self._lines(area.width())):
            place = QRect(area.left(), area.top() + number * spacing, area.width(), spacing)
            painter.drawText(place, int(self.alignment()) | int(Qt.TextFlag.TextSingleLine), line)
        painter.end()

    def _lines(self, width: int) -> list[str]:
        return wrapped(self.text(), self.font(), max(width, 1), self._max_lines, self._elide)


def wrapped(
    text: str,
    font: QFont,
    width: int,
    max_lines: int = 0,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> list[str]:
    """Return text in lines no wider than `width`, broken at blanks where there are any, else anywhere.

    The last of `max_lines` has what fits of the rest, its end or middle told by an ellipsis.
    """
    lines: list[str] = []
    rest = ""
    for paragraph in text.split("\n"):
        if len(lines) == max_lines and rest:
            rest += ELLIPSIS
        layout = QTextLayout(paragraph, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, 0))
            lines.append(paragraph[line.textStart() : line.textStart() + line.textLength()].rstrip())
            if max_lines and len(lines) > max_lines:
                layout.endLayout()
                return [*lines[: max_lines - 1], QFontMetrics(font).elidedText(rest, elide, width)]
            if len(lines) == max_lines:
                rest = paragraph[line.textStart() :].rstrip()
        layout.endLayout()
    return lines
