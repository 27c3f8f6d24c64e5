"""A person decides over a whole file: it becomes what it was before, whatever came of it since. Pure."""

from dataclasses import replace

from sulcus_panel.core.diff import diff_hunks, is_binary
from sulcus_panel.core.model import ABSENT, DiskFile, FileKind, FileState, Hunk
from sulcus_panel.core.states import SPECIAL_BITS
from sulcus_panel.core.undo.model import HunkOutcome, Outcome, Resolution, Strategy
from sulcus_panel.core.undo.question import (
    DEFAULT_MODE,
    PathAnswer,
    Question,
    as_a_whole,
    bytes_of_side,
    is_partial,
)

GOES_TOO = "what has become of it since goes too"
REPLACEABLE = frozenset({FileKind.ABSENT, FileKind.FILE, FileKind.SYMLINK})
"""Kinds that a file may give way to or take the place of; a folder never."""


def or_take_all(ask: Question, answer: PathAnswer) -> PathAnswer:
    """Return the answer, or where the person so decided and a whole file is in conflict, its state from before."""
    over_all = any(conflict.lines is None for conflict in answer.plan.conflicts)
    if ask.resolution is not Resolution.TAKE_ALL or not over_all or is_partial(ask):
        return answer
    before, disk = ask.change.before, ask.file.state
    if ask.moved_to is not None and disk.kind is FileKind.ABSENT:
        return answer  # what has become of it stands elsewhere, and would not go
    content = None if before.kind is FileKind.ABSENT else bytes_of_side(ask, before)
    kept = disk.kind is FileKind.ABSENT or ask.file.content is not None
    known = before.kind is FileKind.ABSENT or content is not None
    if not kept or not known or not {before.kind, disk.kind} <= REPLACEABLE:
        return answer
    if before.kind is FileKind.ABSENT:
        strategy, result = Strategy.DELETE_CREATED_FILE, DiskFile(ABSENT, None)
    else:
        strategy, result = Strategy.PRE_IMAGE_RESTORE, DiskFile(_restored(ask, content or b""), content)
    decided = as_a_whole(ask, Outcome.REVIEW, strategy, result, HunkOutcome.REVIEW)
    hunks = tuple(replace(hunk, disk_lines=None) for hunk in decided.plan.hunks)  # other lines stand there
    plan = replace(decided.plan, hunks=hunks, conflicts=answer.plan.conflicts, reason=GOES_TOO)
    return PathAnswer(plan, _lines_between(ask.file, result))


def _lines_between(disk: DiskFile, result: DiskFile) -> tuple[Hunk, ...]:
    """Return what is recorded of a text: the recorded change is not what happens here."""
    old, new = disk.content or b"", result.content or b""
    is_text = FileKind.SYMLINK not in {disk.state.kind, result.state.kind}
    return diff_hunks(old, new) if is_text and not is_binary(old) and not is_binary(new) else ()


def _restored(ask: Question, content: bytes) -> FileState:
    before, disk = ask.change.before, ask.file.state
    if before.kind is FileKind.SYMLINK:
        return FileState(before.kind, before.sha256, len(content))
    mode = before.mode if before.mode is not None else disk.mode
    known = DEFAULT_MODE if mode is None else mode & ~SPECIAL_BITS
    return FileState(FileKind.FILE, before.sha256, len(content), known)
