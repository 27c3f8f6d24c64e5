"""The diff as a scrolling picture: a document's rows, or its message, painted where they are visible.

It knows pixels and scroll bars, no gestures: those are DiffView's. Only visible rows are ever made, so a
hundred thousand lines open at once.
"""

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from sulcus_panel.core.diff import DiffRows, DiffSide, RowKind
from sulcus_panel.ui.syntax import SyntaxLines
from sulcus_panel.ui.theme import code_font, theme_of
from sulcus_panel.ui.views.diff_cells import columns_shown
from sulcus_panel.ui.views.diff_document import EMPTY, DiffDocument
from sulcus_panel.ui.views.diff_painter import PADDING, DiffPainter, Look

FLAGS_MESSAGE = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
FLAGS_LABEL = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class DiffCanvas(QAbstractScrollArea):
    """Paints one DiffDocument; `look` says which rows are marked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = EMPTY
        self._rows: DiffRows | None = None
        self._columns = 0
        self._painter: DiffPainter | None = None
        self._syntax: dict[DiffSide, SyntaxLines] = {}
        self._side_by_side = False
        self._show_whitespace = False
        self._look = Look()
        self.setFont(code_font())
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)

    @property
    def document(self) -> DiffDocument:
        """The document that is shown."""
        return self._document

    @property
    def rows(self) -> DiffRows | None:
        """The rows as they stand now, or None where a message is shown."""
        return self._rows

    @property
    def side_by_side(self) -> bool:
        """Whether both sides stand beside each other."""
        return self._side_by_side

    @property
    def look(self) -> Look:
        """Which rows are marked now."""
        return self._look

    def show_diff(self, document: DiffDocument) -> None:
        """Show another document, from its top."""
        self._document = document
        self._syntax = {}
        comparison = document.comparison
        self._rows = None
        if comparison is not None:
            self._rows = DiffRows(comparison, side_by_side=self._side_by_side)
            self._columns = columns_shown(self._rows)
        self._renew_painter()
        self.verticalScrollBar().setValue(0)
        self.horizontalScrollBar().setValue(0)

    @Slot(bool)
    def set_side_by_side(self, wanted: bool) -> None:
        """Show both sides beside each other, or all rows in one column, keeping the place."""
        if wanted == self._side_by_side:
            return
        self._side_by_side = wanted
        if self._rows is not None:
            before = self._rows
            self.set_rows(DiffRows(before.comparison, side_by_side=wanted, opened=before.opened))

    @Slot(bool)
    def set_show_whitespace(self, wanted: bool) -> None:
        """Make blanks and tabs visible."""
        self._show_whitespace = wanted
        self._renew_painter()

    def set_syntax(self, side: DiffSide, lines: SyntaxLines) -> None:
        """Colour one side of the document; nothing moves."""
        self._syntax[side] = lines
        self._renew_painter()

    def set_rows(self, rows: DiffRows) -> None:
        """Show the same comparison in other rows, with the same line at the top."""
        before, top = self._rows, self.top_row()
        self._rows = rows
        self._columns = columns_shown(rows)
        self._renew_painter()
        if before is not None:
            self.verticalScrollBar().setValue(rows.same_row(before, top) * self.row_height())

    def set_look(self, look: Look) -> None:
        """Mark other rows."""
        self._look = look
        self.viewport().update()

    def row_height(self) -> int:
        """Return the height of a row in pixels."""
        return self._painter.metrics.row if self._painter else 1

    def row_area(self) -> QRect:
        """Return where rows stand in the viewport: below the labels."""
        return self.viewport().rect().adjusted(0, self._head_height(), 0, 0)

    def top_row(self) -> int:
        """Return the first row that is at least partly visible."""
        return self.verticalScrollBar().value() // self.row_height()

    def row_at(self, y: int) -> int:
        """Return the row at a height of the viewport, the nearest one where there is none."""
        at = (y - self._head_height() + self.verticalScrollBar().value()) // self.row_height()
        return max(0, min(at, len(self._rows or ()) - 1))

    def side_at(self, x: int) -> DiffSide:
        """Return the side that stands at a place of the viewport."""
        is_left = self._side_by_side and x < self.viewport().width() // 2
        return DiffSide.OLD if is_left else DiffSide.NEW

    def fold_at(self, point: QPoint) -> int:
        """Return the row of the fold at a point of the viewport, or -1."""
        if self._rows is None or not self.row_area().contains(point):
            return -1
        row = self.row_at(point.y())
        end = self.row_area().top() + len(self._rows) * self.row_height() - self.verticalScrollBar().value()
        return row if point.y() < end and self._rows.place(row).kind is RowKind.FOLD else -1

    def reveal(self, row: int) -> None:
        """Scroll as little as needed to show a row."""
        bar, height = self.verticalScrollBar(), self.row_height()
        low, high = (row + 1) * height - self.row_area().height(), row * height
        bar.setValue(max(low, min(bar.value(), high)))

    def sizeHint(self) -> QSize:
        return QSize(720, 360)

    def _renew_painter(self) -> None:
        self._painter = None
        if self._rows is not None:
            self._painter = DiffPainter(
                self._rows,
                theme_of(self.palette()),
                self.font(),
                syntax=self._syntax,
                show_whitespace=self._show_whitespace,
            )
        self._update_ranges()
        self.viewport().update()

    def _update_ranges(self) -> None:
        area = self.row_area()
        vertical, horizontal = self.verticalScrollBar(), self.horizontalScrollBar()
        if self._rows is None or self._painter is None:
            vertical.setRange(0, 0)
            horizontal.setRange(0, 0)
            return
        metrics = self._painter.metrics
        vertical.setRange(0, max(0, len(self._rows) * metrics.row - area.height()))
        vertical.setSingleStep(metrics.row)
        vertical.setPageStep(max(metrics.row, area.height() - metrics.row))
        room = min(pane.right - pane.text for pane in metrics.panes(area.width(), self._side_by_side))
        wide = round(self._columns * metrics.char) + PADDING
        horizontal.setRange(0, max(0, wide - room))
        horizontal.setSingleStep(round(metrics.char * 4))
        horizontal.setPageStep(max(1, room))

    def _head_height(self) -> int:
        has_labels = self._document.old_label or self._document.new_label
        return self.row_height() + 6 if self._painter and has_labels else 0

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(theme.base))
        if self._painter is None:
            self._paint_message(painter)
        else:
            scroll = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
            painter.setClipRect(self.row_area())
            self._painter.paint(painter, self.row_area(), scroll, self._look)
            painter.setClipping(False)
            self._paint_head(painter, self._painter)
        if self.hasFocus():
            painter.setPen(QColor(theme.accent))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _paint_message(self, painter: QPainter) -> None:
        painter.setPen(QColor(theme_of(self.palette()).muted))
        painter.setFont(QGuiApplication.font())
        box = self.viewport().rect().adjusted(24, 24, -24, -24)
        painter.drawText(box, FLAGS_MESSAGE, self._document.message)

    def _paint_head(self, painter: QPainter, rows: DiffPainter) -> None:
        height = self._head_height()
        if not height:
            return
        theme = theme_of(self.palette())
        width = self.viewport().width()
        painter.fillRect(0, 0, width, height, QColor(theme.raised))
        painter.fillRect(0, height - 1, width, 1, QColor(theme.border))
        painter.setPen(QColor(theme.muted))
        painter.setFont(QGuiApplication.font())
        labels = [self._document.old_label, self._document.new_label]
        if not self._side_by_side:
            labels = ["  →  ".join(label for label in labels if label)]
        for pane, label in zip(rows.metrics.panes(width, self._side_by_side), labels, strict=True):
            box = QRect(pane.left + PADDING, 0, pane.right - pane.left - 2 * PADDING, height)
            shown = painter.fontMetrics().elidedText(label, Qt.TextElideMode.ElideMiddle, box.width())
            painter.drawText(box, FLAGS_LABEL, shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_ranges()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._renew_painter()
