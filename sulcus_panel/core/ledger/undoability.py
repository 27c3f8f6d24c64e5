"""Whether an entry can be taken back, judged from the record alone, cheaply enough for every row of a list.

A later undo may still meet a conflict on disk; what is said here is whether the means are there at all.
"""

from collections.abc import Sequence

from sulcus_panel.core.errors import UnsafePath
from sulcus_panel.core.model import Change, EntryState, FileKind, FileState, Undoability
from sulcus_panel.core.safety import WITHHELD_REASONS, check_path, content_withheld

EXPIRED = "snapshot expired"
_WITH_CONTENT = (FileKind.FILE, FileKind.SYMLINK)


def judge(
    state: EntryState,
    changes: Sequence[Change],
    *,
    is_command: bool,
    has_root: bool = True,
    exclude: Sequence[str] = (),
) -> tuple[Undoability, str]:
    """How much of an entry can be taken back, and why not all of it; `exclude` are the workspace's globs."""
    if state is EntryState.UNDONE:
        return Undoability.NOT, "already undone"
    if not changes:
        return Undoability.NOT, "its effects are not files" if is_command else "it changed no file"
    if not has_root:
        return Undoability.NOT, "the workspace has no folder"
    obstacles = [obstacle for change in changes if (obstacle := _obstacle(change, exclude))]
    if not obstacles:
        limits = [limit for limit in map(_limit, changes) if limit]
        return (Undoability.PARTLY, limits[0]) if limits else (Undoability.FULLY, "")
    if len(obstacles) < len(changes):
        return (
            Undoability.PARTLY,
            f"{len(obstacles)} of {len(changes)} files cannot be undone: {obstacles[0]}",
        )
    return Undoability.NOT, obstacles[0]


def why_withheld(change: Change, exclude: Sequence[str]) -> str:
    """Why the contents of a change may not be kept, "" where they may: its path's name, or what was recorded.

    What may not be kept is not taken back either: the bytes that an undo displaces are always kept.
    """
    recorded = (state.reason for state in (change.before, change.after) if state.reason in WITHHELD_REASONS)
    return content_withheld(change.path, exclude) or next(recorded, "")


def _obstacle(change: Change, exclude: Sequence[str]) -> str:
    """Why this change cannot be taken back; empty where it can."""
    before, after = change.before, change.after
    try:
        check_path(change.path)
    except UnsafePath as refusal:
        return refusal.title.lower()
    barred = why_withheld(change, exclude) or _unseen(change)
    if barred or before.kind is FileKind.ABSENT or before.kept or _same_bytes(before, after):
        return barred
    if _hunks_carry_text(change):
        return ""
    return before.reason or EXPIRED


def _unseen(change: Change) -> str:
    for side, state in (("before", change.before), ("after", change.after)):
        if state.kind is FileKind.UNKNOWN:
            return f"{side} unknown: {state.reason}" if state.reason else f"{side} unknown"
    return "a folder" if FileKind.DIRECTORY in (change.before.kind, change.after.kind) else ""


def _limit(change: Change) -> str:
    """What the way back rests on where no snapshot is kept: the recorded lines, and the file as it was left."""
    before = change.before
    if before.kind is FileKind.ABSENT or before.kept or _same_bytes(before, change.after):
        return ""
    return f"only the changed lines are kept ({before.reason or EXPIRED}): while the file stays as it is"


def _same_bytes(before: FileState, after: FileState) -> bool:
    """Only the mode changed; no contents are needed."""
    return before.kind is after.kind and before.sha256 is not None and before.sha256 == after.sha256


def _hunks_carry_text(change: Change) -> bool:
    return bool(change.hunks) and all(
        (hunk.old is not None or not hunk.before_lines)
        and (hunk.new is not None or not hunk.after_lines or change.after.kept)
        for hunk in change.hunks
    )


def with_kept(state: FileState, *, kept: bool) -> FileState:
    """The state as it reads today: kept, or the reason why not."""
    if state.kind not in _WITH_CONTENT:
        return state
    reason = "" if kept else state.reason or EXPIRED
    return FileState(state.kind, state.sha256, state.size_bytes, state.mode, kept, reason)
