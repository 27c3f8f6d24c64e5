"""The strip at the top of the window while an undo that somebody asked for waits for the person."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal, SignalInstance, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from sulcus_panel.core.holds import Hold
from sulcus_panel.ui.models.hold_words import question, reason
from sulcus_panel.ui.theme import theme_of
from sulcus_panel.ui.views.painted_button import PaintedButton, Shape
from sulcus_panel.ui.views.themed_label import ThemedLabel

EDGE = 4


class HoldsStrip(QWidget):
    """Who asks for what and why it waits, and what can be answered; hidden while nothing waits.

    The oldest request stays until it is decided, so that none comes under a click that was meant for another.
    """

    look_requested = Signal(int)
    """The id of a hold: the person wants to see what it would do, and to decide."""
    keep_requested = Signal(int)
    list_requested = Signal()
    """There are several, and all of them are wanted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: int | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._title = ThemedLabel(strong=True, max_lines=2)
        self._text = ThemedLabel(max_lines=3)
        self._look = PaintedButton("Look at it…", Shape.PLAIN)
        self._keep = PaintedButton("Keep it", Shape.PLAIN)
        self._all = PaintedButton("", Shape.LINK)
        self._look.setObjectName("look_at_hold")
        self._keep.setObjectName("keep_hold")
        self._all.setObjectName("all_holds")
        self._look.clicked.connect(self._on_look)
        self._keep.clicked.connect(self._on_keep)
        self._all.clicked.connect(self.list_requested)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._title)
        words.addWidget(self._text)
        row = QHBoxLayout(self)
        row.setContentsMargins(12 + EDGE, 8, 12, 9)
        row.setSpacing(10)
        row.addLayout(words, 1)
        for button in (self._all, self._look, self._keep):
            row.addWidget(button)
        self.hide()

    def show_holds(self, holds: Sequence[Hold], *, can_answer: bool = True) -> None:
        """Show the oldest of these (they come newest first), and how many there are; nothing for none."""
        if not holds:
            self._shown = None
            self.hide()
            return
        oldest = holds[-1]
        if self._shown not in {None, oldest.id}:
            self._pause.start(QApplication.doubleClickInterval())
        asked, why = question(oldest), reason(oldest)
        if self._shown != oldest.id:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, f"{asked}. {why}"))
        self._shown = oldest.id
        self._title.setText(asked)
        self._text.setText(why)
        self._all.setText(f"All {len(holds):,}…")
        self._all.setVisible(len(holds) > 1)
        for button, name in ((self._look, "Look at it"), (self._keep, "Keep it as it is")):
            button.setVisible(can_answer)
            button.setAccessibleName(f"{name}: {asked}")
        self._all.setAccessibleName(f"All {len(holds):,} requests that wait for you")
        self._look.setToolTip("Shows what would change. Nothing is done before you say so.")
        self._keep.setToolTip("Says no: nothing is undone, and whoever asked learns it.")
        self.setAccessibleName(f"{asked}. {why}")
        self.show()

    @Slot()
    def _on_look(self) -> None:
        self._answer(self.look_requested)

    @Slot()
    def _on_keep(self) -> None:
        self._answer(self.keep_requested)

    def _answer(self, signal: SignalInstance) -> None:
        """Pass an answer on; the second click of a double click is no answer to the next request."""
        if self._shown is not None and not self._pause.isActive():
            self._pause.start(QApplication.doubleClickInterval())
            signal.emit(self._shown)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.accent_soft))
        painter.fillRect(0, 0, EDGE, self.height(), QColor(theme.accent))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(theme.border))
        painter.end()
