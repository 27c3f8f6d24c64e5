"""The ways to read what came later."""

from sulcus_panel.core.diff.alignments import Edit, seen
from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.blame import Passage
from sulcus_panel.core.undo.lines import edits_between
from sulcus_panel.core.undo.readings import others, parted, pushed, recorded, slid
from sulcus_panel.core.undo.turn import Merge, Turn

BEFORE = b"x\na\ny\n"
AFTER = b"x\nb\ny\n"


def passage(old: bytes, new: bytes, *, exact: bool = False) -> Passage:
    edits = edits_between(old, new)
    return Passage(seen(edits) if exact else edits, (SeqId(2),), texts=None if exact else (old, new))


def merge(disk: bytes, *steps: Passage) -> Merge:
    turn = Turn.of(BEFORE, AFTER, ())
    now = tuple(disk.splitlines(keepends=True))
    return Merge(turn, now, recorded(turn, now, steps)[0], frozenset({0}))


def test_a_way_that_does_not_hold_gives_way_to_a_comparison_that_names_the_same_people() -> None:
    turn = Turn.of(BEFORE, AFTER, ())
    wrong = Passage((Edit(0, 1, 0, 0, exact=True),), (SeqId(5),))
    edits, known = recorded(turn, (b"new\n", b"x\n", b"b\n", b"y\n"), [wrong])
    assert edits == (Edit(0, 0, 0, 1),)
    assert known[0].seq_ids == (5,)


def test_a_copy_right_beside_the_original_is_read_both_ways() -> None:
    disk = b"x\nb\ny\nx\nb\ny\n"
    both = merge(disk, passage(AFTER, disk))
    assert {slid(both, up=True), slid(both, up=False)} == {(Edit(0, 0, 0, 3),), (Edit(3, 3, 3, 6),)}


def test_what_was_recorded_is_not_compared_anew() -> None:
    disk = b"new\n" + AFTER
    steps = [passage(AFTER, disk, exact=True)]
    assert list(others(merge(disk, *steps), steps)) == []


def test_what_was_seen_stays_and_bounds_what_is_compared_anew() -> None:
    old, new = b"a\n" * 4 + b"x\n" + b"a\n" * 4, b"a\n" * 5 + b"y\n" + b"a\n" * 4
    seen_too = (Edit(0, 0, 0, 1), Edit(4, 5, 5, 6, exact=True))
    turn = Turn.of(BEFORE, old, ())
    now = tuple(new.splitlines(keepends=True))
    steps = [Passage(seen_too, (SeqId(2),), texts=(old, new))]
    ways = [
        *others(Merge(turn, now, seen_too, frozenset()), steps),
        *pushed(Merge(turn, now, (), frozenset()), steps),
    ]
    assert ways
    assert all(seen_too[1] in way for way in ways)
    assert Edit(4, 4, 4, 5) in {way[0] for way in ways}


def test_an_edit_that_put_the_lines_of_a_hunk_in_again_may_end_above_or_begin_below_them() -> None:
    above = merge(b"X\nb\nz\nb\ny\n")
    below = merge(b"x\nb\nz\nb\nY\n")
    assert above.edits == (Edit(0, 1, 0, 3),)
    assert parted(above) == [(Edit(0, 1, 0, 1), Edit(2, 2, 2, 4))]
    assert below.edits == (Edit(2, 3, 2, 5),)
    assert parted(below) == [(Edit(1, 1, 1, 3), Edit(2, 3, 4, 5))]


def test_an_edit_that_was_seen_or_put_in_nothing_like_it_is_not_parted() -> None:
    disk = b"X\nb\nz\nb\ny\n"
    assert parted(merge(b"X\nc\nz\nb\ny\n")) == []
    assert parted(merge(b"X\nb\ny\n")) == []
    now = tuple(disk.splitlines(keepends=True))
    known = (Edit(0, 1, 0, 3, exact=True),)
    assert parted(Merge(Turn.of(BEFORE, AFTER, ()), now, known, frozenset({0}))) == []
