"""A person decides about later work in the way: it goes too, or only what is left of an addition goes."""

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.undo.judge import judge
from sulcus_panel.core.undo.lines import edits_between
from sulcus_panel.core.undo.model import HunkOutcome, Resolution
from sulcus_panel.core.undo.resolve import GOES_TOO, STAYS, resolved
from sulcus_panel.core.undo.turn import Merge, Turn, Verdict

L10 = [b"line %d\n" % number for number in range(1, 11)]
NEW = [b"new 1\n", b"new 2\n", b"new 3\n"]
ADDED = [*L10[:5], *NEW, *L10[5:]]
WITH_THE_PERSON = [*ADDED[:6], b"mine alone\n", *ADDED[7:]]


def decided(before: list[bytes], after: list[bytes], now: list[bytes], how: Resolution) -> list[Verdict]:
    old, new, disk = (b"".join(lines) for lines in (before, after, now))
    turn = Turn.of(old, new, ())
    chosen = frozenset(range(len(turn.hunks)))
    merge = Merge(turn, tuple(split_lines(disk)), edits_between(new, disk), chosen)
    return resolved(merge, judge(merge), how)


def text(verdict: Verdict, now: list[bytes]) -> list[bytes]:
    return [*now[: verdict.start], *verdict.restored, *now[verdict.end :]]


def test_nothing_is_decided_for_anybody() -> None:
    (verdict,) = decided(L10, ADDED, WITH_THE_PERSON, Resolution.KEEP)
    assert verdict.outcome is HunkOutcome.CONFLICT


def test_all_three_lines_go_with_the_person_s_own_among_them() -> None:
    (verdict,) = decided(L10, ADDED, WITH_THE_PERSON, Resolution.TAKE_ALL)
    assert (verdict.outcome, verdict.reason) == (HunkOutcome.REVIEW, GOES_TOO)
    assert text(verdict, WITH_THE_PERSON) == L10


def test_only_the_untouched_lines_of_an_addition_go() -> None:
    (verdict,) = decided(L10, ADDED, WITH_THE_PERSON, Resolution.REST)
    assert (verdict.outcome, verdict.reason) == (HunkOutcome.REVIEW, STAYS)
    assert text(verdict, WITH_THE_PERSON) == [*L10[:5], b"mine alone\n", *L10[5:]]


def test_old_lines_among_later_ones_have_no_place_so_there_is_no_rest_of_a_replacement() -> None:
    after = [*L10[:2], b"B\n", *L10[3:]]
    now = [*L10[:2], b"C\n", *L10[3:]]
    (rest,) = decided(L10, after, now, Resolution.REST)
    assert rest.outcome is HunkOutcome.CONFLICT
    (whole,) = decided(L10, after, now, Resolution.TAKE_ALL)
    assert text(whole, now) == L10


def test_two_hunks_under_one_later_edit_are_decided_as_one() -> None:
    after = [*L10[:2], b"B\n", L10[3], b"D\n", *L10[5:]]
    now = [*L10[:2], b"all of it anew\n", *L10[5:]]
    one, other = decided(L10, after, now, Resolution.TAKE_ALL)
    assert one == other
    assert one.together == (0, 1)
    assert text(one, now) == L10


def test_a_hunk_that_nobody_stands_on_stays_as_it_was_judged() -> None:
    after = [*L10[:2], b"B\n", *L10[3:8], b"I\n", *L10[9:]]
    now = [*L10[:2], b"C\n", *L10[3:8], b"I\n", *L10[9:]]
    stuck, free = decided(L10, after, now, Resolution.TAKE_ALL)
    assert (stuck.outcome, free.outcome) == (HunkOutcome.REVIEW, HunkOutcome.UNDONE)


def test_a_created_file_goes_back_to_what_the_person_wrote_in_it() -> None:
    made = [b"# Notes\n", b"one\n", b"two\n"]
    now = [b"# Notes\n", b"buy milk\n", b"two\n"]
    (verdict,) = decided([], made, now, Resolution.REST)
    assert text(verdict, now) == [b"buy milk\n"]
