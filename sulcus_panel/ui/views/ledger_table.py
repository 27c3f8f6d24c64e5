"""The ledger as a person works in it: one row a change, a button in each, keys for everything.

New rows never move what a person looks at. At the top they simply appear; further down the place is kept and
`unseen_changed` counts what has come above it. Signals are requests; what they lead to is decided elsewhere.
"""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import SeqId
from sulcus_panel.ui.delegates.badges_delegate import BadgesDelegate
from sulcus_panel.ui.delegates.cell import CellDelegate, row_height
from sulcus_panel.ui.delegates.harness_delegate import HarnessDelegate
from sulcus_panel.ui.delegates.plus_minus_delegate import PlusMinusDelegate
from sulcus_panel.ui.delegates.target_delegate import TargetDelegate
from sulcus_panel.ui.delegates.time_delegate import TimeDelegate
from sulcus_panel.ui.delegates.undo_button_delegate import UndoButtonDelegate
from sulcus_panel.ui.models.columns import SORT_KEYS, LedgerColumn
from sulcus_panel.ui.models.ledger_model import LedgerModel
from sulcus_panel.ui.views.column_fit import GIVE_WAY, brief_widths, fit, natural_widths
from sulcus_panel.ui.views.flat_header import FlatHeader

STEPS = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}


class LedgerTable(QTableView):
    """The table over a LedgerModel."""

    entry_selected = Signal(int)
    """The seq_id under the cursor now; 0 when there is none."""
    undo_requested = Signal(int)
    redo_requested = Signal(int)
    menu_requested = Signal(int, QPoint)
    """A context menu for this entry, at this place on the screen."""
    unseen_changed = Signal(int)
    """How many new rows there are above what can be seen."""

    def __init__(self, model: LedgerModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = model
        self._seq_id: SeqId | None = None
        self._is_removing = False
        self._is_lost = False
        self._takes_current = False
        self._answered: LedgerQuery | None = None
        self._unseen = 0
        self._widths: dict[LedgerColumn, int] = {}
        self._brief: frozenset[LedgerColumn] = frozenset()
        self._is_fitting = False
        self._badges = BadgesDelegate(parent=self)
        self._button = UndoButtonDelegate(parent=self)
        self.setAccessibleName("Changes")
        self._set_up_looks()
        self._set_up_header()
        model.rowsAboutToBeRemoved.connect(self._on_rows_about_to_be_removed)
        self.setModel(model)
        self._set_up_delegates()
        model.rowsRemoved.connect(self._on_rows_removed)
        model.modelReset.connect(self._on_model_reset)
        model.rowsInserted.connect(self._on_rows_inserted)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self._button.undo_clicked.connect(self.undo_requested)
        self._button.redo_clicked.connect(self.redo_requested)
        self.reset_columns()

    # -- what others ask -------------------------------------------------------------------------------

    @property
    def current_seq_id(self) -> SeqId | None:
        """The entry under the cursor."""
        return self._seq_id

    def selected_seq_ids(self) -> tuple[SeqId, ...]:
        """Return every selected entry, top to bottom."""
        rows = sorted(row for first, last in self._selected_runs() for row in range(first, last + 1))
        found = (self._rows.seq_id_at(row) for row in rows)
        return tuple(seq_id for seq_id in found if seq_id is not None)

    def selected_count(self) -> int:
        """Return how many entries are selected, without looking at each."""
        return sum(last - first + 1 for first, last in self._selected_runs())

    def select_entry(self, seq_id: int) -> bool:
        """Select an entry and bring it into sight; False where no row shows it."""
        row = self._rows.row_of(seq_id)
        if row < 0:
            return False
        self._go_to(row)
        return True

    @property
    def unseen(self) -> int:
        """How many new rows there are above what can be seen."""
        return self._unseen

    @Slot()
    def show_newest(self) -> None:
        """Scroll to the top; the selection stays where it is."""
        self.verticalScrollBar().setValue(0)
        self._set_unseen(0)

    # -- set-up ----------------------------------------------------------------------------------------

    def _set_up_looks(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(8)
        rows.setDefaultSectionSize(row_height(self.fontMetrics()))

    def _set_up_header(self) -> None:
        header = FlatHeader(self)
        self.setHorizontalHeader(header)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._show_order()
        header.sortIndicatorChanged.connect(self._show_order)
        header.sectionClicked.connect(self._on_section_clicked)
        header.sectionResized.connect(self._on_section_resized)

    def _set_up_delegates(self) -> None:
        muted = CellDelegate(muted=True, parent=self)
        self.setItemDelegate(muted)
        self.setItemDelegateForColumn(LedgerColumn.TIME, TimeDelegate(parent=self))
        self.setItemDelegateForColumn(LedgerColumn.HARNESS, HarnessDelegate(parent=self))
        self.setItemDelegateForColumn(LedgerColumn.TARGET, TargetDelegate(parent=self))
        self.setItemDelegateForColumn(LedgerColumn.PLUS_MINUS, PlusMinusDelegate(parent=self))
        self.setItemDelegateForColumn(LedgerColumn.STATE, self._badges)
        self.setItemDelegateForColumn(LedgerColumn.DRIFT, self._badges)
        self.setItemDelegateForColumn(LedgerColumn.UNDO, self._button)

    @Slot()
    def reset_columns(self) -> None:
        """Give every column its first width again."""
        self._widths.clear()
        for column, width in natural_widths(self.fontMetrics()).items():
            self.setColumnWidth(column, width)
        self._widths.clear()
        self._brief = frozenset()
        self._fit_columns()

    def widen_columns(self) -> None:
        """Give columns told in brief the width that a person knows them by, for it to be remembered."""
        for column in self._brief:
            self.setColumnWidth(column, self._widths[column])
        self._brief = frozenset()

    # -- Qt's events -----------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, bare = event.key(), event.modifiers() in _NO_MODIFIERS
        if bare and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._ask_for_current()
        elif bare and key in STEPS:
            self._go_to(self.currentIndex().row() + STEPS[Qt.Key(key)])
        elif bare and key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._go_to(0 if key == Qt.Key.Key_Home else self._rows.rowCount() - 1)
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        seq_id = self._rows.seq_id_at(index.row())
        if seq_id is None:
            return
        place = event.pos() if by_mouse else self.visualRect(index).center()
        self.menu_requested.emit(seq_id, self.viewport().mapToGlobal(place))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    # -- slots -----------------------------------------------------------------------------------------

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        seq_id = self._rows.seq_id_at(current.row()) if current.isValid() else None
        if self._is_removing:
            return
        self._is_lost = self._is_lost and seq_id is None
        if seq_id != self._seq_id and (seq_id is not None or self._rows.rowCount() == 0):
            self._seq_id = seq_id
            self.entry_selected.emit(seq_id or 0)

    @Slot()
    def _on_model_reset(self) -> None:
        self._set_unseen(0)
        if self._rows.rowCount() == 0:
            if self._seq_id is not None:
                self._seq_id = None
                self.entry_selected.emit(0)
            return
        row = self._rows.row_of(self._seq_id) if self._seq_id is not None else -1 if self._is_lost else 0
        is_same, self._answered = self._answered == self._rows.query, self._rows.query
        if row < 0 and is_same:
            self._lose()
        else:
            self._go_to(max(row, 0))

    @Slot(QModelIndex, int, int)
    def _on_rows_about_to_be_removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        self._is_removing = True  # Qt moves on to a neighbour: nobody asked for that one
        self._takes_current = first <= self.currentIndex().row() <= last

    @Slot()
    def _on_rows_removed(self) -> None:
        self._is_removing = False
        if self._seq_id is not None and self._takes_current:
            self._lose()

    @Slot(QModelIndex, int, int)
    def _on_rows_inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        bar = self.verticalScrollBar()
        top, count = bar.value(), last - first + 1
        if not self.currentIndex().isValid() and not self._is_lost:
            self._go_to(0)
        if top == 0 or first > top:
            return
        self.updateGeometries()
        bar.setValue(top + count)
        self._set_unseen(self._unseen + count)

    @Slot(int)
    def _on_scrolled(self, value: int) -> None:
        if value < self._unseen:
            self._set_unseen(value)

    @Slot(int)
    def _on_section_clicked(self, section: int) -> None:
        query, key = self._rows.query, SORT_KEYS.get(LedgerColumn(section))
        if key is not None:
            descending = not query.descending if key is query.sort else section in _NEWEST_FIRST
            self._rows.sort(section, _order(descending=descending))
        self._show_order()

    @Slot()
    def _show_order(self) -> None:
        """Show the order that the rows are in, whatever the header itself made of a click or a restored state."""
        query, header = self._rows.query, self.horizontalHeader()
        section = next(column for column, key in SORT_KEYS.items() if key is query.sort)
        order = _order(descending=query.descending)
        if (header.sortIndicatorSection(), header.sortIndicatorOrder()) != (section, order):
            header.setSortIndicator(section, order)

    @Slot(int, int, int)
    def _on_section_resized(self, section: int, _before: int, width: int) -> None:
        if width and not self._is_fitting and section not in (LedgerColumn.TARGET, LedgerColumn.INTENT):
            self._widths[LedgerColumn(section)] = width

    # -- inside ----------------------------------------------------------------------------------------

    def _go_to(self, row: int) -> None:
        row = max(0, min(row, self._rows.rowCount() - 1))
        index = self._rows.index(row, LedgerColumn.SEQ)
        if not index.isValid():
            return
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.scrollTo(index)

    def _lose(self) -> None:
        """Select nothing: the entry that was looked at is no longer among the rows."""
        self._is_lost = True
        self._seq_id = None
        self.selectionModel().clear()
        self.entry_selected.emit(0)

    def _selected_runs(self) -> set[tuple[int, int]]:
        selection = self.selectionModel().selection()
        return {(run.top(), run.bottom()) for run in (selection.at(n) for n in range(selection.count()))}

    def _ask_for_current(self) -> None:
        row = self._rows.ledger_row(self.currentIndex().row())
        if row is not None and row.undo.enabled:
            (self.redo_requested if row.undo.is_redo else self.undo_requested).emit(row.seq_id)

    def _set_unseen(self, count: int) -> None:
        if count != self._unseen:
            self._unseen = count
            self.unseen_changed.emit(count)

    def _fit_columns(self) -> None:
        natural = natural_widths(self.fontMetrics())
        widths = {column: self._width(column, natural[column]) for column in natural}
        plan = fit(self.viewport().width(), widths, brief_widths(self.fontMetrics()))
        self._is_fitting = True
        for column in {*self._brief, *plan.brief}:
            self._widths[column] = widths[column]
            self.setColumnWidth(column, plan.brief.get(column, widths[column]))
        self._brief = frozenset(plan.brief)
        for column in (*GIVE_WAY, LedgerColumn.DRIFT):
            self.setColumnHidden(column, column in plan.hidden)
        self._badges.with_drift = LedgerColumn.DRIFT in plan.hidden
        self.setColumnWidth(LedgerColumn.TARGET, plan.target)
        if plan.intent:
            self.setColumnWidth(LedgerColumn.INTENT, plan.intent)
        self._is_fitting = False

    def _width(self, column: LedgerColumn, natural: int) -> int:
        """Return how wide a column is, or was before it had to give way."""
        now = 0 if column in self._brief else self.columnWidth(column)
        return now or self._widths.get(column, natural)


_NO_MODIFIERS = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
_NEWEST_FIRST = (LedgerColumn.SEQ, LedgerColumn.TIME, LedgerColumn.PLUS_MINUS)


def _order(*, descending: bool) -> Qt.SortOrder:
    return Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
