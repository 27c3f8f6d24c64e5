from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.ui.models.columns import LedgerColumn
from sulcus_panel.ui.views.column_fit import fit

WIDTHS = {
    LedgerColumn.SEQ: 50,
    LedgerColumn.TIME: 70,
    LedgerColumn.HARNESS: 78,
    LedgerColumn.ACTION: 62,
    LedgerColumn.PLUS_MINUS: 78,
    LedgerColumn.STATE: 132,
    LedgerColumn.DRIFT: 132,
    LedgerColumn.UNDO: 114,
}


@given(st.integers(330, 4000))
def test_the_columns_shown_fill_the_room_exactly(room: int) -> None:
    plan = fit(room, WIDTHS)
    shown = sum(width for column, width in WIDTHS.items() if column not in plan.hidden)
    assert shown + plan.target + plan.intent == room
    assert LedgerColumn.UNDO not in plan.hidden
    assert LedgerColumn.TARGET not in plan.hidden


@given(st.integers(330, 3000), st.integers(0, 1000))
def test_more_room_never_hides_a_column(room: int, more: int) -> None:
    assert fit(room + more, WIDTHS).hidden <= fit(room, WIDTHS).hidden


def test_the_first_to_go_are_drift_and_intent() -> None:
    assert fit(1400, WIDTHS).hidden == frozenset()
    assert fit(900, WIDTHS).hidden == {LedgerColumn.DRIFT}
    assert fit(800, WIDTHS).hidden == {LedgerColumn.DRIFT, LedgerColumn.INTENT}
