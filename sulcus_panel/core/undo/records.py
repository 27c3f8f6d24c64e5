"""An undo as entries of the ledger: what is appended for each entry that was taken back, with exact hunks."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from sulcus_panel.core.diff import count_lines
from sulcus_panel.core.model import (
    ActionType,
    Actor,
    Change,
    FileKind,
    Hunk,
    NewEntry,
    Origin,
    Provenance,
    Sha256,
)
from sulcus_panel.core.undo.model import EntryPlan, HunkOutcome, Outcome, PathPlan
from sulcus_panel.core.undo.plan import PlannedUndo

HARNESS = "sulcus-panel"
TOOL = "surgical_undo"


def undo_entries(
    planned: PlannedUndo, actor: Actor, ids: Callable[[], str], now: datetime
) -> tuple[NewEntry, ...]:
    """Return one new entry for every entry of the plan that changes a path, in the order of the plan."""
    return tuple(
        _entry(planned, plan, actor, ids(), now)
        for plan in planned.plan.entries
        if plan.outcome is Outcome.UNDONE
    )


def undo_contents(planned: PlannedUndo) -> dict[Sha256, bytes]:
    """Return the bytes of every state on the way, so that redo works at every step of a batch."""
    contents: dict[Sha256, bytes] = {}
    for plan in _undone_paths(planned):
        for state, data in ((plan.disk, plan.disk_content), (plan.result, plan.result_content)):
            if state.sha256 is not None and data is not None:
                contents[state.sha256] = data
    return contents


def _undone_paths(planned: PlannedUndo) -> list[PathPlan]:
    return [path for plan in planned.plan.entries for path in plan.paths if path.outcome is Outcome.UNDONE]


def _entry(planned: PlannedUndo, plan: EntryPlan, actor: Actor, uid: str, now: datetime) -> NewEntry:
    record = plan.entry.record
    paths = [path for path in plan.paths if path.outcome is Outcome.UNDONE]
    verb = "Redo" if record.origin is Origin.UNDO else "Undo"
    return NewEntry(
        uid=uid,
        at=now,
        harness=HARNESS,
        actor=actor,
        origin=Origin.UNDO,
        action_type=_action(paths[0]),
        tool_name=TOOL,
        target_path=paths[0].path,
        summary=f"{verb} of #{plan.entry.seq_id}: {record.summary}",
        provenance=Provenance.OBSERVED,
        intent=record.intent,
        changes=tuple(_change(path, planned.hunks.get((plan.entry.seq_id, path.path), ())) for path in paths),
        reverses=plan.entry.seq_id,
        reversed_hunks=_reversed(planned, plan),
    )


def _action(path: PathPlan) -> ActionType:
    if path.result.kind is FileKind.ABSENT:
        return ActionType.FILE_DELETE
    return ActionType.FILE_CREATE if path.disk.kind is FileKind.ABSENT else ActionType.FILE_EDIT


def _change(path: PathPlan, hunks: tuple[Hunk, ...]) -> Change:
    plus, minus = count_lines(hunks)
    return Change(
        path.path,
        replace(path.disk, kept=True),
        replace(path.result, kept=True),
        hunks,
        plus,
        minus,
    )


def _reversed(planned: PlannedUndo, plan: EntryPlan) -> tuple[int, ...] | None:
    """Return which hunks are gone now, None for all of them."""
    if planned.plan.request.hunks is None:
        return None
    gone = {HunkOutcome.UNDONE, HunkOutcome.MOVED, HunkOutcome.ALREADY_UNDONE}
    hunks = [hunk for path in plan.paths for hunk in path.hunks]
    taken = tuple(hunk.index for hunk in hunks if hunk.chosen and hunk.outcome in gone)
    return None if len(taken) == len(hunks) and all(path.hunks for path in plan.paths) else taken
