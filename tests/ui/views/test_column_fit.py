from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.ui.models.columns import LedgerColumn
from sulcus_panel.ui.views.column_fit import fit

WIDTHS = {
    LedgerColumn.SEQ: 50,
    LedgerColumn.TIME: 98,
    LedgerColumn.HARNESS: 78,
    LedgerColumn.ACTION: 62,
    LedgerColumn.PLUS_MINUS: 78,
    LedgerColumn.STATE: 132,
    LedgerColumn.DRIFT: 132,
    LedgerColumn.UNDO: 114,
}

BRIEF = {LedgerColumn.TIME: 70, LedgerColumn.HARNESS: 28, LedgerColumn.STATE: 80, LedgerColumn.UNDO: 66}


@given(st.integers(330, 4000))
def test_the_columns_shown_fill_the_room_exactly(room: int) -> None:
    plan = fit(room, WIDTHS, BRIEF)
    widths = {**WIDTHS, **plan.brief}
    shown = sum(width for column, width in widths.items() if column not in plan.hidden)
    assert shown + plan.target + plan.intent == room
    assert LedgerColumn.UNDO not in plan.hidden
    assert LedgerColumn.TARGET not in plan.hidden


@given(st.integers(330, 3000), st.integers(0, 1000))
def test_more_room_never_hides_a_column(room: int, more: int) -> None:
    wide, narrow = fit(room + more, WIDTHS, BRIEF), fit(room, WIDTHS, BRIEF)
    assert wide.hidden <= narrow.hidden
    assert set(wide.brief) <= set(narrow.brief) | narrow.hidden


def test_the_first_to_go_are_drift_and_intent() -> None:
    assert fit(1400, WIDTHS, BRIEF).hidden == frozenset()
    assert fit(1020, WIDTHS, BRIEF).hidden == {LedgerColumn.DRIFT}
    assert fit(900, WIDTHS, BRIEF).hidden == {LedgerColumn.DRIFT, LedgerColumn.INTENT}
    assert not fit(900, WIDTHS, BRIEF).brief


def test_time_and_counts_stay_when_names_and_buttons_are_told_in_brief() -> None:
    plan = fit(560, WIDTHS, BRIEF)
    assert set(plan.brief) == {LedgerColumn.TIME, LedgerColumn.HARNESS, LedgerColumn.STATE, LedgerColumn.UNDO}
    assert not plan.hidden & {LedgerColumn.TIME, LedgerColumn.PLUS_MINUS, LedgerColumn.STATE}
