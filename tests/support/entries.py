"""Entries made by hand, and a row source over them, for what is shown without a ledger behind it."""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from sulcus_panel.core.model import (
    ActionType,
    Actor,
    ActorKind,
    Change,
    DriftKind,
    Entry,
    EntryState,
    FileKind,
    FileState,
    LedgerPath,
    Namespace,
    NewEntry,
    Origin,
    Provenance,
    SeqId,
    Sha256,
    Undoability,
)
from tests.support.clock import NOON

KEPT = FileState(FileKind.FILE, Sha256("ab" * 32), 1842, 0o644, kept=True)


def make_entry(
    seq_id: int,
    path: str = "src/app.py",
    *,
    action: ActionType = ActionType.FILE_EDIT,
    harness: str = "claude-code",
    origin: Origin = Origin.AGENT,
    state: EntryState = EntryState.RECORDED,
    undone_by: int | None = None,
    undoability: Undoability = Undoability.FULLY,
    undo_reason: str = "",
    drift: DriftKind | None = None,
    intent: str = "",
    command: str | None = None,
    plus: int | None = 2,
    minus: int | None = 1,
) -> Entry:
    """Return an entry as the ledger would give it; `seq_id` seconds after noon."""
    change = Change(LedgerPath(path), KEPT, KEPT, plus=plus, minus=minus)
    record = NewEntry(
        uid=f"uid-{seq_id}",
        at=NOON + timedelta(seconds=seq_id),
        harness=harness,
        actor=Actor("Claude", ActorKind.AGENT),
        origin=origin,
        action_type=action,
        tool_name="Edit",
        target_path=LedgerPath(path),
        summary="",
        provenance=Provenance.OBSERVED,
        session_id="session-1",
        turn_id="turn-1",
        intent=intent,
        changes=() if command else (change,),
        command=command,
    )
    return Entry(
        seq_id=SeqId(seq_id),
        recorded_at=record.at,
        workspace_id=1,
        namespace=Namespace("demo"),
        record=record,
        state=state,
        undone_by=None if undone_by is None else SeqId(undone_by),
        undoability=undoability,
        undo_reason=undo_reason,
        drift=drift,
    )


class EntryList:
    """A row source over a list that the test holds; counts what is read."""

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self.by_id = {entry.seq_id: entry for entry in entries}
        self.reads: list[int] = []

    def entries(self, seq_ids: Sequence[SeqId]) -> tuple[Entry, ...]:
        """These entries in this order; unknown ids are skipped."""
        self.reads.append(len(seq_ids))
        return tuple(self.by_id[each] for each in seq_ids if each in self.by_id)

    def add(self, entry: Entry) -> None:
        """Have one more entry, or another version of one."""
        self.by_id[entry.seq_id] = entry

    def mark(self, seq_id: int, state: EntryState, undone_by: int | None = None) -> None:
        """Put an entry into another state."""
        entry = self.by_id[SeqId(seq_id)]
        self.add(replace(entry, state=state, undone_by=None if undone_by is None else SeqId(undone_by)))

    def newest_first(self) -> "array[int]":
        """Every id, newest first."""
        return array("q", sorted(self.by_id, reverse=True))
