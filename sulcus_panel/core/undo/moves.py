"""One file that an entry took from one path to another: undone, it goes back as it is now, later edits and all.

Pure. What stands in its old place is never written over, and a file that took its new place is not it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sulcus_panel.core.diff import lines_in
from sulcus_panel.core.model import ABSENT, DiskFile, FileKind, FileState, Hunk, Origin, Sha256, Step
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import same_bytes, same_state
from sulcus_panel.core.undo.blame import Who, standing_since
from sulcus_panel.core.undo.model import HunkOutcome, Outcome, Strategy
from sulcus_panel.core.undo.paths import plan_path
from sulcus_panel.core.undo.question import (
    MODE_CHANGED_AGAIN,
    SOMETHING_ELSE,
    PathAnswer,
    Question,
    as_a_whole,
    conflict_over_all,
    conflict_with,
    mode_of_result,
    why_absent,
)


@dataclass(frozen=True, slots=True)
class MovedFile:
    """The question of both paths: where the file came from, and where it went."""

    old: Question
    new: Question


def plan_move(move: MovedFile) -> tuple[PathAnswer, PathAnswer]:
    """Decide both paths; where they are no longer one file's, each answers for itself."""
    move = _as_one(move)
    old, new = move.old, move.new
    if old.refusal or new.refusal or old.chosen is not None:
        return plan_path(old), plan_path(new)
    if new.file.state.kind is FileKind.ABSENT:
        return _went_back(move) or _both_gone(move) or (plan_path(old), plan_path(new))
    if old.file.state.kind is not FileKind.ABSENT:
        return _taken(move)
    if new.file.state.kind is not new.change.after.kind or new.file.content is None or not _is_still(new):
        return _with_it(plan_path(new), old)
    return _back(move)


def _as_one(move: MovedFile) -> MovedFile:
    """Choose both sides or neither: one of them alone would leave the file twice, or nowhere."""
    old, new = move.old, move.new
    if old.chosen is None and new.chosen is None:
        return move
    wanted = any(ask.chosen is None or ask.chosen for ask in (old, new))
    chosen = None if wanted else frozenset[int]()
    return MovedFile(replace(old, chosen=chosen), replace(new, chosen=chosen))


def _went_back(move: MovedFile) -> tuple[PathAnswer, PathAnswer] | None:
    """Answer where an entry took the file back to its old path, edited or not, whatever became of it there."""
    left = [
        (step.seq_id, step.before.sha256)
        for step, file in _files_at(move.new.steps)
        if file == 0 and step.after.kind is FileKind.ABSENT is not step.before.kind
    ]
    arrived = {
        (step.seq_id, step.after.sha256) for step in move.old.steps if step.after.kind is not FileKind.ABSENT
    }
    if not left or left[-1] not in arrived:
        return None
    return _already(move.old), _already(move.new)


def _already(ask: Question) -> PathAnswer:
    return as_a_whole(ask, Outcome.ALREADY_UNDONE, None, ask.file, HunkOutcome.ALREADY_UNDONE)


def _both_gone(move: MovedFile) -> tuple[PathAnswer, PathAnswer] | None:
    """Answer where the file is at neither path: whoever took it away stands in the way."""
    if move.old.file.state.kind is not FileKind.ABSENT:
        return None
    return _with_it(conflict_over_all(move.new, why_absent(move.new)), move.old)


def _taken(move: MovedFile) -> tuple[PathAnswer, PathAnswer]:
    """Answer where something stands at the old path: both are kept, but for the same file there already."""
    old, new = move.old, move.new
    if same_bytes(old.file.state, old.change.before) and same_state(new.file.state, new.change.after):
        return plan_path(old), plan_path(new)
    who = standing_since(old.change.after, old.steps, old.file.state)
    reason = f"something else stands at {plain(old.change.path, 200)} now"
    return conflict_over_all(old, SOMETHING_ELSE), conflict_with(new, who, reason)


def _with_it(answer: PathAnswer, other: Question) -> tuple[PathAnswer, PathAnswer]:
    """Answer the old path as its file: where that cannot go back, nothing comes back."""
    plan = answer.plan
    if plan.outcome is Outcome.CONFLICT:
        who = Who(plan.conflicts[0].with_seq_ids, plan.conflicts[0].outside)
        return conflict_with(other, who, plan.reason), answer
    return plan_path(other), answer


def _is_still(new: Question) -> bool:
    """Say whether what is at the new path is still the file that came there, followed through its absences."""
    *_, last = (0, *(file for _, file in _files_at(new.steps)))
    return last == 0 or same_bytes(new.file.state, new.change.after)


def _files_at(steps: Sequence[Step]) -> Iterator[tuple[Step, int]]:
    """Give each step with the number of the file that is or was last at the path; 0 came there with the move."""
    now, others = 0, 0
    gone: list[tuple[Sha256 | None, int]] = []
    for step in steps:
        was, is_there = step.before.kind is not FileKind.ABSENT, step.after.kind is not FileKind.ABSENT
        if was and not is_there:
            gone.append((step.before.sha256, now))
        elif is_there and not was and step.origin is Origin.UNDO and gone:
            now = next((one for sha, one in reversed(gone) if sha == step.after.sha256), gone[-1][1])
        elif is_there and not was:
            others += 1
            now = others
        yield step, now


def _back(move: MovedFile) -> tuple[PathAnswer, PathAnswer]:
    """Take the file back to its old path, with the permissions that it had, unless somebody changed them since."""
    old, new = move.old, move.new
    whole = replace(new, change=replace(new.change, before=old.change.before))
    mode = mode_of_result(whole)
    if mode is None and new.file.state.kind is FileKind.FILE:
        return _with_it(conflict_over_all(new, MODE_CHANGED_AGAIN), old)
    unchanged = same_bytes(new.file.state, new.change.after)
    here = Strategy.PRE_IMAGE_RESTORE if unchanged else Strategy.SURGICAL_REVERSE_PATCH
    there = Strategy.DELETE_CREATED_FILE if unchanged else Strategy.SURGICAL_REVERSE_PATCH
    result = DiskFile(replace(new.file.state, mode=mode), new.file.content)
    came = as_a_whole(old, Outcome.UNDONE, here, result, HunkOutcome.UNDONE)
    went = as_a_whole(new, Outcome.UNDONE, there, DiskFile(ABSENT, None), HunkOutcome.UNDONE)
    lines = _lines(new.file.state, new.file.content or b"")
    return (
        replace(came, hunks=(Hunk(0, 0, 0, lines),) if lines else ()),
        replace(went, hunks=(Hunk(0, lines, 0, 0),) if lines else ()),
    )


def _lines(state: FileState, content: bytes) -> int:
    if state.kind is not FileKind.FILE or b"\0" in content:
        return 0
    return lines_in(content)
