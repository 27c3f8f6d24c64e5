"""The second look: what has moved is followed, what cannot be told apart is left alone."""

from itertools import pairwise

import pytest

from sulcus_panel.core.diff import diff_hunks
from sulcus_panel.core.model import Hunk, SeqId
from sulcus_panel.core.undo.blame import Passage
from sulcus_panel.core.undo.lines import Edit, edits_between
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


def test_a_copy_right_beside_the_original_is_a_conflict_unless_the_step_was_recorded() -> None:
    disk = [*TURNED[:3], *TURNED[3:8], *TURNED[3:8], *TURNED[8:]]
    assert undo(LINES, TURNED, disk).verdicts[0].outcome is HunkOutcome.CONFLICT
    turn = Turn.of(b"".join(LINES), b"".join(TURNED), diff_hunks(b"".join(LINES), b"".join(TURNED)))
    for edit, place in ((Edit(3, 3, 3, 8), 10), (Edit(8, 8, 8, 13), 5)):
        answer = take_back(turn, b"".join(disk), [Passage((edit,), (SeqId(2),), exact=True)], [0])
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
    turn = Turn.of(b"".join(before), b"".join(after), [Hunk(353, 1, 353, 1)])
    answer = take_back(turn, b"".join(disk), [Passage((step,), (SeqId(2),), exact=True)], [0])
    assert answer.result == b"".join([*before[: step.a0], *block, *before[step.a0 :]])
