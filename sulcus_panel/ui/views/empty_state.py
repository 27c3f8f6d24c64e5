"""What stands where there are no rows: what that means, and what to do next."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from sulcus_panel.ui.views.painted_button import PaintedButton, Shape
from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel

NOTHING_YET = """To record what your agent does from now on:
sulcus-panel hooks install claude-code

To bring in what it has done already:
sulcus-panel import claude-code

New changes appear here by themselves."""
"""Each command on a line of its own: one that wraps cannot be read off."""


class EmptyState(QWidget):
    """A title, a sentence or two, and at most one button."""

    action_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = ThemedLabel(strong=True, scale=1.25)
        self._text = ThemedLabel(ink=Ink.MUTED)
        self._action = PaintedButton("", Shape.PLAIN)
        self._action.clicked.connect(self.action_requested)
        for label in (self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addStretch(2)
        column.addWidget(self._title)
        column.addWidget(self._text)
        column.addSpacing(6)
        column.addWidget(self._action, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)

    def show_none(self, *, narrowed: bool) -> None:
        """Say why there are no rows: because nothing `narrowed` to matches, or because nothing is recorded."""
        if narrowed:
            self.tell("Nothing matches", "No change has what you look for.", "Show all changes")
        else:
            self.tell("Nothing recorded yet", NOTHING_YET)

    def tell(self, title: str, text: str, action: str = "") -> None:
        """Say this; an empty action has no button."""
        self._title.setText(title)
        self._text.setText(text)
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self.setAccessibleName(f"{title}. {text}")
