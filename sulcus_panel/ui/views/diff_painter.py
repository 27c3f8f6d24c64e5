"""The pixels of the diff view: panes, numbers, signs, word marks, hatching and syntax colours.

Each visible line is one QTextLayout, made when it is first seen and kept while it may be seen again, so that
wide characters, tabs and marks stand where the font puts them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QPixmap,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)

from sulcus_panel.core.diff import DiffRows, DiffSide, RowKind
from sulcus_panel.core.diff.shown import TAB
from sulcus_panel.core.diff.words import Span
from sulcus_panel.ui.syntax import SyntaxLines, SyntaxSpan
from sulcus_panel.ui.theme import Theme
from sulcus_panel.ui.views.diff_cells import Cell, Tone, cells_of

PADDING = 10
LEADING = 5
"""Pixels between lines, beyond the font's own height."""
MAX_KEPT = 600
"""Rows whose layouts are kept."""
HATCH = 9
"""Pixels between the lines of the hatching."""
FLAGS_CENTRE = int(Qt.AlignmentFlag.AlignCenter)
FLAGS_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
FLAGS_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class Pane:
    """One column of the view: where its number columns and its text begin and end, in pixels."""

    left: int
    right: int
    number_ends: tuple[int, ...]
    sign: int
    text: int


@dataclass(frozen=True, slots=True)
class Metrics:
    """Sizes that follow from the font and the largest line number."""

    row: int
    char: float
    number: int

    @classmethod
    def of(cls, font: QFont, lines: int) -> "Metrics":
        """Measure `font` for a text of that many lines."""
        metrics = QFontMetricsF(font)
        char = metrics.horizontalAdvance("0")
        return cls(round(metrics.height()) + LEADING, char, round(char * max(3, len(str(lines)))))

    def panes(self, width: int, side_by_side: bool) -> tuple[Pane, ...]:
        """Divide `width` pixels into the panes of a layout."""
        if not side_by_side:
            return (self._pane(0, width, 2),)
        middle = width // 2
        return self._pane(0, middle, 1), self._pane(middle + 1, width, 1)

    def _pane(self, left: int, right: int, numbers: int) -> Pane:
        step = PADDING + self.number
        ends = tuple(left + step * (i + 1) for i in range(numbers))
        sign = ends[-1] + PADDING
        return Pane(left, right, ends, sign, sign + round(self.char * 2))


@dataclass(frozen=True, slots=True)
class Look:
    """Which rows are marked: selected ones (in one pane side by side), the current difference, the hover."""

    selected: range = range(0)
    side: DiffSide = DiffSide.NEW
    difference: int = -1
    cursor: int = -1
    hover: int = -1


_Prepared = tuple[tuple[Cell, QTextLayout | None], ...]


class DiffPainter:
    """Paints rows of one DiffRows in one theme and font. A new document, theme or font is a new painter."""

    def __init__(
        self,
        rows: DiffRows,
        theme: Theme,
        font: QFont,
        *,
        syntax: Mapping[DiffSide, SyntaxLines],
        show_whitespace: bool = False,
    ) -> None:
        self._rows = rows
        self._theme = theme
        self._font = font
        self._syntax = syntax
        comparison = rows.comparison
        self.metrics = Metrics.of(font, max(len(comparison.old.lines), len(comparison.new.lines)))
        self._option = QTextOption()
        self._option.setWrapMode(QTextOption.WrapMode.NoWrap)
        self._option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        self._option.setTabStopDistance(self.metrics.char * TAB)
        if show_whitespace:
            self._option.setFlags(QTextOption.Flag.ShowTabsAndSpaces)
        self._kept: dict[int, _Prepared] = {}
        self._hatch: QBrush | None = None
        self._fills = {
            Tone.ADDED: QColor(theme.added),
            Tone.REMOVED: QColor(theme.removed),
            Tone.FOLD: QColor(theme.raised),
        }

    def paint(self, painter: QPainter, area: QRect, scroll: tuple[int, int], look: Look) -> None:
        """Paint the rows that `area` shows, scrolled by (x, y) pixels."""
        height = self.metrics.row
        panes = self.metrics.panes(area.width(), self._rows.side_by_side)
        painter.setFont(self._font)
        first = scroll[1] // height
        top = area.top() - scroll[1] % height
        for index in range(first, len(self._rows)):
            if top > area.bottom():
                break
            for pane, (cell, layout) in zip(panes, self._prepared(index), strict=True):
                rect = QRect(area.left() + pane.left, top, pane.right - pane.left, height)
                self._paint_cell(painter, rect, pane, cell, look, index)
                if layout is not None:
                    self._paint_text(painter, rect, pane, (cell, layout), scroll[0])
            self._paint_bar(painter, QRect(area.left(), top, area.width(), height), index, look)
            top += height
        for pane in panes[1:]:
            x = area.left() + pane.left - 1
            painter.fillRect(x, area.top(), 1, area.height(), QColor(self._theme.border))

    def _paint_cell(
        self, painter: QPainter, rect: QRect, pane: Pane, cell: Cell, look: Look, index: int
    ) -> None:
        selected = index in look.selected and (not self._rows.side_by_side or cell.side is look.side)
        if cell.tone is Tone.MISSING:
            self._paint_hatch(painter, rect)
        fill = QColor(self._theme.selection) if selected else self._fills.get(cell.tone)
        if fill is not None and (not selected or cell.tone is not Tone.MISSING):
            painter.fillRect(rect, fill)
        if cell.tone is Tone.FOLD:
            hovered = index in (look.hover, look.cursor)
            painter.setPen(QColor(self._theme.accent if hovered else self._theme.muted))
            painter.drawText(rect, FLAGS_CENTRE, cell.text)
            return
        painter.setPen(QColor(self._theme.muted))
        for end, number in zip(pane.number_ends, cell.numbers, strict=False):
            if number is not None:
                left = rect.left() - pane.left + end - self.metrics.number
                box = QRect(left, rect.top(), self.metrics.number, rect.height())
                painter.drawText(box, FLAGS_RIGHT, str(number))
        if cell.sign:
            painter.setPen(QColor(self._theme.text))
            left = rect.left() - pane.left + pane.sign
            painter.drawText(QRect(left, rect.top(), 20, rect.height()), FLAGS_LEFT, cell.sign)

    def _paint_text(
        self, painter: QPainter, rect: QRect, pane: Pane, shown: tuple[Cell, QTextLayout], scroll_x: int
    ) -> None:
        cell, layout = shown
        left = rect.left() - pane.left + pane.text
        clip = QRect(left, rect.top(), rect.right() + 1 - left, rect.height())
        painter.save()
        painter.setClipRect(clip, Qt.ClipOperation.IntersectClip)
        origin = QPointF(left - scroll_x, rect.top() + (rect.height() - layout.boundingRect().height()) / 2)
        if cell.spans:
            self._paint_marks(painter, QRectF(rect), (cell, layout), origin.x())
        painter.setPen(QColor(self._theme.muted if cell.tone is Tone.NOTE else self._theme.text))
        layout.draw(painter, origin)
        painter.restore()

    def _paint_marks(
        self, painter: QPainter, rect: QRectF, shown: tuple[Cell, QTextLayout], left: float
    ) -> None:
        cell, layout = shown
        line = layout.lineAt(0)
        painter.setPen(Qt.PenStyle.NoPen)
        mark = self._theme.removed_mark if cell.tone is Tone.REMOVED else self._theme.added_mark
        painter.setBrush(QColor(mark))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for start, end in _in_utf16(cell.text, cell.spans):
            x, end_x = sorted((_x(line, start), _x(line, end)))
            painter.drawRoundedRect(QRectF(left + x, rect.top() + 1, end_x - x, rect.height() - 2), 2.5, 2.5)

    def _paint_hatch(self, painter: QPainter, rect: QRect) -> None:
        if self._hatch is None:
            self._hatch = _hatching(self._theme.hatch, painter.device().devicePixelRatio())
        painter.setBrushOrigin(rect.left(), 0)
        painter.fillRect(rect, self._hatch)

    def _paint_bar(self, painter: QPainter, rect: QRect, index: int, look: Look) -> None:
        """Mark the row of the cursor in its pane, and all rows of the current difference."""
        place = self._rows.place(index)
        is_current = place.kind is not RowKind.FOLD and place.owner == look.difference >= 0
        if index == look.cursor or is_current:
            right = index == look.cursor and self._rows.side_by_side and look.side is DiffSide.NEW
            left = rect.left() + (rect.width() // 2 + 1 if right else 0)
            painter.fillRect(left, rect.top(), 3, rect.height(), QColor(self._theme.accent))

    def _prepared(self, index: int) -> _Prepared:
        prepared = self._kept.get(index)
        if prepared is None:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            cells = cells_of(self._rows.row(index), self._rows.side_by_side)
            prepared = self._kept[index] = tuple((cell, self._layout(cell)) for cell in cells)
        return prepared

    def _layout(self, cell: Cell) -> QTextLayout | None:
        if not cell.text or cell.tone is Tone.FOLD:
            return None
        layout = QTextLayout(cell.text, self._font)
        layout.setTextOption(self._option)
        layout.setCacheEnabled(True)
        layout.setFormats(list(self._formats(cell)))
        layout.beginLayout()
        layout.createLine()
        layout.endLayout()
        return layout

    def _formats(self, cell: Cell) -> Iterator[QTextLayout.FormatRange]:
        spans = self._spans(cell)
        runs = _in_utf16(cell.text, tuple((start, start + length) for start, length, _ in spans))
        for (start, end), (_, _, kind) in zip(runs, spans, strict=True):
            made = QTextLayout.FormatRange()
            made.start, made.length = start, end - start
            style = QTextCharFormat()
            style.setForeground(QColor(self._theme.token(kind)))
            made.format = style
            yield made

    def _spans(self, cell: Cell) -> tuple[SyntaxSpan, ...]:
        lines = self._syntax.get(cell.side, ())
        line = cell.line
        if line is None or line >= len(lines):
            return ()
        return lines[line] if self._rows.comparison.side(cell.side).is_verbatim(line) else ()


def _x(line: QTextLine, position: int) -> float:
    """Return where a character begins; PySide gives a pair of that and the position."""
    placed = line.cursorToX(position)
    return float(placed[0]) if isinstance(placed, tuple) else 0.0


def _in_utf16(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Turn runs of characters into runs of UTF-16 units, which is what Qt counts."""
    if text.isascii() or max(text) <= "\uffff":
        return spans
    offsets = [0]
    for char in text:
        offsets.append(offsets[-1] + (2 if char > "\uffff" else 1))
    return tuple((offsets[start], offsets[end]) for start, end in spans)


def _hatching(colour: str, ratio: float) -> QBrush:
    """Return a brush of thin diagonal lines, sharp on the screen it is for."""
    tile = QPixmap(round(HATCH * ratio), round(HATCH * ratio))
    tile.setDevicePixelRatio(ratio)
    tile.fill(Qt.GlobalColor.transparent)
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colour), 1))
    for shift in (-HATCH, 0, HATCH):
        painter.drawLine(QPointF(shift, 0), QPointF(shift + HATCH, HATCH))
    painter.end()
    return QBrush(tile)
