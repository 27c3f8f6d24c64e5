"""The ledger as a table model: ids in an array, rows by page, sort and filter in SQL.

The model never looks for ids itself. It says which query it wants answered (`ids_wanted`), somebody runs
`find_ids` where it does not hold up the window, and `take_ids` brings the answer; one that is no longer
wanted is dropped. Rows that stay keep their place, so that selection and scroll can.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
    Slot,
)

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import Entry, SeqId
from sulcus_panel.service.changes import Changes
from sulcus_panel.ui.models.arriving_pages import ArrivingPages
from sulcus_panel.ui.models.cell_texts import cell_text, cell_tip, spoken_text
from sulcus_panel.ui.models.columns import HEADINGS, SORT_KEYS, SPOKEN_HEADINGS, LedgerColumn, LedgerRole
from sulcus_panel.ui.models.entry_pages import EntryPages, Rows
from sulcus_panel.ui.models.ledger_row import LedgerRow, ledger_row
from sulcus_panel.ui.models.row_moves import KnownMoves, RowMoves, ShownIds, row_moves
from sulcus_panel.ui.models.wording import local_now

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
MOST_SINGLE_REFRESHES = 16
MOST_SEARCHES = 4
"""So many rows are looked for one by one after a move; for more, the places of all are noted."""


class LedgerModel(QAbstractTableModel):
    """One row an entry, newest first unless sorted otherwise."""

    ids_wanted = Signal(object)
    """A LedgerQuery whose ids are to be found on a worker and given to `take_ids`."""
    ids_taken = Signal(int)
    """How many rows there are now, after an answer was taken."""
    rows_wanted = Signal(object)
    """Ids whose entries are to be read on a worker and given to `take_rows`; only without a source of rows."""
    rows_arrived = Signal()
    read_failed = Signal(object)
    """A SulcusError met while reading rows that came into sight."""

    def __init__(
        self,
        rows: Rows | None,
        query: LedgerQuery,
        *,
        clock: Callable[[], datetime] = local_now,
        barred: str = "",
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self._barred = barred
        self._pages: EntryPages | ArrivingPages = (
            ArrivingPages(self._want_rows, self._make_row)
            if rows is None
            else EntryPages(rows, self._make_row)
        )
        self._arriving = self._pages if isinstance(self._pages, ArrivingPages) else None
        self._asking = QTimer(self)
        self._asking.setSingleShot(True)
        self._asking.timeout.connect(self._ask_rows)
        self._ids: array[int] = array("q")
        self._places: dict[int, int] | None = None
        self._searches = 0
        self._is_outdated = False
        self._version = 0
        """Rises with every answer taken."""
        self._query = query
        self._shown_query: LedgerQuery | None = None

    # -- what is shown ---------------------------------------------------------------------------------

    @property
    def query(self) -> LedgerQuery:
        """The query that is wanted; the rows may still be those of the one before."""
        return self._query

    def set_filter(self, query: LedgerQuery) -> None:
        """Show what `query` matches, in the order that was chosen by heading."""
        self._want(replace(query, sort=self._query.sort, descending=self._query.descending))

    def reload(self) -> None:
        """Ask for the ids of the same query again."""
        self.ids_wanted.emit(self._query)

    def shown_ids(self, query: LedgerQuery) -> ShownIds | None:
        """Return what a worker may compare its answer to `query` with; None where another query's is shown."""
        return ShownIds(self._version, array("q", self._ids)) if self._shown_query == query else None

    def take_ids(self, query: LedgerQuery, ids: "array[int]", known: KnownMoves | None = None) -> None:
        """Take the answer to `query`. Rows that stay keep their place when it was asked before.

        `known`: what a worker found, comparing it with `shown_ids`; done anew if something else is shown now.
        """
        if query != self._query:
            return
        at_hand = self._pages.forget() if self._is_outdated else ()
        self._is_outdated = False
        moves = self._moves_to(ids, known) if self._shown_query == query else None
        self._shown_query = query
        self._version += 1
        if moves is None:
            self.beginResetModel()
            self._ids = array("q", ids)
            self._forget_places()
            self.endResetModel()
        else:
            self._move(moves, ids)
            self._tell_anew(at_hand, is_all=True)
        self.ids_taken.emit(len(self._ids))

    def apply_changes(self, changes: Changes) -> None:
        """Follow a write: read the touched rows again, and ask which rows match now. What it left alone stays.

        Where any row may be another, they are read again when the answer is taken: once, not before and after.
        """
        if changes.touched is None:
            self._is_outdated = True
        elif changes.touched:
            self.refresh(changes.touched)
        if moves_rows(changes):
            self.reload()

    def refresh(self, seq_ids: Iterable[int] | None = None) -> None:
        """Read these rows (None: all) anew when they are next looked at."""
        self._tell_anew(self._pages.forget(seq_ids), is_all=seq_ids is None)

    def row_of(self, seq_id: int) -> int:
        """Return the row that shows this entry, -1 where none does."""
        if self._places is None and self._searches < MOST_SEARCHES:
            self._searches += 1
            return self._ids.index(seq_id) if seq_id in self._ids else -1
        if self._places is None:
            self._places = {each: row for row, each in enumerate(self._ids)}
        return self._places.get(seq_id, -1)

    def seq_id_at(self, row: int) -> SeqId | None:
        """Return the id shown in a row, without reading it."""
        return SeqId(self._ids[row]) if 0 <= row < len(self._ids) else None

    def ledger_row(self, row: int) -> LedgerRow | None:
        """Return a row ready to paint; None where the entry is no longer kept or cannot be read now."""
        if not 0 <= row < len(self._ids):
            return None
        try:
            return self._pages.row(self._ids, row)
        except SulcusError as error:
            self.read_failed.emit(error)
            return None

    def ledger_rows(self, seq_ids: Sequence[SeqId]) -> tuple[LedgerRow, ...]:
        """Return the rows of these entries, those still kept, at the price of one question; none if it fails."""
        try:
            return self._pages.rows(seq_ids)
        except SulcusError as error:
            self.read_failed.emit(error)
            return ()

    def take_rows(
        self, asked: Sequence[int], entries: Sequence[Entry] | None, undone_at: Mapping[int, datetime]
    ) -> None:
        """Take the answer to `rows_wanted`; None: there was none."""
        if self._arriving is None:
            return
        if entries is None:
            self._arriving.lose(asked)
            return
        self._arriving.take(asked, entries, undone_at)
        self._tell_anew(asked, is_all=len(asked) > MOST_SINGLE_REFRESHES)
        self.rows_arrived.emit()
        self._want_rows()

    def bar(self, barred: str) -> None:
        """Say of every row why nothing can be undone; empty: it can."""
        self._barred = barred
        if self._arriving is not None:
            self._tell_anew(self._arriving.bar(barred), is_all=True)

    # -- Qt's questions --------------------------------------------------------------------------------

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(LedgerColumn)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or role not in _ANSWERED:
            return None
        if role == LedgerRole.SEQ_ID:
            return self.seq_id_at(index.row())
        row = self.ledger_row(index.row())
        if role == LedgerRole.ROW or row is None:
            return row
        column = _COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell_text(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return cell_tip(row, column) or None
        return spoken_text(row, column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(LedgerColumn):
            return None
        column = LedgerColumn(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[column]
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return SPOKEN_HEADINGS.get(column, HEADINGS[column])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Ask the ledger for another order; columns it cannot sort by are left alone."""
        key = SORT_KEYS.get(LedgerColumn(column)) if 0 <= column < len(LedgerColumn) else None
        if key is not None:
            self._want(replace(self._query, sort=key, descending=order is Qt.SortOrder.DescendingOrder))

    # -- inside ----------------------------------------------------------------------------------------

    def _want_rows(self) -> None:
        if not self._asking.isActive():
            self._asking.start()

    @Slot()
    def _ask_rows(self) -> None:
        if self._arriving is not None and (wanted := self._arriving.next_wanted()):
            self.rows_wanted.emit(wanted)

    def _want(self, query: LedgerQuery) -> None:
        if query != self._query or self._shown_query is None:
            self._query = query
            self.ids_wanted.emit(query)

    def _moves_to(self, ids: "array[int]", known: KnownMoves | None) -> RowMoves | None:
        if known is not None and known.version == self._version:
            return known.moves
        return row_moves(self._ids, ids)

    def _move(self, moves: RowMoves, ids: "array[int]") -> None:
        for run in moves.removed:
            self.beginRemoveRows(ROOT, run.first, run.last)
            self._pages.forget(self._ids[run.first : run.last + 1])
            del self._ids[run.first : run.last + 1]
            self._forget_places()
            self.endRemoveRows()
        for run in moves.inserted:
            self.beginInsertRows(ROOT, run.first, run.last)
            self._ids[run.first : run.first] = ids[run.first : run.last + 1]
            self._forget_places()
            self.endInsertRows()

    def _forget_places(self) -> None:
        self._places, self._searches = None, 0

    def _tell_anew(self, at_hand: Sequence[int], *, is_all: bool) -> None:
        """Have what is shown of these rows looked at again; those that nobody has looked at need no word."""
        if not self._ids or not at_hand:
            return
        if is_all or len(at_hand) > MOST_SINGLE_REFRESHES:
            self._tell_changed(0, len(self._ids) - 1)
            return
        for seq_id in at_hand:
            if (row := self.row_of(seq_id)) >= 0:
                self._tell_changed(row, row)

    def _tell_changed(self, first: int, last: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(LedgerColumn) - 1))

    def _make_row(self, entry: Entry, undone_at: datetime | None) -> LedgerRow:
        return ledger_row(entry, self._clock(), undone_at, self._barred)


def moves_rows(changes: Changes) -> bool:
    """True where other rows may match now, or the same ones be counted otherwise."""
    return bool(changes.new_entries) or changes.touched is None or bool(changes.touched) or changes.drift


_COLUMNS = tuple(LedgerColumn)
_ANSWERED = frozenset(
    (
        Qt.ItemDataRole.DisplayRole.value,
        Qt.ItemDataRole.ToolTipRole.value,
        Qt.ItemDataRole.AccessibleTextRole.value,
        LedgerRole.ROW.value,
        LedgerRole.SEQ_ID.value,
    )
)
