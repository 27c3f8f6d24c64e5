"""A text that has moved on, or of which only some hunks go back: the lines decide. Pure."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.model import DiskFile, FileKind, FileState, Sha256
from sulcus_panel.core.undo.chain import passages_between
from sulcus_panel.core.undo.model import STUCK, WRITTEN, Conflict, HunkOutcome, HunkPlan, Outcome, Strategy
from sulcus_panel.core.undo.parses import stops_parsing
from sulcus_panel.core.undo.question import (
    MODE_CHANGED_AGAIN,
    PathAnswer,
    Question,
    bytes_of_side,
    conflict_over_all,
    mode_of_result,
    planned,
    why_missing,
    without_writes,
)
from sulcus_panel.core.undo.text import CLEAN, Answer, Turn, Verdict, take_back
from sulcus_panel.core.undo.unkept import by_own_text, derived

NONSENSE = "the file would no longer parse"
"""A result that is exact and that somebody must look at all the same."""


def by_lines(ask: Question) -> PathAnswer:
    """Take the hunks out of a text that has moved on, or only some of them."""
    mode = mode_of_result(ask)
    if bytes_of_side(ask, ask.change.after) is None:
        ask = replace(ask, contents={**ask.contents, **derived(ask)})
    before, after, now = (
        _lines_before(ask),
        bytes_of_side(ask, ask.change.after),
        ask.file.content or b"",
    )
    if before is None or after is None:
        missing = ask.change.before if before is None else ask.change.after
        own = by_own_text(ask, mode) if mode is not None else None
        return own or without_writes(ask, Outcome.UNAVAILABLE, why_missing(missing))
    if mode is None:
        return conflict_over_all(ask, MODE_CHANGED_AGAIN)
    turn = Turn.of(before, after, ask.change.hunks)
    chosen = frozenset(range(len(turn.hunks))) if ask.chosen is None else ask.chosen
    contents = {**ask.contents, **_both(ask, before, after)}
    passages = passages_between(ask.change.after, ask.steps, ask.file.state, contents, ask.kin)
    answer = take_back(
        turn, now, passages, (index for index in chosen if index < len(turn.hunks)), ask.resolution
    )
    return _merged(ask, turn, answer, chosen, mode)


def _lines_before(ask: Question) -> bytes | None:
    """Return the text before; of a file that was created, whose rest is asked for, there was none."""
    before = ask.change.before
    return b"" if before.kind is FileKind.ABSENT else bytes_of_side(ask, before)


def _both(ask: Question, before: bytes, after: bytes) -> dict[Sha256, bytes]:
    pairs = ((ask.change.before.sha256, before), (ask.change.after.sha256, after))
    return {digest: data for digest, data in pairs if digest is not None}


def _merged(ask: Question, turn: Turn, answer: Answer, chosen: frozenset[int], mode: int) -> PathAnswer:
    now = split_lines(ask.file.content or b"")
    hunks = tuple(
        _hunk_plan(ask, turn, answer.verdicts[index], index, now, chosen) for index in range(len(turn.hunks))
    )
    conflicts = tuple(hunk.conflict for hunk in hunks if hunk.chosen and hunk.conflict is not None)
    outcome = _weigh([hunk.outcome for hunk in hunks if hunk.chosen])
    disk = ask.file.state
    if outcome in STUCK:
        plan = planned(ask, outcome, Strategy.SURGICAL_REVERSE_PATCH, ask.file)
        return PathAnswer(replace(plan, hunks=hunks, conflicts=conflicts, reason=conflicts[0].reason))
    if not answer.hunks and mode == disk.mode:
        return PathAnswer(replace(planned(ask, Outcome.ALREADY_UNDONE, None, ask.file), hunks=hunks))
    digest = Sha256(hashlib.sha256(answer.result).hexdigest())
    result = DiskFile(FileState(FileKind.FILE, digest, len(answer.result), mode), answer.result)
    reason = conflicts[0].reason if conflicts else ""
    if outcome is Outcome.UNDONE and stops_parsing(ask.change.path, ask.file.content or b"", answer.result):
        outcome, reason = Outcome.REVIEW, NONSENSE
    plan = planned(ask, outcome, Strategy.SURGICAL_REVERSE_PATCH, result)
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
        b"".join(now[verdict.start : verdict.end]),
        b"".join(verdict.restored if verdict.outcome in WRITTEN else turn.restores(turn.hunks[index])),
        conflict,
    )
