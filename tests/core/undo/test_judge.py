"""Hunks judged under one reading."""

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.undo.judge import is_superseded, judge
from sulcus_panel.core.undo.lines import edits_between
from sulcus_panel.core.undo.model import WRITTEN, HunkOutcome
from sulcus_panel.core.undo.turn import Merge, Turn, Verdict

LINES = [b"line number %d here\n" % at for at in range(9)]


def merge(before: list[bytes], after: list[bytes], now: list[bytes]) -> Merge:
    old, new, disk = (b"".join(lines) for lines in (before, after, now))
    turn = Turn.of(old, new, ())
    return Merge(turn, tuple(split_lines(disk)), edits_between(new, disk), frozenset(range(len(turn.hunks))))


def changed(lines: list[bytes], **new: bytes) -> list[bytes]:
    return [new.get(f"_{at}", line) for at, line in enumerate(lines)]


def only(found: Merge) -> Verdict:
    (verdict,) = judge(found)
    return verdict


def test_the_next_line_may_change_and_does_not_matter() -> None:
    after = changed(LINES, _3=b"by the turn\n")
    assert only(merge(LINES, after, changed(after, _4=b"later\n"))) == Verdict(
        HunkOutcome.UNDONE, 3, 4, (LINES[3],)
    )


def test_another_word_of_the_same_line_stays_as_later_work_left_it() -> None:
    after = changed(LINES, _3=b"line number three here\n")
    verdict = only(merge(LINES, after, changed(after, _3=b"line number three is here today\n")))
    assert verdict.outcome is HunkOutcome.REVIEW
    assert verdict.restored == (b"line number 3 is here today\n",)


def test_what_comes_back_beside_its_own_echo_is_shown_first() -> None:
    after = [*LINES[:3], *LINES[4:]]
    now = [*after[:2], b"line number two here\n", b"line number 3 is here again\n", *after[3:]]
    assert only(merge(LINES, after, now)).outcome is HunkOutcome.REVIEW


def test_lines_that_went_with_others_are_superseded_and_those_replaced_alone_are_not() -> None:
    after = changed(LINES, _3=b"by the turn\n")
    gone = merge(LINES, after, [*after[:2], *after[5:]])
    replaced = merge(LINES, after, changed(after, _3=b"quite another\n"))
    another_file = merge(LINES, after, [b"quite another file\n"])
    hunk = gone.turn.hunks[0]
    assert [is_superseded(each, hunk) for each in (gone, replaced, another_file)] == [True, False, False]


def test_a_line_that_later_work_has_put_back_beside_the_turns_own_is_not_put_in_twice() -> None:
    after = [*LINES[:2], LINES[3].replace(b"here", b"there")]
    now = [LINES[0], b"quite another\n", LINES[2], LINES[3]]
    found = only(merge(LINES[:4], after, now))
    assert not (found.outcome in WRITTEN and LINES[2] in found.restored)


def test_lines_that_a_turn_cut_beside_one_it_changed_do_not_come_back_beside_those_that_came_in_there() -> (
    None
):
    """The change itself is undone by hand: all that is left to do would be a guess about the order."""
    other_word = LINES[3].replace(b"line", b"row")
    before, after = LINES[:5], [*LINES[:3], other_word]
    for now in ([*LINES[:4], b"quite another\n"], [*LINES[:3], b"quite another\n", LINES[3]]):
        assert only(merge(before, after, now)).outcome is HunkOutcome.CONFLICT
