"""A short list: rows of words on the ledger's ground, one chosen at a time, the choice kept when read anew."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView

from sulcus_panel.ui.delegates.cell import row_height
from sulcus_panel.ui.delegates.record_delegate import RecordDelegate
from sulcus_panel.ui.models.text_rows import TextRow, TextRowsModel
from sulcus_panel.ui.views.flat_header import FlatHeader


class RowsTable(QTableView):
    """Tells which row is chosen, and which one is opened by Enter or a double click."""

    choice_moved = Signal()
    opened = Signal(int)
    """The key of a row."""

    def __init__(
        self, name: str, headings: Sequence[str], letters: Sequence[int], *, strong: int | None = None
    ) -> None:
        """`letters` are the widths of all columns but the last, which takes what is left and is `strong`."""
        super().__init__()
        self._rows = TextRowsModel(headings, self)
        self.setAccessibleName(name)
        self.setHorizontalHeader(FlatHeader(self))
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
        self.setModel(self._rows)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setItemDelegate(RecordDelegate(len(headings) - 1 if strong is None else strong, self))
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(8)
        self.verticalHeader().setDefaultSectionSize(row_height(self.fontMetrics()))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.horizontalHeader().setStretchLastSection(True)
        for column, count in enumerate(letters):
            self.setColumnWidth(column, self.fontMetrics().averageCharWidth() * count)
        self.activated.connect(self._on_activated)
        self.selectionModel().selectionChanged.connect(self.choice_moved)

    @property
    def key(self) -> int | None:
        """What the chosen row is about."""
        chosen = self.selectionModel().selectedRows()
        return self._rows.key_at(chosen[0].row()) if chosen else None

    def show_rows(self, rows: Sequence[TextRow]) -> None:
        """Show these; what was chosen stays so where it is still there, else the first row is."""
        key = self.key
        if self._rows.show_rows(rows):
            at = -1 if key is None else self._rows.row_of(key)
            if self._rows.rowCount():
                self.selectRow(max(at, 0))
            self.choice_moved.emit()

    def choose(self, key: int) -> bool:
        """Choose the row of this key; False where there is none."""
        row = self._rows.row_of(key)
        if row >= 0:
            self.selectRow(row)
        return row >= 0

    def sizeHint(self) -> QSize:
        return QSize(560, 200)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 90)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        key = self._rows.key_at(index.row())
        if key is not None:
            self.opened.emit(key)
