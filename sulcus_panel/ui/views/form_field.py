"""One field of a form: its name above it, what it is for below, and there too what is wrong with it."""

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel


class FormField(QWidget):
    """A named widget with a sentence below; a complaint takes the sentence's place until it is cleared."""

    def __init__(self, name: str, widget: QWidget, hint: str = "") -> None:
        super().__init__()
        self.widget = widget
        self._hint = hint
        self._spoken = name.replace("&", "")
        label = QLabel(name)
        label.setBuddy(widget)
        widget.setAccessibleName(self._spoken)
        self._below = ThemedLabel(hint, ink=Ink.MUTED, scale=0.9, max_lines=4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addWidget(label)
        column.addWidget(widget)
        column.addWidget(self._below)
        self.complain("")

    @property
    def complaint(self) -> str:
        """What is wrong with it; empty where nothing is."""
        return self._below.text() if self._below.ink is Ink.DANGER else ""

    def complain(self, words: str) -> None:
        """Say what is wrong; nothing for nothing."""
        self._below.set_ink(Ink.DANGER if words else Ink.MUTED)
        self._below.setText(words or self._hint)
        self._below.setVisible(bool(words or self._hint))
        self.widget.setAccessibleDescription(words or self._hint)
