"""One folder of one entry: made again with its permissions, or removed only where nothing is left in it. Pure."""

from collections.abc import Collection
from dataclasses import replace

from sulcus_panel.core.model import ABSENT, Change, DiskFile, FileKind, FileState
from sulcus_panel.core.states import NEVER_GIVEN_BACK, SPECIAL_BITS, mode_differs
from sulcus_panel.core.undo.model import HunkOutcome, Outcome, Strategy
from sulcus_panel.core.undo.question import (
    MODE_CHANGED_AGAIN,
    SOMETHING_ELSE,
    PathAnswer,
    Question,
    as_a_whole,
    conflict_over_all,
    without_writes,
)

DEFAULT_MODE = 0o755
"""For a folder that comes back and whose mode was never seen."""
NOT_EMPTY = "not empty, so it is kept"
A_SWAP = "a folder and a file took each other's place, which is not taken back"


def is_folder(change: Change) -> bool:
    """Say whether either side of a change is a folder."""
    return FileKind.DIRECTORY in {change.before.kind, change.after.kind}


def takes_places(one: FileState, other: FileState) -> bool:
    """Say whether a folder and something else stand at one path; an absent one stands in nobody's place."""
    kinds = {one.kind, other.kind}
    return FileKind.DIRECTORY in kinds and bool(kinds - {FileKind.DIRECTORY, FileKind.ABSENT})


def plan_folder(ask: Question, names: Collection[str] | None) -> PathAnswer:
    """Decide one folder; `names` is what will be in it by then, None where that is not known."""
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    barred = _barred(ask)
    if barred is not None:
        return barred
    if before.kind is FileKind.DIRECTORY and after.kind is FileKind.DIRECTORY:
        return _mode_only(ask)
    if disk.kind is before.kind:
        return as_a_whole(ask, Outcome.ALREADY_UNDONE, None, ask.file, HunkOutcome.ALREADY_UNDONE)
    if disk.kind is not after.kind:
        return conflict_over_all(ask, SOMETHING_ELSE)
    return _again(ask) if before.kind is FileKind.DIRECTORY else _gone(ask, names)


def _barred(ask: Question) -> PathAnswer | None:
    """Answer where there is nothing to decide."""
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    unseen = after.kind is FileKind.UNKNOWN and disk.kind is not before.kind
    swapped = {before.kind, after.kind} & {FileKind.FILE, FileKind.SYMLINK}
    answers = (
        (ask.refusal, Outcome.REFUSED, ask.refusal),
        (ask.chosen is not None, Outcome.NOTHING_TO_UNDO, ""),  # parts are lines, and a folder has none
        (before.kind is FileKind.UNKNOWN, Outcome.UNAVAILABLE, "before_unknown"),
        (unseen, Outcome.UNAVAILABLE, "not_kept"),
        (disk.kind is FileKind.UNKNOWN, Outcome.REFUSED, f"the folder cannot be read: {disk.reason}"),
        (swapped, Outcome.REFUSED, A_SWAP),
    )
    return next((without_writes(ask, outcome, why) for holds, outcome, why in answers if holds), None)


def _again(ask: Question) -> PathAnswer:
    mode = ask.change.before.mode
    mode = DEFAULT_MODE if mode is None else mode & ~SPECIAL_BITS
    result = DiskFile(FileState(FileKind.DIRECTORY, mode=mode), None)
    return as_a_whole(ask, Outcome.UNDONE, Strategy.PRE_IMAGE_RESTORE, result, HunkOutcome.UNDONE)


def _gone(ask: Question, names: Collection[str] | None) -> PathAnswer:
    if names is None or names:
        return without_writes(ask, Outcome.NOTHING_TO_UNDO, NOT_EMPTY)
    gone = DiskFile(ABSENT, None)
    return as_a_whole(ask, Outcome.UNDONE, Strategy.DELETE_CREATED_FILE, gone, HunkOutcome.UNDONE)


def _mode_only(ask: Question) -> PathAnswer:
    """Take back a change of permissions alone, three ways like those of a file."""
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    if not mode_differs(before, after):
        return without_writes(ask, Outcome.NOTHING_TO_UNDO, "")
    if disk.kind is not FileKind.DIRECTORY:
        gone = disk.kind is FileKind.ABSENT
        why = "the folder was deleted since" if gone else SOMETHING_ELSE
        return conflict_over_all(ask, why)
    if not mode_differs(disk, before):
        return as_a_whole(ask, Outcome.ALREADY_UNDONE, None, ask.file, HunkOutcome.ALREADY_UNDONE)
    if mode_differs(disk, after):
        return conflict_over_all(ask, MODE_CHANGED_AGAIN)
    if (before.mode or 0) & SPECIAL_BITS:
        return without_writes(ask, Outcome.REFUSED, NEVER_GIVEN_BACK)
    result = DiskFile(replace(disk, mode=before.mode), None)
    return as_a_whole(ask, Outcome.UNDONE, Strategy.PRE_IMAGE_RESTORE, result, HunkOutcome.UNDONE)
