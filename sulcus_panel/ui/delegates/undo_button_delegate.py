"""The button of each row, painted: 50,000 widgets would not do. The model gives it its spoken name.

A click counts when the left button went down and came up inside the same row's button. A button that cannot
be used is shown without its frame; its tooltip says why.
"""

from PySide6.QtCore import QAbstractItemModel, QEvent, QPersistentModelIndex, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from sulcus_panel.ui.delegates.cell import PADDING, Cell, CellDelegate, Index, bold, draw_line, smaller
from sulcus_panel.ui.models.columns import LedgerRole
from sulcus_panel.ui.models.ledger_row import LedgerRow

INSET = 10
RADIUS = 5


class UndoButtonDelegate(CellDelegate):
    """Paints the button and says when it was clicked."""

    undo_clicked = Signal(int)
    redo_clicked = Signal(int)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._pressed = QPersistentModelIndex()

    def paint_row(self, cell: Cell, row: LedgerRow) -> None:
        """Paint the button, if the row has one."""
        if not row.undo.label:
            return
        painter, theme = cell.painter, cell.theme
        rect = button_rect(cell.rect, cell.font, row)
        label = _label(cell.rect, cell.font, row)
        words = rect.adjusted(INSET, 0, -INSET + 2, 0)
        strong = cell.selected and row.undo.enabled
        painter.setFont(_font(cell.font, strong=strong))
        if not row.undo.enabled:
            draw_line(painter, words, label, theme.muted)
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.accent if strong else theme.border), 1.5 if strong else 1.0))
        painter.setBrush(QColor(theme.raised if cell.hovered else theme.base))
        edge = 0.75 if strong else 0.5
        painter.drawRoundedRect(QRectF(rect).adjusted(edge, edge, -edge, -edge), RADIUS, RADIUS)
        painter.restore()
        draw_line(painter, words, label, theme.accent if strong else theme.text)

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """Follow the mouse: press and release inside one button make a click."""
        row = index.data(LedgerRole.ROW)
        if not isinstance(event, QMouseEvent) or not isinstance(row, LedgerRow):
            return super().editorEvent(event, model, option, index)
        rect = button_rect(option.rect, option.font, row)
        inside = row.undo.enabled and rect.contains(event.position().toPoint())
        kind, is_left = event.type(), event.button() is Qt.MouseButton.LeftButton
        if kind == QEvent.Type.MouseButtonPress and is_left:
            self._pressed = QPersistentModelIndex(index) if inside else QPersistentModelIndex()
            return inside
        if kind == QEvent.Type.MouseButtonRelease and is_left:
            was_pressed = self._pressed.isValid() and self._pressed == QPersistentModelIndex(index)
            self._pressed = QPersistentModelIndex()
            if was_pressed and inside:
                self._click(row)
            return was_pressed
        return super().editorEvent(event, model, option, index)

    def _click(self, row: LedgerRow) -> None:
        (self.redo_clicked if row.undo.is_redo else self.undo_clicked).emit(row.seq_id)


def button_rect(cell: QRect, font: QFont, row: LedgerRow) -> QRect:
    """Return where the button of a row stands inside its cell."""
    metrics = QFontMetrics(_font(font, strong=True))
    label = _label(cell, font, row)
    width = min(metrics.horizontalAdvance(label) + 2 * INSET, _room(cell))
    height = min(metrics.height() + 8, cell.height() - 4)
    return QRect(cell.left() + PADDING, cell.center().y() - height // 2, width, height)


def _label(cell: QRect, font: QFont, row: LedgerRow) -> str:
    """Return the button's words, in brief where the column is narrow."""
    needed = QFontMetrics(_font(font, strong=True)).horizontalAdvance(row.undo.label) + 2 * INSET
    return row.undo.label if needed <= _room(cell) else row.undo.brief


def _room(cell: QRect) -> int:
    return cell.width() - PADDING - 2


def _font(font: QFont, *, strong: bool) -> QFont:
    return bold(smaller(font)) if strong else smaller(font)
