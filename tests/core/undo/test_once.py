"""An undo that is asked for twice never takes back what came between."""

import pytest

from sulcus_panel.core.model import EntryState, SeqId
from sulcus_panel.core.undo.model import Outcome
from tests.support.bench import L10, Bench, edited

SHORTER = L10.replace(b"line 5\n", b"")


def test_a_line_that_came_back_and_was_deleted_by_another_since_stays_deleted(bench: Bench) -> None:
    bench.put("a.txt", b"one\ntwo\n")
    first = bench.agent(b"two\n")
    bench.undo(first)
    bench.agent(b"")
    assert bench.undo(first).outcome is Outcome.ALREADY_UNDONE
    assert bench.read("a.txt") == b""
    assert bench.entry(first).state is EntryState.UNDONE


def test_a_file_that_came_back_and_was_deleted_by_another_since_stays_deleted(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(None)
    bench.undo(first)
    second = bench.agent(None)
    assert bench.undo(first).outcome is Outcome.ALREADY_UNDONE
    assert bench.read("a.txt") is None
    assert bench.undo(second).outcome is Outcome.UNDONE


def test_after_a_redo_it_can_be_undone_again(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(SHORTER)
    undo = bench.undo(first).results[0].undo_seq_id
    assert undo is not None
    bench.undo(undo)
    assert bench.read("a.txt") == SHORTER
    assert bench.undo(first).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == L10


def test_the_redo_may_be_in_the_same_batch(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(SHORTER)
    undo = bench.undo(first).results[0].undo_seq_id
    assert undo is not None
    assert bench.undo(first, undo).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == L10


def test_lines_that_somebody_has_put_back_by_hand_can_go_again(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="two"))
    bench.undo(first)
    bench.put("a.txt", edited(L10, _2="two"))
    assert bench.undo(first).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == L10


def test_a_line_that_was_moved_and_moved_back_is_not_taken_away(bench: Bench) -> None:
    lines = [b"the first line\n", b"another one\n", b"and a third\n", b"the last of them\n"]
    bench.put("a.txt", b"".join(lines))
    first = bench.agent(lines[0] + lines[2] + lines[1] + lines[3])
    bench.undo(first)
    now = b"".join(lines[:3]) + b"somebody's last line\n"
    bench.agent(now)
    result = bench.undo(first)
    assert result.outcome in {Outcome.REFUSED, Outcome.ALREADY_UNDONE, Outcome.CONFLICT}
    assert bench.read("a.txt") == now


def test_an_undo_that_only_closed_an_entry_may_be_taken_back_together_with_it(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(SHORTER)
    bench.put("a.txt", L10)
    closing = bench.undo(first).results[0].undo_seq_id
    assert closing is not None
    bench.put("a.txt", SHORTER)
    assert bench.undo(first, closing).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == L10
    assert bench.entry(first).state is EntryState.UNDONE


def test_a_part_that_went_back_alone_is_left_to_whoever_changed_it_since(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10.replace(b"line 2\n", b""), _7="eight"))
    bench.undo(first, hunks=[0])
    assert bench.read("a.txt") == edited(L10, _8="eight")
    bench.agent(edited(L10, _8="eight").replace(b"line 2\n", b""))
    assert bench.undo(first).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == L10.replace(b"line 2\n", b"")
    assert bench.entry(first).state is EntryState.UNDONE


def test_a_part_whose_undo_was_taken_back_goes_with_the_whole_again(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="two", _8="eight"))
    undo = bench.undo(first, hunks=[0]).results[0].undo_seq_id
    assert undo is not None
    bench.undo(undo)
    assert bench.undo(first).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == L10


def test_an_undone_change_under_later_work_is_already_undone_and_no_conflict(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    bench.undo(first)
    bench.agent(edited(L10, _3="something else"))
    again = bench.plan(first)
    assert (again.outcome, again.conflicts) == (Outcome.ALREADY_UNDONE, ())


def test_a_part_that_went_back_alone_is_not_closed_a_second_time(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="two", _8="eight"))
    bench.undo(first, hunks=[0])
    rows = bench.ledger.newest_seq()
    assert bench.undo(first, hunks=[0]).outcome is Outcome.ALREADY_UNDONE
    assert bench.ledger.newest_seq() == rows
    assert bench.entry(first).state is EntryState.PARTLY_UNDONE


def test_a_moved_line_that_another_undo_moved_back_is_not_lost(bench: Bench) -> None:
    """Two undos of the same move, one by way of a redo: the line is home already, not where it was moved to."""
    lines = [b"the first line\n", b"another one\n", b"and a third\n", b"the last of them\n"]
    bench.put("a.txt", b"".join(lines))
    first = bench.agent(b"".join([*lines[3:], *lines[:3]]))
    undo = bench.undo(first).results[0].undo_seq_id
    assert undo is not None
    redo = bench.undo(undo).results[0].undo_seq_id
    assert redo is not None
    bench.put("a.txt", b"".join([*lines[3:], b"mine\n", *lines[1:3]]))
    assert bench.undo(first).outcome is Outcome.UNDONE
    now = b"".join([b"mine\n", *lines[1:]])
    assert bench.read("a.txt") == now
    assert bench.undo(redo).outcome is Outcome.ALREADY_UNDONE
    assert bench.read("a.txt") == now


def test_a_line_that_was_put_in_place_of_its_neighbour_and_went_back_is_no_trace(bench: Bench) -> None:
    """Between equal lines one line put in and one taken out read as two lines that were replaced."""
    functions = [b"def name_%d(): pass\n}\n" % number for number in range(6)]
    bench.put("a.txt", b"".join(functions))
    new = b"def other_one(): pass\n}\n"
    changed = [functions[0], new, functions[1], *functions[3:5], functions[5].replace(b"pass", b"fail")]
    first = bench.agent(b"".join(changed))
    undo = bench.undo(first).results[0].undo_seq_id
    assert undo is not None
    bench.undo(undo, hunks=[2])
    assert bench.read("a.txt") == b"".join([*functions[:5], changed[5]])
    bench.undo(first)
    assert bench.read("a.txt") == b"".join(functions)


def test_a_line_that_a_redo_brought_back_and_that_was_reworded_since_still_stands(bench: Bench) -> None:
    bench.put("a.txt", b"one\ntwo\n")
    first = bench.agent(b"a new line of words\none\ntwo\n")
    for _ in range(2):
        undo = bench.undo(first).results[0].undo_seq_id
        assert undo is not None
        bench.undo(undo)
    undo = bench.undo(first).results[0].undo_seq_id
    assert undo is not None
    bench.agent(b"")
    bench.undo(undo)
    assert bench.read("a.txt") == b"a new line of words\n"
    bench.agent(b"a new line of other words\n")
    assert bench.undo(first).outcome is Outcome.CONFLICT
    assert bench.entry(first).state is EntryState.RECORDED


def test_a_part_that_went_back_and_whose_lines_another_took_since_stays_as_it_is(bench: Bench) -> None:
    """Its lines are gone by the second undo of the entry, not by the first, whose part is redone already."""
    bench.put("a.txt", b"")
    first = bench.turn({"a.txt": b"some words\n", "b.txt": b"others\n"})
    undo = bench.undo(first).results[0].undo_seq_id
    assert undo is not None
    bench.undo(undo, hunks=[0])
    assert bench.read("a.txt") == b"some words\n"
    bench.undo(first, hunks=[0])
    assert bench.read("a.txt") == b""
    assert bench.undo(undo, hunks=[0]).outcome is Outcome.ALREADY_UNDONE
    assert bench.read("a.txt") == b""


def test_a_link_that_an_entry_took_away_comes_back_with_the_rest_of_it(bench: Bench) -> None:
    """A path without parts is none of those that were taken back alone."""
    bench.put("a.txt", L10)
    bench.link("b", "a.txt")
    was = {path: bench.look(path) for path in ("a.txt", "b")}
    bench.put("a.txt", edited(L10, _2="two", _8="eight"))
    (bench.root / "b").unlink()
    first = bench.record({path: (state, bench.look(path)) for path, state in was.items()})
    bench.undo(first, hunks=[0])
    assert bench.undo(first).outcome is Outcome.UNDONE
    assert (bench.root / "b").is_symlink()
    assert bench.read("a.txt") == L10


def test_an_undone_line_that_stands_there_again_beside_later_work_is_not_called_undone(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="the only such line", _4="another of the kind"))
    bench.undo(first)
    now = edited(L10, _3="the only such line", _4="something else")
    bench.put("a.txt", now)
    assert bench.undo(first).outcome is Outcome.REFUSED
    assert bench.read("a.txt") == now


def test_a_deletion_goes_back_beside_a_line_that_was_moved_and_moved_back(bench: Bench) -> None:
    lines = [b"line number %d here\n" % at for at in range(4)]
    bench.put("a.txt", b"".join(lines))
    first = bench.agent(b"".join(lines[2:]))
    bench.undo(bench.agent(b"".join([lines[3], lines[2]])))
    bench.agent(b"".join([*lines[2:], b"mine\n"]))
    assert bench.undo(first).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == b"".join([*lines, b"mine\n"])


def test_undone_and_brought_back_many_times_it_goes_as_plainly_as_the_first_time(bench: Bench) -> None:
    bench.put("a.txt", L10 * 2)
    first = bench.agent(edited(L10 * 2, _2="two", _8="eight"))
    last = first
    for _ in range(4):
        undo = bench.undo(last).results[0].undo_seq_id
        assert undo is not None
        last = undo
    bench.put("a.txt", edited(L10 * 2, _2="two", _8="eight", _15="mine"))
    assert bench.undo(first).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == edited(L10 * 2, _15="mine")
    assert bench.entry(first).state is EntryState.UNDONE


def test_a_link_that_was_moved_and_went_back_is_in_nobodys_way(bench: Bench) -> None:
    bench.put("a.txt", b"")
    made = bench.link("a.txt", "b.txt")
    was, place = bench.look("a.txt"), bench.look("c.txt")
    (bench.root / "a.txt").rename(bench.root / "c.txt")
    moved = bench.record({"a.txt": (was, bench.look("a.txt")), "c.txt": (place, bench.look("c.txt"))})
    assert bench.undo(moved).outcome is Outcome.UNDONE
    assert bench.undo(moved).outcome is Outcome.ALREADY_UNDONE
    assert bench.undo(made, moved).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == b""


def row_of(bench: Bench, seq_id: SeqId, *hunks: int) -> SeqId:
    """Undo an entry, or some of its hunks, and return the undo's own row."""
    result = bench.undo(seq_id, hunks=hunks or None)
    assert result.outcome is Outcome.UNDONE, result
    row = result.results[0].undo_seq_id
    assert row is not None
    return row


def test_a_part_comes_back_beside_an_equal_line_that_the_rest_of_the_undo_brought_back(bench: Bench) -> None:
    lines = [b"line %d\n" % at for at in range(12)]
    bench.put("a.txt", b"".join([*lines[:3], b"same\n", *lines[3:]]))
    changed = b"".join([*lines[:9], b"same\n", *lines[9:]])
    first = bench.agent(changed)
    part = row_of(bench, first, 1)
    rest = row_of(bench, first)
    assert bench.undo(part).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == b"".join([*lines[:3], b"same\n", *lines[3:9], b"same\n", *lines[9:]])
    assert bench.undo(rest).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == changed


@pytest.mark.parametrize("again", [1, 3])
def test_a_deleted_line_does_not_come_back_beside_itself_where_its_move_was_undone(
    bench: Bench, again: int
) -> None:
    """The undo of the move brought it back where it had come from, or the undo of a redo of the move did."""
    lines = [b"line %d\n" % at for at in range(12)]
    bench.put("a.txt", b"".join([*lines[:3], b"same\n", *lines[3:]]))
    moved = bench.agent(b"".join([*lines[:9], b"same\n", *lines[9:]]))
    cut = bench.agent(b"".join(lines))
    last = row_of(bench, moved)
    for _ in range(1, again):
        last = row_of(bench, last)
    home = b"".join([*lines[:3], b"same\n", *lines[3:]])
    assert bench.read("a.txt") == home
    assert bench.undo(cut).outcome is Outcome.CONFLICT
    assert bench.read("a.txt") == home


def test_a_line_that_two_undos_of_one_change_moved_and_brought_back_is_there_once(bench: Bench) -> None:
    """The redo's undo took it where it had been moved to; then the first undo was redone, which brought it home."""
    bench.put("a.txt", b"the other line\n")
    first = bench.agent(b"a line of words\nthe other line\n")
    undo = row_of(bench, first)
    redo = row_of(bench, undo)
    bench.agent(b"the other line\na line of words\n")
    cut = row_of(bench, redo)
    row_of(bench, undo)
    assert bench.read("a.txt") == b"a line of words\nthe other line\n"
    bench.undo(cut)
    assert bench.read("a.txt") == b"a line of words\nthe other line\n"


def test_a_part_that_came_back_alone_can_go_again_after_the_whole_was_undone(bench: Bench) -> None:
    bench.put("a.txt", L10)
    changed = edited(L10, _2="two\nmore", _8="eight")
    first = bench.agent(changed)
    part = row_of(bench, first, 0)
    rest = row_of(bench, first, 0, 1)
    assert bench.entry(rest).record.reversed_hunks == (1,)
    assert bench.entry(first).state is EntryState.UNDONE
    row_of(bench, part)
    assert bench.entry(first).state is EntryState.PARTLY_UNDONE
    assert bench.read("a.txt") == edited(L10, _2="two\nmore")
    row_of(bench, first, 0)
    assert bench.entry(first).state is EntryState.UNDONE
    assert bench.read("a.txt") == L10


def test_a_part_that_came_back_alone_can_go_again_with_the_whole(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="two\nmore", _8="eight"))
    part = row_of(bench, first, 0)
    row_of(bench, first)
    row_of(bench, part)
    row_of(bench, first)
    assert bench.entry(first).state is EntryState.UNDONE
    assert bench.read("a.txt") == L10


def test_a_redo_whose_change_was_undone_anew_does_not_leave_it_undone_twice(bench: Bench) -> None:
    bench.put("a.txt", L10)
    changed = edited(L10, _2="two")
    first = bench.agent(changed)
    redo = row_of(bench, row_of(bench, first))
    again = row_of(bench, first)
    assert bench.undo(redo).outcome is Outcome.ALREADY_UNDONE
    row_of(bench, again)
    assert bench.read("a.txt") == changed
    assert bench.entry(first).state is EntryState.RECORDED
    row_of(bench, first)
    assert bench.read("a.txt") == L10


def test_a_line_that_an_undo_brought_back_is_not_the_equal_one_that_it_took_elsewhere(bench: Bench) -> None:
    """The turn's own `x = 1` went and the old one came back: nothing is left of the row that brought the former."""
    before = b"x = 1\ndef f():\na\n\n\n"
    bench.put("a.txt", before)
    first = bench.agent(b"a\nb\ndef f():\nx = 1\na\n\n\n")
    redo = row_of(bench, row_of(bench, first, 1))
    row_of(bench, first)
    assert bench.undo(redo).outcome is not Outcome.UNDONE
    assert bench.read("a.txt") == before


def test_a_part_with_other_line_ends_comes_back_as_it_stood(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="two\r", _8="eight"))
    part = row_of(bench, first, 0)
    row_of(bench, first, 1)
    row_of(bench, part)
    assert bench.read("a.txt") == edited(L10, _2="two\r")


@pytest.mark.parametrize("place", [0, 4, 9])
def test_a_cut_line_whose_place_lies_between_replaced_lines_is_not_put_on_top_of_them(
    bench: Bench, place: int
) -> None:
    """It came back, lines came in beside it, it went again: then both its neighbours were written anew."""
    lines = L10.splitlines(keepends=True)
    rest = [*lines[:place], *lines[place + 1 :]]
    new = [b"new one\n", b"new two\n"]
    below = place == 9
    bench.put("a.txt", L10)
    first = bench.agent(b"".join(rest))
    redo = row_of(bench, first)
    at = place + below
    bench.agent(b"".join([*lines[:at], *new, *lines[at:]]))
    row_of(bench, redo)
    there = [*rest[:place], *new, *rest[place:]]
    assert bench.read("a.txt") == b"".join(there)
    over = place - 1 if below else place + 1
    there[over : over + 2] = [b"in place of both\n", b"and of the other\n"]
    bench.agent(b"".join(there))
    assert bench.undo(first).outcome is Outcome.CONFLICT
    assert bench.read("a.txt") == b"".join(there)
