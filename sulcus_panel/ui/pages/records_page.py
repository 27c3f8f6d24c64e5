"""The second timeline as a list: undo decisions and other rare events, newest first."""

from collections.abc import Sequence
from datetime import datetime
from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView, QVBoxLayout, QWidget

from sulcus_panel.core.model import GovernanceRecord
from sulcus_panel.core.safety import plain
from sulcus_panel.ui.delegates.cell import row_height
from sulcus_panel.ui.delegates.record_delegate import RecordDelegate
from sulcus_panel.ui.models.wording import day_and_time, local_now
from sulcus_panel.ui.views.flat_header import FlatHeader
from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


class RecordColumn(IntEnum):
    """The columns, left to right."""

    TIME = 0
    ACTOR = 1
    KIND = 2
    SUMMARY = 3


KINDS = {
    "undo.accepted": "accepted",
    "undo.applied": "undone",
    "undo.unconfirmed": "written, not confirmed",
    "undo.failed": "not done",
    "undo.stale": "not done",
    "undo.late_write": "written to after an undo",
    "undo.rejected": "kept",
    "undo.deferred": "put off",
    "capture.filled": "hooks were silent",
    "undo.held": "asked for",
    "token.made": "key made",
    "token.revoked": "key revoked",
    "mark.pinned": "kept for good",
    "mark.unpinned": "no longer kept for good",
    "mark.labelled": "labelled",
    "mark.unlabelled": "label taken away",
    "mark.looked": "looked at",
}
"""What happened in one word, where the record's own is a programmer's."""
HEADINGS = {
    RecordColumn.TIME: "Time",
    RecordColumn.ACTOR: "By",
    RecordColumn.KIND: "What",
    RecordColumn.SUMMARY: "Summary",
}


class RecordsModel(QAbstractTableModel):
    """One row a record."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._records: tuple[GovernanceRecord, ...] = ()

    def show_records(self, records: Sequence[GovernanceRecord]) -> None:
        """Show these instead; nothing moves where they are the same."""
        if tuple(records) != self._records:
            self.beginResetModel()
            self._records = tuple(records)
            self.endResetModel()

    def record_at(self, row: int) -> GovernanceRecord | None:
        """Return the record of a row."""
        return self._records[row] if 0 <= row < len(self._records) else None

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._records)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(RecordColumn)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        record = self.record_at(index.row())
        if record is None or role != Qt.ItemDataRole.DisplayRole:
            return None
        return _text(record, RecordColumn(index.column()), local_now())

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[RecordColumn(section)]
        return None


class RecordsPage(QWidget):
    """A title and the list; a record about an entry leads to it."""

    entry_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = RecordsModel(self)
        self._title = ThemedLabel(strong=True, scale=1.15, max_lines=1)
        self._empty = ThemedLabel("Nothing has been decided yet.", ink=Ink.MUTED)
        self._table = QTableView()
        self._table.setHorizontalHeader(FlatHeader(self._table))
        self._table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
        self._table.setModel(self._model)
        self._set_up_table()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 14, 0, 0)
        self._title.setContentsMargins(12, 0, 12, 0)
        self._empty.setContentsMargins(12, 0, 12, 0)
        column.addWidget(self._title)
        column.addWidget(self._empty)
        column.addWidget(self._table, 1)

    def show_records(self, title: str, records: Sequence[GovernanceRecord]) -> None:
        """Show these records under a title."""
        self._title.setText(title)
        self._table.setAccessibleName(title)
        self._empty.setVisible(not records)
        self._model.show_records(records)

    def _set_up_table(self) -> None:
        table = self._table
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setItemDelegate(RecordDelegate(RecordColumn.SUMMARY, table))
        table.verticalHeader().hide()
        table.verticalHeader().setMinimumSectionSize(8)
        table.verticalHeader().setDefaultSectionSize(row_height(table.fontMetrics()))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.horizontalHeader().setStretchLastSection(True)
        for column, letters in ((RecordColumn.TIME, 18), (RecordColumn.ACTOR, 14), (RecordColumn.KIND, 22)):
            table.setColumnWidth(column, table.fontMetrics().averageCharWidth() * letters)
        table.activated.connect(self._on_activated)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        record = self._model.record_at(index.row())
        if record is not None and record.seq_ids:
            self.entry_requested.emit(record.seq_ids[0])


def _text(record: GovernanceRecord, column: RecordColumn, now: datetime) -> str:
    if column is RecordColumn.TIME:
        return day_and_time(record.at, now)
    if column is RecordColumn.ACTOR:
        return plain(record.actor.name, 60)
    if column is RecordColumn.KIND:
        return KINDS.get(record.kind) or plain(record.kind.replace(".", " ").replace("_", " "), 60)
    return plain(record.summary, 400)
