"""Selecting a row is its diff: the newest selection wins, and what is shown is always of the selected row."""

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Slot

from sulcus_panel.core.diff import DiffSide
from sulcus_panel.core.model import PIN, Entry, SeqId
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import DiffView
from sulcus_panel.service.selection import MOST_AT_ONCE
from sulcus_panel.ui.actions import Actions, Verb
from sulcus_panel.ui.ledger_reads import LedgerReads
from sulcus_panel.ui.models.badges import DRIFT_WORDS
from sulcus_panel.ui.models.entry_details import EntryDetails
from sulcus_panel.ui.models.ledger_model import LedgerModel
from sulcus_panel.ui.models.ledger_row import LedgerRow
from sulcus_panel.ui.shown_change import Asked, ShownChange
from sulcus_panel.ui.syntax import SyntaxLines
from sulcus_panel.ui.views.diff_document import DiffDocument
from sulcus_panel.ui.window_parts import WindowParts

PATIENCE_MS = 250
"""After this long without an answer the diff of the row before is taken away."""
TOO_MANY = f"At most {MOST_AT_ONCE} changes at once; fewer must be selected"
VIEWS = {Verb.VIEW_CHANGE: DiffView.CHANGE, Verb.VIEW_NOW: DiffView.NOW, Verb.VIEW_AFTER: DiffView.AFTER}


class SelectedChange(QObject):
    """Keeps diff, details and verbs on the row under the cursor."""

    def __init__(
        self, model: LedgerModel, parts: WindowParts, reads: LedgerReads, actions: Actions, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._parts = parts
        self._reads = reads
        self._actions = actions
        self._asked: Asked | None = None
        self._shown_file: int | None = None
        self._is_coloured = False
        self._details: EntryDetails | None = None
        self.barred = ""
        """Why nothing can be undone at all, where that is so."""
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._on_patience_over)
        parts.table.entry_selected.connect(self._on_entry_selected)
        parts.table.selectionModel().selectionChanged.connect(self.weigh_verbs)
        parts.pane.file_chosen.connect(self._on_file_chosen)
        model.dataChanged.connect(self.weigh_verbs)
        model.rows_arrived.connect(self._on_rows_arrived)
        reads.change_found.connect(self._on_change_found)
        reads.coloured.connect(self._on_coloured)
        reads.details_found.connect(self._on_details_found)
        reads.entry_lost.connect(self._on_entry_lost)

    def row(self) -> LedgerRow | None:
        """Return the row under the cursor."""
        seq_id = self._parts.table.current_seq_id
        rows = () if seq_id is None else self._model.ledger_rows((seq_id,))
        return rows[0] if rows else None

    def undoable(self) -> tuple[SeqId, ...]:
        """Return which of the selected rows can be undone; none where more are selected than go at once."""
        if self._parts.table.selected_count() > MOST_AT_ONCE:
            return ()
        rows = self._model.ledger_rows(self._parts.table.selected_seq_ids())
        return tuple(row.seq_id for row in rows if _can_undo(row))

    def ask(self) -> None:
        """Read the diff of the selected row in the view that is chosen now."""
        seq_id = self._parts.table.current_seq_id
        if seq_id is None:
            return
        view = next(view for verb, view in VIEWS.items() if self._actions[verb].isChecked())
        self._ask(Asked(seq_id, view, self._file_of(seq_id), self._actions[Verb.IGNORE_BLANKS].isChecked()))

    def bar(self, why: str) -> None:
        """Say why nothing can be undone now; empty: it can."""
        self.barred = why
        self._parts.details.set_barred(why)
        if self._details is not None:
            self._parts.details.show_details(self._details)
        self.weigh_verbs()

    def follow(self, changes: Changes) -> None:
        """Read again what a write may have changed about the selected row."""
        seq_id = self._parts.table.current_seq_id
        if seq_id is not None and (changes.touched is None or seq_id in changes.touched):
            self._reads.ask_details(seq_id)
            self.ask()

    @Slot()
    def weigh_verbs(self) -> None:
        """Enable what can be done with the selected rows."""
        row = self.row()
        count = self._parts.table.selected_count()
        few = count <= MOST_AT_ONCE
        undo = row is not None and _can_undo(row) and few
        why_not = self.barred[:1].upper() + self.barred[1:]
        for verb in (Verb.UNDO, Verb.DECIDE_LATER, Verb.PIN, Verb.LABEL):
            self._actions.explain(verb, why_not or ("" if few else TOO_MANY))
        for verb in (Verb.REDO, Verb.UNDO_TURN, Verb.LOOKED):
            self._actions.explain(verb, why_not)
        self._actions[Verb.PIN].setChecked(row is not None and PIN in row.entry.marks)
        self._actions.set_row_verbs(
            {
                Verb.UNDO: undo or (count > 1 and bool(self.undoable())),
                Verb.REDO: row is not None and row.undo.is_redo and row.undo.enabled,
                Verb.UNDO_TURN: row is not None and bool(row.entry.record.turn_id) and not self.barred,
                Verb.DECIDE_LATER: undo,
                Verb.COPY_PATCH: row is not None and bool(row.entry.record.changes),
                Verb.PIN: row is not None and not self.barred and few,
                Verb.LABEL: row is not None and not self.barred and few,
                Verb.LOOKED: row is not None and bool(row.entry.looks) and not self.barred,
            }
        )

    def _file_of(self, seq_id: SeqId) -> int | None:
        """Return the file to be shown: of the same entry the one that is shown already, in each view."""
        if self._asked is None or self._asked.seq_id != seq_id:
            return None
        return self._shown_file if self._asked.file is None else self._asked.file

    def _ask(self, asked: Asked) -> None:
        self._asked = asked
        self._reads.ask_change(asked)
        self._patience.start()

    @Slot(int)
    def _on_entry_selected(self, _seq_id: int) -> None:
        row = self.row()
        self._shown_file = None
        self.weigh_verbs()
        if row is None:
            self._asked = self._details = None
            self._patience.stop()
            self._parts.details.clear()
            self._parts.pane.clear()
            return
        self._details = None
        self._parts.details.show_entry(row.entry)
        self.ask()
        self._reads.ask_details(row.seq_id)

    @Slot()
    def _on_rows_arrived(self) -> None:
        """Take up a row that was selected before it was here."""
        seq_id = self._parts.table.current_seq_id
        if self._asked is None and seq_id is not None and self.row() is not None:
            self._on_entry_selected(seq_id)

    @Slot(int)
    def _on_file_chosen(self, index: int) -> None:
        if self._asked is not None:
            self._ask(replace(self._asked, file=index))

    @Slot(object)
    def _on_change_found(self, shown: ShownChange) -> None:
        if shown.asked != self._asked:
            return
        self._patience.stop()
        self._shown_file = shown.file
        if shown.document != self._parts.pane.diff.document:
            self._is_coloured = False
            self._parts.pane.show_document(shown.document, shown.files, shown.file)
        if not self._is_coloured:
            self._reads.ask_colours(self._parts.pane.diff.document)
        self._show_drift(shown.entry, shown.asked.view)

    @Slot(object, object)
    def _on_coloured(self, document: DiffDocument, colours: dict[DiffSide, SyntaxLines]) -> None:
        self._is_coloured = document is self._parts.pane.diff.document
        self._parts.pane.show_syntax(document, colours)

    def _show_drift(self, entry: Entry, view: DiffView) -> None:
        if entry.drift is None:
            self._parts.pane.banner.clear()
            return
        action = "" if view is DiffView.NOW else "Show what changed"
        words = DRIFT_WORDS[entry.drift]
        self._parts.pane.banner.tell(words.title, words.text, action)

    @Slot(object)
    def _on_details_found(self, details: EntryDetails) -> None:
        if details.entry.seq_id == self._parts.table.current_seq_id and details != self._details:
            self._details = details
            self._parts.details.show_details(details)

    @Slot(int)
    def _on_entry_lost(self, seq_id: int) -> None:
        if seq_id == self._parts.table.current_seq_id:
            self._patience.stop()
            message = f"#{seq_id} is no longer kept: the ledger holds only the newest changes."
            self._parts.pane.show_document(DiffDocument("", message=message), (), 0)
            self._model.reload()

    @Slot()
    def _on_patience_over(self) -> None:
        self._parts.pane.show_document(DiffDocument("", message="Comparing…"), (), 0)


def _can_undo(row: LedgerRow) -> bool:
    return row.undo.enabled and not row.undo.is_redo
