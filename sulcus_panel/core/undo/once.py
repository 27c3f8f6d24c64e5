"""An entry that is undone is not undone a second time: what was done to its lines since is somebody else's. Pure.

The books say that it is gone; a text in which lines came back, were deleted or moved again can be read in ways
that would take more. Only where the path is exactly what the entry left, it has plainly been done again.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.model import Entry, EntryState, FileKind, Hunk, SeqId
from sulcus_panel.core.states import same_bytes
from sulcus_panel.core.undo.model import STUCK, WRITABLE, WRITTEN, HunkOutcome, Outcome, PathPlan
from sulcus_panel.core.undo.question import PathAnswer, Question, bytes_of_side


def not_taken(chosen: frozenset[int], hunks: Sequence[Hunk], taken: frozenset[int]) -> frozenset[int]:
    """Leave out what was taken back alone before and would only bring lines back, unless nothing else is chosen."""
    again = {index for index in chosen & taken if index < len(hunks) and not hunks[index].after_lines}
    return chosen - again or chosen


def only_once(
    entry: Entry, ask: Question, answer: PathAnswer, taken_back: Collection[SeqId], taken: frozenset[int]
) -> PathAnswer:
    """Write nothing for an entry that is undone, and bring back nothing for parts of it that are.

    `taken_back` are the entries of the same batch, `taken` the hunks that undos of parts have taken back.
    """
    plan = answer.plan
    if entry.state is EntryState.PARTLY_UNDONE:
        parts = {hunk.index for hunk in plan.hunks if hunk.chosen}
        again = parts and parts <= taken and plan.outcome in WRITABLE and _only_brings_back(plan)
        return PathAnswer(_already(plan)) if again else answer
    if entry.state is not EntryState.UNDONE or entry.undone_by in taken_back:
        return answer
    is_on_lines = plan.outcome in STUCK and all(conflict.lines is not None for conflict in plan.conflicts)
    if not is_on_lines and plan.outcome not in WRITABLE:
        return answer
    # Where later work stands on the lines that its undo left, it does not stand on the change.
    if _only_brings_back(plan) if plan.outcome in WRITABLE else not _stands(ask):
        return PathAnswer(_already(plan))
    if plan.outcome in WRITABLE and same_bytes(plan.disk, ask.change.after):
        return answer
    reason = f"#{entry.undone_by} has undone it, and what looks like it now came later"
    return PathAnswer(_kept(plan, Outcome.REFUSED, HunkOutcome.SUPERSEDED, reason))


def _stands(ask: Question) -> bool:
    """Say whether a line that only the entry wrote stands in the file; whose it is by now is not known."""
    before, after = (bytes_of_side(ask, side) for side in (ask.change.before, ask.change.after))
    if after is None:
        return True
    new = set(split_lines(after)) - set(split_lines(before or b""))
    return any(line.strip() and line in new for line in split_lines(ask.file.content or b""))


def _only_brings_back(plan: PathPlan) -> bool:
    if plan.disk.kind is FileKind.ABSENT:
        return True
    written = [hunk for hunk in plan.hunks if hunk.chosen and hunk.outcome in WRITTEN]
    return bool(written) and not any(hunk.removes for hunk in written)


def _already(plan: PathPlan) -> PathPlan:
    return _kept(plan, Outcome.ALREADY_UNDONE, HunkOutcome.ALREADY_UNDONE, "")


def _kept(plan: PathPlan, outcome: Outcome, each: HunkOutcome, reason: str) -> PathPlan:
    hunks = tuple(replace(hunk, outcome=each, conflict=None) if hunk.chosen else hunk for hunk in plan.hunks)
    return replace(plan.left_alone(outcome, reason), hunks=hunks, conflicts=())
