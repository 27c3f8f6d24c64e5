"""One path's answer, for what real work in test_apply.py does not bring about at will."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from sulcus_panel.core.diff import apply_hunks, carry_texts, diff_hunks
from sulcus_panel.core.model import (
    ABSENT,
    Change,
    DiskFile,
    FileKind,
    FileState,
    LedgerPath,
    Step,
)
from sulcus_panel.core.undo.model import HunkOutcome, Outcome, PathPlan, Strategy
from sulcus_panel.core.undo.paths import plan_path
from sulcus_panel.core.undo.question import DEFAULT_MODE, Question
from tests.support.bench import L10, edited
from tests.support.ledgers import contents_of, state
from tests.support.ledgers import sha as sha_of

AFTER = edited(L10, _2="two", _8="eight")
UNKNOWN = FileState(FileKind.UNKNOWN, reason="busy")
FOLDER = FileState(FileKind.DIRECTORY, mode=0o755)


def changed(before: FileState, after: FileState, old: bytes = b"", new: bytes = b"") -> Change:
    return Change(LedgerPath("a.txt"), before, after, diff_hunks(old, new))


EDIT = changed(state(L10), state(AFTER), L10, AFTER)


def ask(
    change: Change,
    disk: FileState,
    content: bytes | None,
    *kept: bytes,
    chosen: frozenset[int] | None = None,
    steps: Sequence[Step] = (),
) -> Question:
    return Question(change, 0, chosen, "", DiskFile(disk, content), steps, contents_of(*kept))


def plan(question: Question) -> PathPlan:
    return plan_path(question).plan


def said(question: Question) -> tuple[Outcome, str]:
    answer = plan(question)
    assert answer.strategy is None
    assert answer.result == question.file.state
    return answer.outcome, answer.reason


@pytest.mark.parametrize(
    ("question", "outcome", "reason"),
    [
        (replace(ask(EDIT, state(AFTER), AFTER, L10), refusal="no"), Outcome.REFUSED, "no"),
        (ask(EDIT, UNKNOWN, None, L10), Outcome.REFUSED, "the file cannot be read: busy"),
        (ask(changed(UNKNOWN, state(AFTER)), state(AFTER), AFTER), Outcome.UNAVAILABLE, "before_unknown"),
        (ask(changed(state(L10), UNKNOWN), state(AFTER), AFTER, L10), Outcome.UNAVAILABLE, "not_kept"),
        (ask(changed(state(L10), UNKNOWN), state(L10), L10), Outcome.ALREADY_UNDONE, ""),
        (ask(changed(state(L10), state(L10)), state(AFTER), AFTER), Outcome.NOTHING_TO_UNDO, ""),
        (ask(EDIT, state(AFTER), AFTER, L10, chosen=frozenset()), Outcome.NOTHING_TO_UNDO, ""),
        (ask(EDIT, state(L10), L10), Outcome.ALREADY_UNDONE, ""),
        (
            ask(EDIT, state(b"large"), None, L10, AFTER),
            Outcome.REFUSED,
            "the file is too large to be kept, and nothing may be lost",
        ),
        (ask(EDIT, state(AFTER), AFTER), Outcome.UNAVAILABLE, "snapshot_expired"),
    ],
)
def test_what_cannot_be_done_is_an_outcome_with_its_reason(
    question: Question, outcome: Outcome, reason: str
) -> None:
    assert said(question) == (outcome, reason)


@pytest.mark.parametrize(
    ("change", "disk", "content", "reason"),
    [
        (EDIT, ABSENT, None, "the file was deleted since"),
        (EDIT, FOLDER, None, "a folder stands there now"),
        (changed(state(L10), ABSENT), state(AFTER), AFTER, "something else stands at this path now"),
        (changed(ABSENT, state(L10)), state(AFTER), AFTER, "the created file was changed since"),
        (
            changed(ABSENT, state(L10)),
            state(L10, mode=0o755),
            L10,
            "the created file's permissions were changed since",
        ),
        (EDIT, replace(state(b"x"), kind=FileKind.SYMLINK), b"x", "it is another kind of file now"),
        (
            changed(state(b"\0a"), state(b"\0b")),
            state(b"\0c"),
            b"\0c",
            "it is not text, and it has changed since",
        ),
    ],
)
def test_a_conflict_over_the_whole_file_says_why_and_leaves_it(
    change: Change, disk: FileState, content: bytes | None, reason: str
) -> None:
    answer = plan(ask(change, disk, content, L10, b"\0a", b"\0b"))
    assert (answer.outcome, answer.reason) == (Outcome.CONFLICT, reason)
    assert (answer.result, answer.result_content) == (disk, content)
    (conflict,) = answer.conflicts
    assert (conflict.lines, conflict.outside) == (None, True)
    assert all(hunk.conflict == conflict and hunk.disk_lines is None for hunk in answer.hunks)


@pytest.mark.parametrize(
    ("before", "after", "disk", "mode"),
    [
        (0o644, 0o644, 0o600, 0o600),
        (0o644, 0o755, 0o755, 0o644),
        (0o644, 0o755, 0o644, 0o644),
        (0o644, 0o755, 0o700, None),
        (None, 0o755, 0o700, 0o700),
        (0o644, None, 0o700, 0o700),
    ],
)
@pytest.mark.parametrize("moved_on", [False, True])
def test_permissions_go_three_ways_like_the_lines(
    before: int | None, after: int | None, disk: int, mode: int | None, moved_on: bool
) -> None:
    now = edited(AFTER, _5="mine") if moved_on else AFTER
    change = replace(EDIT, before=replace(EDIT.before, mode=before), after=replace(EDIT.after, mode=after))
    answer = plan(ask(change, state(now, mode=disk), now, L10, AFTER))
    if mode is None:
        assert (answer.outcome, answer.reason) == (Outcome.CONFLICT, "its permissions were changed again")
    else:
        assert (answer.outcome, answer.result.mode) == (Outcome.UNDONE, mode)


def test_some_of_the_parts_leave_the_permissions_alone() -> None:
    change = replace(EDIT, before=state(L10, mode=0o644), after=state(AFTER, mode=0o755))
    answer = plan(ask(change, state(AFTER, mode=0o755), AFTER, L10, chosen=frozenset({1})))
    assert (answer.result_content, answer.result.mode) == (edited(L10, _2="two"), 0o755)


def test_a_file_that_comes_back_without_known_permissions_is_readable() -> None:
    gone = changed(replace(state(L10), mode=None), ABSENT)
    answer = plan(ask(gone, ABSENT, None, L10))
    assert (answer.strategy, answer.result.mode) == (Strategy.PRE_IMAGE_RESTORE, DEFAULT_MODE)
    assert answer.result_content == L10


def test_a_strategy_says_how_far_the_file_has_moved_on() -> None:
    mine = edited(AFTER, _5="mine")
    created = changed(ABSENT, state(L10), b"", L10)
    restore = plan(ask(EDIT, state(AFTER), AFTER, L10))
    merge = plan(ask(EDIT, state(mine), mine, L10, AFTER))
    delete = plan(ask(created, state(L10), L10))
    assert (restore.strategy, restore.result_content) == (Strategy.PRE_IMAGE_RESTORE, L10)
    assert (merge.strategy, merge.result_content) == (
        Strategy.SURGICAL_REVERSE_PATCH,
        edited(L10, _5="mine"),
    )
    assert (delete.strategy, delete.result) == (Strategy.DELETE_CREATED_FILE, ABSENT)


@pytest.mark.parametrize("now", [AFTER, edited(AFTER, _5="mine"), b"above\n" + AFTER])
def test_the_exact_hunks_lead_from_the_file_to_the_result(now: bytes) -> None:
    answer = plan_path(ask(EDIT, state(now), now, L10, AFTER))
    result = answer.plan.result_content
    assert result is not None
    assert apply_hunks(now, carry_texts(answer.hunks, now, result)) == result
    assert answer.plan.result.sha256 == sha_of(result)


def test_hunks_are_numbered_over_all_changes_of_the_entry() -> None:
    question = replace(ask(EDIT, state(AFTER), AFTER, L10), first_hunk=3)
    assert [hunk.index for hunk in plan(question).hunks] == [3, 4]


def test_hunks_that_carry_text_stand_in_for_a_snapshot() -> None:
    change = replace(EDIT, hunks=carry_texts(EDIT.hunks, L10, AFTER))
    assert plan(ask(change, state(AFTER), AFTER)).result_content == L10


def test_a_snapshot_that_was_never_kept_is_not_called_expired() -> None:
    change = replace(EDIT, before=replace(EDIT.before, reason="larger than 4,096 bytes"))
    assert said(ask(change, state(AFTER), AFTER)) == (Outcome.UNAVAILABLE, "not_kept")


def test_a_part_that_is_not_chosen_may_be_in_conflict() -> None:
    now = edited(AFTER, _8="mine")
    whole = plan(ask(EDIT, state(now), now, L10, AFTER))
    part = plan(ask(EDIT, state(now), now, L10, AFTER, chosen=frozenset({0})))
    assert (whole.outcome, whole.result_content) == (Outcome.CONFLICT, now)
    assert (part.outcome, part.result_content) == (Outcome.UNDONE, edited(now, _2="line 2"))
    assert [hunk.outcome for hunk in part.hunks] == [HunkOutcome.UNDONE, HunkOutcome.CONFLICT]
    assert part.conflicts == ()


def test_permissions_that_are_back_already_need_no_undo_whatever_the_contents_are_by_now() -> None:
    change = replace(EDIT, before=state(L10, mode=0o644), after=state(L10, mode=0o755), hunks=())
    answer = plan(ask(change, state(AFTER, mode=0o644), AFTER, L10))
    assert (answer.outcome, answer.reason) == (Outcome.ALREADY_UNDONE, "")
