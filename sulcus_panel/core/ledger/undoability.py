"""Whether an entry can be taken back, judged from the record alone, cheaply enough for every row of a list.

A later undo may still meet a conflict on disk; what is said here is whether the means are there at all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sulcus_panel.core.errors import UnsafePath
from sulcus_panel.core.model import (
    Change,
    EntryState,
    FileKind,
    FileState,
    LedgerPath,
    NewEntry,
    Undoability,
)
from sulcus_panel.core.safety import WITHHELD_REASONS, check_path, content_withheld
from sulcus_panel.core.states import (
    EXPIRED,
    NEVER_GIVEN_BACK,
    SPECIAL_BITS,
    mode_differs,
    moves_in,
    part_numbers,
)

MAX_KEPT = 64 * 2**20
"""What an undo displaces it keeps, so a larger file is not taken back."""
_WITH_CONTENT = (FileKind.FILE, FileKind.SYMLINK)


@dataclass(frozen=True, slots=True)
class Taken:
    """What undos of parts, still in force, have taken back: parts by their numbers, and paths that they wrote."""

    parts: frozenset[int] = frozenset()
    paths: frozenset[LedgerPath] = frozenset()


def judge(
    state: EntryState,
    changes: Sequence[Change],
    *,
    is_command: bool,
    has_root: bool = True,
    exclude: Sequence[str] = (),
    taken: Taken | None = None,
) -> tuple[Undoability, str]:
    """How much of an entry can still be taken back, and why not all of it; `exclude` are the workspace's globs."""
    if state is EntryState.UNDONE:
        return Undoability.NOT, "already undone"
    if not changes:
        return Undoability.NOT, "its effects are not files" if is_command else "it changed no file"
    if not has_root:
        return Undoability.NOT, "the workspace has no folder"
    moved = {changes[at].path for pair in moves_in(changes) for at in pair}
    rest = list(_left(changes, taken or Taken()))
    obstacles = [
        obstacle for change in rest if (obstacle := _obstacle(change, exclude, is_moved=change.path in moved))
    ]
    if not obstacles:
        limits = [limit for change in rest if change.path not in moved and (limit := _limit(change))]
        return (Undoability.PARTLY, limits[0]) if limits else (Undoability.FULLY, "")
    if len(obstacles) < len(rest):
        return (
            Undoability.PARTLY,
            f"{len(obstacles)} of {len(changes)} files cannot be undone: {obstacles[0]}",
        )
    return Undoability.NOT, obstacles[0] if len(rest) == len(changes) else f"what is left: {obstacles[0]}"


def judge_effect(state: EntryState, record: NewEntry, *, has_root: bool) -> tuple[Undoability, str]:
    """Whether what an entry moved can go back that changed no file."""
    if state is EntryState.UNDONE:
        return Undoability.NOT, "already undone"
    from sulcus_panel.core.commands.inverse import Inverse, inverse_of  # few rows have moved references

    inverse = inverse_of(record)
    if isinstance(inverse, Inverse):
        return (Undoability.FULLY, "") if has_root else (Undoability.NOT, "the workspace has no folder")
    return Undoability.NOT, "its effects are not files" if inverse is None else inverse.why


def _left(changes: Sequence[Change], taken: Taken) -> Iterator[Change]:
    """Yield the changes of which something was not taken back yet."""
    numbers = part_numbers([len(change.hunks) for change in changes])
    for change, own in zip(changes, numbers, strict=True):
        written = not change.hunks and change.path in taken.paths
        if not (written or taken.parts.issuperset(own)):
            yield change


def why_withheld(change: Change, exclude: Sequence[str]) -> str:
    """Why the contents of a change may not be kept, "" where they may: its path's name, or what was recorded.

    What may not be kept is not taken back either: the bytes that an undo displaces are always kept. A folder
    has none.
    """
    if _is_bare(change):
        return ""
    recorded = (state.reason for state in (change.before, change.after) if state.reason in WITHHELD_REASONS)
    return content_withheld(change.path, exclude) or next(recorded, "")


def _is_bare(change: Change) -> bool:
    return {change.before.kind, change.after.kind} <= {FileKind.ABSENT, FileKind.DIRECTORY}


def _obstacle(change: Change, exclude: Sequence[str], *, is_moved: bool) -> str:
    """Why this change cannot be taken back; empty where it can. What was moved is at hand where it went."""
    before, after = change.before, change.after
    try:
        check_path(change.path)
    except UnsafePath as refusal:
        return refusal.title.lower()
    barred = why_withheld(change, exclude) or _unseen(change) or _unfit(change)
    at_hand = is_moved or before.kind is FileKind.ABSENT or before.kept or _same_bytes(before, after)
    if barred or at_hand or _hunks_carry_text(change):
        return barred
    return before.reason or EXPIRED


def _unseen(change: Change) -> str:
    for side, state in (("before", change.before), ("after", change.after)):
        if state.kind is FileKind.UNKNOWN:
            return f"{side} unknown: {state.reason}" if state.reason else f"{side} unknown"
    return ""


def _unfit(change: Change) -> str:
    """Why an undo would not touch what the entry left, "" where it would."""
    before, after = change.before, change.after
    if FileKind.DIRECTORY in {before.kind, after.kind} and not _is_bare(change):
        return "a folder and a file took each other's place"
    if after.kind is FileKind.FILE and (after.mode or 0) & SPECIAL_BITS:
        return "the file runs with its owner's rights (set-user-id)"
    only_mode = before.kind is after.kind and _same_bytes(before, after) and mode_differs(before, after)
    if only_mode and (before.mode or 0) & SPECIAL_BITS:
        kept_out = before.kind is FileKind.DIRECTORY or (before.mode or 0) & ~SPECIAL_BITS == after.mode
        return NEVER_GIVEN_BACK if kept_out else ""
    if not only_mode and after.kind is FileKind.FILE and (after.size_bytes or 0) > MAX_KEPT:
        return "the file is too large to be kept"
    return ""


def _limit(change: Change) -> str:
    """What the way back rests on where no snapshot is kept: the recorded lines, and that their place is known."""
    before = change.before
    if before.kind is FileKind.ABSENT or before.kept or _same_bytes(before, change.after):
        return ""
    return f"only the changed lines are kept ({before.reason or EXPIRED}): their place must still be known"


def _same_bytes(before: FileState, after: FileState) -> bool:
    """Only the mode changed, or a folder came or went; no contents are needed."""
    if before.kind is FileKind.DIRECTORY:
        return after.kind in {FileKind.DIRECTORY, FileKind.ABSENT}
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
