"""Everything that waits for the person, in one list: look at one, or say no to it."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from sulcus_panel.core.holds import Hold
from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.models.hold_words import asker, question, reason
from sulcus_panel.ui.models.text_rows import TextRow
from sulcus_panel.ui.models.wording import day_and_time, local_now
from sulcus_panel.ui.views.rows_table import RowsTable
from sulcus_panel.ui.views.themed_label import ThemedLabel

INTRODUCTION = (
    "Agents asked to take these changes back. Nothing is done until you say so: "
    "look at one to see what would change."
)
NOTHING = "Nothing waits for you."


class HoldsDialog(QDialog):
    """Shows what waits now, the newest first; Esc closes it and decides nothing."""

    look_requested = Signal(int)
    """The id of a hold."""
    keep_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("holds_dialog")
        self.setWindowTitle("Waiting for you")
        self.setModal(False)
        self.resize(760, 440)
        self._holds: dict[int, Hold] = {}
        self._introduction = PlainLabel(INTRODUCTION, wrap=True)
        self._table = RowsTable("Requests", ("Asked", "By", "Request"), (18, 18))
        self._sentence = ThemedLabel(max_lines=4)
        self._look = QPushButton("&Look at it…")
        self._keep = QPushButton("&Keep it")
        self._close = QPushButton("&Close")
        for button, name in ((self._look, "look"), (self._keep, "keep"), (self._close, "close")):
            button.setObjectName(f"{name}_button")
        self._look.setDefault(True)
        self._look.clicked.connect(self._on_look)
        self._keep.clicked.connect(self._on_keep)
        self._close.clicked.connect(self.reject)
        self._table.choice_moved.connect(self._on_choice_moved)
        self._table.opened.connect(self.look_requested)
        self._lay_out()

    def show_holds(self, holds: Sequence[Hold], *, can_answer: bool = True) -> None:
        """Show what waits now."""
        self._holds = {hold.id: hold for hold in holds}
        now = local_now()
        self._introduction.setText(INTRODUCTION if holds else NOTHING)
        for button in (self._look, self._keep):
            button.setVisible(can_answer)
        self._table.show_rows(
            [
                TextRow(hold.id, (day_and_time(hold.at, now), asker(hold.actor), question(hold)))
                for hold in holds
            ]
        )
        self._on_choice_moved()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setContentsMargins(12, 0, 12, 0)
        buttons.addStretch(1)
        for button in (self._keep, self._look, self._close):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 14, 0, 12)
        column.setSpacing(10)
        self._introduction.setContentsMargins(14, 0, 14, 0)
        self._sentence.setContentsMargins(14, 0, 14, 0)
        column.addWidget(self._introduction)
        column.addWidget(self._table, 1)
        column.addWidget(self._sentence)
        column.addLayout(buttons)

    @Slot()
    def _on_choice_moved(self) -> None:
        hold = self._holds.get(self._table.key or 0)
        self._sentence.setText("" if hold is None else f"{question(hold)}. {reason(hold)}")
        for button in (self._look, self._keep):
            button.setEnabled(hold is not None)

    @Slot()
    def _on_look(self) -> None:
        if (key := self._table.key) is not None:
            self.look_requested.emit(key)

    @Slot()
    def _on_keep(self) -> None:
        if (key := self._table.key) is not None:
            self.keep_requested.emit(key)
