"""From "take this back" to a verified file: plan on the reading lane, ask in the sheet, apply on the writing.

One sheet is open at a time; asking for another undo closes the open one. A plan that has gone stale
is made anew and shown again, never applied.
"""

from asyncio import Future
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from sulcus_panel.core.errors import StalePlan, SulcusError
from sulcus_panel.core.model import Decision, Entry, LedgerPath, SeqId
from sulcus_panel.core.undo.model import Outcome, UndoPlan, UndoRequest, UndoResult
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import DiffView, FileDiff, Operations, Selection
from sulcus_panel.ui.dialogs.undo_sheet import UndoSheet
from sulcus_panel.ui.dialogs.undo_words import result_note
from sulcus_panel.ui.jobs import Jobs

Planner = Callable[[Operations, tuple[int, ...] | None], UndoPlan]
"""Makes the plan, for these hunks only or for all (None)."""
CHANGED_MEANWHILE = "It has changed meanwhile; look again."
DONE = (Outcome.UNDONE, Outcome.PARTLY_UNDONE, Outcome.ALREADY_UNDONE, Outcome.NOTHING_TO_UNDO)
"""Results after which nobody has to look again."""
LOOK_AGAIN = "The file changed meanwhile. Nothing was written; look again."


@dataclass(frozen=True, slots=True)
class _Looked:
    """A plan, and the entries that stand in its way."""

    plan: UndoPlan
    standing: tuple[Entry, ...]


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
        self._session: _Session | None = None
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
        self._open(partial(_plan_request, UndoRequest(seq_ids)), ("undo", seq_ids))

    def undo_turn(self, workspace_id: int, turn_id: str) -> None:
        """Ask whether to take back everything of a turn."""
        self._open(partial(_plan_turn, workspace_id, turn_id), ("turn", workspace_id, turn_id))

    def redo(self, seq_ids: tuple[SeqId, ...]) -> None:
        """Ask whether to bring back what was undone; `seq_ids` are undone entries or the undos themselves."""
        self._open(partial(_plan_redo, seq_ids), ("redo", seq_ids))

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

    def _open(self, planner: Planner, about: object) -> None:
        """Ask; the second click of a double click finds the sheet open, which is no answer to it."""
        if self._sheet is not None and not self._sheet.is_answered and about == self._asked_about:
            self._sheet.raise_()
            self._sheet.activateWindow()
            return
        self.close()
        self._asked_about = about
        sheet = UndoSheet(self._window)
        session = _Session(self._jobs, sheet, planner, self)
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
        self.noted.emit("Marked to be decided later. Nothing was changed.")

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


class _Session(QObject):
    """One sheet from opening to closing."""

    finished = Signal(object)
    refused = Signal(object)
    noted = Signal(str)
    accepted = Signal()
    carried_out = Signal(bool)

    def __init__(self, jobs: Jobs, sheet: UndoSheet, planner: Planner, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._sheet = sheet
        self._planner = planner
        self._hunks: tuple[int, ...] | None = None
        self._asked = 0
        self._busy = 0
        self._over = False
        sheet.finished.connect(self._end_if_over)
        sheet.decided.connect(self._on_decided)
        sheet.hunks_changed.connect(self._on_hunks_changed)
        sheet.request_wanted.connect(self._on_request_wanted)
        sheet.outside_requested.connect(self._on_outside_requested)

    def start(self) -> None:
        self._do(self._plan)

    def _do(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Keep sheet and session alive while something is under way, even when the sheet is closed."""
        self._busy += 1
        self._jobs.spawn(self._count(work))

    async def _count(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        finally:
            self._busy -= 1
            self._end_if_over()

    async def _plan(self, note: str = "") -> None:
        planner, hunks = self._planner, self._hunks
        if hunks == ():
            return  # the last part was unticked meanwhile
        self._asked += 1
        asked = self._asked
        try:
            looked = await self._jobs.read(
                lambda operations: _look(operations, planner, hunks), key="undo-plan"
            )
        except SulcusError as error:
            if asked == self._asked:
                self._fail(error)
            return
        if asked == self._asked:
            self._sheet.show_plan(looked.plan, note, looked.standing)

    def follow(self, changes: Changes) -> None:
        """Plan anew where `changes` may touch what the plan rests on and the person has not yet decided."""
        plan = self._sheet.plan
        if plan is None or not self._sheet.is_asking:
            return
        touched = changes.touched
        if (
            changes.drift
            or changes.new_entries
            or touched is None
            or set(touched) & set(plan.request.seq_ids)
        ):
            self._do(partial(self._look_again, plan))

    async def _look_again(self, shown: UndoPlan) -> None:
        """Show the plan anew if it is another one by now; else leave the sheet alone."""
        planner, hunks, asked = self._planner, self._hunks or None, self._asked
        try:
            looked = await self._jobs.read(
                lambda operations: _look(operations, planner, hunks), key="undo-look"
            )
        except SulcusError as error:
            if self._is_still_about(shown, asked):
                self._fail(error)
            return
        if self._is_still_about(shown, asked) and looked.plan.digest != shown.digest:
            self._hunks = hunks
            self._sheet.show_plan(looked.plan, CHANGED_MEANWHILE, looked.standing)

    def _is_still_about(self, shown: UndoPlan, asked: int) -> bool:
        return self._sheet.is_asking and self._sheet.plan is shown and self._asked == asked

    def _accept(self, plan: UndoPlan, consents: tuple[str, ...]) -> None:
        """Put the yes on the writing lane at once: whatever is closed next, it is carried out."""
        self._sheet.show_applying()
        self.accepted.emit()
        applying = self._jobs.write(lambda operations: operations.apply(plan, consents))
        self._do(partial(self._carry_out, applying))

    async def _carry_out(self, applying: "Future[UndoResult]") -> None:
        done = False
        try:
            done = await self._tell(applying)
        finally:
            self.carried_out.emit(done)

    async def _tell(self, applying: "Future[UndoResult]") -> bool:
        """Say what came of a yes; returns whether it was done."""
        try:
            result = await applying
        except StalePlan as error:
            if self._sheet.isVisible():
                self._sheet.ask_again()
                await self._plan(LOOK_AGAIN)
            else:
                self.refused.emit(error)
        except SulcusError as error:
            self._fail(error)
        else:
            self._finish(result)
            return result.outcome in DONE
        return False

    def _decline(self, plan: UndoPlan, decision: Decision) -> None:
        declining = self._jobs.write(lambda operations: operations.decline(plan, decision))
        self._do(partial(self._declined, declining, decision))

    async def _declined(self, declining: "Future[None]", decision: Decision) -> None:
        await declining
        if decision is Decision.DEFER:
            self.noted.emit("Marked to be decided later. Nothing was changed.")

    async def _show_outside(self, plan: UndoPlan, path: LedgerPath) -> None:
        seq_id = next(item.entry.seq_id for item in plan.entries if path in item.entry.paths)
        diff = await self._jobs.read(lambda operations: _outside_change(operations, seq_id, path))
        self._sheet.show_outside(path, diff)

    def _finish(self, result: UndoResult) -> None:
        self._sheet.show_result(result)
        if self._sheet.plan is not None and not self._sheet.isVisible():  # closed while it was written
            self.noted.emit(result_note(result, self._sheet.plan))
        self.finished.emit(result)

    def _fail(self, error: SulcusError) -> None:
        self._sheet.show_error(error)
        if not self._sheet.isVisible():
            self.refused.emit(error)

    @Slot(object)
    def _on_decided(self, decision: Decision) -> None:
        plan = self._sheet.plan
        if plan is None:
            return
        if decision is Decision.ACCEPT:
            self._accept(plan, self._sheet.consents)
        else:
            self._decline(plan, decision)

    @Slot(object)
    def _on_hunks_changed(self, hunks: tuple[int, ...]) -> None:
        self._hunks = None if self._sheet.is_all(hunks) else hunks  # the change itself may have a safe set
        self._asked += 1  # what is under way answers another choice
        if hunks:
            self._do(self._plan)

    @Slot(object)
    def _on_request_wanted(self, request: UndoRequest) -> None:
        self._planner = partial(_plan_request, request)
        self._hunks = request.hunks
        self._do(self._plan)

    @Slot(object)
    def _on_outside_requested(self, path: LedgerPath) -> None:
        if self._sheet.plan is not None:
            self._do(partial(self._show_outside, self._sheet.plan, path))

    @Slot()
    def _end_if_over(self) -> None:
        if self._busy == 0 and not self._over and not self._sheet.isVisible():
            self._over = True
            self._sheet.deleteLater()
            self.deleteLater()


def _look(operations: Operations, planner: Planner, hunks: tuple[int, ...] | None) -> _Looked:
    """Make a plan and, where it cannot be carried out, look up who stands in its way, newest first."""
    plan = planner(operations, hunks)
    if plan.can_apply:
        return _Looked(plan, ())
    asked = frozenset(plan.request.seq_ids)
    named = {seq_id for conflict in plan.conflicts for seq_id in conflict.with_seq_ids}
    others = sorted(named.union(plan.safe_set) - asked, reverse=True)
    return _Looked(
        plan, operations.entries((*plan.safe_set, *(each for each in others if each not in plan.safe_set)))
    )


def _plan_request(request: UndoRequest, operations: Operations, hunks: tuple[int, ...] | None) -> UndoPlan:
    return operations.plan(replace(request, hunks=hunks))


def _plan_redo(seq_ids: tuple[SeqId, ...], operations: Operations, hunks: tuple[int, ...] | None) -> UndoPlan:
    plan = operations.plan_redo(seq_ids)
    return plan if hunks is None else operations.plan(UndoRequest(plan.request.seq_ids, hunks))


def _plan_turn(
    workspace_id: int, turn_id: str, operations: Operations, hunks: tuple[int, ...] | None
) -> UndoPlan:
    plan = operations.plan_selection(workspace_id, Selection(turn_id=turn_id))
    return plan if hunks is None else operations.plan(UndoRequest(plan.request.seq_ids, hunks))


def _outside_change(operations: Operations, seq_id: SeqId, path: LedgerPath) -> FileDiff:
    """Return what stands on disk against what the last recorded change of that path left."""
    newest = seq_id
    for entry in operations.later(seq_id):
        if path in entry.paths:
            newest = entry.seq_id
    return next(diff for diff in operations.diff(newest, DiffView.NOW) if diff.path == path)
