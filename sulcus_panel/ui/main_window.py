"""The main window: wiring only. Views say what is wanted, operations write, the ledger tells the models."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import GovernanceRecord, SeqId
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.link import AnswerLost, LinkBroken
from sulcus_panel.ui.actions import Actions, Verb
from sulcus_panel.ui.dialogs.key_sheet import KeySheet
from sulcus_panel.ui.doors import Doors
from sulcus_panel.ui.export_flow import ExportFlow
from sulcus_panel.ui.hook_news import HookNews
from sulcus_panel.ui.ledger_reads import LedgerReads, Totals
from sulcus_panel.ui.models.ledger_model import LedgerModel
from sulcus_panel.ui.models.runs_model import RunsModel
from sulcus_panel.ui.models.scope import Scope
from sulcus_panel.ui.models.wording import day_and_time, local_now
from sulcus_panel.ui.pane_ring import PaneRing
from sulcus_panel.ui.selected_change import VIEWS, SelectedChange
from sulcus_panel.ui.theme import ThemeChoice
from sulcus_panel.ui.undo_flow import UndoFlow
from sulcus_panel.ui.views.view_list import SidebarView
from sulcus_panel.ui.window_needs import WindowNeeds
from sulcus_panel.ui.window_parts import build_parts

REFRESH_MS = 60
"""Counts and groups follow a burst of writes once."""
FIRST_SIZE, LEAST_SIZE = QSize(1440, 900), QSize(640, 420)
DISMISS = "Dismiss"
BEING_WRITTEN = "Your undo is being written. The window closes as soon as it is done."
THEMES = {
    Verb.THEME_SYSTEM: ThemeChoice.SYSTEM,
    Verb.THEME_LIGHT: ThemeChoice.LIGHT,
    Verb.THEME_DARK: ThemeChoice.DARK,
}
PAGES = {SidebarView.UNDO_HISTORY: "undo.", SidebarView.GOVERNANCE: ""}


class MainWindow(QMainWindow):
    """The ledger of one workspace."""

    quit_requested = Signal()

    def __init__(self, needs: WindowNeeds) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle(needs.title)
        self._needs = needs
        self._page: SidebarView | None = None
        self._key_sheet: KeySheet | None = None
        self._leaving = False
        self.actions_by_verb = Actions(self)
        query = LedgerQuery(workspace_id=needs.workspace.id)
        self.model = LedgerModel(needs.rows, query, barred=needs.barred, parent=self)
        self._runs = RunsModel(parent=self)
        self.parts = build_parts(needs.workspace, self.model, self._runs, self.actions_by_verb)
        self.parts.details.set_barred(needs.barred)
        self.reads = LedgerReads(needs.jobs, needs.workspace, self)
        self.undo_flow = UndoFlow(needs.jobs, self)
        self.export_flow = ExportFlow(needs.jobs, self)
        parts = self.parts
        self.hook_news = HookNews(needs.jobs, needs.workspace, parts.status, parts.silence, self)
        self.doors = Doors(needs, parts, self.actions_by_verb, self.undo_flow, self)
        self.selected = SelectedChange(self.model, self.parts, self.reads, self.actions_by_verb, self)
        self.selected.barred = needs.barred
        self._refresh = QTimer(self)
        self._refresh.setSingleShot(True)
        self._refresh.setInterval(REFRESH_MS)
        self._refresh.timeout.connect(self._on_refresh_due)
        self.setCentralWidget(self.parts.body)
        self.actions_by_verb.fill_menu_bar(self.menuBar())
        self.actions_by_verb.give_letters([self.parts.rows])
        self._connect_views()
        self._connect_reads()
        self._panes = PaneRing(self.parts.panes, self)
        self._verbs = self._verb_slots()
        self._restore()

    def start(self) -> None:
        """Ask for everything for the first time."""
        self.model.reload()
        self._refresh.start()
        self.hook_news.ask()
        self.doors.start()
        self.parts.table.setFocus()

    @Slot(object)
    def show_error(self, error: SulcusError) -> None:
        """Show an expected error where the person looks; that the link is broken stands in a banner of its own."""
        if isinstance(error, LinkBroken) and not isinstance(error, AnswerLost):
            return
        words = " ".join(part for part in (error.detail, error.hint) if part)
        self.parts.messages.tell(error.title, words, DISMISS)

    @Slot(str)
    def show_note(self, note: str) -> None:
        """Show a sentence that is no error."""
        self.parts.messages.tell("", note, DISMISS)

    @property
    def is_settled(self) -> bool:
        """True when every question asked has been answered."""
        return self._needs.jobs.is_idle and not self._refresh.isActive()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.parts.suit_width(event.size().width())

    def closeEvent(self, event: QCloseEvent) -> None:
        self.undo_flow.close()
        if self.undo_flow.is_writing:
            self._leaving = True
            self.show_note(BEING_WRITTEN)
            event.ignore()
            return
        self.doors.close()
        self.parts.table.widen_columns()
        self._needs.state.save(self, self.parts.splitters, self.parts.headers)
        super().closeEvent(event)
        self.quit_requested.emit()

    # -- wiring ----------------------------------------------------------------------------------------

    def _connect_views(self) -> None:
        parts = self.parts
        self.actions_by_verb.asked.connect(self._on_verb)
        parts.table.menu_requested.connect(self._on_menu_requested)
        parts.table.unseen_changed.connect(parts.pill.set_count)
        parts.pill.show_requested.connect(parts.table.show_newest)
        for view in (parts.table, parts.details):
            view.undo_requested.connect(self._on_undo_requested)
            view.redo_requested.connect(self._on_redo_requested)
        for page in (parts.details, parts.records):
            page.entry_requested.connect(self._on_entry_requested)
        parts.filters.query_changed.connect(self._on_query_changed)
        parts.filters.scope_changed.connect(parts.sidebar.show_scope)
        parts.filters.left.connect(parts.table.setFocus)
        parts.sidebar.scope_requested.connect(self._on_scope_requested)
        parts.sidebar.page_requested.connect(self._on_page_requested)
        parts.sidebar.menu_requested.connect(self._on_run_menu_requested)
        parts.empty.action_requested.connect(parts.filters.clear)
        parts.pane.banner.action_requested.connect(self.actions_by_verb[Verb.VIEW_NOW].trigger)
        parts.messages.action_requested.connect(parts.messages.clear)

    def _connect_reads(self) -> None:
        reads, model = self.reads, self.model
        reads.shown_ids = model.shown_ids
        model.ids_wanted.connect(reads.ask_ids)
        model.ids_taken.connect(self._on_ids_taken)
        model.read_failed.connect(self.show_error)
        reads.ids_found.connect(model.take_ids)
        model.rows_wanted.connect(reads.ask_rows)
        reads.rows_found.connect(model.take_rows)
        reads.facets_found.connect(self.parts.filters.set_facets)
        reads.runs_found.connect(self.parts.sidebar.show_runs)
        reads.totals_found.connect(self._on_totals_found)
        reads.records_found.connect(self._on_records_found)
        self._needs.signals.changed.connect(self._on_changes)
        self._needs.signals.changed.connect(self.hook_news.follow)
        self.undo_flow.refused.connect(self.show_error)
        self.undo_flow.noted.connect(self.show_note)
        self.undo_flow.carried_out.connect(self._on_carried_out)
        self.export_flow.noted.connect(self.show_note)
        self.doors.noted.connect(self.show_note)

    def _verb_slots(self) -> dict[Verb, Callable[[], object]]:
        parts = self.parts
        return {
            Verb.UNDO: self._ask_undo,
            Verb.REDO: self._ask_redo,
            Verb.UNDO_TURN: self._ask_undo_turn,
            Verb.DECIDE_LATER: self._decide_later,
            Verb.COPY_PATCH: self._copy_patch,
            Verb.EXPORT: self._export,
            Verb.QUIT: self.close,
            Verb.SEARCH: self._search,
            Verb.REFRESH: self._read_everything,
            Verb.UNIFIED: self._lay_out_diff,
            Verb.SIDE_BY_SIDE: self._lay_out_diff,
            Verb.IGNORE_BLANKS: self.selected.ask,
            Verb.SHOW_BLANKS: self._show_blanks,
            Verb.NEXT_DIFFERENCE: parts.pane.diff.next_difference,
            Verb.PREVIOUS_DIFFERENCE: parts.pane.diff.previous_difference,
            Verb.NEXT_PANE: self._panes.next,
            Verb.PREVIOUS_PANE: self._panes.previous,
            Verb.RESET_LAYOUT: parts.reset_sizes,
            Verb.KEYS: self._show_keys,
            Verb.TRIGGERS: self._show_triggers,
            **self.doors.verbs,
            **dict.fromkeys(VIEWS, self.selected.ask),
            **dict.fromkeys(THEMES, self._choose_theme),
        }

    def _restore(self) -> None:
        state, actions = self._needs.state, self.actions_by_verb
        self.setMinimumSize(LEAST_SIZE)
        self.resize(FIRST_SIZE)
        state.restore(self, self.parts.splitters, self.parts.headers)
        actions[Verb.SIDE_BY_SIDE if state.side_by_side else Verb.UNIFIED].setChecked(True)
        actions[Verb.VIEW_CHANGE].setChecked(True)
        theme_verb = next(verb for verb, choice in THEMES.items() if choice is state.theme)
        actions[theme_verb].setChecked(True)
        self._needs.themes.choose(state.theme)
        self.parts.pane.diff.set_side_by_side(state.side_by_side)
        self.selected.weigh_verbs()
        if (why := self._needs.unwritable) is not None:
            told = (f"{why.title}.", why.detail, why.hint)
            self.parts.standing.tell("Read only", " ".join(part for part in told if part), "")

    # -- verbs -----------------------------------------------------------------------------------------

    @Slot(object)
    def _on_verb(self, verb: Verb) -> None:
        self._verbs[verb]()

    def _ask_undo(self) -> None:
        if wanted := self.selected.undoable():
            self.undo_flow.undo(wanted)

    def _ask_redo(self) -> None:
        row = self.selected.row()
        if row is not None and row.undo.is_redo:
            self.undo_flow.redo((row.seq_id,))

    def _ask_undo_turn(self) -> None:
        row = self.selected.row()
        if row is not None and row.entry.record.turn_id:
            self.undo_flow.undo_turn(row.entry.workspace_id, row.entry.record.turn_id)

    def _decide_later(self) -> None:
        self.undo_flow.decide_later(self.parts.table.selected_seq_ids())

    def _copy_patch(self) -> None:
        self.export_flow.copy_patch(self.parts.table.selected_seq_ids())

    def _export(self) -> None:
        self.export_flow.export(self.model.query)

    def _search(self) -> None:
        self._show_ledger()
        self.parts.filters.focus_search()

    def _read_everything(self) -> None:
        self._needs.jobs.spawn(self._refresh_drift())
        self.model.refresh()
        self.model.reload()
        self._refresh.start()
        self.doors.start()
        self.selected.ask()

    async def _refresh_drift(self) -> None:
        workspace_id = self._needs.workspace.id
        await self._needs.jobs.write(lambda operations: operations.drain())
        await self._needs.jobs.write(lambda operations: operations.refresh_drift(workspace_id))

    def _lay_out_diff(self) -> None:
        wanted = self.actions_by_verb[Verb.SIDE_BY_SIDE].isChecked()
        self.parts.pane.diff.set_side_by_side(wanted)
        self._needs.state.side_by_side = wanted

    def _show_blanks(self) -> None:
        self.parts.pane.diff.set_show_whitespace(self.actions_by_verb[Verb.SHOW_BLANKS].isChecked())

    def _choose_theme(self) -> None:
        choice = next(choice for verb, choice in THEMES.items() if self.actions_by_verb[verb].isChecked())
        self._needs.state.theme = choice
        self._needs.themes.choose(choice)

    def _show_keys(self) -> None:
        if self._key_sheet is None:
            self._key_sheet = KeySheet(self)
        self._key_sheet.open()

    # -- requests of the views -------------------------------------------------------------------------

    @Slot(int)
    def _on_undo_requested(self, seq_id: int) -> None:
        self.undo_flow.undo((SeqId(seq_id),))

    @Slot(int)
    def _on_redo_requested(self, seq_id: int) -> None:
        self.undo_flow.redo((SeqId(seq_id),))

    @Slot(int)
    def _on_entry_requested(self, seq_id: int) -> None:
        self._show_ledger()
        if not self.parts.table.select_entry(seq_id):
            self.parts.filters.clear()
            self.show_note(f"#{seq_id} is not among the changes shown; all changes are shown now.")
        self.parts.table.setFocus()

    @Slot(int, QPoint)
    def _on_menu_requested(self, _seq_id: int, place: QPoint) -> None:
        self.actions_by_verb.context_menu(self).popup(place)

    @Slot(object, QPoint)
    def _on_run_menu_requested(self, scope: Scope, place: QPoint) -> None:
        if scope.turn_id is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        action = menu.addAction("Undo This &Turn…")
        action.setEnabled(not self.selected.barred)
        action.setToolTip(self.selected.barred)
        menu.setToolTipsVisible(bool(self.selected.barred))
        action.setData(scope.turn_id)
        menu.triggered.connect(self._on_run_menu)
        menu.popup(place)

    @Slot(QAction)
    def _on_run_menu(self, action: QAction) -> None:
        self.undo_flow.undo_turn(self._needs.workspace.id, str(action.data()))

    @Slot(object)
    def _on_query_changed(self, query: LedgerQuery) -> None:
        self._show_ledger()
        self.model.set_filter(query)
        self._refresh.start()

    @Slot(object)
    def _on_scope_requested(self, scope: Scope) -> None:
        self._show_ledger()
        self.parts.filters.set_scope(scope)

    @Slot(object)
    def _on_page_requested(self, page: SidebarView) -> None:
        self._page = page
        if page in PAGES:
            self.reads.ask_records(PAGES[page])
            return
        self.doors.triggers.ask()
        self.parts.middle.setCurrentWidget(self.parts.triggers)

    def _show_triggers(self) -> None:
        self.parts.sidebar.show_page(SidebarView.TRIGGERS)
        self._on_page_requested(SidebarView.TRIGGERS)
        self.parts.triggers.table.setFocus()

    def _show_ledger(self) -> None:
        self._page = None
        self.parts.sidebar.show_scope(self.parts.filters.scope)
        self.parts.middle.setCurrentIndex(0)

    # -- answers ---------------------------------------------------------------------------------------

    @Slot(object)
    def _on_changes(self, changes: Changes) -> None:
        if changes.notice:
            self.show_note(changes.notice)
        if changes.workspace_id not in (None, self._needs.workspace.id):
            return
        self.selected.follow(changes)
        self.model.apply_changes(changes)
        if changes.new_entries or changes.touched or changes.drift or changes.settings or changes.governance:
            self._refresh.start()
        self.undo_flow.follow(changes)
        self.doors.follow(changes)

    @Slot(bool)
    def _on_carried_out(self, done: bool) -> None:
        """Go on closing, unless the person has to be told something first."""
        leaving, self._leaving = self._leaving, False
        if leaving and done:
            self.close()

    @Slot()
    def _on_refresh_due(self) -> None:
        self.reads.ask_around(self.parts.filters.facet_query)
        if self._page in PAGES:
            self.reads.ask_records(PAGES[self._page])

    @Slot(int)
    def _on_ids_taken(self, count: int) -> None:
        self.parts.filters.set_hits(count)
        if count == 0:
            self.parts.empty.show_none(narrowed=self.parts.filters.is_narrowed)
        self.parts.rows_or_empty.setCurrentIndex(0 if count else 1)

    @Slot(object)
    def _on_totals_found(self, totals: Totals) -> None:
        self.parts.status.show_totals(totals.entries, totals.most_entries, totals.kept_bytes)
        self.parts.triggers.show_kept(totals.entries, totals.most_entries, totals.kept_bytes)
        self.parts.sidebar.set_waiting(totals.waiting)
        if totals.last_undo is not None:
            when = day_and_time(totals.last_undo.at, local_now()).removeprefix("today ")
            self.parts.status.show_last_undo(f"last undo verified {when}")

    @Slot(object)
    def _on_records_found(self, records: tuple[GovernanceRecord, ...]) -> None:
        if self._page in PAGES:
            self.parts.records.show_records(self._page.value, records)
            self.parts.middle.setCurrentIndex(1)
