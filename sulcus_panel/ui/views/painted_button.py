"""Buttons painted from the theme: a chip that toggles, a plain one, the main one, a link."""

from enum import StrEnum

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from sulcus_panel.ui.theme import Theme, theme_of

FOCUS_GAP = 1.5


class Shape(StrEnum):
    """How a button looks."""

    CHIP = "chip"
    PLAIN = "plain"
    MAIN = "main"
    LINK = "link"


_INSETS = {Shape.CHIP: (10, 4), Shape.PLAIN: (12, 6), Shape.MAIN: (14, 8), Shape.LINK: (0, 1)}


class PaintedButton(QAbstractButton):
    """A button with plain text; the ampersand is a letter like any other."""

    def __init__(self, text: str = "", shape: Shape = Shape.PLAIN, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shape = shape
        self._hovered = False
        self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if shape is Shape.MAIN else Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        grows = QSizePolicy.Policy.Minimum if shape is Shape.MAIN else QSizePolicy.Policy.Fixed
        self.setSizePolicy(grows, QSizePolicy.Policy.Fixed)
        if shape is Shape.MAIN:
            font = QFont(self.font())
            font.setWeight(QFont.Weight.DemiBold)
            self.setFont(font)

    def sizeHint(self) -> QSize:
        across, down = _INSETS[self._shape]
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 2 * across + 2, metrics.height() + 2 * down)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 40), self.sizeHint().height())

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = False
        self.update()
        super().leaveEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground, line, text = self._colours(theme)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        radius = area.height() / 2 if self._shape is Shape.CHIP else 6
        painter.setPen(QPen(QColor(line), 1))
        painter.setBrush(QColor(ground))
        if self._shape is not Shape.LINK:
            painter.drawRoundedRect(area, radius, radius)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            inner = area.adjusted(FOCUS_GAP / 2, FOCUS_GAP / 2, -FOCUS_GAP / 2, -FOCUS_GAP / 2)
            painter.drawRoundedRect(inner, radius, radius)
        across = _INSETS[self._shape][0]
        font = painter.font()
        font.setUnderline(self._shape is Shape.LINK and self._hovered)
        painter.setFont(font)
        painter.setPen(QColor(text))
        words = self.rect().adjusted(across, 0, -across, 0)
        shown = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, words.width() + 1)
        side = Qt.AlignmentFlag.AlignLeft if self._shape is Shape.LINK else Qt.AlignmentFlag.AlignHCenter
        flags = int(side | Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)
        painter.drawText(words, flags, shown)
        painter.end()

    def _colours(self, theme: Theme) -> tuple[str, str, str]:
        """Return ground, line and text for how the button stands now."""
        off = not self.isEnabled()
        if self._shape is Shape.MAIN:
            return (
                (theme.raised, theme.border, theme.muted)
                if off
                else (theme.accent, theme.accent, theme.on_accent)
            )
        if self._shape is Shape.LINK:
            return "#00000000", "#00000000", theme.muted if off else theme.accent
        if self.isChecked():
            return theme.accent_soft, theme.accent if self._hovered else theme.accent_soft, theme.accent
        if self._shape is Shape.CHIP:
            return theme.raised, theme.border if self._hovered else theme.raised, theme.muted
        return theme.raised if self._hovered else theme.base, theme.border, theme.muted if off else theme.text
