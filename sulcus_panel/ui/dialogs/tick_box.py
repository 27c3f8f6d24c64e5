"""A check box whose box is seen on every palette: Fusion's own fades into dark windows."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QStyle, QStyleOptionButton, QStylePainter

from sulcus_panel.ui.theme import theme_of


class TickBox(QCheckBox):
    """Behaves as QCheckBox; paints its own indicator."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        painter = QStylePainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = self.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
        self._paint_box(painter, QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5))
        option.rect = self.style().subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, self)
        painter.drawControl(QStyle.ControlElement.CE_CheckBoxLabel, option)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme_of(self.palette()).accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

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
