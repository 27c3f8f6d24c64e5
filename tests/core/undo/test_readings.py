"""The ways to read what came later."""

from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.blame import Passage
from sulcus_panel.core.undo.lines import Edit, edits_between
from sulcus_panel.core.undo.readings import others, recorded, slid
from sulcus_panel.core.undo.turn import Merge, Turn

BEFORE = b"x\na\ny\n"
AFTER = b"x\nb\ny\n"


def passage(old: bytes, new: bytes, *, exact: bool = False) -> Passage:
    return Passage(edits_between(old, new), (SeqId(2),), exact=exact, texts=None if exact else (old, new))


def merge(disk: bytes, *steps: Passage) -> Merge:
    turn = Turn.of(BEFORE, AFTER, ())
    now = tuple(disk.splitlines(keepends=True))
    return Merge(turn, now, recorded(turn, now, steps)[0], frozenset({0}))


def test_a_way_that_does_not_hold_gives_way_to_a_comparison_that_names_the_same_people() -> None:
    turn = Turn.of(BEFORE, AFTER, ())
    wrong = Passage((Edit(0, 1, 0, 0),), (SeqId(5),), exact=True)
    edits, exact, known = recorded(turn, (b"new\n", b"x\n", b"b\n", b"y\n"), [wrong])
    assert (edits, exact) == ((Edit(0, 0, 0, 1),), False)
    assert known[0].seq_ids == (5,)


def test_a_copy_right_beside_the_original_is_read_both_ways() -> None:
    disk = b"x\nb\ny\nx\nb\ny\n"
    both = merge(disk, passage(AFTER, disk))
    assert {slid(both, up=True), slid(both, up=False)} == {(Edit(0, 0, 0, 3),), (Edit(3, 3, 3, 6),)}


def test_what_was_recorded_is_not_compared_anew() -> None:
    disk = b"new\n" + AFTER
    steps = [passage(AFTER, disk, exact=True)]
    assert list(others(merge(disk, *steps), steps)) == []
