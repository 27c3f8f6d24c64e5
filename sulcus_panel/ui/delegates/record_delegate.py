"""Rows of the second timeline, on the same ground as the ledger's: flat, one thin line below, plain text."""

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from sulcus_panel.ui.delegates.cell import FOCUS_BAR, PADDING, Index, colour, draw_line
from sulcus_panel.ui.theme import theme_of


class RecordDelegate(QStyledItemDelegate):
    """Paints one cell; the columns before `last` are quiet, the last one is what is read."""

    def __init__(self, last: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._last = last

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect = theme_of(option.palette), option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setFont(option.font)
        painter.fillRect(rect, colour(theme.accent_soft if selected else theme.base))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, colour(theme.border))
        if selected and index.column() == 0 and option.widget.hasFocus():
            painter.fillRect(rect.left(), rect.top(), FOCUS_BAR, rect.height() - 1, colour(theme.accent))
        ink = theme.text if index.column() == self._last else theme.muted
        draw_line(painter, rect.adjusted(PADDING, 0, -PADDING, -1), str(index.data() or ""), ink)
        painter.restore()
