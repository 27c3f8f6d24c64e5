"""One path of one entry: which strategy fits the facts, what the result is, or why there is none. Pure.

`delete_created_file` only while the file is what the entry left, `pre_image_restore` when nothing came after,
`surgical_reverse_patch` when something did. What is not text (links, bytes with a NUL) goes by its hash.
"""

from dataclasses import replace

from sulcus_panel.core.model import ABSENT, DiskFile, FileKind, FileState
from sulcus_panel.core.states import NEVER_GIVEN_BACK, SPECIAL_BITS, mode_differs, same_bytes, same_state
from sulcus_panel.core.undo.by_lines import by_lines
from sulcus_panel.core.undo.model import STUCK, HunkOutcome, Outcome, Resolution, Strategy
from sulcus_panel.core.undo.question import (
    MODE_CHANGED_AGAIN,
    SOMETHING_ELSE,
    PathAnswer,
    Question,
    as_a_whole,
    bytes_of_side,
    conflict_over_all,
    is_partial,
    mode_of_result,
    why_absent,
    why_missing,
    without_writes,
)
from sulcus_panel.core.undo.take_all import or_take_all


def plan_path(ask: Question) -> PathAnswer:
    """Decide one path; raises nothing: what cannot be done is an outcome."""
    answer = _unasked(ask) or _barred(ask) or _settled(ask) or _whole(ask)
    return or_take_all(ask, answer or _by_lines(ask))


def _by_lines(ask: Question) -> PathAnswer:
    answer = by_lines(ask)
    if answer.plan.outcome not in STUCK:
        return answer
    from sulcus_panel.core.undo.notebooks import or_by_cells  # here, for few undos are in conflict

    return or_by_cells(ask, answer)


def _unasked(ask: Question) -> PathAnswer | None:
    """Leave a path alone of which no part is chosen, whatever would keep it from going back."""
    left_out = ask.chosen is not None and not ask.chosen
    return without_writes(ask, Outcome.NOTHING_TO_UNDO, "") if left_out else None


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
    if same_state(before, after):
        return without_writes(ask, Outcome.NOTHING_TO_UNDO, "")
    if same_bytes(disk, before) and not (mode_differs(before, after) and mode_differs(disk, before)):
        if before.kind is FileKind.ABSENT and ask.elsewhere:
            return conflict_over_all(ask, why_absent(ask))  # what it created is there, under another name
        return as_a_whole(ask, Outcome.ALREADY_UNDONE, None, ask.file, HunkOutcome.ALREADY_UNDONE)
    return None


def _whole(ask: Question) -> PathAnswer | None:
    """Answer where the file goes back as a whole; None leaves it to its lines."""
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
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
    wants_rest = ask.resolution is Resolution.REST and before.kind is FileKind.ABSENT
    if not {before.kind, after.kind, disk.kind} <= {
        FileKind.FILE,
        FileKind.ABSENT if wants_rest else FileKind.FILE,
    }:
        return conflict_over_all(ask, _why_not(ask))
    known = (bytes_of_side(ask, before), bytes_of_side(ask, after), ask.file.content)
    if any(data is not None and b"\0" in data for data in known):
        return conflict_over_all(ask, "it is not text, and it has changed since")
    return None


def _why_not(ask: Question) -> str:
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    if disk.kind is FileKind.ABSENT:
        return why_absent(ask)
    if disk.kind is FileKind.DIRECTORY:
        return "a folder stands there now"
    if after.kind is FileKind.ABSENT:
        return SOMETHING_ELSE
    if before.kind is FileKind.ABSENT:
        return "the created file was changed since"
    return "it is another kind of file now"


def _mode_only(ask: Question) -> PathAnswer:
    """Take back a change of permissions alone; the contents, whoever wrote them, stay."""
    disk = ask.file.state
    mode = mode_of_result(ask)
    if mode is None:
        return conflict_over_all(ask, MODE_CHANGED_AGAIN)
    if disk.mode == ask.change.before.mode:
        return as_a_whole(ask, Outcome.ALREADY_UNDONE, None, ask.file, HunkOutcome.ALREADY_UNDONE)
    if mode == disk.mode:
        return without_writes(ask, Outcome.REFUSED, NEVER_GIVEN_BACK)
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
        return conflict_over_all(ask, MODE_CHANGED_AGAIN)
    if is_partial(ask):
        return None
    content = bytes_of_side(ask, before)
    if content is None:
        return without_writes(ask, Outcome.UNAVAILABLE, why_missing(before))
    state = FileState(before.kind, before.sha256, len(content), mode)
    result = DiskFile(state, content)
    return as_a_whole(ask, Outcome.UNDONE, Strategy.PRE_IMAGE_RESTORE, result, HunkOutcome.UNDONE)
