"""A moved file's two answers, for what real work in end_to_end/test_moves.py does not bring about at will."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from sulcus_panel.core.model import (
    ABSENT,
    Change,
    DiskFile,
    FileKind,
    FileState,
    Hunk,
    LedgerPath,
    Origin,
    SeqId,
    Step,
)
from sulcus_panel.core.undo.model import Outcome, PathPlan, Strategy
from sulcus_panel.core.undo.moves import MovedFile, plan_move
from sulcus_panel.core.undo.question import PathAnswer, Question
from tests.support.clock import NOON
from tests.support.ledgers import change, contents_of, state

OLD, NEW = LedgerPath("old"), LedgerPath("new")
WAS, NOW = b"one\ntwo\n", b"one\ntwo\nthree\n"
NOTHING = DiskFile(ABSENT, None)


def file(data: bytes, mode: int = 0o644) -> DiskFile:
    return DiskFile(state(data, mode=mode), data)


def ask(one: Change, disk: DiskFile, steps: Sequence[Step] = ()) -> Question:
    return Question(one, 0, None, "", disk, steps, contents_of(WAS))


def moved(
    there: DiskFile, here: DiskFile = NOTHING, steps: Sequence[Step] = (), *, mode: int = 0o644
) -> MovedFile:
    """The question whether the file that went from `old` to `new` goes back."""
    came = Change(NEW, ABSENT, state(WAS, mode=mode), (Hunk(0, 0, 0, 2),))
    return MovedFile(ask(change(OLD, WAS, None, Hunk(0, 2, 0, 0)), here), ask(came, there, steps))


def plans(move: MovedFile) -> tuple[PathPlan, PathPlan]:
    old, new = plan_move(move)
    return old.plan, new.plan


def outcomes(move: MovedFile) -> list[Outcome]:
    return [plan.outcome for plan in plans(move)]


def step(before: FileState, after: FileState, origin: Origin = Origin.AGENT) -> Step:
    return Step(SeqId(9), origin, NOON, before, after, ())


def test_the_file_goes_back_as_it_is_now() -> None:
    old, new = plan_move(moved(file(NOW)))
    assert (old.plan.result_content, new.plan.result) == (NOW, ABSENT)
    assert {old.plan.strategy, new.plan.strategy} == {Strategy.SURGICAL_REVERSE_PATCH}
    assert (old.hunks, new.hunks) == ((Hunk(0, 0, 0, 3),), (Hunk(0, 3, 0, 0),))


@pytest.mark.parametrize(("old", "new"), [((0,), ()), ((), (0,)), ((0,), (0,))])
def test_one_side_chosen_takes_the_other_along(old: tuple[int, ...], new: tuple[int, ...]) -> None:
    move = moved(file(NOW))
    parts = MovedFile(replace(move.old, chosen=frozenset(old)), replace(move.new, chosen=frozenset(new)))
    assert plans(parts) == plans(move)


def test_a_move_of_which_nothing_is_chosen_stays_even_where_it_has_no_hunks() -> None:
    move = moved(file(b"\0\n"))
    bare = [
        replace(ask, chosen=frozenset(), change=replace(ask.change, hunks=())) for ask in (move.old, move.new)
    ]
    assert outcomes(MovedFile(*bare)) == [Outcome.NOTHING_TO_UNDO, Outcome.NOTHING_TO_UNDO]


def test_an_unchanged_file_s_pre_image_comes_back() -> None:
    old, new = plans(moved(file(WAS)))
    assert (old.strategy, new.strategy) == (Strategy.PRE_IMAGE_RESTORE, Strategy.DELETE_CREATED_FILE)


def test_bytes_that_are_not_text_have_no_hunks() -> None:
    answers: tuple[PathAnswer, PathAnswer] = plan_move(moved(file(b"\0\n")))
    assert [answer.hunks for answer in answers] == [(), ()]


@pytest.mark.parametrize(
    ("given", "disk", "result"),
    [(0o644, 0o644, 0o644), (0o644, 0o755, 0o755), (0o600, 0o600, 0o644), (0o600, 0o644, 0o644)],
)
def test_permissions_go_three_ways(given: int, disk: int, result: int) -> None:
    old, _ = plans(moved(file(NOW, disk), mode=given))
    assert old.result.mode == result


def test_permissions_changed_twice_are_a_conflict_of_both_paths() -> None:
    old, new = plans(moved(file(NOW, 0o700), mode=0o600))
    assert [old.outcome, new.outcome] == [Outcome.CONFLICT] * 2
    assert old.reason == "its permissions were changed again"


def test_a_refused_path_is_refused_alone() -> None:
    move = moved(file(WAS))
    barred = replace(move, new=replace(move.new, refusal="no"))
    assert outcomes(barred) == [Outcome.UNDONE, Outcome.REFUSED]


@pytest.mark.parametrize("mode", [0o644, 0o755])
def test_the_same_file_at_both_paths_is_only_removed_from_the_new_one(mode: int) -> None:
    assert outcomes(moved(file(WAS), file(WAS, mode))) == [Outcome.ALREADY_UNDONE, Outcome.UNDONE]


def test_another_kind_of_file_at_the_new_path_keeps_both_as_they_are() -> None:
    link = DiskFile(FileState(FileKind.SYMLINK, state(b"x").sha256, 1), b"x")
    folder = DiskFile(FileState(FileKind.DIRECTORY, mode=0o755), None)
    for there in (link, folder):
        assert outcomes(moved(there)) == [Outcome.CONFLICT] * 2


def test_a_file_that_is_too_large_to_be_kept_is_not_moved() -> None:
    assert Outcome.REFUSED in outcomes(moved(DiskFile(state(NOW), None)))


def test_a_file_is_followed_through_its_absences() -> None:
    away = step(state(NOW), ABSENT)
    back = step(ABSENT, state(NOW), Origin.UNDO)
    another = step(ABSENT, state(b"other\n"))
    gone_again = step(state(b"other\n"), ABSENT, Origin.UNDO)
    assert outcomes(moved(file(NOW), steps=(away, back)))[0] is Outcome.UNDONE
    assert outcomes(moved(file(b"other\n"), steps=(away, another)))[0] is Outcome.CONFLICT
    assert outcomes(moved(file(NOW), steps=(away, another, gone_again, back)))[0] is Outcome.UNDONE
    again = step(ABSENT, state(b"other\n"), Origin.UNDO)
    assert outcomes(moved(file(b"other\n"), steps=(away, another, gone_again, again)))[0] is Outcome.CONFLICT


def test_a_file_that_is_nowhere_names_who_took_it() -> None:
    move = moved(NOTHING, steps=(step(state(WAS), ABSENT),))
    old, _ = plans(move)
    assert (old.outcome, old.conflicts[0].with_seq_ids) == (Outcome.CONFLICT, (9,))
    assert old.reason == "the file was deleted since"
    onward = replace(move, new=replace(move.new, moved_to=LedgerPath("third")))
    assert plans(onward)[0].reason == "the file was moved to third since"


def test_a_file_that_an_entry_took_back_has_gone_back_whatever_became_of_it() -> None:
    left, came = step(state(NOW), ABSENT), step(ABSENT, state(NOW))
    move = moved(NOTHING, steps=(left,))
    for here in (file(NOW), file(b"edited\n"), NOTHING):
        back = replace(move, old=replace(move.old, steps=(came,), file=here))
        assert outcomes(back) == [Outcome.ALREADY_UNDONE] * 2
    other = replace(came, seq_id=SeqId(8))
    apart = replace(move, old=replace(move.old, steps=(other,), file=file(NOW)))
    assert outcomes(apart)[0] is Outcome.CONFLICT


def test_a_file_that_went_back_and_came_and_went_again_has_gone_back() -> None:
    back = replace(step(ABSENT, state(NOW)), seq_id=SeqId(12), before=state(NOW))
    left = replace(step(state(NOW), ABSENT), seq_id=SeqId(12))
    move = moved(NOTHING, steps=(left,))
    move = replace(move, old=replace(move.old, steps=(step(ABSENT, state(WAS)), back), file=file(NOW)))
    assert outcomes(move) == [Outcome.ALREADY_UNDONE] * 2


def test_another_file_that_came_by_and_went_to_the_old_path_is_not_the_file_gone_back() -> None:
    other = state(b"other\n")
    gone = replace(step(state(WAS), ABSENT), seq_id=SeqId(8))
    here, there = step(other, ABSENT), step(ABSENT, other)
    came = replace(there, seq_id=SeqId(8))
    move = moved(NOTHING, steps=(gone, came, here))
    old = replace(move.old, steps=(there,), file=file(b"other\n"))
    assert outcomes(replace(move, old=old))[0] is Outcome.CONFLICT


def test_a_file_that_was_deleted_while_another_was_made_at_its_old_path_has_not_gone_back() -> None:
    move = moved(NOTHING, steps=(step(state(WAS), ABSENT),))
    made = replace(move.old, steps=(step(ABSENT, state(b"other\n")),), file=file(b"other\n"))
    assert outcomes(replace(move, old=made))[0] is Outcome.CONFLICT
