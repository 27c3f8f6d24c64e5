"""A check box whose box is seen on every palette, and whose words wrap: Fusion's own does neither."""

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QStyle, QStyleOptionButton, QStylePainter, QWidget

from sulcus_panel.ui.dialogs.plain_label import breakable
from sulcus_panel.ui.theme import theme_of

WIDEST_HINT, NARROWEST = 420, 160
GAP, SLACK = 7, 8
_FLAGS = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap


class TickBox(QCheckBox):
    """Behaves as QCheckBox; paints its own indicator and wraps its text, in which `&` is a letter."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = breakable(text)
        self._measured = (-1, QFont(), QRect())
        self.setText(text.replace("&", "&&"))
        self.setAccessibleName(text)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        self.ensurePolished()
        width = min(self._left() + self.fontMetrics().horizontalAdvance(self._words) + SLACK, WIDEST_HINT)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(hint.width(), NARROWEST), self._indicator().height() + 4)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max(self._words_rect(width).height(), self._indicator().height()) + 4

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        painter = QStylePainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        words = self._words_rect(self.width())
        words.moveTop(max(2, (self.height() - words.height()) // 2))
        place = self._indicator()
        line = min(self.fontMetrics().height(), words.height())
        place.moveTop(words.top() + (line - place.height()) // 2)
        self._paint_box(painter, QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5))
        group = option.palette.currentColorGroup() if self.isEnabled() else option.palette.ColorGroup.Disabled
        painter.setPen(option.palette.color(group, option.palette.ColorRole.WindowText))
        painter.drawText(words, _FLAGS, self._words)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme_of(self.palette()).accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

    def _indicator(self) -> QRect:
        style = self.style()
        across = style.pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth, None, self)
        down = style.pixelMetric(QStyle.PixelMetric.PM_IndicatorHeight, None, self)
        return QRect(2, 0, across, down)

    def _left(self) -> int:
        return self._indicator().right() + GAP

    def _words_rect(self, width: int) -> QRect:
        """Return where the words stand in a box of this width; a layout asks for it again and again."""
        if (width, self.font()) != self._measured[:2]:
            room = QRect(self._left(), 0, max(1, width - self._left() - 2), 1 << 15)
            height = self.fontMetrics().boundingRect(room, int(_FLAGS), self._words).height()
            self._measured = (width, self.font(), QRect(room.left(), 0, room.width(), height))
        return QRect(self._measured[2])

    def _paint_box(self, painter: QPainter, box: QRectF) -> None:
        theme = theme_of(self.palette())
        edge = theme.accent if self.isEnabled() else theme.border
        painter.setPen(QPen(QColor(edge if self.isChecked() else theme.muted), 1))
        painter.setBrush(QColor(edge if self.isChecked() else theme.base))
        painter.drawRoundedRect(box, 3.5, 3.5)
        if self.isChecked():
            pen = QPen(QColor(theme.on_accent if self.isEnabled() else theme.muted), 1.8)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            width, left, top = box.width(), box.left(), box.top()
            painter.drawPolyline(
                [
                    QPointF(left + width * 0.25, top + width * 0.52),
                    QPointF(left + width * 0.44, top + width * 0.70),
                    QPointF(left + width * 0.76, top + width * 0.32),
                ]
            )
