"""The search field: says what is sought a moment after the typing stops, and is emptied with Esc."""

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QInputMethodEvent, QKeyEvent, QPainter, QPaintEvent, QTextCharFormat
from PySide6.QtWidgets import QLineEdit, QWidget

from sulcus_panel.ui.models.search_text import field_spans
from sulcus_panel.ui.theme import theme_of

DEBOUNCE_MS = 150
HINT = "Search changes, or path:src is:drifted harness:claude-code"
TIP = (
    "Words are looked for in paths, commands, requests and tools. "
    "path: harness: session: turn: action:edit|create|delete|command is:drifted|undone|deferred|outside"
)


class SearchBox(QLineEdit):
    """A line of text; `searched` tells its content, debounced, `left` that the person is done here."""

    searched = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(HINT)
        self.setToolTip(TIP)
        self.setAccessibleName("Search changes")
        self.setAccessibleDescription(TIP)
        self.setClearButtonEnabled(True)
        self.setFrame(False)
        self.setTextMargins(10, 0, 6, 0)
        self.setMinimumHeight(self.fontMetrics().height() + 14)
        self._told = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(self._on_timeout)
        self.textChanged.connect(self._on_text_changed)
        self.returnPressed.connect(self._on_return_pressed)

    def search_now(self, text: str) -> None:
        """Put a text in and search for it at once."""
        self.setText(text)
        self._timer.stop()
        self._on_timeout()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.text():
            self.search_now("")
        else:
            self.left.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(theme.accent if self.hasFocus() else theme.border))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour_fields()

    @Slot()
    def _on_text_changed(self) -> None:
        self._timer.start()
        self._colour_fields()

    def _colour_fields(self) -> None:
        """Show the names of fields in the accent: a line of text takes formats only from an input method."""
        look = QTextCharFormat()
        look.setForeground(QColor(theme_of(self.palette()).accent))
        kind = QInputMethodEvent.AttributeType.TextFormat
        spans = [
            QInputMethodEvent.Attribute(kind, start - self.cursorPosition(), length, look)
            for start, length in field_spans(self.text())
        ]
        QCoreApplication.sendEvent(self, QInputMethodEvent("", spans))

    @Slot()
    def _on_return_pressed(self) -> None:
        self.search_now(self.text())
        self.left.emit()

    @Slot()
    def _on_timeout(self) -> None:
        text = self.text().strip()
        if text != self._told:
            self._told = text
            self.searched.emit(text)
