"""One path of one entry: which strategy fits the facts, what the result is, or why there is none. Pure.

`delete_created_file` only while the file is what the entry left, `pre_image_restore` when nothing came after,
`surgical_reverse_patch` when something did. What is not text (links, bytes with a NUL) goes by its hash.
"""

from dataclasses import replace

from sulcus_panel.core.model import ABSENT, DiskFile, FileKind, FileState
from sulcus_panel.core.states import mode_differs, same_bytes, same_state
from sulcus_panel.core.undo.by_lines import by_lines
from sulcus_panel.core.undo.model import HunkOutcome, Outcome, Strategy
from sulcus_panel.core.undo.question import (
    SPECIAL_BITS,
    PathAnswer,
    Question,
    as_a_whole,
    bytes_of_side,
    conflict_over_all,
    is_partial,
    mode_of_result,
    why_missing,
    without_writes,
)


def plan_path(ask: Question) -> PathAnswer:
    """Decide one path; raises nothing: what cannot be done is an outcome."""
    return _barred(ask) or _settled(ask) or _whole(ask) or by_lines(ask)


def _barred(ask: Question) -> PathAnswer | None:
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    if ask.refusal:
        return without_writes(ask, Outcome.REFUSED, ask.refusal)
    if disk.kind is FileKind.FILE and (disk.mode or 0) & SPECIAL_BITS:
        return without_writes(ask, Outcome.REFUSED, "the file runs with its owner's rights (set-user-id)")
    if before.kind is FileKind.UNKNOWN:
        return without_writes(ask, Outcome.UNAVAILABLE, "before_unknown")
    if disk.kind is FileKind.UNKNOWN:
        return without_writes(ask, Outcome.REFUSED, f"the file cannot be read: {disk.reason}")
    if after.kind is FileKind.UNKNOWN and not same_bytes(disk, before):
        return without_writes(ask, Outcome.UNAVAILABLE, "not_kept")
    return None


def _settled(ask: Question) -> PathAnswer | None:
    """Answer where nothing is left to do."""
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    if same_state(before, after) or (ask.chosen is not None and not ask.chosen):
        return without_writes(ask, Outcome.NOTHING_TO_UNDO, "")
    if same_bytes(disk, before) and not (mode_differs(before, after) and mode_differs(disk, before)):
        return as_a_whole(ask, Outcome.ALREADY_UNDONE, None, ask.file, HunkOutcome.ALREADY_UNDONE)
    return None


def _whole(ask: Question) -> PathAnswer | None:
    """Answer where the file goes back as a whole; None leaves it to its lines."""
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    if FileKind.DIRECTORY in {before.kind, after.kind}:
        return without_writes(ask, Outcome.REFUSED, "a folder is not taken back, only files are")
    if same_bytes(before, after) and disk.kind is before.kind:
        return _mode_only(ask)
    if disk.kind is FileKind.FILE and ask.file.content is None:
        return without_writes(
            ask, Outcome.REFUSED, "the file is too large to be kept, and nothing may be lost"
        )
    return _by_hash(ask)


def _by_hash(ask: Question) -> PathAnswer | None:
    """Answer where the file is what the entry left, or where nothing but that would do."""
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    if same_bytes(disk, after):
        return _from_after_image(ask)
    if before.kind is not FileKind.FILE or after.kind is not FileKind.FILE or disk.kind is not FileKind.FILE:
        return conflict_over_all(ask, _why_not(before, after, disk))
    known = (bytes_of_side(ask, before), bytes_of_side(ask, after), ask.file.content)
    if any(data is not None and b"\0" in data for data in known):
        return conflict_over_all(ask, "it is not text, and it has changed since")
    return None


def _why_not(before: FileState, after: FileState, disk: FileState) -> str:
    if disk.kind is FileKind.ABSENT:
        return "the file was deleted since"
    if disk.kind is FileKind.DIRECTORY:
        return "a folder stands there now"
    if after.kind is FileKind.ABSENT:
        return "something else stands at this path now"
    if before.kind is FileKind.ABSENT:
        return "the created file was changed since"
    return "it is another kind of file now"


def _mode_only(ask: Question) -> PathAnswer:
    """Take back a change of permissions alone; the contents, whoever wrote them, stay."""
    disk = ask.file.state
    mode = mode_of_result(ask)
    if mode is None:
        return conflict_over_all(ask, "its permissions were changed again")
    if mode == disk.mode:
        return without_writes(ask, Outcome.REFUSED, "a set-user-id bit is never given back")
    strategy = (
        Strategy.PRE_IMAGE_RESTORE if same_bytes(disk, ask.change.after) else Strategy.SURGICAL_REVERSE_PATCH
    )
    result = DiskFile(replace(disk, mode=mode), ask.file.content)
    return as_a_whole(ask, Outcome.UNDONE, strategy, result, HunkOutcome.UNDONE)


def _from_after_image(ask: Question) -> PathAnswer | None:
    """Restore, or delete what was created: the path is exactly what the entry left."""
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    if before.kind is FileKind.ABSENT:
        if mode_differs(disk, after):
            return conflict_over_all(ask, "the created file's permissions were changed since")
        gone = DiskFile(ABSENT, None)
        return as_a_whole(ask, Outcome.UNDONE, Strategy.DELETE_CREATED_FILE, gone, HunkOutcome.UNDONE)
    mode = mode_of_result(ask)
    if mode is None and before.kind is FileKind.FILE:
        return conflict_over_all(ask, "its permissions were changed again")
    if is_partial(ask):
        return None
    content = bytes_of_side(ask, before)
    if content is None:
        return without_writes(ask, Outcome.UNAVAILABLE, why_missing(before))
    state = FileState(before.kind, before.sha256, len(content), mode)
    result = DiskFile(state, content)
    return as_a_whole(ask, Outcome.UNDONE, Strategy.PRE_IMAGE_RESTORE, result, HunkOutcome.UNDONE)
