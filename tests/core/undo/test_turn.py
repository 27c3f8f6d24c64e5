"""A turn and its hunks: recorded ones where they prove right, and every way to read them."""

from sulcus_panel.core.model import Hunk
from sulcus_panel.core.undo.model import HunkOutcome
from sulcus_panel.core.undo.turn import Turn, Verdict, fuses

BLOCK = b"a\nb\n"


def test_recorded_hunks_count_only_where_they_lead_from_one_text_to_the_other() -> None:
    right = Turn.of(BLOCK, BLOCK * 2, [Hunk(0, 0, 0, 2, exact=True)])
    wrong = Turn.of(BLOCK, BLOCK * 2, [Hunk(0, 0, 1, 1, exact=True)])
    assert (right.exact, wrong.exact) == (True, False)
    assert right.hunks == (Hunk(0, 0, 0, 2, exact=True),)


def test_an_insertion_among_equal_lines_slides_both_ways() -> None:
    turn = Turn.of(BLOCK, BLOCK * 2, ())
    assert turn.slid(up=True).hunks == (Hunk(0, 0, 0, 2),)
    assert turn.slid(up=False).hunks == (Hunk(2, 0, 2, 2),)


def test_a_deletion_among_equal_lines_slides_both_ways() -> None:
    turn = Turn.of(BLOCK * 2, BLOCK, ())
    assert turn.slid(up=True).hunks == (Hunk(0, 2, 0, 0),)
    assert turn.slid(up=False).hunks == (Hunk(2, 2, 2, 0),)


def test_two_verdicts_give_one_text_where_blocks_are_equal() -> None:
    now = (b"a\n", b"b\n", b"a\n", b"b\n")
    one, other = (Verdict(HunkOutcome.UNDONE, at, at + 2) for at in (0, 2))
    assert one.gives(other, now)
    assert not one.gives(Verdict(HunkOutcome.ALREADY_UNDONE, 0, 0), now)


def test_lines_that_would_be_glued_are_noticed() -> None:
    assert fuses((b"end",), (b"a\n", b"b\n"), 1, 1)
    assert not fuses((b"end",), (b"a\n",), 1, 1)
