from array import array

from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.ui.models.row_moves import MOST_RUNS, KnownMoves, RowMoves, RowRun, ShownIds, row_moves


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


@given(st.permutations(range(8)), st.permutations(range(4, 12)), st.integers(0, 8), st.integers(0, 8))
def test_whatever_the_order_moves_are_right_or_none(
    old: list[int], new: list[int], left_of_old: int, left_of_new: int
) -> None:
    before, after = array("q", old[:left_of_old]), array("q", new[:left_of_new])
    stays_before = [each for each in before if each in after]
    stays_after = [each for each in after if each in before]
    assert carried_out(before, after) == (after if stays_before == stays_after else None)


def test_new_rows_above_and_rows_let_go_below_are_found_without_a_look_at_each() -> None:
    old = array("q", range(50_000, 0, -1))
    moves = row_moves(old, array("q", range(50_064, 64, -1)))
    assert moves == RowMoves((RowRun(49_936, 49_999),), (RowRun(0, 63),))


def test_the_first_rows_of_all_are_one_run() -> None:
    assert row_moves(ids(), ids(3, 2, 1)) == RowMoves((), (RowRun(0, 2),))
    assert row_moves(ids(), ids()) == RowMoves((), ())


def test_rows_that_went_in_many_places_and_came_in_one_are_runs_of_their_own() -> None:
    old = array("q", range(1_000, 0, -1))
    new = array("q", [each for each in old if each % 10])
    new[500:500] = array("q", range(2_000, 2_050))
    moves = row_moves(old, new)
    assert moves is not None
    assert (len(moves.removed), moves.inserted) == (100, (RowRun(500, 549),))
    assert carried_out(old, new) == new


def test_what_a_worker_found_says_which_rows_it_compared() -> None:
    found = ShownIds(7, ids(3, 2, 1)).moves_to(ids(4, 3, 2, 1))
    assert found == KnownMoves(7, RowMoves((), (RowRun(0, 0),)))
