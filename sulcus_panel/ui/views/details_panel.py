"""The right side: what one needs to know about the selected entry, and whether and how it can be undone."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from sulcus_panel.core.model import Entry
from sulcus_panel.ui.models.cell_texts import spoken_text
from sulcus_panel.ui.models.columns import LedgerColumn
from sulcus_panel.ui.models.entry_details import EntryDetails
from sulcus_panel.ui.models.facts import facts_of, further_facts
from sulcus_panel.ui.models.ledger_row import LedgerRow, ledger_row
from sulcus_panel.ui.models.verdict import verdict
from sulcus_panel.ui.models.wording import local_now, one_line, tooltip
from sulcus_panel.ui.theme import theme_of
from sulcus_panel.ui.views.fact_list import FactList
from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel
from sulcus_panel.ui.views.undo_card import UndoCard

NOTHING = "Select a change to see what it did and how it can be taken back."


class Quote(QWidget):
    """What the person had asked for, word by word, with a bar at its left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ThemedLabel(max_lines=6)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 7, 8, 8)
        column.addWidget(self._words)

    def say(self, intent: str) -> None:
        """Quote this; nothing is shown for nothing."""
        words = one_line(intent, 2000)
        self._words.setText(f"“{words}”")
        self._words.setToolTip(tooltip(words))
        self.setVisible(bool(words))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.raised))
        painter.fillRect(0, 0, 3, self.height(), QColor(theme.accent))
        painter.end()


class DetailsPanel(QScrollArea):
    """Shows an entry at once, and its EntryDetails when they have been looked up."""

    undo_requested = Signal(int)
    redo_requested = Signal(int)
    entry_requested = Signal(int)
    """A link to another entry was followed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._seq_id = 0
        self._barred = ""
        self._title = ThemedLabel(strong=True, scale=1.15, max_lines=3)
        self._summary = ThemedLabel(ink=Ink.MUTED, max_lines=3)
        self._quote = Quote()
        self._facts = FactList()
        self._card = UndoCard()
        self._further = FactList()
        self._set_up()
        self._facts.entry_requested.connect(self.entry_requested)
        self._card.undo_clicked.connect(self._on_undo_clicked)
        self._card.redo_clicked.connect(self._on_redo_clicked)
        self.clear()

    @property
    def seq_id(self) -> int:
        """The entry shown; 0 for none."""
        return self._seq_id

    def set_barred(self, barred: str) -> None:
        """Say of every entry shown from now on that nothing can be undone, and why; empty: it can."""
        self._barred = barred

    def show_entry(self, entry: Entry) -> None:
        """Show what the entry itself says, until its details are known."""
        self.show_details(EntryDetails(entry))

    def show_details(self, details: EntryDetails) -> None:
        """Show an entry with everything around it."""
        row = ledger_row(details.entry, local_now(), barred=self._barred)
        if self._seq_id != row.seq_id:
            self.verticalScrollBar().setValue(0)
        self._seq_id = row.seq_id
        self._title.setText(f"#{row.seq_id} {row.action.capitalize()} {row.name}")
        self._title.setToolTip(tooltip(row.full_path))
        self._summary.setText(_second_line(row))
        self._summary.setVisible(bool(self._summary.text()))
        self._quote.say(details.entry.record.intent)
        self._facts.show_facts(facts_of(details))
        self._card.show_verdict(verdict(details, self._barred), spoken_text(row, LedgerColumn.UNDO))
        self._further.show_facts(further_facts(details))
        for part in (self._facts, self._card, self._further):
            part.setVisible(True)

    @Slot()
    def clear(self) -> None:
        """Show that nothing is selected."""
        self._seq_id = 0
        self._title.setText("")
        self._summary.setText(NOTHING)
        self._summary.setVisible(True)
        for part in (self._quote, self._facts, self._card, self._further):
            part.setVisible(False)

    def _set_up(self) -> None:
        self.setAccessibleName("Details")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(10)
        column.addWidget(self._title)
        column.addWidget(self._summary)
        column.addWidget(self._quote)
        column.addWidget(self._facts)
        column.addSpacing(4)
        column.addWidget(self._card)
        column.addWidget(self._further)
        column.addStretch(1)
        self.setWidget(body)

    @Slot()
    def _on_undo_clicked(self) -> None:
        self.undo_requested.emit(self._seq_id)

    @Slot()
    def _on_redo_clicked(self) -> None:
        self.redo_requested.emit(self._seq_id)


def _second_line(row: LedgerRow) -> str:
    """Return the folder, unless it is a command, which has none."""
    return row.folder
