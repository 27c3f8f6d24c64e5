from array import array

from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.ui.models.row_moves import MOST_RUNS, RowRun, row_moves


def ids(*values: int) -> "array[int]":
    return array("q", values)


def carried_out(old: "array[int]", new: "array[int]") -> "array[int] | None":
    moves = row_moves(old, new)
    if moves is None:
        return None
    now = array("q", old)
    for run in moves.removed:
        del now[run.first : run.last + 1]
    for run in moves.inserted:
        now[run.first : run.first] = new[run.first : run.last + 1]
    return now


def test_new_rows_on_top_are_one_run() -> None:
    moves = row_moves(ids(3, 2, 1), ids(5, 4, 3, 2, 1))
    assert moves is not None
    assert moves.inserted == (RowRun(0, 1),)
    assert moves.removed == ()


def test_rows_let_go_at_the_end_are_one_run() -> None:
    moves = row_moves(ids(5, 4, 3, 2, 1), ids(6, 5, 4))
    assert moves is not None
    assert moves.removed == (RowRun(2, 4),)
    assert moves.inserted == (RowRun(0, 0),)


def test_another_order_is_no_move() -> None:
    assert row_moves(ids(3, 2, 1), ids(1, 2, 3)) is None


def test_too_many_runs_are_no_move() -> None:
    old = array("q", range(4 * MOST_RUNS))
    assert row_moves(old, old[::2]) is None


@given(st.lists(st.integers(0, 40), unique=True), st.lists(st.integers(0, 40), unique=True))
def test_moves_lead_from_one_list_to_the_other(old: list[int], new: list[int]) -> None:
    before = array("q", sorted(old, reverse=True))
    after = array("q", sorted(new, reverse=True))
    assert carried_out(before, after) == after
