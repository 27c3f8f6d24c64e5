"""The headings of a table, flat and quiet: muted words, one thin line below, an arrow where it is sorted."""

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QHeaderView, QWidget

from sulcus_panel.ui.delegates.cell import PADDING, draw_line, smaller
from sulcus_panel.ui.theme import theme_of

ARROW = 7


class FlatHeader(QHeaderView):
    """A horizontal header painted from the theme."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setSortIndicatorShown(True)
        self.setHighlightSections(False)
        self.setAccessibleName("Columns")

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.fontMetrics().height() + 14)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        theme = theme_of(self.palette())
        painter.save()
        painter.setFont(smaller(self.font()))
        painter.fillRect(rect, QColor(theme.base))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(theme.border))
        text = self.model().headerData(section, Qt.Orientation.Horizontal)
        inside = rect.adjusted(PADDING, 0, -2, -1)
        used = draw_line(painter, inside, str(text or ""), theme.muted)
        if self.sortIndicatorSection() == section and inside.width() - used > ARROW + 4:
            self._paint_arrow(painter, inside.left() + used + 5, inside.center().y() + 1)
        painter.restore()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, area = theme_of(self.palette()), self.viewport().rect()
        painter = QPainter(self.viewport())
        painter.fillRect(area, QColor(theme.base))
        painter.fillRect(0, area.bottom(), area.width(), 1, QColor(theme.border))
        painter.end()
        super().paintEvent(event)

    def _paint_arrow(self, painter: QPainter, left: int, middle: int) -> None:
        down = self.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
        tip, base = (2.0, -2.0) if down else (-2.0, 2.0)
        arrow = QPolygonF(
            [
                QPointF(left, middle + base),
                QPointF(left + ARROW, middle + base),
                QPointF(left + ARROW / 2, middle + tip),
            ]
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme_of(self.palette()).muted))
        painter.drawPolygon(arrow)
