"""An undo as entries of the ledger: what is appended for each entry that was taken back, with exact hunks.

The folders that it has to make are part of it, so that its own undo takes them away again.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from sulcus_panel.core.diff import count_lines
from sulcus_panel.core.model import (
    ABSENT,
    SAVED_COPY,
    ActionType,
    Actor,
    Change,
    Entry,
    FileKind,
    Hunk,
    LedgerPath,
    NewEntry,
    Origin,
    Provenance,
    Sha256,
)
from sulcus_panel.core.undo.folders import FOLDER, missing_above
from sulcus_panel.core.undo.gone import is_gone
from sulcus_panel.core.undo.model import (
    WRITABLE,
    WRITTEN,
    EntryPlan,
    HunkOutcome,
    HunkPlan,
    Outcome,
    PathPlan,
    UndoPlan,
    Write,
)
from sulcus_panel.core.undo.plan import PlannedUndo

HARNESS = "sulcus-panel"
TOOL = "surgical_undo"


def undo_entries(
    planned: PlannedUndo, actor: Actor, ids: Callable[[], str], now: datetime
) -> tuple[NewEntry, ...]:
    """Return one new entry for every entry of the plan that changes a path or closes one, in its order.

    Looks for folders on disk, nothing else, so it must come before they are made.
    """
    made = _made(planned)
    return tuple(
        _with_folders(_entry(planned, plan, actor, ids(), now), made)
        if plan.outcome in WRITABLE
        else closing_entry(planned.plan, plan.entry, actor, ids(), now)
        for plan in planned.plan.entries
        if plan.outcome in WRITABLE or is_gone(plan)
    )


def _made(planned: PlannedUndo) -> dict[LedgerPath, list[LedgerPath]]:
    """Return the folders to be made for each path that comes, each of them once."""
    made: dict[LedgerPath, list[LedgerPath]] = {}
    known = {write.path for write in planned.plan.writes}
    for write in planned.plan.writes:
        if planned.root is not None and write.disk.kind is FileKind.ABSENT:
            folders = missing_above(planned.root, write.path)
            made[write.path] = [folder for folder in folders if folder not in known]
            known.update(folders)
    return made


def _with_folders(entry: NewEntry, made: dict[LedgerPath, list[LedgerPath]]) -> NewEntry:
    """Name the folders that are made for what comes with an entry; they are named by no other then."""
    folders = [
        folder
        for change in entry.changes
        if change.after.kind is not FileKind.ABSENT
        for folder in made.pop(change.path, ())
    ]
    return replace(entry, changes=(*(Change(folder, ABSENT, FOLDER) for folder in folders), *entry.changes))


def closing_entry(plan: UndoPlan, entry: Entry, actor: Actor, uid: str, now: datetime) -> NewEntry:
    """Return the undo of an entry whose work is no longer there: it changes nothing."""
    record = entry.record
    return NewEntry(
        uid=uid,
        at=now,
        harness=HARNESS,
        actor=actor,
        origin=Origin.UNDO,
        action_type=ActionType.FILE_EDIT,
        tool_name=TOOL,
        target_path=record.target_path,
        summary=f"{_verb(record)} of #{entry.seq_id}, already so: {record.summary}",
        provenance=Provenance.OBSERVED,
        intent=record.intent,
        reverses=entry.seq_id,
        reversed_hunks=plan.request.hunks,
    )


def _verb(record: NewEntry) -> str:
    return "Redo" if record.origin is Origin.UNDO else "Undo"


def undo_contents(planned: PlannedUndo) -> dict[Sha256, bytes]:
    """Return the bytes of every state on the way, so that redo works at every step of a batch."""
    steps = [path for plan in planned.plan.entries for path in plan.paths if path.outcome in WRITABLE]
    written: list[PathPlan | Write] = [*steps, *planned.plan.writes]
    contents: dict[Sha256, bytes] = {}
    for one in written:
        for state, data in ((one.disk, one.disk_content), (one.result, one.result_content)):
            if state.sha256 is not None and data is not None:
                contents[state.sha256] = data
    return contents


def _entry(planned: PlannedUndo, plan: EntryPlan, actor: Actor, uid: str, now: datetime) -> NewEntry:
    record = plan.entry.record
    paths = [path for path in plan.paths if path.outcome in WRITABLE]
    only_saves = plan.outcome is Outcome.COPY_SAVED
    told = "Old copy from before" if only_saves else f"{_verb(record)} of"
    return NewEntry(
        uid=uid,
        at=now,
        harness=HARNESS,
        actor=actor,
        origin=Origin.UNDO,
        action_type=_action(paths[0]),
        tool_name=SAVED_COPY if only_saves else TOOL,
        target_path=paths[0].path,
        summary=f"{told} #{plan.entry.seq_id}: {record.summary}",
        provenance=Provenance.OBSERVED,
        intent=record.intent,
        changes=tuple(_change(path, planned.hunks.get((plan.entry.seq_id, path.path), ())) for path in paths),
        reverses=None if only_saves else plan.entry.seq_id,
        reversed_hunks=None if only_saves else _reversed(planned, plan),
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
    """Return which parts this undo has taken back, None for all of them.

    What an undo of parts had taken back before is that one's to give back.
    """
    before = planned.taken.get(plan.entry.seq_id, frozenset())
    whole = planned.plan.request.hunks is None
    stays = any(path.stays for path in plan.paths)
    if whole and not before and not stays:
        return None
    hunks = [hunk for path in plan.paths for hunk in path.hunks]
    files = [path for path in plan.paths if path.part is not None]
    taken = [hunk.index for hunk in hunks if hunk.chosen and _is_taken(hunk, before)]
    taken += [path.part for path in files if path.part is not None and _is_gone(path, before, whole)]
    # The plan of a file of which nothing is chosen has no hunks.
    unseen = (
        max(0, len(change.hunks) - len(path.hunks))
        for change, path in zip(plan.entry.record.changes, plan.paths, strict=False)
    )
    all_parts = len(hunks) + len(files) + sum(unseen)
    return None if not stays and len(taken) == all_parts else tuple(taken)


def _is_taken(hunk: HunkPlan, before: frozenset[int]) -> bool:
    gone = hunk.outcome is HunkOutcome.ALREADY_UNDONE and hunk.index not in before
    return gone or hunk.outcome in WRITTEN


def _is_gone(path: PathPlan, before: frozenset[int], whole: bool) -> bool:
    """Say whether a change without hunks goes, or has nothing left that could.

    A folder that is kept because something is in it is done with where all was asked for, and can go later else.
    """
    kept = path.outcome is Outcome.NOTHING_TO_UNDO and whole and not path.stays
    nothing_left = kept or path.outcome is Outcome.ALREADY_UNDONE
    return path.outcome in WRITABLE or (nothing_left and path.chosen and path.part not in before)
