"""What every cell of the ledger table shares: flat ground, one thin line below, plain text.

Painted by hand because a style asks the model seven times a cell, and because nothing from a record may ever
be taken for rich text.
"""

from functools import cache
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from sulcus_panel.ui.models.cell_texts import cell_text
from sulcus_panel.ui.models.columns import LedgerColumn, LedgerRole
from sulcus_panel.ui.models.ledger_row import LedgerRow
from sulcus_panel.ui.theme import Theme, theme_of

Index = QModelIndex | QPersistentModelIndex
PADDING = 8
"""Pixels left and right of a cell's contents."""
FOCUS_BAR = 3
_COLUMNS = tuple(LedgerColumn)
_LINE = int(
    Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
) | int(Qt.TextFlag.TextSingleLine)


class Cell(NamedTuple):
    """One cell while it is painted: a tuple, because a few hundred are made for each frame."""

    painter: QPainter
    rect: QRect
    font: QFont
    theme: Theme
    column: LedgerColumn
    selected: bool
    hovered: bool

    @property
    def inside(self) -> QRect:
        """The rectangle for the contents."""
        return self.rect.adjusted(PADDING, 0, -PADDING, -1)


class CellDelegate(QStyledItemDelegate):
    """Paints one column's text in one colour; subclasses paint something else into the same cell."""

    def __init__(self, *, muted: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._muted = muted

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell = _cell(painter, option, index)
        painter.save()
        painter.setFont(cell.font)
        _paint_ground(cell, option.widget)
        row = index.data(LedgerRole.ROW)
        if isinstance(row, LedgerRow):
            self.paint_row(cell, row)
        elif cell.column is LedgerColumn.TARGET:
            draw_line(painter, cell.inside, "no longer kept", cell.theme.muted)
        painter.restore()

    def paint_row(self, cell: Cell, row: LedgerRow) -> None:
        """Paint the cell's contents; the ground is there, the font is set."""
        ink = cell.theme.muted if self._muted else cell.theme.text
        draw_line(cell.painter, cell.inside, cell_text(row, cell.column), ink)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        metrics = QFontMetrics(option.font)
        return QSize(metrics.horizontalAdvance(text) + 2 * PADDING, row_height(metrics))


def row_height(metrics: QFontMetrics) -> int:
    """Return the height of a row for a font."""
    return metrics.height() + 18


def _cell(painter: QPainter, option: QStyleOptionViewItem, index: Index) -> Cell:
    state = option.state
    return Cell(
        painter,
        option.rect,
        option.font,
        theme_of(option.palette),
        _COLUMNS[index.column()],
        bool(state & QStyle.StateFlag.State_Selected),
        bool(state & QStyle.StateFlag.State_MouseOver),
    )


def _paint_ground(cell: Cell, widget: QWidget | None) -> None:
    """Fill the cell, draw the line below it, mark the selected row while the table has focus."""
    rect, theme, painter = cell.rect, cell.theme, cell.painter
    painter.fillRect(rect, colour(theme.accent_soft if cell.selected else theme.base))
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, colour(theme.border))
    if cell.selected and cell.column is LedgerColumn.SEQ and widget is not None and widget.hasFocus():
        painter.fillRect(rect.left(), rect.top(), FOCUS_BAR, rect.height() - 1, colour(theme.accent))


def draw_line(
    painter: QPainter,
    rect: QRect,
    text: str,
    ink: str,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> int:
    """Draw one line of text, cut with an ellipsis where it does not fit; return the width it took."""
    if rect.width() <= 0 or not text:
        return 0
    metrics = painter.fontMetrics()
    width = metrics.horizontalAdvance(text)
    if width > rect.width():
        text = metrics.elidedText(text, elide, rect.width())
        width = metrics.horizontalAdvance(text)
    painter.setPen(colour(ink))
    painter.drawText(rect, _LINE, text)
    return width


@cache
def colour(name: str) -> QColor:
    """Return a colour of the theme, parsed once; nobody changes it."""
    return QColor(name)


def bold(font: QFont) -> QFont:
    """Return the font in semi-bold."""
    heavier = QFont(font)
    heavier.setWeight(QFont.Weight.DemiBold)
    return heavier


def smaller(font: QFont) -> QFont:
    """Return the font a little smaller, for marks and second lines."""
    small = QFont(font)
    if font.pointSizeF() > 0:
        small.setPointSizeF(max(6.0, font.pointSizeF() * 0.9))
    else:
        small.setPixelSize(max(8, round(font.pixelSize() * 0.9)))
    return small
