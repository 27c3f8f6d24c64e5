"""The four steps of an undo in one sheet that blocks nothing: Explain, Preview, Confirm, Apply.

The sheet only shows and asks; ui/undo_session.py plans and applies. It answers at most once. Only the button
that names the deed says yes: Esc, Enter, closing the window and "Keep it" all mean that all stays as it is,
and only "Keep it", by Enter too, is a decision to be remembered.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QStackedWidget, QVBoxLayout, QWidget

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import Decision, Entry, LedgerPath
from sulcus_panel.core.undo.model import Outcome, UndoPlan, UndoRequest, UndoResult
from sulcus_panel.service.file_diffs import FileDiff
from sulcus_panel.ui.dialogs import undo_words as words
from sulcus_panel.ui.dialogs.choices import numbers_in
from sulcus_panel.ui.dialogs.demands import demands
from sulcus_panel.ui.dialogs.known_parts import KnownParts
from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.dialogs.plan_page import PlanPage
from sulcus_panel.ui.dialogs.result_page import ResultPage
from sulcus_panel.ui.dialogs.sheet_footer import SheetFooter
from sulcus_panel.ui.dialogs.sheet_steps import Phase, steps_of
from sulcus_panel.ui.dialogs.sheet_style import sheet_style
from sulcus_panel.ui.dialogs.step_list import StepList
from sulcus_panel.ui.dialogs.tab_stops import chain_tabs, tab_stops
from sulcus_panel.ui.theme import Theme, theme_of

FIRST_SIZE = QSize(1080, 720)


_PHASES = {
    Outcome.UNDONE: Phase.DONE,
    Outcome.COPY_SAVED: Phase.DONE,
    Outcome.PARTLY_UNDONE: Phase.DONE,
    Outcome.ALREADY_UNDONE: Phase.DONE,
    Outcome.NOTHING_TO_UNDO: Phase.DONE,
    Outcome.APPLIED_UNCONFIRMED: Phase.UNSURE,
}
"""What the steps show after a result; anything else was not done."""


class UndoSheet(QDialog):
    """Shows one plan after another until the person decides, then what came of it."""

    decided = Signal(object)
    """A Decision about the plan that is shown, at most once."""
    hunks_changed = Signal(object)
    """The hunk numbers now ticked: a new plan is wanted."""
    request_wanted = Signal(object)
    """Another UndoRequest, with whoever stands in the way or without: a new plan is wanted."""
    outside_requested = Signal(object)
    """A LedgerPath whose outside change the person wants to see."""
    redo_requested = Signal(object)
    """The SeqIds of the undo entries that the person wants to take back."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("undo_sheet")
        self.setModal(False)
        self.setWindowTitle("Surgical Undo")
        self.resize(FIRST_SIZE.boundedTo(self.screen().availableSize() * 0.95))
        self._phase = Phase.PLANNING
        self._plan: UndoPlan | None = None
        self._shown: UndoPlan | None = None
        self._parts = KnownParts()
        self._result: UndoResult | None = None
        self._asked = ""
        self._answered = False
        self._consents: tuple[str, ...] = ()
        self._styled: Theme | None = None
        self._steps = StepList()
        self._page = PlanPage()
        self._outcome = ResultPage()
        self._pages = QStackedWidget()
        self._note_row = QWidget()
        self._note = PlainLabel(name="sheet_note", wrap=True)
        self._progress = QProgressBar()
        self._footer = SheetFooter()
        self._lay_out()
        self._connect()
        self._restyle()
        self.show_planning()

    @property
    def plan(self) -> UndoPlan | None:
        """The plan that is shown; what a yes means."""
        return self._plan

    @property
    def is_answered(self) -> bool:
        """True after the person has decided, or has closed the sheet."""
        return self._answered

    @property
    def is_asking(self) -> bool:
        """True while a plan is shown and a decision is waited for."""
        return not self._answered and self._phase in (Phase.READY, Phase.BLOCKED)

    @property
    def consents(self) -> tuple[str, ...]:
        """The keys of what the plan wants consent to and the person has ticked."""
        return self._consents

    def is_all(self, hunks: tuple[int, ...]) -> bool:
        """True when these are all parts of the change that is shown."""
        return self._shown is not None and len(hunks) == len(numbers_in(self._shown))

    def set_asked(self, asked: str) -> None:
        """Say above every plan who asks for it, where somebody else than the person does."""
        self._asked = asked

    def show_planning(self) -> None:
        """Say that a plan is being made; a yes is not possible meanwhile."""
        self._set_phase(Phase.PLANNING)
        self._footer.wait("Looking at the disk…")

    def show_plan(self, plan: UndoPlan, note: str = "", standing: Sequence[Entry] = ()) -> None:
        """Show what would happen, and ask. `note` says why the person should look again.

        `standing` are the entries that stand in the way of `plan`.
        """
        self._plan = plan
        self._shown = self._parts.complete(plan)
        said = words.wording(plan)
        self.setWindowTitle(said.title)
        self._steps.set_title(said.title, said.subtitle)
        told = "\n".join(text for text in (self._asked, note) if text)
        self._note.setText(told)
        self._note_row.setVisible(bool(told))
        self._page.show_plan(self._shown, standing)
        self._pages.setCurrentWidget(self._page)
        why_not = words.why_not(plan)
        self._set_phase(Phase.BLOCKED if why_not else Phase.READY)
        self._footer.ask(said, demands(plan), why_not, keep_ticks=not note)
        self._order_tabs()

    def show_outside(self, path: LedgerPath, diff: FileDiff) -> None:
        """Open what was changed outside the agents at `path`."""
        self._page.show_outside(path, diff)

    def show_applying(self) -> None:
        """Say that files are being written."""
        self._set_phase(Phase.APPLYING)
        self._footer.wait("Writing, then reading back from disk…", decided=True)

    def show_result(self, result: UndoResult) -> None:
        """Show what stands on disk now, and offer the way back."""
        self._result = result
        redo = self._plan is not None and self._plan.is_redo
        self._outcome.show_result(result, self._plan, redo=redo)
        self._pages.setCurrentWidget(self._outcome)
        self._note_row.hide()
        undone = any(entry.undo_seq_id is not None for entry in result.results)
        self._set_phase(_PHASES.get(result.outcome, Phase.FAILED))
        saved = self._plan is not None and self._plan.outcome is Outcome.COPY_SAVED
        way_back = "Remove the copy" if saved else "Undo again" if redo else "Redo"
        self._footer.close_only(way_back if undone else "")

    def show_error(self, error: SulcusError) -> None:
        """Show why it could not be done; nothing more can be decided here."""
        was_accepted = self._phase is Phase.APPLYING
        self._answered = True
        self._outcome.show_error(error)
        self._pages.setCurrentWidget(self._outcome)
        self._note_row.hide()
        self._set_phase(Phase.FAILED if was_accepted else Phase.UNPLANNED)
        self._footer.close_only("")

    def ask_again(self) -> None:
        """Take back the answer: the plan it was given to could not be carried out as shown."""
        self._answered = False

    def reject(self) -> None:
        """Close; where nothing was decided yet, nothing is, and all stays as it is."""
        self._answered = True
        super().reject()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._steps.suit_width(event.size().width())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._restyle()

    def _lay_out(self) -> None:
        self._note_row.hide()
        self._note.setAccessibleName("Note")
        self._progress.setRange(0, 0)
        self._progress.setTextVisible(False)
        self._progress.setFixedHeight(3)
        self._progress.setAccessibleName("Progress")
        self._pages.addWidget(self._page)
        self._pages.addWidget(self._outcome)
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        note_row = QHBoxLayout(self._note_row)
        note_row.setContentsMargins(28, 18, 28, 0)
        note_row.addWidget(self._note)
        right.addWidget(self._progress)
        right.addWidget(self._note_row)
        right.addWidget(self._pages, 1)
        right.addWidget(self._footer)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._steps)
        layout.addLayout(right, 1)

    def _connect(self) -> None:
        self._page.hunks_changed.connect(self._on_hunks_changed)
        self._page.request_wanted.connect(self._on_request_wanted)
        self._page.outside_requested.connect(self.outside_requested)
        self._page.grown.connect(self._order_tabs)
        self._footer.accepted.connect(self._on_accepted)
        self._footer.kept.connect(self._on_kept)
        self._footer.deferred.connect(self._on_deferred)
        self._footer.redo_wanted.connect(self._on_redo_wanted)

    def _set_phase(self, phase: Phase) -> None:
        self._phase = phase
        self._progress.setVisible(phase in (Phase.PLANNING, Phase.APPLYING))
        self._page.setEnabled(phase is not Phase.APPLYING)
        self._steps.show_steps(steps_of(phase, self._shown))

    def _answer(self, decision: Decision) -> None:
        if not self._answered:
            self._answered = True
            self.decided.emit(decision)

    def _restyle(self) -> None:
        theme = theme_of(self.palette())
        if theme is not self._styled:
            self._styled = theme
            self.setStyleSheet(sheet_style(theme))

    @Slot()
    def _order_tabs(self) -> None:
        chain_tabs([self._page, *self._page.stops, *tab_stops([self._footer])])

    @Slot()
    def _on_accepted(self) -> None:
        if self._phase is Phase.READY:
            self._consents = self._footer.consents
            self._answer(Decision.ACCEPT)

    @Slot()
    def _on_kept(self) -> None:
        if self._plan is not None:
            self._answer(Decision.REJECT)
        self.reject()

    @Slot()
    def _on_deferred(self) -> None:
        self._answer(Decision.DEFER)
        self.reject()

    @Slot(object)
    def _on_hunks_changed(self, hunks: tuple[int, ...]) -> None:
        if hunks:
            self.show_planning()
        else:
            self._set_phase(Phase.BLOCKED)
            self._footer.forbid(words.NOTHING_CHOSEN)
        self.hunks_changed.emit(hunks)

    @Slot(object)
    def _on_request_wanted(self, request: UndoRequest) -> None:
        self.show_planning()
        self.request_wanted.emit(request)

    @Slot()
    def _on_redo_wanted(self) -> None:
        if self._result is not None:
            undos = tuple(e.undo_seq_id for e in self._result.results if e.undo_seq_id is not None)
            self.redo_requested.emit(undos)
            self.reject()
