"""What is asked of one path of one entry, and the parts that every answer is made of. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.model import (
    Change,
    DiskFile,
    FileKind,
    FileState,
    Hunk,
    LedgerPath,
    SeqId,
    Sha256,
    Step,
)
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import EXPIRED, SPECIAL_BITS, mode_differs, same_bytes
from sulcus_panel.core.undo.blame import Who, standing_since
from sulcus_panel.core.undo.chain import backward, forward
from sulcus_panel.core.undo.model import (
    Conflict,
    HunkOutcome,
    HunkPlan,
    Outcome,
    PathPlan,
    Resolution,
    Strategy,
)

DEFAULT_MODE = 0o644
"""For a file that comes back and whose mode was never seen (imports)."""

MODE_CHANGED_AGAIN = "its permissions were changed again"
SOMETHING_ELSE = "something else stands at this path now"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of one path. `chosen` are hunks of this change, None for all of it.

    `steps` are all later steps of the path, those already planned in this batch included; `file` is the path
    as it will be when this step is reached.
    """

    change: Change
    first_hunk: int
    chosen: frozenset[int] | None
    refusal: str
    file: DiskFile
    steps: Sequence[Step]
    contents: Mapping[Sha256, bytes]
    resolution: Resolution = Resolution.KEEP
    moved_to: LedgerPath | None = None
    """Where the file went that is no longer at this path, as far as an entry tells."""
    kin: Collection[SeqId] = ()
    """The entry itself, and what it reverses."""
    elsewhere: bool = False
    """What was moved away still stands there, or where it was moved from there."""


@dataclass(frozen=True, slots=True)
class PathAnswer:
    """The plan, and the exact hunks from the path's state to the result (empty where there is no text)."""

    plan: PathPlan
    hunks: tuple[Hunk, ...] = ()


def without_writes(ask: Question, outcome: Outcome, reason: str) -> PathAnswer:
    """Answer that nothing is written, and why."""
    return PathAnswer(replace(planned(ask, outcome, None, ask.file), reason=reason))


def planned(ask: Question, outcome: Outcome, strategy: Strategy | None, result: DiskFile) -> PathPlan:
    """Plan the path from what it is to `result`."""
    return PathPlan(
        ask.change.path, outcome, strategy, ask.file.state, result.state, ask.file.content, result.content
    )


def conflict_over_all(ask: Question, reason: str) -> PathAnswer:
    """Refuse for the whole file, naming everyone who changed it since."""
    return conflict_with(ask, standing_since(ask.change.after, ask.steps, ask.file.state), reason)


def conflict_with(ask: Question, who: Who, reason: str) -> PathAnswer:
    """Refuse for the whole file, naming who stands in the way."""
    conflict = Conflict(ask.change.path, None, who.seq_ids, who.outside, reason)
    answer = as_a_whole(ask, Outcome.CONFLICT, None, ask.file, HunkOutcome.CONFLICT)
    hunks = tuple(replace(hunk, conflict=conflict, disk_lines=None) for hunk in answer.plan.hunks)
    return PathAnswer(replace(answer.plan, hunks=hunks, conflicts=(conflict,), reason=reason))


def as_a_whole(
    ask: Question, outcome: Outcome, strategy: Strategy | None, result: DiskFile, each: HunkOutcome
) -> PathAnswer:
    """Answer for the file as a whole, its recorded hunks shown all with the same outcome."""
    before, after = (
        (bytes_of_side(ask, ask.change.before) or b""),
        (bytes_of_side(ask, ask.change.after) or b""),
    )
    olds, news = split_lines(before), split_lines(after)
    hunks = tuple(
        HunkPlan(
            ask.first_hunk + index,
            ask.change.path,
            ask.chosen is None or index in ask.chosen,
            each,
            (hunk.after_start, hunk.after_start + hunk.after_lines),
            hunk.new
            if hunk.new is not None
            else b"".join(news[hunk.after_start : hunk.after_start + hunk.after_lines]),
            hunk.old
            if hunk.old is not None
            else b"".join(olds[hunk.before_start : hunk.before_start + hunk.before_lines]),
        )
        for index, hunk in enumerate(ask.change.hunks)
    )
    exact = (
        ask.change.hunks if outcome is Outcome.UNDONE and same_bytes(ask.file.state, ask.change.after) else ()
    )
    reverse = tuple(Hunk(h.after_start, h.after_lines, h.before_start, h.before_lines) for h in exact)
    return PathAnswer(replace(planned(ask, outcome, strategy, result), hunks=hunks), reverse)


def mode_of_result(ask: Question) -> int | None:
    """Return the permissions that the result gets, None on a conflict (or for a link, which has none).

    Three ways, like the lines: who did not change them does not decide.
    """
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    if before.kind is FileKind.SYMLINK:
        return None
    recorded = None if before.mode is None else before.mode & ~SPECIAL_BITS
    if disk.kind is not FileKind.FILE:
        return recorded if recorded is not None else DEFAULT_MODE
    if not mode_differs(before, after) or is_partial(ask):
        return disk.mode
    return recorded if disk.mode in {after.mode, before.mode} else None


def is_partial(ask: Question) -> bool:
    """Say whether only some of the hunks are chosen."""
    return ask.chosen is not None and len(ask.chosen) < len(ask.change.hunks)


def bytes_of_side(ask: Question, state: FileState) -> bytes | None:
    """Return a side's bytes: kept, or equal to the disk's, or derived by hunks that carry text and proven."""
    found = _kept(ask, state)
    if found is not None or ask.change.before.kind is not FileKind.FILE:
        return found
    before, after = ask.change.before, ask.change.after
    if state is before:
        other = _kept(ask, after)
        return None if other is None else backward(other, ask.change.hunks, before)
    other = _kept(ask, before)
    return None if other is None else forward(other, ask.change.hunks, after)


def _kept(ask: Question, state: FileState) -> bytes | None:
    if state.sha256 is None:
        return None
    if state.sha256 == ask.file.state.sha256 and ask.file.content is not None:
        return ask.file.content
    return ask.contents.get(state.sha256)


def why_absent(ask: Question) -> str:
    """Say what became of a file that is no longer at the path."""
    where = "deleted" if ask.moved_to is None else f"moved to {plain(ask.moved_to, 200)}"
    return f"the file was {where} since"


def why_missing(state: FileState) -> str:
    """Return the reason, as it is fixed for clients, why bytes are not there: let go of since, or never kept."""
    return "snapshot_expired" if state.kept or state.reason in {"", EXPIRED} else "not_kept"
