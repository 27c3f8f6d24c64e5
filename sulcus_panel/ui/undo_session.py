"""One undo sheet from opening to closing: plan, look again, carry out, and say what came of it.

A yes is on the writing lane the moment it is given: whatever is closed next, it is carried out.
"""

from asyncio import Future
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from sulcus_panel.core.errors import StalePlan, SulcusError
from sulcus_panel.core.model import Decision, Entry, LedgerPath, SeqId
from sulcus_panel.core.undo.model import Outcome, UndoPlan, UndoRequest, UndoResult
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.interface import Verbs
from sulcus_panel.service.operations import DiffView, FileDiff
from sulcus_panel.ui.dialogs.undo_sheet import UndoSheet
from sulcus_panel.ui.dialogs.undo_words import result_note
from sulcus_panel.ui.jobs import Jobs
from sulcus_panel.ui.undo_question import Planner, Question, plan_request

CHANGED_MEANWHILE = "It has changed meanwhile; look again."
DONE = (Outcome.UNDONE, Outcome.PARTLY_UNDONE, Outcome.ALREADY_UNDONE, Outcome.NOTHING_TO_UNDO)
"""Results after which nobody has to look again."""
LOOK_AGAIN = "The file changed meanwhile. Nothing was written; look again."


@dataclass(frozen=True, slots=True)
class _Looked:
    """A plan, and the entries that stand in its way."""

    plan: UndoPlan
    standing: tuple[Entry, ...]


class UndoSession(QObject):
    """One sheet from opening to closing."""

    finished = Signal(object)
    """The UndoResult of what was carried out."""
    refused = Signal(object)
    """A SulcusError, when the sheet is not there to show it."""
    noted = Signal(str)
    """A sentence for the window."""
    accepted = Signal()
    """The person said yes."""
    carried_out = Signal(bool)
    """It is known what came of the yes; True where it was done."""

    def __init__(self, jobs: Jobs, sheet: UndoSheet, question: Question, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._sheet = sheet
        self._question = question
        self._planner = question.planner
        self._hunks: tuple[int, ...] | None = question.hunks
        sheet.set_asked(question.asked)
        self._asked = 0
        self._busy = 0
        self._over = False
        sheet.finished.connect(self._end_if_over)
        sheet.decided.connect(self._on_decided)
        sheet.hunks_changed.connect(self._on_hunks_changed)
        sheet.request_wanted.connect(self._on_request_wanted)
        sheet.outside_requested.connect(self._on_outside_requested)

    def start(self) -> None:
        """Make the first plan."""
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
        decline = self._question.decline
        declining = self._jobs.write(lambda operations: decline(operations, plan, decision))
        self._do(partial(self._declined, declining, decision))

    async def _declined(self, declining: "Future[None]", decision: Decision) -> None:
        await declining
        if decision is Decision.DEFER:
            self.noted.emit(self._question.put_off)

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
        self._planner = partial(plan_request, request)
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


def _look(operations: Verbs, planner: Planner, hunks: tuple[int, ...] | None) -> _Looked:
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


def _outside_change(operations: Verbs, seq_id: SeqId, path: LedgerPath) -> FileDiff:
    """Return what stands on disk against what the last recorded change of that path left."""
    newest = seq_id
    for entry in operations.later(seq_id):
        if path in entry.paths:
            newest = entry.seq_id
    return next(diff for diff in operations.diff(newest, DiffView.NOW) if diff.path == path)
