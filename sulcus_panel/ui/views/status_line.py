"""The foot of the window: is the disk watched, when did hooks fire, how much is kept, when was an undo verified."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from sulcus_panel.core.safety import plain
from sulcus_panel.ui.models.wording import size_words, tooltip
from sulcus_panel.ui.theme import theme_of
from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel

DOT = 8


class StatusLine(QFrame):
    """One quiet line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status_line")
        self._is_watching = False
        self._watch = _quiet()
        self._hooks = _quiet()
        self._kept = _quiet()
        self._undo = _quiet()
        row = QHBoxLayout(self)
        row.setContentsMargins(28, 4, 14, 4)
        row.setSpacing(18)
        row.addWidget(self._watch)
        row.addWidget(self._hooks)
        row.addWidget(self._kept)
        row.addStretch(1)
        row.addWidget(self._undo)

    def show_watch(self, words: str, *, is_watching: bool) -> None:
        """Say whether the disk is watched; a filled dot means yes."""
        self._is_watching = is_watching
        self._watch.setText(plain(words, 200))
        self._tell()

    def show_hooks(self, words: str, lines: str) -> None:
        """Say which hooks fired last; `lines` tell it of every harness, one each."""
        self._hooks.setText(plain(words, 200))
        self._hooks.setVisible(bool(words))
        told = "\n".join(plain(line, 200) for line in lines.split("\n"))
        self._hooks.setToolTip(tooltip(told))
        self._hooks.setAccessibleDescription(told)
        self._tell()

    def show_totals(self, entries: int, most: int, kept_bytes: int) -> None:
        """Say how much is in the ledger; there may be more than `most` until the oldest are let go of."""
        counted = (
            f"{entries:,} of {most:,} changes"
            if entries <= most
            else f"{entries:,} changes, the newest {most:,} stay"
        )
        self._kept.setText(f"{counted} · {size_words(kept_bytes)} kept")
        self._tell()

    def show_last_undo(self, words: str) -> None:
        """Say when an undo was last verified."""
        self._undo.setText(plain(words, 200))
        self._tell()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.window))
        painter.fillRect(0, 0, self.width(), 1, QColor(theme.border))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(theme.good if self._is_watching else theme.muted))
        painter.setBrush(QColor(theme.good) if self._is_watching else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QRectF(14, (self.height() - DOT) / 2, DOT, DOT))
        painter.end()

    def _tell(self) -> None:
        parts = (one.text() for one in (self._watch, self._hooks, self._kept, self._undo))
        self.setAccessibleName("Status: " + ", ".join(part for part in parts if part))


def _quiet() -> ThemedLabel:
    return ThemedLabel(ink=Ink.MUTED, scale=0.9, max_lines=1)
