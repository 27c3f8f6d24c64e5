"""Lines that a turn cut and that came back are not put in twice."""

from itertools import pairwise

import pytest

from sulcus_panel.core.diff.alignments import Edit, seen
from sulcus_panel.core.model import Hunk, SeqId
from sulcus_panel.core.undo.blame import Passage
from sulcus_panel.core.undo.lines import edits_between
from sulcus_panel.core.undo.model import HunkOutcome
from sulcus_panel.core.undo.text import Answer, Turn, take_back

LINES = [b"line number %d here\n" % at for at in range(30)]


def undo(before: list[bytes], *versions: list[bytes]) -> Answer:
    """Undo with the versions known, but not how they came about."""
    texts = [b"".join(lines) for lines in versions]
    turn = Turn.of(b"".join(before), texts[0], ())
    passages = [
        Passage(edits_between(old, new), (SeqId(at + 2),), texts=(old, new))
        for at, (old, new) in enumerate(pairwise(texts))
    ]
    return take_back(turn, texts[-1], passages, range(len(turn.hunks)))


def test_a_line_that_an_undo_brought_back_does_not_come_back_twice() -> None:
    """Its neighbour went in between, so that going and coming look like one replaced by the other."""
    before, after = LINES[:4], [LINES[0], *LINES[2:4]]
    now = [LINES[0], LINES[1], LINES[3]]
    turn = Turn.of(b"".join(before), b"".join(after), [Hunk(1, 1, 1, 0, exact=True)])
    steps = [Passage(seen([Edit(1, 2, 1, 1)])), Passage(seen([Edit(1, 1, 1, 2)]), undo=True)]
    answer = take_back(turn, b"".join(now), steps, [0])
    assert answer.verdicts[0].outcome is HunkOutcome.ALREADY_UNDONE
    assert answer.result == b"".join(now)


@pytest.mark.parametrize("now", [[*LINES[:6], *LINES[8:]], [*LINES[:3], *LINES[5:]]])
def test_lines_that_came_back_in_place_of_their_neighbours_are_not_put_in_twice(now: list[bytes]) -> None:
    (verdict,) = undo(LINES, [*LINES[:5], *LINES[6:]], now).verdicts
    assert verdict.outcome is HunkOutcome.ALREADY_UNDONE


def test_lines_that_stand_there_again_with_their_neighbours_ends_are_not_put_in_twice() -> None:
    """Equal ends make going and coming look like shorter changes, none of which is just what the turn took."""
    blocks = [[b"the block number %d\n" % at, b"}\n", b"\n"] for at in range(8)]
    lines = [line for block in blocks for line in block]
    after = [*lines[:15], *lines[18:]]
    other = [*lines[:9], *lines[15:]]
    (verdict,) = undo(lines, after, other, lines).verdicts
    assert verdict.outcome in {HunkOutcome.ALREADY_UNDONE, HunkOutcome.CONFLICT}


def test_a_line_that_came_back_and_went_and_came_back_is_not_put_in_twice() -> None:
    blocks = [[b"the block number %d\n" % at, b"}\n"] for at in range(3)]
    after, now = [*blocks[0], *blocks[1]], [*blocks[1], *blocks[2]]
    turn = Turn.of(b"".join([*after, *blocks[2]]), b"".join(after), [Hunk(4, 2, 4, 0)])
    there, gone = [Edit(4, 4, 4, 6)], [Edit(4, 6, 4, 4)]
    texts = (b"".join(after), b"".join(now))
    steps = [
        Passage(seen(there), (SeqId(2),), undo=True),
        Passage(seen(gone), (SeqId(3),), undo=True),
        Passage((Edit(0, 2, 0, 0), Edit(4, 4, 2, 4)), outside=True, texts=texts),
    ]
    answer = take_back(turn, texts[1], steps, [0])
    assert answer.verdicts[0].outcome is HunkOutcome.ALREADY_UNDONE
    assert answer.result == texts[1]


def test_lines_that_came_back_and_were_moved_are_not_put_in_twice() -> None:
    after, now = [*LINES[:4], *LINES[5:8]], [LINES[0], LINES[4], *LINES[1:4], *LINES[5:8]]
    turn = Turn.of(b"".join(LINES[:8]), b"".join(after), [Hunk(4, 1, 4, 0)])
    texts = b"".join(LINES[:8]), b"".join(now)
    steps = [
        Passage(seen([Edit(4, 4, 4, 5)]), (SeqId(2),), undo=True),
        Passage(edits_between(*texts), (SeqId(3),), texts=texts),
    ]
    assert take_back(turn, texts[1], steps, [0]).result == texts[1]


def test_lines_that_an_undo_of_their_move_brought_back_elsewhere_are_not_put_in_twice() -> None:
    """They had been moved before they were cut. What an undo of the same entry brings back are others."""
    after, now = [*LINES[:4], *LINES[5:8]], [*LINES[:4], *LINES[5:8], LINES[4]]
    both = b"".join([*LINES[:8], LINES[4]])
    for exact in (False, True):
        turn = Turn.of(b"".join(LINES[:8]), b"".join(after), [Hunk(4, 1, 4, 0, exact=exact)])
        edits = seen([Edit(7, 7, 7, 8)])
        answer = take_back(turn, b"".join(now), [Passage(edits, (SeqId(2),), undo=True)], [0])
        assert answer.verdicts[0].outcome is HunkOutcome.CONFLICT
        kin = [Passage(edits, (SeqId(2),), undo=True, kin=True)]
        assert take_back(turn, b"".join(now), kin, [0]).result == both
        written = [Passage(edits, (SeqId(2),))]
        assert take_back(turn, b"".join(now), written, [0]).result == both


@pytest.mark.parametrize("back", [[LINES[4], LINES[9]], [LINES[9], LINES[4]]])
def test_lines_of_which_a_part_came_back_beside_their_place_and_was_changed_are_not_put_in_twice(
    back: list[bytes],
) -> None:
    before, after = [*LINES[:7], *LINES[20:24]], [*LINES[:4], LINES[6], *LINES[20:24]]
    replaced = [*LINES[:4], *back, *LINES[20:24]]
    changed = [line.replace(b"number 4", b"number four") for line in replaced]
    (verdict,) = undo(before, after, replaced, changed).verdicts
    assert verdict.outcome is HunkOutcome.CONFLICT
    gone = [*LINES[:4], LINES[9], *LINES[20:24]]
    assert undo(before, after, replaced, gone).result == b"".join([*LINES[:6], LINES[9], *LINES[20:24]])


def test_a_line_that_somebody_moved_back_is_not_taken_from_there_as_if_it_were_still_moved() -> None:
    """What stood beside it went elsewhere since, so that it does not stand right at the place that is looked at."""
    before, after = LINES[:5], [LINES[0], LINES[4], *LINES[1:4]]
    now = [*LINES[1:4], LINES[0], LINES[4]]
    texts = b"".join(after), b"".join(before)
    turn = Turn.of(texts[1], texts[0], ())
    steps = [
        Passage(edits_between(*texts), outside=True, texts=texts),
        Passage(seen([Edit(0, 1, 0, 0), Edit(4, 4, 3, 4)]), (SeqId(3),), undo=True),
    ]
    answer = take_back(turn, b"".join(now), steps, range(len(turn.hunks)))
    assert answer.result == b"".join(now)
