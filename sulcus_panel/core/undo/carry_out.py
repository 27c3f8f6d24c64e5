"""The writes of one undo, from the last check to the ledger: all of them, or none, or the person is told.

The order keeps the promise: check everything, keep every byte and the journal, make everything ready, switch,
let go of what was displaced, read back, record. Whatever fails before that puts back all that was reached.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from sulcus_panel.core.disk import is_out_of_sight
from sulcus_panel.core.errors import StalePlan, SulcusError
from sulcus_panel.core.ledger.journal import JournalWrite, UndoJournal
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Actor, DiskFile, EntryState, LedgerPath, NewEntry, SeqId, Workspace
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import same_state
from sulcus_panel.core.undo.back import is_after, put_all_back
from sulcus_panel.core.undo.disk_words import outcome_of, told
from sulcus_panel.core.undo.folders import in_order
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import Outcome, UndoPlan, UndoResult, Warning, Write
from sulcus_panel.core.undo.plan import PlannedUndo
from sulcus_panel.core.undo.records import undo_contents, undo_entries
from sulcus_panel.core.undo.results import ReadBack, not_done
from sulcus_panel.core.undo.spare import is_clean, look_for
from sulcus_panel.core.undo.task import Overtaken, Task
from sulcus_panel.core.undo.trash import trash_of
from sulcus_panel.core.undo.write import Writer

Ids = Callable[[], str]
Clock = Callable[[], datetime]
Failure = SulcusError | OSError


@dataclass(slots=True, eq=False, repr=False)
class Hands:
    """Who acts, and with what: the actor, a source of ids, a clock, and the file system."""

    actor: Actor
    ids: Ids
    clock: Clock
    fs: FileSystem = field(default_factory=FileSystem)


@dataclass(slots=True, eq=False, repr=False)
class CarryOut:
    """One apply under the lock: a fresh plan that may be carried out."""

    ledger: Ledger
    workspace: Workspace
    planned: PlannedUndo
    hands: Hands

    def run(self, root: str) -> UndoResult:
        """Carry it out; raises StalePlan where somebody else was faster, and then nothing is changed."""
        plan = self.planned.plan
        now = self.hands.clock()
        entries = undo_entries(self.planned, self.hands.actor, self.hands.ids, now)
        op_id = self.hands.ids()
        tasks = _tasks(in_order(root, plan.writes), op_id)
        journal = UndoJournal(op_id, self.workspace.id, root, plan.digest, _journal_writes(tasks), entries)
        writer = Writer(root, self.hands.fs, trash_of(self.ledger.home, self.workspace.id, now))
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
            writer.finish(tasks)
        except (SulcusError, OSError) as error:
            return self._put_back(writer, tasks, journal, (error, task.path))
        return self._done(writer, tasks, journal)

    def _done(self, writer: Writer, tasks: Sequence[Task], journal: UndoJournal) -> UndoResult:
        """All is in place; an error from here on says that nobody knows for how long, not that it failed."""
        trouble = ""
        try:
            writer.sync(tasks)
        except (SulcusError, OSError) as error:
            trouble = f"the files are written, but {told(error)}"
        finally:
            writer.close()
        return self._record(journal, tasks, trouble, _warnings(writer))

    def _put_back(
        self, writer: Writer, tasks: Sequence[Task], journal: UndoJournal, failure: tuple[Failure, LedgerPath]
    ) -> UndoResult:
        """Undo the undo: every path that was reached goes back; then tell what the disk says."""
        writer.close()
        error, path = failure
        failed = put_all_back(
            journal.root, tasks, self.hands.fs, lambda task: task.path in writer.touched, writer.trash
        )
        reached = [(task, look_for(journal.root, task)) for task in tasks if task.path in writer.touched]
        strange = [task for task, now in reached if _is_strange(task, now)]
        if strange:
            return self._attention(journal, error, strange, is_settled=set(failed) <= set(strange))
        if len(reached) == len(tasks) and all(same_state(now.state, task.after) for task, now in reached):
            return self._record(
                journal, tasks, f"the files are written, but {told(error)}", _warnings(writer)
            )
        # What the disk would not let us put back or clean up waits in the open journal for recover().
        if not failed and all(is_clean(journal.root, task) for task in tasks):
            with suppress(SulcusError):  # an open journal does no harm: all is as it was before
                self.ledger.finish_undo(journal.op_id)
        return self._not_done(
            error, path, "" if not failed else "; the next start puts back what was written"
        )

    def _attention(
        self, journal: UndoJournal, error: Failure, strange: Sequence[Task], *, is_settled: bool
    ) -> UndoResult:
        """Some paths are neither: somebody else wrote there. His bytes stay; the person is told."""
        paths = ", ".join(plain(task.path, 120) for task in strange)
        reason = f"stopped half-way, please look at {paths}: {told(error)}"
        with suppress(SulcusError), self.ledger.write():  # else the open journal lets recover() say so
            for plan in self.planned.plan.entries:
                self.ledger.set_state(plan.entry.seq_id, EntryState.ATTENTION)
            self._govern("undo.failed", reason)
            if is_settled:
                self.ledger.finish_undo(journal.op_id)
        return not_done(self.planned.plan, Outcome.FAILED, reason)

    def _not_done(self, error: Failure, path: LedgerPath, left: str = "") -> UndoResult:
        """Nothing is changed; say where and why. Being overtaken is a stale plan, as if seen before."""
        if isinstance(error, Overtaken) and not left:
            detail = (
                f"{error.detail}; our change was taken back." if error.detail else "Everything is as it was."
            )
            raise StalePlan(error.title, detail, "Look at it again.") from error
        words = told(error) if isinstance(error, SulcusError) else f"{plain(path, 200)}: {told(error)}"
        reason = words + left
        with suppress(SulcusError):  # what there is to tell the person is what stopped the write
            self._govern("undo.failed", reason)
        return not_done(self.planned.plan, outcome_of(error) if not left else Outcome.FAILED, reason)

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

    def _record(
        self, journal: UndoJournal, tasks: Sequence[Task], trouble: str, warnings: tuple[Warning, ...]
    ) -> UndoResult:
        """Read every path back, record the undo, tell what the disk says; `trouble` is known to be so."""
        read = ReadBack.of(journal.root, self.planned.plan)
        trouble = trouble or read.trouble()
        try:
            return read.done(trouble, self._append(journal, tasks, trouble), warnings)
        except SulcusError as error:
            # The open journal lets recover() record it; until then the truth is this.
            reason = f"the files are written, but the ledger could not record it yet: {told(error)}"
            return read.done(reason, {}, warnings)

    def _append(self, journal: UndoJournal, tasks: Sequence[Task], trouble: str) -> dict[SeqId, SeqId]:
        """Append the undo's entries and close the journal in one transaction; each by the one it reverses."""
        plan, contents = self.planned.plan, undo_contents(self.planned)
        with self.ledger.write(durable=True, whole=True):
            recorded = {
                target: seq_id
                for entry in journal.entries
                if (target := _target(plan, entry)) is not None
                and (seq_id := self.ledger.record(self.workspace.id, entry, contents)) is not None
            }
            if plan.outcome is Outcome.COPY_SAVED:
                self._end_waiting()
            if trouble:
                self._govern("undo.unconfirmed", f"{_summary(plan)}; {trouble}")
            else:
                done = "old copy saved" if plan.outcome is Outcome.COPY_SAVED else "undone"
                self._govern("undo.applied", f"{done}: {_summary(plan)}")
            self.ledger.complete_undo(journal)
            if all(is_clean(journal.root, task) for task in tasks):
                self.ledger.finish_undo(journal.op_id)
        return recorded

    def _end_waiting(self) -> None:
        """What waited for the person is decided, also where nothing is taken back."""
        for plan in self.planned.plan.entries:
            if plan.entry.state in {EntryState.DEFERRED, EntryState.HELD}:
                self.ledger.set_state(plan.entry.seq_id, EntryState.RECORDED)


def _is_strange(task: Task, now: DiskFile) -> bool:
    """Say whether somebody else wrote there; what cannot be seen at the moment waits in the journal."""
    return not (same_state(now.state, task.before) or is_after(task, now) or is_out_of_sight(now.state))


def _target(plan: UndoPlan, entry: NewEntry) -> SeqId | None:
    """Return which entry of a plan an undo's own entry is about; one that saves a copy reverses none."""
    if entry.reverses is None and len(plan.entries) == 1:
        return plan.entries[0].entry.seq_id
    return entry.reverses


def _tasks(writes: Sequence[Write], op_id: str) -> tuple[Task, ...]:
    return tuple(
        Task(
            path=write.path,
            before=write.disk,
            after=write.result,
            content=write.result_content,
            temp=temp_name(op_id, index),
            in_place=write.in_place,
            displaced=write.disk_content,
            like=write.like,
        )
        for index, write in enumerate(writes)
    )


def temp_name(op_id: str, index: int) -> str:
    """Return the name of the one spare file beside a target; the journal tells it to recover()."""
    safe = "".join(char for char in op_id if char.isalnum() or char == "-")[:40]
    return f".sulcus-{safe}-{index}.tmp"


def _journal_writes(tasks: Sequence[Task]) -> tuple[JournalWrite, ...]:
    return tuple(JournalWrite(task.path, task.before, task.after, task.temp, task.in_place) for task in tasks)


def _warnings(writer: Writer) -> tuple[Warning, ...]:
    """What the person should know of how it was written."""
    late = [Warning("late_write", note) for note in writer.notes]
    racy = [
        Warning(
            "not_race_free",
            f"{plain(path, 200)} was replaced in two steps, for this file system cannot swap two names:"
            " a program that wrote to it in that moment would not have been seen",
            path,
        )
        for path in sorted(writer.not_race_free)
    ]
    shared = [
        Warning(
            "not_alone",
            f"{plain(path, 200)} was changed in place, and other programs could not be kept out meanwhile:"
            " what one of them wrote to it in that moment would not have been seen",
            path,
        )
        for path in sorted(writer.open_to_others)
    ]
    return (*late, *racy, *shared)


def _summary(plan: UndoPlan) -> str:
    entries = ", ".join(f"#{entry.entry.seq_id}" for entry in plan.entries)
    count = len(plan.writes)
    return f"{entries}, {count} {'file' if count == 1 else 'files'} written"
