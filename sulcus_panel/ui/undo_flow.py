"""From "take this back" to a verified file: plan on the reading lane, ask in the sheet, apply on the writing.

One sheet is open at a time; asking for another undo closes the open one. A plan that has gone stale
is made anew and shown again, never applied.
"""

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from sulcus_panel.core.holds import Hold
from sulcus_panel.core.model import Decision, SeqId
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.changes import Changes
from sulcus_panel.ui.dialogs.undo_sheet import UndoSheet
from sulcus_panel.ui.jobs import Jobs
from sulcus_panel.ui.undo_question import (
    PUT_OFF,
    Question,
    about_entries,
    about_hold,
    about_redo,
    about_turn,
)
from sulcus_panel.ui.undo_session import UndoSession


class UndoFlow(QObject):
    """Opens sheets and carries out what they decide."""

    finished = Signal(object)
    """The UndoResult of an undo or redo that was carried out."""
    refused = Signal(object)
    """A SulcusError for the window, when no sheet is there to show it."""
    noted = Signal(str)
    """A sentence for the window."""
    carried_out = Signal(bool)
    """Nothing is being written any more; True where everything was done that was accepted."""

    def __init__(self, jobs: Jobs, window: QWidget) -> None:
        super().__init__(window)
        self._jobs = jobs
        self._window = window
        self._sheet: UndoSheet | None = None
        self._session: UndoSession | None = None
        self._asked_about: object = None
        self._writing = 0
        self._all_done = True

    @property
    def sheet(self) -> UndoSheet | None:
        """The sheet that is open now."""
        return self._sheet

    @property
    def is_writing(self) -> bool:
        """True from a yes until it is known what came of it, whether or not its sheet is open still."""
        return self._writing > 0

    def undo(self, seq_ids: tuple[SeqId, ...]) -> None:
        """Ask whether to take back these entries."""
        self._open(about_entries(seq_ids))

    def undo_turn(self, workspace_id: int, turn_id: str) -> None:
        """Ask whether to take back everything of a turn."""
        self._open(about_turn(workspace_id, turn_id))

    def redo(self, seq_ids: tuple[SeqId, ...]) -> None:
        """Ask whether to bring back what was undone; `seq_ids` are undone entries or the undos themselves."""
        self._open(about_redo(seq_ids))

    def answer(self, hold: Hold) -> None:
        """Ask whether to do what somebody else asked for."""
        self._open(about_hold(hold))

    def decide_later(self, seq_ids: tuple[SeqId, ...]) -> None:
        """Mark entries as waiting for a decision, without a sheet."""
        self._jobs.spawn(self._defer(seq_ids))

    def follow(self, changes: Changes) -> None:
        """Look again at what the open sheet asks about, where a write may have changed it."""
        if self._session is not None and self._sheet is not None:
            self._session.follow(changes)

    def close(self) -> None:
        """Close the open sheet; undecided means that all stays as it is."""
        if self._sheet is not None:
            self._sheet.reject()

    def _open(self, question: Question) -> None:
        """Ask; the second click of a double click finds the sheet open, which is no answer to it."""
        if self._sheet is not None and not self._sheet.is_answered and question.about == self._asked_about:
            self._sheet.raise_()
            self._sheet.activateWindow()
            return
        self.close()
        self._asked_about = question.about
        sheet = UndoSheet(self._window)
        session = UndoSession(self._jobs, sheet, question, self)
        session.finished.connect(self.finished)
        session.refused.connect(self.refused)
        session.noted.connect(self.noted)
        session.accepted.connect(self._on_accepted)
        session.carried_out.connect(self._on_carried_out)
        sheet.redo_requested.connect(self._on_redo_requested)
        sheet.finished.connect(self._on_sheet_finished)
        self._sheet, self._session = sheet, session
        sheet.show()
        session.start()

    async def _defer(self, seq_ids: tuple[SeqId, ...]) -> None:
        plan = await self._jobs.read(lambda operations: operations.plan(UndoRequest(seq_ids)))
        await self._jobs.write(lambda operations: operations.decline(plan, Decision.DEFER))
        self.noted.emit(PUT_OFF)

    @Slot(object)
    def _on_redo_requested(self, seq_ids: tuple[SeqId, ...]) -> None:
        self.redo(seq_ids)

    @Slot()
    def _on_accepted(self) -> None:
        self._writing += 1

    @Slot(bool)
    def _on_carried_out(self, done: bool) -> None:
        self._writing -= 1
        self._all_done = self._all_done and done
        if not self._writing:
            all_done, self._all_done = self._all_done, True
            self.carried_out.emit(all_done)

    @Slot()
    def _on_sheet_finished(self) -> None:
        if self.sender() is self._sheet:
            self._sheet = self._session = None
