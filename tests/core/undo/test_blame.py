"""Who stands on lines, followed through the versions."""

from datetime import timedelta

from sulcus_panel.core.diff.alignments import Edit, seen
from sulcus_panel.core.model import ABSENT, FileKind, FileState, Origin, SeqId, Sha256, Step
from sulcus_panel.core.undo.blame import (
    Passage,
    Who,
    built_on,
    comes_of,
    everybody,
    is_pinned,
    meets,
    standing_on,
    standing_since,
)
from tests.support.clock import NOON


def passage(number: int, *edits: Edit, undo: bool = False) -> Passage:
    return Passage(seen(edits), (SeqId(number),), undo=undo)


def test_touching_is_not_meeting_and_two_points_at_one_place_are() -> None:
    assert not meets(Edit(2, 3, 2, 3), 3, 4)
    assert not meets(Edit(3, 3, 3, 5), 3, 4)
    assert meets(Edit(3, 3, 3, 5), 3, 3)
    assert meets(Edit(3, 3, 3, 5), 2, 4)
    assert not meets(Edit(2, 3, 2, 3), 3, 3)


def test_lines_are_followed_through_insertions_above() -> None:
    trail = (passage(2, Edit(0, 0, 0, 3)), passage(3, Edit(5, 6, 5, 6)), passage(4, Edit(2, 3, 2, 3)))
    assert standing_on(2, 3, trail) == Who((SeqId(3),))


def test_an_undo_takes_the_work_that_it_took_back_off_the_list() -> None:
    trail = (
        passage(2, Edit(2, 3, 2, 5)),
        passage(3, Edit(0, 1, 0, 2)),
        passage(4, Edit(3, 6, 3, 4), undo=True),
        passage(5, Edit(3, 4, 3, 4)),
    )
    assert standing_on(2, 3, trail) == Who((SeqId(5),))


def test_a_redo_stands_there_again() -> None:
    trail = (
        passage(2, Edit(2, 3, 2, 4)),
        passage(3, Edit(2, 4, 2, 3), undo=True),
        passage(4, Edit(2, 3, 2, 4), undo=True),
    )
    assert standing_on(2, 3, trail) == Who((SeqId(4),))


def test_everybody_names_each_once() -> None:
    one = Passage((Edit(0, 1, 0, 1),), (SeqId(5), SeqId(6)))
    assert everybody([one, Passage((), (SeqId(9),), outside=True), one]) == Who((SeqId(5), SeqId(6)))


def state(name: str) -> FileState:
    return FileState(FileKind.FILE, Sha256(name), 1)


def step(number: int, before: FileState, after: FileState) -> Step:
    return Step(SeqId(number), Origin.AGENT, NOON + timedelta(minutes=number), before, after, ())


def test_a_detour_that_ends_where_it_began_stands_in_nobodys_way() -> None:
    a, b, c = state("a"), state("b"), state("c")
    steps = (step(2, a, b), step(3, b, a), step(4, a, c))
    assert standing_since(a, steps, c) == Who((SeqId(4),))
    assert standing_since(a, steps[:2], a) == Who()


def test_a_state_that_no_entry_left_is_outside_work() -> None:
    a, b, c = state("a"), state("b"), state("c")
    assert standing_since(a, (step(2, b, c),), c) == Who((SeqId(2),), outside=True)
    assert standing_since(a, (), ABSENT) == Who((), outside=True)


def test_a_place_is_pinned_where_all_beside_it_was_seen_as_it_happened() -> None:
    loose, exact = Edit(9, 10, 9, 11), Edit(4, 4, 4, 6, exact=True)
    assert is_pinned(2, 3, [Passage((exact, loose))])
    assert not is_pinned(5, 6, [Passage((exact, loose))])
    assert not is_pinned(2, 3, [Passage((exact, loose)), Passage((Edit(0, 0, 0, 1),))])
    assert is_pinned(2, 3, [])


def test_a_line_comes_of_lines_that_an_edit_replaced_and_not_of_others() -> None:
    copied, cut = passage(2, Edit(2, 2, 2, 4)), passage(3, Edit(4, 6, 4, 4))
    assert comes_of(1, 0, 2, [copied, cut])
    assert not comes_of(2, 2, 3, [copied, cut])
    assert comes_of(3, 2, 3, [passage(2, Edit(1, 3, 1, 5))])
    assert not comes_of(7, 2, 3, [passage(2, Edit(1, 3, 1, 5))])


def test_what_an_undo_put_back_may_have_been_there_before() -> None:
    gone, back = passage(2, Edit(2, 3, 2, 2)), passage(3, Edit(2, 2, 2, 3), undo=True)
    assert comes_of(2, 2, 3, [gone, back])


def test_lines_that_came_in_at_a_point_stand_on_it_until_they_are_gone() -> None:
    gone, came = passage(2, Edit(3, 4, 3, 3)), passage(3, Edit(3, 3, 3, 4))
    assert built_on(3, [gone, came]) == [(3, 4)]
    assert not built_on(3, [gone, came, passage(4, Edit(3, 4, 3, 3), undo=True)])
    assert not built_on(3, [gone, came, passage(4, Edit(3, 4, 3, 3))])


def test_what_took_the_place_of_the_lines_beside_a_point_is_not_built_on_it() -> None:
    assert not built_on(3, [passage(2, Edit(3, 4, 3, 6)), passage(3, Edit(0, 0, 0, 2))])


def test_what_took_the_place_of_the_lines_on_both_sides_of_a_point_is_built_on_it_until_it_is_gone() -> None:
    """The lines came back, others came in above them and they went again: their place is known to be between."""
    way = (
        passage(2, Edit(3, 3, 3, 4), undo=True),
        passage(3, Edit(3, 3, 3, 5)),
        passage(4, Edit(5, 6, 5, 5), undo=True),
    )
    assert not built_on(3, way)
    assert not built_on(3, [*way, passage(5, Edit(5, 6, 5, 7))])
    around = passage(5, Edit(4, 6, 4, 6))
    assert built_on(3, [*way, around]) == [(4, 6)]
    assert built_on(3, [*way, around, passage(6, Edit(4, 5, 4, 7))]) == [(4, 8)]
    assert not built_on(3, [*way, around, passage(6, Edit(4, 6, 4, 6), undo=True)])
    assert not built_on(3, [*way, around, passage(6, Edit(4, 6, 4, 4))])
