"""The warning before every rollback: the file was changed outside the agents, and here is how to see it."""

from PySide6.QtCore import QRect, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from sulcus_panel.core.safety import plain
from sulcus_panel.ui.theme import theme_of
from sulcus_panel.ui.views.painted_button import PaintedButton, Shape
from sulcus_panel.ui.views.themed_label import ThemedLabel

MOST_LINES = 6
"""What two silent agents need in the narrowest window, each with its way out; the rest is cut."""


class Banner(QWidget):
    """One bold word or two, one sentence, one action; hidden while there is nothing to say."""

    action_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = ThemedLabel(strong=True, max_lines=1)
        self._text = ThemedLabel(max_lines=MOST_LINES)
        self._action = PaintedButton("", Shape.LINK)
        self._action.clicked.connect(self.action_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 7, 12, 8)
        row.setSpacing(10)
        row.addWidget(self._title)
        row.addWidget(self._text, 1)
        row.addWidget(self._action)
        self.clear()

    def tell(self, title: str, text: str, action: str = "Show what changed") -> None:
        """Show a warning; all three are shown as plain text, an empty action has no button."""
        self._title.setText(plain(title, 200))
        self._title.setVisible(bool(title))
        self._text.setText(plain(text, 600))
        self._action.setText(plain(action, 80))
        self._action.setAccessibleName(self._action.text())
        self._action.setVisible(bool(action))
        said = (self._title.text(), self._text.text())
        self.setAccessibleName(": ".join(words for words in said if words))
        self.setVisible(True)

    @Slot()
    def clear(self) -> None:
        """Say nothing."""
        self.setVisible(False)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.banner))
        edge = QRect(0, self.height() - 1, self.width(), 1)
        painter.fillRect(edge, QColor(theme.banner_border))
        painter.end()
