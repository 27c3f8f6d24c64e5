"""A few changed lines, painted: what goes has a minus, what comes a plus. For cards, not for whole files."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from sulcus_panel.core.diff import DiffRow, DiffRows, RowKind
from sulcus_panel.ui.theme import Theme, code_font, theme_of

SIGNS = {RowKind.ADDED: "+", RowKind.REMOVED: "\N{MINUS SIGN}"}
SPOKEN = {RowKind.ADDED: "comes: ", RowKind.REMOVED: "goes: "}
MOST_ROWS = 60
"""Rows that a card shows; the rest is counted, and the whole file is one click away."""
SIGN_AT, TEXT_AT, LINE_PADDING = 12, 42, 3
TAB = 4


class DiffLines(QWidget):
    """Paints the rows of a small comparison; long lines are cut at the right edge."""

    def __init__(self, rows: DiffRows, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[DiffRow, ...] = rows[: MOST_ROWS + 1]
        self._left_out = max(0, len(rows) - MOST_ROWS)
        if self._left_out:
            self._rows = self._rows[:MOST_ROWS]
        self.setFont(code_font())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        spoken = [f"{SPOKEN.get(row.kind, '')}{_text(row)}" for row in self._rows[:20]]
        self.setAccessibleName("Changed lines")
        self.setAccessibleDescription("\n".join(spoken))

    def sizeHint(self) -> QSize:
        count = len(self._rows) + (1 if self._left_out else 0)
        return QSize(320, count * self._line_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = theme_of(self.palette())
        height = self._line_height()
        first = event.rect().top() // height
        last = min(len(self._rows), event.rect().bottom() // height + 1)
        for index in range(first, last):
            self._paint_row(painter, theme, self._rows[index], QRect(0, index * height, self.width(), height))
        if self._left_out and last == len(self._rows):
            rest = QRect(TEXT_AT, last * height, self.width() - TEXT_AT, height)
            painter.setPen(QColor(theme.muted))
            painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter, f"… {self._left_out:,} more lines")

    def _paint_row(self, painter: QPainter, theme: Theme, row: DiffRow, rect: QRect) -> None:
        background = {RowKind.ADDED: theme.added, RowKind.REMOVED: theme.removed}.get(row.kind)
        if background:
            painter.fillRect(rect, QColor(background))
        painter.setPen(QColor(theme.muted if row.kind is RowKind.FOLD else theme.text))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(rect.adjusted(SIGN_AT, 0, 0, 0), middle, SIGNS.get(row.kind, ""))
        shown = QFontMetricsF(self.font()).elidedText(
            _text(row).expandtabs(TAB), Qt.TextElideMode.ElideRight, rect.width() - TEXT_AT - SIGN_AT
        )
        painter.drawText(rect.adjusted(TEXT_AT, 0, 0, 0), middle, shown)

    def _line_height(self) -> int:
        return self.fontMetrics().height() + 2 * LINE_PADDING


def _text(row: DiffRow) -> str:
    if row.kind is RowKind.FOLD:
        return f"⋯ {row.folded:,} unchanged lines"
    return row.new_text if row.kind is RowKind.ADDED else row.old_text or row.new_text
