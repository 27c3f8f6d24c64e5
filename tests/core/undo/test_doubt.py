"""The second look: what has moved is followed, what cannot be told apart is left alone."""

from itertools import pairwise

import pytest

from sulcus_panel.core.diff.alignments import Edit, seen
from sulcus_panel.core.model import Hunk, SeqId
from sulcus_panel.core.undo.blame import Passage
from sulcus_panel.core.undo.doubt import AMBIGUOUS
from sulcus_panel.core.undo.lines import edits_between
from sulcus_panel.core.undo.model import HunkOutcome
from sulcus_panel.core.undo.text import Answer, Turn, take_back

LINES = [b"line number %d here\n" % at for at in range(30)]
TURNED = [*LINES[:5], b"by the turn\n", *LINES[6:]]


def undo(before: list[bytes], *versions: list[bytes]) -> Answer:
    """Undo with the versions known, but not how they came about."""
    texts = [b"".join(lines) for lines in versions]
    turn = Turn.of(b"".join(before), texts[0], ())
    passages = [
        Passage(edits_between(old, new), (SeqId(at + 2),), texts=(old, new))
        for at, (old, new) in enumerate(pairwise(texts))
    ]
    return take_back(turn, texts[-1], passages, range(len(turn.hunks)))


def test_a_block_that_moved_with_its_neighbours_is_followed() -> None:
    moved = [*TURNED[:3], *TURNED[8:20], *TURNED[3:8], *TURNED[20:]]
    answer = undo(LINES, TURNED, moved)
    assert answer.verdicts[0].outcome is HunkOutcome.MOVED
    assert answer.result == b"".join([*LINES[:3], *LINES[8:20], *LINES[3:8], *LINES[20:]])


def test_a_block_that_moved_and_was_copied_is_not_followed() -> None:
    moved = [*TURNED[:3], *TURNED[8:20], *TURNED[3:8], *TURNED[20:25], *TURNED[3:8], *TURNED[25:]]
    assert undo(LINES, TURNED, moved).verdicts[0].outcome is HunkOutcome.CONFLICT


def test_lines_that_were_deleted_by_one_turn_and_written_anew_by_another_have_not_moved() -> None:
    gone = [*TURNED[:3], *TURNED[8:]]
    answer = undo(LINES, TURNED, gone, [*gone, *TURNED[3:8]])
    assert answer.verdicts[0].outcome in {HunkOutcome.CONFLICT, HunkOutcome.SUPERSEDED}


def test_a_line_that_only_the_turn_wrote_goes_wherever_it_was_moved_to() -> None:
    after = [*LINES[:5], b"only the turn wrote this\n", *LINES[5:]]
    moved = [*LINES[:5], *LINES[5:9], b"only the turn wrote this\n", *LINES[9:]]
    assert undo(LINES, after, moved).result == b"".join(LINES)


@pytest.mark.parametrize("places", [("b", "c"), ("c", "b")])
def test_of_a_block_that_was_renamed_and_its_copy_nobody_knows_which_is_which(
    places: tuple[str, str],
) -> None:
    before, after = (
        [b"x = 1\n", b"\n", b"def a():\n", line, b"\n", b"y = 2\n"] for line in (b" 0\n", b" 1\n")
    )
    first, second = (f"def {name}():\n".encode() for name in places)
    disk = [*after[:2], first, b" 1\n", b"\n", second, b" 1\n", *after[4:]]
    (verdict,) = undo(before, after, disk).verdicts
    assert (verdict.outcome, verdict.reason) == (HunkOutcome.CONFLICT, AMBIGUOUS)


def test_a_copy_right_beside_the_original_is_a_conflict_unless_the_step_was_recorded() -> None:
    disk = [*TURNED[:3], *TURNED[3:8], *TURNED[3:8], *TURNED[8:]]
    assert undo(LINES, TURNED, disk).verdicts[0].outcome is HunkOutcome.CONFLICT
    turn = Turn.of(b"".join(LINES), b"".join(TURNED), [Hunk(5, 1, 5, 1, exact=True)])
    for edit, place in ((Edit(3, 3, 3, 8), 10), (Edit(8, 8, 8, 13), 5)):
        answer = take_back(turn, b"".join(disk), [Passage(seen([edit]), (SeqId(2),))], [0])
        assert answer.result == b"".join([*disk[:place], LINES[5], *disk[place + 1 :]])


BLOCK = [b"try:\n", b"    step()\n", b"except Error:\n", b"    pass\n", b"\n"]
LOGGED = [*BLOCK[:3], b"    log()\n", b"\n"]


@pytest.mark.parametrize("step", [Edit(0, 0, 0, 15), Edit(355, 355, 355, 360)])
def test_among_equal_blocks_recorded_steps_find_the_one_and_a_no_op_is_never_taken_for_done(
    step: Edit,
) -> None:
    """One more block is put in by later work, on top or right behind: git calls the change undone."""
    before, after = BLOCK * 101, [*BLOCK * 70, *LOGGED, *BLOCK * 30]
    block = BLOCK if step.a0 else LOGGED * 3
    disk = [*after[: step.a0], *block, *after[step.a0 :]]
    assert undo(before, after, disk).verdicts[0].outcome is not HunkOutcome.ALREADY_UNDONE
    turn = Turn.of(b"".join(before), b"".join(after), [Hunk(353, 1, 353, 1, exact=True)])
    answer = take_back(turn, b"".join(disk), [Passage(seen([step]), (SeqId(2),))], [0])
    assert answer.result == b"".join([*before[: step.a0], *block, *before[step.a0 :]])


def test_a_copy_is_not_taken_for_a_line_that_later_work_deleted() -> None:
    """The copy is put above the original, and then the original goes: what is left is not the turn's."""
    copied = [*TURNED[:4], *TURNED[5:9], *TURNED[4:]]
    disk = [*copied[:7], *copied[11:]]
    turn = Turn.of(b"".join(LINES), b"".join(TURNED), [Hunk(5, 1, 5, 1, exact=True)])
    steps = [Passage(seen([edit])) for edit in (Edit(4, 4, 4, 8), Edit(7, 11, 7, 7))]
    answer = take_back(turn, b"".join(disk), steps, [0])
    assert answer.verdicts[0].outcome in {HunkOutcome.CONFLICT, HunkOutcome.SUPERSEDED}


def test_of_two_equal_lines_side_by_side_nobody_knows_which_one_was_edited_later() -> None:
    after = [*LINES[:6], LINES[5], *LINES[6:]]
    for edited in (5, 6):
        disk = [*after[:edited], b"edited later\n", *after[edited + 1 :]]
        assert undo(LINES, after, disk).verdicts[0].outcome is HunkOutcome.CONFLICT
        exact = Turn.of(b"".join(LINES), b"".join(after), [Hunk(6, 0, 6, 1, exact=True)])
        step = Passage((Edit(edited, edited + 1, edited, edited + 1, exact=True),), (SeqId(2),))
        answer = take_back(exact, b"".join(disk), [step], [0])
        assert answer.verdicts[0].clean is (edited == 5)


def test_only_what_lies_beside_a_loose_edit_is_in_doubt() -> None:
    after = [*LINES[:5], b"\n", *LINES[5:25], b"\n", *LINES[25:]]
    disk = [*after[:5], b"\n", *after[5:]]
    hunks = [Hunk(5, 0, 5, 1, exact=True), Hunk(25, 0, 26, 1, exact=True)]
    steps = [Passage((Edit(5, 5, 5, 6),), (SeqId(2),), texts=(b"".join(after), b"".join(disk)))]
    answer = take_back(Turn.of(b"".join(LINES), b"".join(after), hunks), b"".join(disk), steps, [0, 1])
    assert answer.verdicts[1].outcome is HunkOutcome.UNDONE
    assert answer.result == b"".join([*LINES[:5], b"\n", *LINES[5:]])


def test_what_somebody_put_back_and_then_edited_is_undone_already() -> None:
    after = [*LINES[:5], *LINES[6:]]
    edited = [*LINES[:5], b"line number 5 here, edited\n", *LINES[6:]]
    assert undo(LINES, after, LINES, edited).verdicts[0].outcome is HunkOutcome.ALREADY_UNDONE
    assert undo(LINES, after, LINES, after, edited).verdicts[0].outcome is not HunkOutcome.ALREADY_UNDONE


def test_a_blank_line_that_moved_is_followed_by_as_many_neighbours_as_say_something() -> None:
    after = [*LINES[:10], b"\n", *LINES[11:]]
    after[9] = b"\n"
    before = [*after[:10], LINES[10], *after[11:]]
    moved = [*after[:7], *after[14:28], *after[7:14], *after[28:]]
    answer = undo(before, after, moved)
    assert answer.verdicts[0].outcome is HunkOutcome.MOVED
    assert answer.result == b"".join([*before[:7], *before[14:28], *before[7:14], *before[28:]])


def test_a_line_that_was_moved_back_is_not_taken_for_the_moved_one_below_new_lines() -> None:
    before, after = [LINES[1], LINES[0]], LINES[:2]
    new = [*LINES[7:9], *before]
    texts = [b"".join(lines) for lines in (after, before, new)]
    turn = Turn.of(b"".join(before), texts[0], [Hunk(0, 0, 0, 1), Hunk(1, 1, 2, 0)])
    edits = ([Edit(0, 1, 0, 0), Edit(2, 2, 1, 2)], [Edit(0, 0, 0, 2)])
    steps = [
        Passage(tuple(each), (SeqId(2),), texts=pair)
        for each, pair in zip(edits, pairwise(texts), strict=True)
    ]
    answer = take_back(turn, texts[-1], steps, [0, 1])
    assert answer.result == texts[-1]
    assert {each.outcome for each in answer.verdicts} <= {HunkOutcome.ALREADY_UNDONE, HunkOutcome.CONFLICT}


def test_a_neighbour_that_went_and_came_back_is_no_doubt_about_where_cut_lines_stood() -> None:
    after = LINES[2:6]
    now = [*after, LINES[9]]
    turn = Turn.of(b"".join(LINES[:6]), b"".join(after), [Hunk(0, 2, 0, 0)])
    texts = b"".join(after), b"".join(now)
    steps = [
        Passage((Edit(0, 1, 0, 0, exact=True),), (SeqId(2),)),
        Passage((Edit(0, 0, 0, 1, exact=True),), (SeqId(3),)),
        Passage((Edit(4, 4, 4, 5),), (SeqId(4),), texts=texts),
    ]
    assert take_back(turn, texts[1], steps, [0]).result == b"".join([*LINES[:6], LINES[9]])


def test_a_line_that_stands_elsewhere_in_a_text_written_anew_is_not_put_in_at_its_end() -> None:
    after = LINES[:3]
    anew = [LINES[9], LINES[7], LINES[8]]
    (verdict,) = undo([*after, LINES[9]], after, anew).verdicts
    assert verdict.outcome is HunkOutcome.CONFLICT


def test_lines_do_not_go_back_beside_later_ones_that_came_in_where_they_had_stood() -> None:
    """What stood below was gone by then: together both look as if one line had taken the place of the other."""
    after, now = LINES[1:2], [LINES[9]]
    turn = Turn.of(b"".join(LINES[:2]), b"".join(after), [Hunk(0, 1, 0, 0)])
    gone, came = Edit(0, 1, 0, 0, exact=True), Edit(0, 0, 0, 1, exact=True)
    for is_undo in (False, True):
        steps = [Passage((edit,), (SeqId(at),), undo=is_undo) for at, edit in ((2, gone), (3, came))]
        (verdict,) = take_back(turn, b"".join(now), steps, [0]).verdicts
        assert verdict.outcome is HunkOutcome.CONFLICT
        assert verdict.who.seq_ids == (3,)
    (step,) = (Passage((Edit(0, 1, 0, 1, exact=True),), (SeqId(2),)),)
    assert take_back(turn, b"".join(now), [step], [0]).result == LINES[0] + LINES[9]


def test_a_line_that_was_moved_and_changed_at_once_is_not_called_gone() -> None:
    own, changed, other = b"the turn wrote this\n", b"the turn wrote that\n", b"quite another line\n"
    turned = [own, *LINES[:4]]
    (verdict,) = undo(LINES[:4], turned, [*LINES[:4], changed]).verdicts
    assert verdict.outcome is HunkOutcome.CONFLICT
    (verdict,) = undo(LINES[:4], turned, [*LINES[:4], other]).verdicts
    assert verdict.outcome is HunkOutcome.ALREADY_UNDONE


def test_a_line_that_stood_before_the_turn_is_no_heir_of_the_turns_line_that_was_like_it() -> None:
    old, own = b"the person wrote this\n", b"the person wrote that\n"
    answer = undo([*LINES[:4], old], [own, *LINES[:4]], [*LINES[:4], old])
    assert {verdict.outcome for verdict in answer.verdicts} == {HunkOutcome.ALREADY_UNDONE}


def test_a_line_changed_below_new_ones_does_not_come_back_above_later_work_that_came_in_between() -> None:
    """Among equal lines a comparison takes the line above the later work for the one that the turn put first."""
    blocks = [[b"the %d first of %d\n" % (at, at + 40), b"}\n", b"\n"] for at in range(6)]
    one, two = ([block[0].replace(b"first", b"second"), *block[1:]] for block in blocks[:2])
    before = [*blocks[0], *blocks[1]]
    turned = [*blocks[2], *one, *two]
    answer = undo(before, turned, [*blocks[2], *blocks[3], *one, *two])
    assert answer.verdicts[0].outcome is HunkOutcome.CONFLICT
    assert undo(before, turned).result == b"".join(before)
    assert undo(before, turned, [*turned, *blocks[3]]).result == b"".join([*before, *blocks[3]])


def test_lines_that_stand_there_again_among_equal_ends_are_not_called_undone() -> None:
    blocks = [[b"the block number %d\n" % at, b"}\n"] for at in range(8)]
    before = [line for at in (0, 1, 2, 5) for line in blocks[at]]
    turned = [line for at in (0, 1, 2, 3, 4, 5) for line in blocks[at]]
    replaced = [line for at in (0, 6, 7, 5) for line in blocks[at]]
    turn = Turn.of(b"".join(before), b"".join(turned), ())
    texts = [b"".join(lines) for lines in (turned, before, replaced, turned)]
    steps = [
        Passage(seen([Edit(6, 12, 6, 8)]), (SeqId(2),), undo=True),
        *(
            Passage(edits_between(old, new), (SeqId(at),), texts=(old, new))
            for at, (old, new) in enumerate(pairwise(texts[1:]), 3)
        ),
    ]
    answer = take_back(turn, texts[-1], steps, range(len(turn.hunks)))
    assert HunkOutcome.ALREADY_UNDONE not in {verdict.outcome for verdict in answer.verdicts}


def test_a_line_that_stood_before_the_turn_is_not_taken_along_with_one_that_was_found_in_its_place() -> None:
    """Among equal lines a comparison takes the line below a cut one for what the turn had put in its place."""
    blocks = [[b"the block number %d\n" % at, b"}\n", b"\n"] for at in range(6)]
    before = [line for at in (0, 1, 2, 3, 4) for line in blocks[at]]
    turned = [line for at in (0, 1, 2, 4, 5) for line in blocks[at]]
    moved = [line for at in (0, 4, 1, 2, 5) for line in blocks[at]]
    answer = undo(before, turned, moved)
    assert {verdict.outcome for verdict in answer.verdicts} == {HunkOutcome.CONFLICT}
    assert undo(before, turned).result == b"".join(before)
