from dataclasses import replace
from datetime import timedelta
from html import escape

import pytest

from sulcus_panel.core.model import (
    ActionType,
    CommandFacts,
    DriftKind,
    Entry,
    EntryState,
    FileKind,
    FileState,
    Origin,
    Undoability,
)
from sulcus_panel.ui.models.cell_texts import cell_tip, spoken_text
from sulcus_panel.ui.models.columns import LedgerColumn
from sulcus_panel.ui.models.ledger_row import (
    NEVER,
    PARTLY,
    REDO,
    UNDO,
    LedgerRow,
    UndoCell,
    ledger_row,
    undo_cell,
)
from sulcus_panel.ui.models.wording import clock_time, day_and_time, short_number, signed_counts, size_words
from tests.support.clock import NOON
from tests.support.entries import make_entry


def row_of(entry: Entry) -> LedgerRow:
    return ledger_row(entry, NOON)


def texts(row: LedgerRow) -> list[str]:
    return [badge.text for badge in row.badges]


def test_an_undoable_change_offers_surgical_undo() -> None:
    assert undo_cell(make_entry(1)) == UndoCell(UNDO, True)


def test_an_undone_change_offers_redo() -> None:
    cell = undo_cell(make_entry(1, state=EntryState.UNDONE, undone_by=2, undoability=Undoability.NOT))
    assert (cell.label, cell.enabled, cell.is_redo) == (REDO, True, True)


def test_what_cannot_be_undone_says_why() -> None:
    cell = undo_cell(make_entry(1, undoability=Undoability.NOT, undo_reason="before unknown"))
    assert cell == UndoCell(NEVER, False, "before unknown")


def test_what_can_be_undone_in_part_says_so_in_words_and_why() -> None:
    cell = undo_cell(make_entry(1, undoability=Undoability.PARTLY, undo_reason="1 of 3 files"))
    assert cell == UndoCell(PARTLY, True, "1 of 3 files")
    assert cell.is_partial


def test_fully_partly_and_not_are_told_apart_without_colour_at_every_width() -> None:
    cells = [undo_cell(make_entry(1, undoability=each, undo_reason="why")) for each in Undoability]
    assert len({cell.label for cell in cells}) == len(Undoability)
    assert len({cell.brief for cell in cells}) == len(Undoability)


@pytest.mark.parametrize("undoability", Undoability)
def test_the_reason_is_in_the_tooltip_and_is_spoken(undoability: Undoability) -> None:
    reason = "" if undoability is Undoability.FULLY else "1 of 3 files <b>"
    row = row_of(make_entry(7, undoability=undoability, undo_reason=reason))
    tip, spoken = cell_tip(row, LedgerColumn.UNDO), spoken_text(row, LedgerColumn.UNDO)
    assert escape(reason) in tip
    assert "<b>" not in tip
    assert reason in spoken
    assert "7" in spoken


def test_an_undo_offers_redo_until_it_was_redone() -> None:
    assert undo_cell(make_entry(2, origin=Origin.UNDO)).label == REDO
    assert undo_cell(make_entry(2, origin=Origin.UNDO, state=EntryState.DEFERRED)).enabled
    assert undo_cell(make_entry(2, origin=Origin.UNDO, state=EntryState.UNDONE)).label == ""


def test_an_undo_whose_means_are_gone_says_so_before_anyone_clicks() -> None:
    undo = make_entry(2, origin=Origin.UNDO, undoability=Undoability.NOT, undo_reason="snapshot expired")
    assert undo_cell(undo) == UndoCell(REDO, False, "snapshot expired")
    assert spoken_text(row_of(undo), LedgerColumn.UNDO) == "Change 2 cannot be redone: snapshot expired"


def test_a_change_from_outside_without_a_way_back_says_so_like_every_other() -> None:
    cell = undo_cell(make_entry(1, origin=Origin.OUTSIDE, undoability=Undoability.NOT, undo_reason="why"))
    assert cell == UndoCell(NEVER, False, "why")


def test_a_command_is_shown_as_one_line_without_a_folder() -> None:
    row = row_of(make_entry(1, action=ActionType.RUN_COMMAND, command="git add -A\n  && git commit"))
    assert (row.action, row.name, row.folder) == ("ran", "git add -A && git commit", "")


def test_outside_changes_are_saved_by_nobody_known() -> None:
    row = row_of(make_entry(1, origin=Origin.OUTSIDE))
    assert (row.who, row.action, row.dot) == ("outside", "saved", "outside")


def test_badges_tell_state_files_and_what_was_not_kept() -> None:
    entry = make_entry(1, state=EntryState.DEFERRED)
    change = entry.record.changes[0]
    secret = replace(change, after=FileState(FileKind.FILE, reason="may hold a secret"))
    record = replace(entry.record, changes=(change, secret), exit_code=2)
    assert texts(row_of(replace(entry, record=record))) == ["decide later", "exit 2", "2 files", "hash only"]


@pytest.mark.parametrize("kind", DriftKind)
def test_every_drift_has_a_badge(kind: DriftKind) -> None:
    badge = row_of(make_entry(1, drift=kind)).drift
    assert badge is not None
    assert badge.text
    assert badge.tip


def test_times_of_other_days_carry_the_day() -> None:
    assert clock_time(NOON, NOON) == "12:00:00"
    assert clock_time(NOON - timedelta(days=1), NOON) == "03 Mar 12:00"
    assert clock_time(NOON - timedelta(days=400), NOON) == "2025-01-28"
    assert day_and_time(NOON - timedelta(days=1), NOON) == "yesterday 12:00"


def test_numbers_stay_short() -> None:
    assert [short_number(n) for n in (0, 999, 1204, 35_900, 2_000_000)] == ["0", "999", "1.2k", "35k", "2.0M"]
    assert signed_counts(22, 0) == "+22"
    assert signed_counts(None, None) == ""
    assert [size_words(n) for n in (0, 1842, 36_700, 1_400_000, 2_100_000_000)] == [
        "0 B",
        "1,842 B",
        "36 KB",
        "1.4 MB",
        "2.1 GB",
    ]


def test_a_call_of_another_server_is_named_once_by_what_was_called() -> None:
    entry = make_entry(3, "", action=ActionType.MCP_MUTATION)
    called = replace(entry, record=replace(entry.record, summary="called close_issue of tracker"))
    assert row_of(called).title == "called close_issue of tracker"


def test_what_is_not_sure_is_marked_before_how_many_files_there_were() -> None:
    entry = make_entry(4, command="make")
    one = make_entry(4).record.changes[0]
    facts = CommandFacts(unsure={one.path: "the person may have saved it"})
    assert texts(row_of(replace(entry, record=replace(entry.record, changes=(one, one), ran=facts)))) == [
        "unsure",
        "2 files",
    ]
