"""The moves of one undo of references, newest entry first; it stops at the first that fails, and tells of the rest.

The journal in the ledger says beforehand what is about to move. Each effect is whole or not at all, is read back,
and is recorded as an entry of its own, so that Redo is the undo of that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.journal import UndoJournal
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import (
    ActionType,
    EntryState,
    NewEntry,
    Origin,
    Provenance,
    SeqId,
    Workspace,
)
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.carry_out import Hands
from sulcus_panel.core.undo.disk_words import told
from sulcus_panel.core.undo.gone import is_gone
from sulcus_panel.core.undo.model import (
    EffectPlan,
    EntryPlan,
    EntryResult,
    Outcome,
    Strategy,
    UndoPlan,
    UndoResult,
)
from sulcus_panel.core.undo.records import HARNESS, TOOL, closing_entry
from sulcus_panel.core.undo.ref_moves import HalfMoved, carry

STOPPED = "an undo before it failed"


@dataclass(frozen=True, slots=True)
class CarryEffects:
    """One apply under the lock: a fresh plan whose effects may be taken back, and that writes no file."""

    ledger: Ledger
    workspace: Workspace
    plan: UndoPlan
    hands: Hands

    def run(self, root: str) -> UndoResult:
        """Carry it out; the result tells what git says afterwards."""
        running = self._running()
        entries = self.entries(self.hands.clock())
        journal = UndoJournal(self.hands.ids(), self.workspace.id, root, self.plan.digest, (), entries)
        self.ledger.begin_undo(journal, {})
        done: list[NewEntry] = []
        failure: SulcusError | None = None
        for item, entry in zip(running, entries, strict=True):
            try:
                _carry(item.effect)
            except SulcusError as error:
                failure = error
                break
            done.append(entry)
        return self._recorded(journal, running, done, failure)

    def entries(self, now: datetime) -> tuple[NewEntry, ...]:
        """Return the undo's own entries, in the order in which they are done."""
        return tuple(self._entry(item, now) for item in self._running())

    def _running(self) -> list[EntryPlan]:
        return [item for item in self.plan.entries if item.effect in self.plan.running]

    def _entry(self, item: EntryPlan, now: datetime) -> NewEntry:
        """Return the undo's own entry, which names what it moves."""
        record, effect = item.entry.record, item.effect
        verb = "Redo" if record.origin is Origin.UNDO else "Undo"
        shown = " && ".join(" ".join(words) for words in effect.commands) if effect is not None else ""
        return NewEntry(
            uid=self.hands.ids(),
            at=now,
            harness=HARNESS,
            actor=self.hands.actor,
            origin=Origin.UNDO,
            action_type=ActionType.RUN_COMMAND,
            tool_name=TOOL,
            target_path=record.target_path,
            summary=f"{verb} of #{item.entry.seq_id}: {record.summary}",
            provenance=Provenance.OBSERVED,
            intent=record.intent,
            command=shown,
            cwd=record.cwd,
            git=effect.delta if effect is not None else None,
            reverses=item.entry.seq_id,
        )

    def _recorded(
        self,
        journal: UndoJournal,
        running: Sequence[EntryPlan],
        done: Sequence[NewEntry],
        failure: SulcusError | None,
    ) -> UndoResult:
        """Append what was done and close the journal in one transaction; then tell."""
        trouble = ""
        recorded: dict[SeqId, SeqId] = {}
        try:
            with self.ledger.write(durable=True):
                for entry in done:
                    seq_id = self.ledger.record(self.workspace.id, entry, {})
                    if seq_id is not None and entry.reverses is not None:
                        recorded[entry.reverses] = seq_id
                if failure is None:
                    recorded |= self._closed()
                if isinstance(failure, HalfMoved):
                    self.ledger.set_state(running[len(done)].entry.seq_id, EntryState.ATTENTION)
                self._govern(done, failure)
                if done:
                    self.ledger.complete_undo(journal)
                self.ledger.finish_undo(journal.op_id)
        except SulcusError as error:
            # The open journal lets recover() record it; until then the truth is this.
            trouble = f"it is done, but the ledger could not record it yet: {told(error)}"
        return self._told(len(done), recorded, failure, trouble)

    def _closed(self) -> dict[SeqId, SeqId]:
        """Mark as undone what was back already. Only inside `write()`."""
        closed: dict[SeqId, SeqId] = {}
        for item in self.plan.entries:
            if is_gone(item):
                hands = self.hands
                entry = closing_entry(self.plan, item.entry, hands.actor, hands.ids(), hands.clock())
                seq_id = self.ledger.record(self.workspace.id, entry, {})
                if seq_id is not None:
                    closed[item.entry.seq_id] = seq_id
        return closed

    def _govern(self, done: Sequence[NewEntry], failure: SulcusError | None) -> None:
        detail = {"plan_digest": self.plan.digest}
        seq_ids = tuple(entry.reverses for entry in done if entry.reverses is not None)
        if seq_ids:
            text = f"undone: {', '.join(f'#{seq_id}' for seq_id in seq_ids)}, references moved"
            self.ledger.record_governance(
                self.workspace.id, self.hands.actor, "undo.applied", text, seq_ids, detail
            )
        if failure is not None:
            left = tuple(item.entry.seq_id for item in self.plan.entries if item.entry.seq_id not in seq_ids)
            self.ledger.record_governance(
                self.workspace.id, self.hands.actor, "undo.failed", told(failure), left, detail
            )

    def _told(
        self, count: int, recorded: dict[SeqId, SeqId], failure: SulcusError | None, trouble: str
    ) -> UndoResult:
        """Tell entry by entry: done, failed, not tried; what had nothing to take back stays what it is."""
        results: list[EntryResult] = []
        running = self.plan.running
        for item in self.plan.entries:
            at = running.index(item.effect) if item.effect in running else None
            outcome, reason = item.outcome, item.reason
            if at is not None:
                outcome, reason = _came_to(at, count, failure, trouble)
            strategy = Strategy.COMPENSATING_CLI if at is not None else None
            undo = recorded.get(item.entry.seq_id)
            results.append(EntryResult(item.entry.seq_id, outcome, strategy, (), (), reason, undo))
        whole = Outcome.APPLIED_UNCONFIRMED if trouble else Outcome.UNDONE
        if failure is not None:
            whole = Outcome.PARTLY_UNDONE if count else Outcome.FAILED
        return UndoResult(whole, self.plan.digest, tuple(results), self.plan.warnings)


def _carry(effect: EffectPlan | None) -> None:
    if effect is not None and effect.delta is not None:
        carry(effect.git, effect.delta, f"sulcus-panel: undo of #{effect.seq_id}")


def _came_to(at: int, count: int, failure: SulcusError | None, trouble: str) -> tuple[Outcome, str]:
    """Return what became of the effect that was the `at`-th of which `count` were done."""
    if at < count:
        return (Outcome.APPLIED_UNCONFIRMED, trouble) if trouble else (Outcome.UNDONE, "")
    if at == count and failure is not None:
        return Outcome.FAILED, plain(told(failure), 400)
    return Outcome.NOT_TRIED, STOPPED
