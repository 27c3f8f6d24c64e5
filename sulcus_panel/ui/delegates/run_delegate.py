"""Runs and turns in the sidebar: a title, a quiet second line, a count, and for a run a small timeline."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from sulcus_panel.ui.delegates.cell import Index, draw_line, smaller
from sulcus_panel.ui.delegates.harness_delegate import DOT, draw_dot, harness_colour
from sulcus_panel.ui.models.run_answers import RunsRole
from sulcus_panel.ui.theme import Theme, theme_of

SIDE = 14
DOWN = 6
BARS_HEIGHT = 22
BARS_GAP = 6
TEXT_LEFT = SIDE + DOT + 8
MOST_BARS = 16


@dataclass(frozen=True, slots=True)
class _Lines:
    """Where the two lines of an item stand."""

    first: QRect
    second: QRect


class RunDelegate(QStyledItemDelegate):
    """Paints both levels of the tree; the timeline belongs to a run that is open."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.current_turn: tuple[str, int] | None = None
        """Session and turn's row that is looked at: its bar has the accent."""
        self._measured: tuple[QFont, int] | None = None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = theme_of(option.palette)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRect(6, option.rect.top(), option.rect.right() - 11, option.rect.height())
        self._paint_ground(painter, area, option, theme)
        lines = _lines(area, option.font)
        harness = index.data(RunsRole.HARNESS)
        if harness is not None:
            draw_dot(painter, SIDE, lines.first.center().y() + 1, harness_colour(str(harness), theme))
        _paint_words(painter, lines, option.font, index, theme)
        if _shows_bars(option, index):
            bars = QRect(SIDE, lines.second.bottom() + BARS_GAP, area.right() - SIDE - 8, BARS_HEIGHT)
            _paint_bars(painter, bars, index.data(RunsRole.BARS), self._current_bar(index), theme)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        bars = BARS_HEIGHT + BARS_GAP if _shows_bars(option, index) else 0
        return QSize(120, self._height(option.font) + bars)

    def _height(self, font: QFont) -> int:
        """Return the height of both lines; measured once a font, for a tree asks of every turn that is open."""
        if self._measured is None or self._measured[0] != font:
            height = QFontMetrics(font).height() + QFontMetrics(smaller(font)).height() + 2 * DOWN + 1
            self._measured = QFont(font), height
        return self._measured[1]

    @staticmethod
    def _paint_ground(painter: QPainter, area: QRect, option: QStyleOptionViewItem, theme: Theme) -> None:
        if not option.state & QStyle.StateFlag.State_Selected:
            if option.state & QStyle.StateFlag.State_MouseOver:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(theme.raised))
                painter.drawRoundedRect(area, 6, 6)
            return
        painter.setPen(QColor(theme.accent) if option.widget.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent_soft))
        painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    def _current_bar(self, index: Index) -> int:
        scope = index.data(RunsRole.SCOPE)
        if self.current_turn is None or scope is None or scope.session_id != self.current_turn[0]:
            return -1
        return self.current_turn[1]


def _lines(area: QRect, font: QFont) -> _Lines:
    high, low = QFontMetrics(font).height(), QFontMetrics(smaller(font)).height()
    first = QRect(TEXT_LEFT, area.top() + DOWN, area.right() - TEXT_LEFT - 8, high)
    return _Lines(first, QRect(TEXT_LEFT, first.bottom() + 2, first.width(), low))


def _paint_words(painter: QPainter, lines: _Lines, font: QFont, index: Index, theme: Theme) -> None:
    painter.setFont(font)
    count = str(index.data(RunsRole.COUNT))
    width = painter.fontMetrics().horizontalAdvance(count)
    painter.setPen(QColor(theme.muted))
    painter.drawText(lines.first, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, count)
    draw_line(painter, lines.first.adjusted(0, 0, -width - 8, 0), str(index.data(RunsRole.TITLE)), theme.text)
    painter.setFont(smaller(font))
    draw_line(painter, lines.second, str(index.data(RunsRole.SECOND_LINE)), theme.muted)


def _shows_bars(option: QStyleOptionViewItem, index: Index) -> bool:
    """Say whether the run is open and has turns to compare; turns have no bars."""
    view = option.widget
    return (
        isinstance(view, QTreeView)
        and isinstance(index, QModelIndex)
        and not index.parent().isValid()
        and len(index.data(RunsRole.BARS)) > 1
        and view.isExpanded(index)
    )


def _paint_bars(painter: QPainter, area: QRect, counts: Sequence[int], current: int, theme: Theme) -> None:
    """Draw one bar a turn, the newest at the right; the tallest is the turn that did most."""
    shown = list(enumerate(counts))[-MOST_BARS:]
    if not shown:
        return
    width = min(area.width() / len(shown), 20.0)
    most = max(count for _, count in shown)
    painter.setPen(Qt.PenStyle.NoPen)
    for place, (turn, count) in enumerate(shown):
        height = 4 + (area.height() - 4) * count / most
        painter.setBrush(QColor(theme.accent if turn == current else theme.border))
        left = area.left() + place * width
        painter.drawRoundedRect(QRectF(left, area.bottom() - height, width - 3, height), 2, 2)
