"""The banner of the undo sheet that says: this file was changed outside the agents. It can show how."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.safety import plain
from sulcus_panel.service.file_diffs import FileDiff
from sulcus_panel.ui.dialogs import undo_words as words
from sulcus_panel.ui.dialogs.hunk_card import Card
from sulcus_panel.ui.dialogs.plain_label import PlainLabel


class DriftNote(QFrame):
    """One sentence and a "Show" button; the change opens below it."""

    show_requested = Signal(object)

    def __init__(self, path: LedgerPath, text: str) -> None:
        super().__init__()
        self.setObjectName("drift_note")
        self._path = path
        self._change: Card | None = None
        self._button = QPushButton("Show")
        self._button.setObjectName("show_outside")
        self._button.setAccessibleName(f"Show what was changed outside in {words.path_text(path)}")
        self._button.setFlat(True)
        self._button.setAutoDefault(False)
        self._button.clicked.connect(self._on_clicked)
        row = QHBoxLayout()
        row.setContentsMargins(12, 8, 8, 8)
        row.addWidget(PlainLabel(text, wrap=True), 1)
        row.addWidget(self._button)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addLayout(row)

    def show_change(self, diff: FileDiff) -> None:
        """Open `diff`, the outside change, below the sentence."""
        if self._change is not None:
            return
        self._change = Card("outside_card")
        labels = f"{plain(diff.old_label, 100)} → {plain(diff.new_label, 100)}"
        self._change.head.addWidget(PlainLabel(labels, tone="quiet", wrap=True))
        if diff.message:
            self._change.body.addWidget(PlainLabel(plain(diff.message, 400), name="card_note", wrap=True))
        else:
            self._change.show_lines(diff.old, diff.new, context=2)
        self._layout.addWidget(self._change)
        self._button.setText("Hide")

    @Slot()
    def _on_clicked(self) -> None:
        if self._change is None:
            self.show_requested.emit(self._path)
            return
        self._change.setVisible(not self._change.isVisible())
        self._button.setText("Hide" if self._change.isVisible() else "Show")
