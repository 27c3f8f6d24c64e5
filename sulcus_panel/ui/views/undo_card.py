"""The answer to "can this be undone?" in a frame, and the main button under it."""

from PySide6.QtCore import QRectF, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from sulcus_panel.ui.models.ledger_row import NEVER
from sulcus_panel.ui.models.verdict import Verdict
from sulcus_panel.ui.models.wording import tooltip
from sulcus_panel.ui.theme import theme_of
from sulcus_panel.ui.views.painted_button import PaintedButton, Shape
from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel


class _Frame(QWidget):
    """A rounded frame around its contents."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(theme.border))
        painter.setBrush(QColor(theme.base))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.end()


class UndoCard(QWidget):
    """Shows a Verdict."""

    undo_clicked = Signal()
    redo_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_redo = False
        self._title = ThemedLabel(strong=True, max_lines=2)
        self._text = ThemedLabel(max_lines=10)
        self._button = PaintedButton("", Shape.MAIN)
        self._button.clicked.connect(self._on_clicked)
        frame = _Frame()
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(12, 10, 12, 11)
        inside.setSpacing(4)
        inside.addWidget(self._title)
        inside.addWidget(self._text)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(frame)
        column.addWidget(self._button)

    def show_verdict(self, verdict: Verdict, spoken: str) -> None:
        """Show this; `spoken` is the button's name for a screen reader."""
        self._is_redo = verdict.button.is_redo
        self._title.setText(verdict.title)
        self._title.set_ink(Ink.GOOD if verdict.is_good else Ink.TEXT)
        self._text.setText(verdict.text)
        self._text.setVisible(bool(verdict.text))
        self._button.setText(f"{verdict.button.label}…")
        self._button.setAccessibleName(spoken or verdict.button.label)
        self._button.setEnabled(verdict.button.enabled)
        self._button.setToolTip(tooltip(verdict.button.reason) if not verdict.button.enabled else "")
        self._button.setVisible(verdict.button.label not in ("", NEVER))

    @Slot()
    def _on_clicked(self) -> None:
        (self.redo_clicked if self._is_redo else self.undo_clicked).emit()
