"""Carry out a plan: look again under a lock, keep everything first, write, verify, record the undo itself.

All checks and all preparation come before the first switch. A batch is all or nothing: a failure puts back
what was written, and a killed process leaves a journal from which recover() finishes or takes back.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from sulcus_panel.core.disk import look
from sulcus_panel.core.errors import LedgerBusy, StalePlan, SulcusError
from sulcus_panel.core.ledger.journal import JournalWrite, UndoJournal
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Actor, EntryState, LedgerPath, SeqId, Workspace
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import same_state
from sulcus_panel.core.undo.facts import gather_facts
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.lock import undo_lock
from sulcus_panel.core.undo.model import Outcome, UndoPlan, UndoResult, Write
from sulcus_panel.core.undo.plan import PlannedUndo, plan_with_hunks
from sulcus_panel.core.undo.records import undo_contents, undo_entries
from sulcus_panel.core.undo.recover import recover, recover_locked
from sulcus_panel.core.undo.results import ReadBack, as_planned, not_done
from sulcus_panel.core.undo.write import Overtaken, Refused, Task, Writer, backwards, is_clean, put_back

__all__ = ["Hands", "apply_undo", "recover"]

LOCK_SECONDS = 10.0

Ids = Callable[[], str]
Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Hands:
    """Who acts, and with what: the actor, a source of ids, a clock, and the file system."""

    actor: Actor
    ids: Ids
    clock: Clock
    fs: FileSystem


def apply_undo(  # noqa: PLR0913, PLR0917 - the contract's own list
    ledger: Ledger,
    workspace: Workspace,
    plan: UndoPlan,
    actor: Actor,
    ids: Ids,
    clock: Clock,
    fs: FileSystem | None = None,
) -> UndoResult:
    """Carry out `plan` if it still says what it said; the result tells what the disk says afterwards.

    A plan that cannot be applied, or has nothing to do, is answered with its own outcomes and writes nothing.

    Raises:
        StalePlan: disk or ledger moved on since the plan was made; nothing was changed.
        LedgerBusy: another undo is under way and does not end.
        NotFound, LedgerFull, LedgerCorrupt: as said there; nothing was changed.
    """
    hands = Hands(actor, ids, clock, fs or FileSystem())
    with undo_lock(ledger, LOCK_SECONDS) as held:
        if not held:
            raise LedgerBusy("Another undo is under way", hint="Try again in a moment.")
        recover_locked(ledger, hands.fs)
        planned = plan_with_hunks(gather_facts(ledger, workspace, plan.request, clock()))
        if planned.plan.digest != plan.digest:
            raise StalePlan(
                "Something has changed since this was shown", "Nothing was done.", "Look at it again."
            )
        if not planned.plan.can_apply or workspace.root is None:
            return as_planned(planned.plan)
        return _Apply(ledger, workspace, planned, hands).run(workspace.root)


@dataclass(slots=True)
class _Apply:
    """One apply under the lock: a fresh plan that may be carried out."""

    ledger: Ledger
    workspace: Workspace
    planned: PlannedUndo
    hands: Hands

    def run(self, root: str) -> UndoResult:
        """Check, open the journal, make ready, switch, verify, record."""
        plan = self.planned.plan
        entries = undo_entries(self.planned, self.hands.actor, self.hands.ids, self.hands.clock())
        op_id = self.hands.ids()
        tasks = _tasks(plan.writes, op_id)
        journal = UndoJournal(op_id, self.workspace.id, root, plan.digest, _journal_writes(tasks), entries)
        writer = Writer(root, self.hands.fs)
        task = tasks[0]
        try:
            for task in tasks:
                writer.check(task)
        except SulcusError as error:
            return self._not_done(error, task.path)
        self.ledger.begin_undo(journal, undo_contents(self.planned))
        try:
            for task in tasks:
                writer.prepare(task)
            for task in tasks:
                writer.switch(task)
        except (SulcusError, OSError) as error:
            return self._put_back(writer, tasks, journal, error, task.path)
        writer.close()
        return self._record(journal)

    def _put_back(
        self,
        writer: Writer,
        tasks: Sequence[Task],
        journal: UndoJournal,
        error: SulcusError | OSError,
        path: LedgerPath,
    ) -> UndoResult:
        """Undo the undo: every path that was switched goes back; then tell what the disk says."""
        for task in tasks:
            with suppress(OSError):  # what is left is removed at the next start
                writer.discard(task)
        writer.close()
        contents = undo_contents(self.planned)
        for task in reversed(tasks):
            put_back(journal.root, backwards(task, contents), self.hands.fs)
        with suppress(OSError, SulcusError):
            writer.remove_made_folders()
        touched = [task for task in tasks if task.path in writer.touched]
        pairs = [(look(journal.root, task.path).state, task) for task in touched]
        if not all(same_state(now, task.before) or same_state(now, task.after) for now, task in pairs):
            return self._attention(journal, error)
        if len(touched) == len(tasks) and all(same_state(now, task.after) for now, task in pairs):
            return self._record(journal, f"the files are written, but {_told(error)}")
        back = all(same_state(now, task.before) for now, task in pairs)
        # What the disk would not let us put back or clean up waits in the open journal for recover().
        if back and all(is_clean(journal.root, task) for task in tasks):
            self.ledger.finish_undo(journal.op_id)
        return self._not_done(error, path)

    def _attention(self, journal: UndoJournal, error: SulcusError | OSError) -> UndoResult:
        """Some paths are neither: somebody else wrote there. His bytes stay; the person is told."""
        paths = ", ".join(plain(write.path, 120) for write in journal.writes)
        reason = f"stopped half-way, please look at {paths}: {_told(error)}"
        with self.ledger.write():
            for plan in self.planned.plan.entries:
                self.ledger.set_state(plan.entry.seq_id, EntryState.ATTENTION)
            self._govern("undo.failed", reason)
            self.ledger.finish_undo(journal.op_id)
        return not_done(self.planned.plan, Outcome.FAILED, reason)

    def _not_done(self, error: SulcusError | OSError, path: LedgerPath) -> UndoResult:
        """Nothing is changed; say where and why. Being overtaken is a stale plan, as if seen before."""
        if isinstance(error, Overtaken):
            raise StalePlan(error.title, "Everything is as it was.", "Look at it again.") from error
        outcome = Outcome.REFUSED if isinstance(error, Refused) else Outcome.FAILED
        told = _told(error)
        reason = told if isinstance(error, SulcusError) else f"{plain(path, 200)}: {told}"
        self._govern("undo.failed", reason)
        return not_done(self.planned.plan, outcome, reason)

    def _govern(self, kind: str, summary: str) -> None:
        plan = self.planned.plan
        self.ledger.record_governance(
            self.workspace.id,
            self.hands.actor,
            kind,
            summary,
            tuple(entry.entry.seq_id for entry in plan.entries),
            {"plan_digest": plan.digest},
        )

    def _record(self, journal: UndoJournal, trouble: str = "") -> UndoResult:
        """Read every path back, record the undo, tell what the disk says; `trouble` is known to be so."""
        read = ReadBack.of(journal.root, self.planned.plan)
        trouble = trouble or read.trouble()
        try:
            return read.done(trouble, self._append(journal, trouble))
        except SulcusError as error:
            # The open journal lets recover() record it; until then the truth is this.
            reason = f"the files are written, but the ledger could not record it yet: {_told(error)}"
            return read.done(reason, {})

    def _append(self, journal: UndoJournal, trouble: str) -> dict[SeqId, SeqId]:
        """Append the undo's entries and close the journal in one transaction; each by the one it reverses."""
        plan, contents = self.planned.plan, undo_contents(self.planned)
        with self.ledger.write(durable=True):
            recorded = {
                entry.reverses: appended.seq_id
                for entry in journal.entries
                if entry.reverses is not None
                and (appended := self.ledger.append(self.workspace.id, entry, contents=contents)) is not None
            }
            if trouble:
                self._govern("undo.unconfirmed", f"{_summary(plan)}; {trouble}")
            else:
                self._govern("undo.applied", f"undone: {_summary(plan)}")
            if all(is_clean(journal.root, task) for task in _tasks(plan.writes, journal.op_id)):
                self.ledger.finish_undo(journal.op_id)
        return recorded


def _tasks(writes: Sequence[Write], op_id: str) -> tuple[Task, ...]:
    return tuple(
        Task(write.path, write.disk, write.result, write.result_content, temp_name(op_id, index))
        for index, write in enumerate(writes)
    )


def temp_name(op_id: str, index: int) -> str:
    """Return the name of the one spare file beside a target; the journal tells it to recover()."""
    safe = "".join(char for char in op_id if char.isalnum() or char == "-")[:40]
    return f".sulcus-{safe}-{index}.tmp"


def _journal_writes(tasks: Sequence[Task]) -> tuple[JournalWrite, ...]:
    return tuple(JournalWrite(task.path, task.before, task.after, task.temp) for task in tasks)


def _told(error: SulcusError | OSError) -> str:
    if isinstance(error, SulcusError):
        return str(error)
    return f"the disk refused: {(error.strerror or str(error)).lower()}"


def _summary(plan: UndoPlan) -> str:
    entries = ", ".join(f"#{entry.entry.seq_id}" for entry in plan.entries)
    count = len(plan.writes)
    return f"{entries}, {count} {'file' if count == 1 else 'files'} written"
