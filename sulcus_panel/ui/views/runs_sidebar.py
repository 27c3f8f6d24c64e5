"""The left side: what was asked of which agent when, and the other ways of looking at the ledger."""

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTreeView, QVBoxLayout, QWidget

from sulcus_panel.core.ledger.queries import Run
from sulcus_panel.ui.delegates.run_delegate import RunDelegate
from sulcus_panel.ui.models.run_answers import RunsRole
from sulcus_panel.ui.models.runs_model import RunsModel
from sulcus_panel.ui.models.scope import EVERYTHING, WAITING, Scope
from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel
from sulcus_panel.ui.views.view_list import SidebarView, ViewList

MOST_RUNS = 20
"""As many runs as are shown; when there are that many, older ones may exist."""
PAGES = (SidebarView.UNDO_HISTORY, SidebarView.GOVERNANCE, SidebarView.TRIGGERS)


class RunsSidebar(QWidget):
    """Runs with their turns, and the views."""

    scope_requested = Signal(object)
    """A Scope: a run, a turn, everything, or what waits."""
    page_requested = Signal(object)
    """One of PAGES."""
    menu_requested = Signal(object, QPoint)
    """A context menu for a run's or turn's Scope, at this place on the screen ("Undo this turn")."""

    def __init__(self, model: RunsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs = model
        self._open: set[tuple[str, str]] = set()
        self._seen: set[tuple[str, str]] = set()
        self._scope = EVERYTHING
        self._tree = QTreeView(self)
        self._delegate = RunDelegate(self._tree)
        self._none = ThemedLabel("Nothing has been recorded yet.", ink=Ink.MUTED)
        self._older = ThemedLabel("Older runs: search or filter", ink=Ink.MUTED, scale=0.9, max_lines=2)
        self._views = ViewList(self)
        self._set_up_tree()
        self._set_up_layout()
        self._views.view_requested.connect(self._on_view_requested)
        model.moved.connect(self._on_moved)
        self._on_moved()

    @property
    def tree(self) -> QTreeView:
        """The runs, for the order of focus."""
        return self._tree

    def show_runs(self, runs: Sequence[Run]) -> None:
        """Show these runs; what is open stays open, what is chosen stays chosen."""
        self._runs.show_runs(runs)
        self._older.setVisible(len(runs) >= MOST_RUNS)

    def set_waiting(self, count: int) -> None:
        """Say how many changes wait for a decision."""
        self._views.set_count(SidebarView.WAITING, count)

    def show_scope(self, scope: Scope) -> None:
        """Show what is looked at as chosen; asks for nothing."""
        self._scope = scope
        view = {EVERYTHING: SidebarView.ALL, WAITING: SidebarView.WAITING}.get(scope)
        self._views.choose(view)
        self._show_chosen_row()

    def show_page(self, page: SidebarView) -> None:
        """Show a page as chosen; asks for nothing."""
        self._tree.clearSelection()
        self._views.choose(page)

    def _set_up_tree(self) -> None:
        tree = self._tree
        tree.setModel(self._runs)
        tree.setItemDelegate(self._delegate)
        tree.setAccessibleName("Runs")
        tree.setHeaderHidden(True)
        tree.setRootIsDecorated(False)
        tree.setIndentation(0)
        tree.setMouseTracking(True)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setExpandsOnDoubleClick(False)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._on_menu_requested)
        tree.clicked.connect(self._on_chosen)
        tree.activated.connect(self._on_chosen)
        tree.expanded.connect(self._on_expanded)
        tree.collapsed.connect(self._on_collapsed)

    def _set_up_layout(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 12)
        column.setSpacing(2)
        for title, widget in (("Runs", self._tree), ("Views", self._views)):
            heading = ThemedLabel(title, ink=Ink.MUTED, strong=True, scale=0.85)
            heading.setContentsMargins(14, 2, 0, 4)
            column.addWidget(heading)
            column.addWidget(widget, 1 if widget is self._tree else 0)
            if widget is self._tree:
                column.insertWidget(column.count() - 1, self._none)
                self._none.setContentsMargins(14, 4, 14, 4)
                column.addWidget(self._older)
                self._older.setContentsMargins(30, 6, 14, 4)
                self._older.hide()
                column.addSpacing(10)

    @Slot()
    def _on_moved(self) -> None:
        self._none.setVisible(not self._runs.runs)
        for row, run in enumerate(self._runs.runs):
            key = (run.harness, run.session_id)
            if key not in self._seen and row == 0:
                self._open.add(key)
            self._seen.add(key)
            self._tree.setExpanded(self._runs.index(row, 0), key in self._open)
        self._show_chosen_row()

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        scope = index.data(RunsRole.SCOPE)
        if not isinstance(scope, Scope):
            return
        if scope.turn_id is None:
            is_open = self._tree.isExpanded(index)
            self._tree.setExpanded(index, not is_open or scope != self._scope)
        self.show_scope(scope)
        self.scope_requested.emit(scope)

    @Slot(object)
    def _on_view_requested(self, view: SidebarView) -> None:
        if view in PAGES:
            self._tree.clearSelection()
            self.page_requested.emit(view)
            return
        scope = WAITING if view is SidebarView.WAITING else EVERYTHING
        self.show_scope(scope)
        self.scope_requested.emit(scope)

    @Slot(QPoint)
    def _on_menu_requested(self, place: QPoint) -> None:
        scope = self._tree.indexAt(place).data(RunsRole.SCOPE)
        if isinstance(scope, Scope):
            self.menu_requested.emit(scope, self._tree.viewport().mapToGlobal(place))

    @Slot(QModelIndex)
    def _on_expanded(self, index: QModelIndex) -> None:
        self._note_open(index, is_open=True)

    @Slot(QModelIndex)
    def _on_collapsed(self, index: QModelIndex) -> None:
        self._note_open(index, is_open=False)

    def _note_open(self, index: QModelIndex, *, is_open: bool) -> None:
        run = self._runs.run_at(index)
        if run is not None:
            (self._open.add if is_open else self._open.discard)((run.harness, run.session_id))
            self._delegate.sizeHintChanged.emit(index)

    def _show_chosen_row(self) -> None:
        index = self._runs.find(self._scope)
        chosen = self._tree.selectionModel()
        if not index.isValid():
            self._delegate.current_turn = None
            chosen.clear()
        else:
            is_turn = self._scope.turn_id is not None and self._scope.session_id is not None
            self._delegate.current_turn = (self._scope.session_id or "", index.row()) if is_turn else None
            if not chosen.isSelected(index):
                chosen.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
                self._tree.scrollTo(index)
        self._tree.viewport().update()
