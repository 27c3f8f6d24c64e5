"""Rows of plain words, each with the number of what it is about: what every short list of the window is made of."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from sulcus_panel.core.safety import plain
from sulcus_panel.ui.models.wording import tooltip

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
LONGEST = 600
"""Characters of one cell."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """One row: the number of what it shows, and what stands in its cells."""

    key: int
    cells: tuple[str, ...]


class TextRowsModel(QAbstractTableModel):
    """As many columns as there are headings; a row with fewer cells ends in empty ones."""

    def __init__(self, headings: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._headings = tuple(headings)
        self._rows: tuple[TextRow, ...] = ()

    def show_rows(self, rows: Sequence[TextRow]) -> bool:
        """Show these instead; False, and nothing moves, where they are the same."""
        if tuple(rows) == self._rows:
            return False
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()
        return True

    def key_at(self, row: int) -> int | None:
        """Return the number of what a row shows."""
        return self._rows[row].key if 0 <= row < len(self._rows) else None

    def row_of(self, key: int) -> int:
        """Return the row of this number, -1 where there is none."""
        return next((at for at, row in enumerate(self._rows) if row.key == key), -1)

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._headings)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not 0 <= index.row() < len(self._rows):
            return None
        cells = self._rows[index.row()].cells
        text = plain(cells[index.column()], LONGEST) if 0 <= index.column() < len(cells) else ""
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        return (tooltip(text) or None) if role == Qt.ItemDataRole.ToolTipRole else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        is_heading = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return self._headings[section] if is_heading and 0 <= section < len(self._headings) else None
