"""One path of one entry: which strategy fits the facts, what the result is, or why there is none. Pure.

`delete_created_file` only while the file is what the entry left, `pre_image_restore` when nothing came after,
`surgical_reverse_patch` when something did. What is not text (links, bytes with a NUL) goes by its hash.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sulcus_panel.core.model import ABSENT, Change, DiskFile, FileKind, FileState, Hunk, SeqId, Sha256, Step
from sulcus_panel.core.states import mode_differs, same_bytes, same_state
from sulcus_panel.core.undo.blame import Who, standing_since
from sulcus_panel.core.undo.chain import backward, forward, passages_between
from sulcus_panel.core.undo.model import Conflict, HunkOutcome, HunkPlan, Outcome, PathPlan, Strategy
from sulcus_panel.core.undo.parses import stops_parsing
from sulcus_panel.core.undo.text import CLEAN, Answer, Turn, Verdict, take_back
from sulcus_panel.core.undo.turn import WRITTEN

DEFAULT_MODE = 0o644
"""For a file that comes back and whose mode was never seen (imports)."""

SPECIAL_BITS = 0o6000
"""Set-user-id and set-group-id: never taken from a record, and a file that has them is not rewritten."""
EXPIRED = "snapshot expired"
"""The ledger's reason for bytes that it once kept."""


NONSENSE = "the file would no longer parse"
"""A result that is exact and that somebody must look at all the same."""


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


@dataclass(frozen=True, slots=True)
class PathAnswer:
    """The plan, and the exact hunks from the path's state to the result (empty where there is no text)."""

    plan: PathPlan
    hunks: tuple[Hunk, ...] = ()


def plan_path(ask: Question) -> PathAnswer:
    """Decide one path; raises nothing: what cannot be done is an outcome."""
    return _barred(ask) or _settled(ask) or _whole(ask) or _by_lines(ask)


def _barred(ask: Question) -> PathAnswer | None:
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    if ask.refusal:
        return _without(ask, Outcome.REFUSED, ask.refusal)
    if disk.kind is FileKind.FILE and (disk.mode or 0) & SPECIAL_BITS:
        return _without(ask, Outcome.REFUSED, "the file runs with its owner's rights (set-user-id)")
    if before.kind is FileKind.UNKNOWN:
        return _without(ask, Outcome.UNAVAILABLE, "before_unknown")
    if disk.kind is FileKind.UNKNOWN:
        return _without(ask, Outcome.REFUSED, f"the file cannot be read: {disk.reason}")
    if after.kind is FileKind.UNKNOWN and not same_bytes(disk, before):
        return _without(ask, Outcome.UNAVAILABLE, "not_kept")
    return None


def _settled(ask: Question) -> PathAnswer | None:
    """Answer where nothing is left to do."""
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    if same_state(before, after) or (ask.chosen is not None and not ask.chosen):
        return _without(ask, Outcome.NOTHING_TO_UNDO, "")
    if same_bytes(disk, before) and not (mode_differs(before, after) and mode_differs(disk, before)):
        return _whole_file(ask, Outcome.ALREADY_UNDONE, None, ask.file, HunkOutcome.ALREADY_UNDONE)
    return None


def _whole(ask: Question) -> PathAnswer | None:
    """Answer where the file goes back as a whole; None leaves it to its lines."""
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    if FileKind.DIRECTORY in {before.kind, after.kind}:
        return _without(ask, Outcome.REFUSED, "a folder is not taken back, only files are")
    if same_bytes(before, after) and disk.kind is before.kind:
        return _mode_only(ask)
    if disk.kind is FileKind.FILE and ask.file.content is None:
        return _without(ask, Outcome.REFUSED, "the file is too large to be kept, and nothing may be lost")
    return _by_hash(ask)


def _by_hash(ask: Question) -> PathAnswer | None:
    """Answer where the file is what the entry left, or where nothing but that would do."""
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    if same_bytes(disk, after):
        return _from_after_image(ask)
    if before.kind is not FileKind.FILE or after.kind is not FileKind.FILE or disk.kind is not FileKind.FILE:
        return _conflict(ask, _why_not(before, after, disk))
    known = (_bytes(ask, before), _bytes(ask, after), ask.file.content)
    if any(data is not None and b"\0" in data for data in known):
        return _conflict(ask, "it is not text, and it has changed since")
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
    mode = _mode(ask)
    if mode is None:
        return _conflict(ask, "its permissions were changed again")
    if mode == disk.mode:
        return _without(ask, Outcome.REFUSED, "a set-user-id bit is never given back")
    strategy = (
        Strategy.PRE_IMAGE_RESTORE if same_bytes(disk, ask.change.after) else Strategy.SURGICAL_REVERSE_PATCH
    )
    result = DiskFile(replace(disk, mode=mode), ask.file.content)
    return _whole_file(ask, Outcome.UNDONE, strategy, result, HunkOutcome.UNDONE)


def _from_after_image(ask: Question) -> PathAnswer | None:
    """Restore, or delete what was created: the path is exactly what the entry left."""
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    if before.kind is FileKind.ABSENT:
        if mode_differs(disk, after):
            return _conflict(ask, "the created file's permissions were changed since")
        gone = DiskFile(ABSENT, None)
        return _whole_file(ask, Outcome.UNDONE, Strategy.DELETE_CREATED_FILE, gone, HunkOutcome.UNDONE)
    mode = _mode(ask)
    if mode is None and before.kind is FileKind.FILE:
        return _conflict(ask, "its permissions were changed again")
    if _is_partial(ask):
        return None
    content = _bytes(ask, before)
    if content is None:
        return _without(ask, Outcome.UNAVAILABLE, _missing(before))
    state = FileState(before.kind, before.sha256, len(content), mode)
    result = DiskFile(state, content)
    return _whole_file(ask, Outcome.UNDONE, Strategy.PRE_IMAGE_RESTORE, result, HunkOutcome.UNDONE)


def _is_partial(ask: Question) -> bool:
    return ask.chosen is not None and len(ask.chosen) < len(ask.change.hunks)


def _mode(ask: Question) -> int | None:
    """Return the permissions that the result gets, None on a conflict (or for a link, which has none).

    Three ways, like the lines: who did not change them does not decide.
    """
    before, after, disk = ask.change.before, ask.change.after, ask.file.state
    if before.kind is FileKind.SYMLINK:
        return None
    recorded = None if before.mode is None else before.mode & ~SPECIAL_BITS
    if disk.kind is not FileKind.FILE:
        return recorded if recorded is not None else DEFAULT_MODE
    if not mode_differs(before, after) or _is_partial(ask):
        return disk.mode
    return recorded if disk.mode in {after.mode, before.mode} else None


def _by_lines(ask: Question) -> PathAnswer:
    """Take the hunks out of a text that has moved on, or only some of them."""
    before, after, now = (
        _bytes(ask, ask.change.before),
        _bytes(ask, ask.change.after),
        ask.file.content or b"",
    )
    if before is None or after is None:
        return _without(
            ask, Outcome.UNAVAILABLE, _missing(ask.change.before if before is None else ask.change.after)
        )
    mode = _mode(ask)
    if mode is None:
        return _conflict(ask, "its permissions were changed again")
    # A recorder finds hunks by comparing: where equal lines leave a choice, they are one reading of it.
    turn = replace(Turn.of(before, after, ask.change.hunks), recorded=False)
    chosen = frozenset(range(len(turn.hunks))) if ask.chosen is None else ask.chosen
    contents = {**ask.contents, **_both(ask, before, after)}
    passages = passages_between(ask.change.after, ask.steps, ask.file.state, contents)
    answer = take_back(turn, now, passages, (index for index in chosen if index < len(turn.hunks)))
    return _merged(ask, turn, answer, chosen, mode)


def _both(ask: Question, before: bytes, after: bytes) -> dict[Sha256, bytes]:
    pairs = ((ask.change.before.sha256, before), (ask.change.after.sha256, after))
    return {digest: data for digest, data in pairs if digest is not None}


def _merged(ask: Question, turn: Turn, answer: Answer, chosen: frozenset[int], mode: int) -> PathAnswer:
    now = (ask.file.content or b"").split(b"\n")
    hunks = tuple(
        _hunk_plan(ask, turn, answer.verdicts[index], index, now, chosen) for index in range(len(turn.hunks))
    )
    conflicts = tuple(hunk.conflict for hunk in hunks if hunk.chosen and hunk.conflict is not None)
    outcome = _weigh([hunk.outcome for hunk in hunks if hunk.chosen])
    disk = ask.file.state
    if outcome in {Outcome.CONFLICT, Outcome.SUPERSEDED}:
        plan = _plan(ask, outcome, Strategy.SURGICAL_REVERSE_PATCH, ask.file)
        return PathAnswer(replace(plan, hunks=hunks, conflicts=conflicts, reason=conflicts[0].reason))
    if not answer.hunks and mode == disk.mode:
        return PathAnswer(replace(_plan(ask, Outcome.ALREADY_UNDONE, None, ask.file), hunks=hunks))
    digest = Sha256(hashlib.sha256(answer.result).hexdigest())
    result = DiskFile(FileState(FileKind.FILE, digest, len(answer.result), mode), answer.result)
    reason = conflicts[0].reason if conflicts else ""
    if outcome is Outcome.UNDONE and stops_parsing(ask.change.path, ask.file.content or b"", answer.result):
        outcome, reason = Outcome.REVIEW, NONSENSE
    plan = _plan(ask, outcome, Strategy.SURGICAL_REVERSE_PATCH, result)
    return PathAnswer(replace(plan, hunks=hunks, conflicts=conflicts, reason=reason), answer.hunks)


def _weigh(outcomes: Sequence[HunkOutcome]) -> Outcome:
    """Sum up the chosen hunks: one that cannot go back stops all, one to be looked at holds all up."""
    found = set(outcomes)
    if HunkOutcome.CONFLICT in found:
        return Outcome.CONFLICT
    if HunkOutcome.SUPERSEDED in found:
        return (
            Outcome.CONFLICT
            if found - {HunkOutcome.SUPERSEDED, HunkOutcome.ALREADY_UNDONE}
            else Outcome.SUPERSEDED
        )
    return Outcome.REVIEW if HunkOutcome.REVIEW in found else Outcome.UNDONE


def _hunk_plan(
    ask: Question, turn: Turn, verdict: Verdict, index: int, now: list[bytes], chosen: frozenset[int]
) -> HunkPlan:
    conflict = None
    if verdict.outcome not in CLEAN:
        conflict = Conflict(
            ask.change.path,
            (verdict.start, verdict.end),
            verdict.who.seq_ids,
            verdict.who.outside,
            verdict.reason,
        )
    return HunkPlan(
        ask.first_hunk + index,
        ask.change.path,
        index in chosen,
        verdict.outcome,
        (verdict.start, verdict.end),
        _join(now, verdict.start, verdict.end),
        b"".join(verdict.restored if verdict.outcome in WRITTEN else turn.restores(turn.hunks[index])),
        conflict,
    )


def _join(lines: list[bytes], start: int, end: int) -> bytes:
    """Join lines that were split at LF (the last has none)."""
    text = b"\n".join(lines[start:end])
    return text + b"\n" if start < end < len(lines) else text


def _bytes(ask: Question, state: FileState) -> bytes | None:
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


def _missing(state: FileState) -> str:
    return "snapshot_expired" if state.kept or state.reason in {"", EXPIRED} else "not_kept"


def _conflict(ask: Question, reason: str) -> PathAnswer:
    """Refuse for the whole file, naming everyone who changed it since."""
    who: Who = standing_since(ask.change.after, ask.steps, ask.file.state)
    conflict = Conflict(ask.change.path, None, who.seq_ids, who.outside, reason)
    answer = _whole_file(ask, Outcome.CONFLICT, None, ask.file, HunkOutcome.CONFLICT)
    hunks = tuple(replace(hunk, conflict=conflict, disk_lines=None) for hunk in answer.plan.hunks)
    return PathAnswer(replace(answer.plan, hunks=hunks, conflicts=(conflict,), reason=reason))


def _whole_file(
    ask: Question, outcome: Outcome, strategy: Strategy | None, result: DiskFile, each: HunkOutcome
) -> PathAnswer:
    """Answer for the file as a whole, its recorded hunks shown all with the same outcome."""
    before, after = (_bytes(ask, ask.change.before) or b""), (_bytes(ask, ask.change.after) or b"")
    olds, news = before.split(b"\n"), after.split(b"\n")
    hunks = tuple(
        HunkPlan(
            ask.first_hunk + index,
            ask.change.path,
            ask.chosen is None or index in ask.chosen,
            each,
            (hunk.after_start, hunk.after_start + hunk.after_lines),
            hunk.new
            if hunk.new is not None
            else _join(news, hunk.after_start, hunk.after_start + hunk.after_lines),
            hunk.old
            if hunk.old is not None
            else _join(olds, hunk.before_start, hunk.before_start + hunk.before_lines),
        )
        for index, hunk in enumerate(ask.change.hunks)
    )
    exact = (
        ask.change.hunks if outcome is Outcome.UNDONE and same_bytes(ask.file.state, ask.change.after) else ()
    )
    reverse = tuple(Hunk(h.after_start, h.after_lines, h.before_start, h.before_lines) for h in exact)
    return PathAnswer(replace(_plan(ask, outcome, strategy, result), hunks=hunks), reverse)


def _without(ask: Question, outcome: Outcome, reason: str) -> PathAnswer:
    return PathAnswer(replace(_plan(ask, outcome, None, ask.file), reason=reason))


def _plan(ask: Question, outcome: Outcome, strategy: Strategy | None, result: DiskFile) -> PathPlan:
    return PathPlan(
        ask.change.path, outcome, strategy, ask.file.state, result.state, ask.file.content, result.content
    )


def step_of(seq_id: SeqId, template: Step, plan: PathPlan, hunks: tuple[Hunk, ...]) -> Step:
    """Return a planned undo as a step, so that the rest of the batch builds on it."""
    return replace(template, seq_id=seq_id, before=plan.disk, after=plan.result, hunks=hunks)
