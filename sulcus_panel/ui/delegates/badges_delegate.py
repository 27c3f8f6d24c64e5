"""What has become of it: words in pills, the most important first, as many as fit."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QWidget

from sulcus_panel.ui.delegates.cell import Cell, CellDelegate, draw_line, smaller
from sulcus_panel.ui.models.badges import Badge, Tone
from sulcus_panel.ui.models.columns import LedgerColumn
from sulcus_panel.ui.models.ledger_row import LedgerRow
from sulcus_panel.ui.theme import Theme

GAP = 5
INSET = 8
"""Pixels between a pill's edge and its word."""
NARROWEST = 30


class BadgesDelegate(CellDelegate):
    """Paints the state's badges; with `with_drift` the drift's too, for tables that hide that column."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.with_drift = False

    def paint_row(self, cell: Cell, row: LedgerRow) -> None:
        """Paint the cell's contents."""
        cell.painter.setFont(smaller(cell.font))
        draw_badges(cell.painter, cell.inside, self.badges(row, cell.column), cell.theme)

    def badges(self, row: LedgerRow, column: LedgerColumn) -> tuple[Badge, ...]:
        """Return the badges of a cell, the most important first."""
        drift = () if row.drift is None else (row.drift,)
        if column is LedgerColumn.DRIFT:
            return drift
        return (*drift, *row.badges) if self.with_drift else row.badges


def draw_badges(painter: QPainter, rect: QRect, badges: Sequence[Badge], theme: Theme) -> None:
    """Draw pills from left to right, in brief where there is little room; what does not fit is left out."""
    metrics = painter.fontMetrics()
    wide = sum(badge_width(metrics, badge.text) + GAP for badge in badges) - GAP > rect.width()
    left = rect.left()
    for badge in badges:
        text = badge.brief if wide else badge.text
        room = rect.right() + 1 - left
        if room < NARROWEST:
            return
        width = min(badge_width(metrics, text), room)
        _draw_pill(painter, QRect(left, rect.top(), width, rect.height()), text, _colours(theme, badge.tone))
        left += width + GAP


def badge_width(metrics: QFontMetrics, text: str) -> int:
    """Return how wide a badge with this word wants to be."""
    return metrics.horizontalAdvance(text) + 2 * INSET


def _draw_pill(painter: QPainter, rect: QRect, word: str, colours: tuple[str, str, str]) -> None:
    ground, line, text = colours
    height = painter.fontMetrics().height() + 4
    pill = QRectF(rect.left(), rect.center().y() - height / 2 + 1, rect.width(), height)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(line), 1))
    painter.setBrush(QColor(ground))
    painter.drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2)
    painter.restore()
    draw_line(painter, pill.toRect().adjusted(INSET, 0, -INSET + 1, 0), word, text)


def _colours(theme: Theme, tone: Tone) -> tuple[str, str, str]:
    clear = "#00000000"
    match tone:
        case Tone.OUTLINE:
            return clear, theme.border, theme.muted
        case Tone.QUIET:
            return theme.raised, theme.border, theme.muted
        case Tone.ACCENT:
            return theme.accent_soft, theme.accent, theme.accent
        case Tone.WARN:
            return theme.banner, theme.banner_border, theme.text
        case Tone.DANGER:
            return clear, theme.danger, theme.danger
