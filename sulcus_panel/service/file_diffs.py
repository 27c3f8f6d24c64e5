"""The three questions a person asks of one entry: what did it change, what happened since, what would undo do."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from sulcus_panel.core.disk import look
from sulcus_panel.core.errors import LedgerCorrupt, NotFound
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Change, DiskFile, Entry, FileKind, FileState, LedgerPath
from sulcus_panel.core.undo.model import Outcome, PathPlan, UndoPlan

CLEAN = (Outcome.UNDONE, Outcome.ALREADY_UNDONE, Outcome.NOTHING_TO_UNDO)


class DiffView(StrEnum):
    """This change; since then (its after against the disk); after undo (the disk against the plan)."""

    CHANGE = "change"
    NOW = "now"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class FileDiff:
    """Two sides of one path. None is a side that is absent, or unavailable where `message` says why."""

    path: LedgerPath
    old: bytes | None
    new: bytes | None
    old_label: str
    new_label: str
    message: str = ""


def this_change(ledger: Ledger, entry: Entry) -> tuple[FileDiff, ...]:
    """Each path before and after the entry, from verified snapshots."""
    return tuple(_changed(ledger, entry, change) for change in entry.record.changes)


def since_then(ledger: Ledger, entry: Entry, root: str | None) -> tuple[FileDiff, ...]:
    """Each path as the entry left it against what is on disk now."""
    return tuple(_since(ledger, entry, change, root) for change in entry.record.changes)


def after_undo(plan: UndoPlan) -> tuple[FileDiff, ...]:
    """Each path on disk now against what the plan would leave."""
    return tuple(_planned(path) for entry in plan.entries for path in entry.paths)


def _changed(ledger: Ledger, entry: Entry, change: Change) -> FileDiff:
    labels = (f"before #{entry.seq_id}", f"after #{entry.seq_id}")
    old, old_problem = _bytes_of(ledger, change.before)
    new, new_problem = _bytes_of(ledger, change.after)
    problem = old_problem or new_problem
    if problem and change.hunks and all(h.old is not None and h.new is not None for h in change.hunks):
        return FileDiff(
            change.path,
            b"".join(h.old or b"" for h in change.hunks),
            b"".join(h.new or b"" for h in change.hunks),
            f"{labels[0]} (only the changed lines are kept)",
            f"{labels[1]} (only the changed lines are kept)",
        )
    return FileDiff(change.path, old, new, *labels, message=problem)


def _since(ledger: Ledger, entry: Entry, change: Change, root: str | None) -> FileDiff:
    labels = (f"after #{entry.seq_id}", "on disk now")
    if root is None or change.path.startswith("/"):
        return FileDiff(change.path, None, None, *labels, message="This file is outside the workspace.")
    old, problem = _bytes_of(ledger, change.after)
    disk = look(root, change.path)
    return FileDiff(change.path, old, disk.content, *labels, message=problem or _disk_problem(disk))


def _disk_problem(disk: DiskFile) -> str:
    if disk.state.kind is FileKind.UNKNOWN:
        return f"The file on disk cannot be read: {disk.state.reason}."
    if disk.state.kind is FileKind.DIRECTORY:
        return "A folder stands at this path now."
    if disk.state.kind is not FileKind.ABSENT and disk.content is None:
        return "The file on disk is too large to be shown."
    return ""


def _planned(path: PathPlan) -> FileDiff:
    message = "" if path.outcome in CLEAN else _why_not(path)
    return FileDiff(
        path.path, path.disk_content, path.result_content, "on disk now", "after undo", message=message
    )


def _why_not(path: PathPlan) -> str:
    reasons: Iterable[str] = (path.reason, *(conflict.reason for conflict in path.conflicts))
    return next((reason for reason in reasons if reason), f"It cannot be undone: {path.outcome}.")


def _bytes_of(ledger: Ledger, state: FileState) -> tuple[bytes | None, str]:
    if state.kind is FileKind.ABSENT:
        return None, ""
    if state.kind is FileKind.UNKNOWN:
        return None, f"Not known: {state.reason or 'it was not seen'}."
    if state.kind is FileKind.DIRECTORY:
        return None, "This is a folder."
    if state.sha256 is None or not state.kept:
        return None, f"The contents are not kept: {state.reason or 'they are no longer stored'}."
    try:
        return ledger.blobs.get(state.sha256), ""
    except (NotFound, LedgerCorrupt) as error:
        return None, str(error)
