"""The three questions a person asks of one entry: what did it change, what happened since, what would undo do."""

import stat
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from sulcus_panel.core.diff import render_hunks, render_unified, split_lines
from sulcus_panel.core.disk import look
from sulcus_panel.core.errors import LedgerCorrupt, NotFound
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.ledger.undoability import why_withheld
from sulcus_panel.core.model import Change, DiskFile, Entry, FileKind, FileState, Hunk, LedgerPath
from sulcus_panel.core.undo.chain import backward, forward
from sulcus_panel.core.undo.model import Outcome, PathPlan, UndoPlan

NEED_NO_WORD = (Outcome.UNDONE, Outcome.ALREADY_UNDONE, Outcome.NOTHING_TO_UNDO)
"""Outcomes of a path whose difference says all."""
WITH_CONTENT = (FileKind.FILE, FileKind.SYMLINK)


class DiffView(StrEnum):
    """This change; since then (its after against the disk); after undo (the disk against the plan)."""

    CHANGE = "change"
    NOW = "now"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class FileDiff:
    """Two sides of one path. None is a side that is absent, or unavailable where `message` says why.

    Where only the changed lines are known, `message` says so and `hunks` holds them, each with its texts and
    its place in the files. Modes are those of stat (permission bits, S_IFLNK for a link), None where unknown.
    """

    path: LedgerPath
    old: bytes | None
    new: bytes | None
    old_label: str
    new_label: str
    message: str = ""
    hunks: tuple[Hunk, ...] = ()
    old_mode: int | None = None
    new_mode: int | None = None


def diff_text(diff: FileDiff) -> str:
    """The differences to be read, "" where there are none or `message` says why they cannot be shown."""
    if diff.hunks:
        return render_hunks(diff.path, diff.hunks)
    return "" if diff.message else render_unified(diff.path, diff.old, diff.new)


def this_change(ledger: Ledger, entry: Entry) -> tuple[FileDiff, ...]:
    """Each path before and after the entry: from verified snapshots, else as an undo would derive it."""
    root = ledger.workspace(entry.workspace_id).root
    return tuple(_changed(ledger, entry, change, root) for change in entry.record.changes)


def since_then(ledger: Ledger, entry: Entry, root: str | None) -> tuple[FileDiff, ...]:
    """Each path as the entry left it against what is on disk now."""
    return tuple(_since(ledger, entry, change, root) for change in entry.record.changes)


def after_undo(plan: UndoPlan) -> tuple[FileDiff, ...]:
    """Each path on disk now against what the plan would leave."""
    return tuple(_planned(path) for entry in plan.entries for path in entry.paths)


def _changed(ledger: Ledger, entry: Entry, change: Change, root: str | None) -> FileDiff:
    sides = _recovered(_Sides.kept(ledger, change), change)
    if sides.problem and root is not None and not _stays_unseen(ledger, entry, change):
        sides = _recovered(sides.with_disk(look(root, change.path), change), change)
    hunks = _known_hunks(change, sides) if sides.problem else ()
    return FileDiff(
        change.path,
        None if sides.problem else sides.old,
        None if sides.problem else sides.new,
        f"before #{entry.seq_id}",
        f"after #{entry.seq_id}",
        _only_lines(change, hunks) if hunks else sides.problem,
        hunks,
        _mode(change.before),
        _mode(change.after),
    )


def _stays_unseen(ledger: Ledger, entry: Entry, change: Change) -> bool:
    """Whether the disk's bytes are not shown as this change's: they may not be kept, or are not ours to read."""
    exclude = ledger.settings(entry.workspace_id).exclude
    return change.path.startswith("/") or bool(why_withheld(change, exclude))


@dataclass(frozen=True, slots=True)
class _Sides:
    """What is known of both sides; each problem says why its side is not."""

    old: bytes | None
    new: bytes | None
    old_problem: str
    new_problem: str

    @classmethod
    def kept(cls, ledger: Ledger, change: Change) -> "_Sides":
        old, old_problem = _bytes_of(ledger, change.before)
        new, new_problem = _bytes_of(ledger, change.after)
        return cls(old, new, old_problem, new_problem)

    @property
    def problem(self) -> str:
        return self.old_problem or self.new_problem

    def with_disk(self, disk: DiskFile, change: Change) -> "_Sides":
        """Take a side from the disk where that still, or again, holds exactly it."""
        sides = self
        if sides.old_problem and _is_on_disk(change.before, disk):
            sides = replace(sides, old=disk.content, old_problem="")
        if sides.new_problem and _is_on_disk(change.after, disk):
            sides = replace(sides, new=disk.content, new_problem="")
        return sides


def _is_on_disk(state: FileState, disk: DiskFile) -> bool:
    same = state.kind is disk.state.kind and state.sha256 == disk.state.sha256
    return same and state.kind in WITH_CONTENT and disk.content is not None


def _recovered(sides: _Sides, change: Change) -> _Sides:
    """Derive one side from the other by the recorded hunks, where they carry the text and the hash proves it."""
    if sides.old_problem and not sides.new_problem and change.before.kind is FileKind.FILE:
        old = backward(sides.new or b"", change.hunks, change.before)
        return sides if old is None else replace(sides, old=old, old_problem="")
    if sides.new_problem and not sides.old_problem and change.after.kind is FileKind.FILE:
        new = forward(sides.old or b"", change.hunks, change.after)
        return sides if new is None else replace(sides, new=new, new_problem="")
    return sides


def _known_hunks(change: Change, sides: _Sides) -> tuple[Hunk, ...]:
    """The hunks whose both texts are known, from themselves or from a side that is."""
    old = None if sides.old_problem else split_lines(sides.old or b"")
    new = None if sides.new_problem else split_lines(sides.new or b"")
    filled = (
        replace(
            hunk,
            old=_run(hunk.old, old, hunk.before_start, hunk.before_lines),
            new=_run(hunk.new, new, hunk.after_start, hunk.after_lines),
        )
        for hunk in change.hunks
    )
    return tuple(hunk for hunk in filled if hunk.old is not None and hunk.new is not None)


def _run(text: bytes | None, lines: list[bytes] | None, start: int, count: int) -> bytes | None:
    if text is not None or not count:
        return text or b""
    return None if lines is None else b"".join(lines[start : start + count])


def _only_lines(change: Change, hunks: tuple[Hunk, ...]) -> str:
    why = next((state.reason for state in (change.before, change.after) if state.reason), "")
    told = "Only the changed lines are kept" + (f" ({why})" if why else "")
    missing = len(change.hunks) - len(hunks)
    return f"{told}, without {missing:,} of {len(change.hunks):,} parts." if missing else f"{told}."


def _mode(state: FileState) -> int | None:
    return stat.S_IFLNK if state.kind is FileKind.SYMLINK else state.mode


def _since(ledger: Ledger, entry: Entry, change: Change, root: str | None) -> FileDiff:
    labels = (f"after #{entry.seq_id}", "on disk now")
    if root is None or change.path.startswith("/"):
        return FileDiff(change.path, None, None, *labels, message="This file is outside the workspace.")
    disk = look(root, change.path)
    sides = _recovered(_Sides.kept(ledger, change), change)
    if sides.new_problem and not _stays_unseen(ledger, entry, change):
        sides = _recovered(sides.with_disk(disk, change), change)
    return FileDiff(
        change.path,
        sides.new,
        disk.content,
        *labels,
        message=sides.new_problem or _disk_problem(disk),
        old_mode=_mode(change.after),
        new_mode=_mode(disk.state),
    )


def _disk_problem(disk: DiskFile) -> str:
    if disk.state.kind is FileKind.UNKNOWN:
        return f"The file on disk cannot be read: {disk.state.reason}."
    if disk.state.kind is FileKind.DIRECTORY:
        return "A folder stands at this path now."
    if disk.state.kind is not FileKind.ABSENT and disk.content is None:
        return "The file on disk is too large to be shown."
    return ""


def _planned(path: PathPlan) -> FileDiff:
    message = "" if path.outcome in NEED_NO_WORD else _why_not(path)
    return FileDiff(
        path.path,
        path.disk_content,
        path.result_content,
        "on disk now",
        "after undo",
        message=message,
        old_mode=_mode(path.disk),
        new_mode=_mode(path.result),
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
