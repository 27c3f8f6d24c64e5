"""The window as one sees and uses it: selection, panes, focus, widths, and what stays when it is closed."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QTableView,
    QWidget,
)

from sulcus_panel.core.errors import LedgerBusy
from sulcus_panel.core.model import EntryState
from sulcus_panel.service.changes import Changes
from sulcus_panel.ui.actions import Verb
from sulcus_panel.ui.dialogs.key_sheet import KeySheet
from sulcus_panel.ui.models.columns import LedgerColumn
from sulcus_panel.ui.models.row_moves import KnownMoves
from sulcus_panel.ui.theme import DARK, LIGHT, Theme, theme_of
from sulcus_panel.ui.views.fact_list import FactList
from sulcus_panel.ui.views.view_list import SidebarView
from tests.support.desk import SECOND, THIRD, Desk
from tests.support.shown_sheet import said

CONTROL = Qt.KeyboardModifier.ControlModifier
BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def test_selecting_a_row_is_its_diff(desk: Desk) -> None:
    desk.select(desk.entries[1])
    diff = desk.window.parts.pane.diff
    assert diff.document.path == "src/app.py"
    assert diff.document.old_label == f"before #{desk.entries[1].seq_id}"
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_2)
    desk.settle()
    assert diff.document.new_label == "on disk now"
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_3)
    desk.settle()
    assert diff.document.new_label == "after undo"


def test_the_newest_selection_wins(desk: Desk) -> None:
    table = desk.window.parts.table
    for entry in (desk.entries[0], desk.entries[1], desk.entries[2], desk.entries[0]):
        table.select_entry(entry.seq_id)
    desk.settle()
    assert desk.window.parts.pane.diff.document.new_label == f"after #{desk.entries[0].seq_id}"
    assert desk.window.parts.details.seq_id == desk.entries[0].seq_id


def test_drift_shows_a_banner_that_leads_to_the_outside_change(desk: Desk) -> None:
    desk.select(desk.entries[2])
    desk.build.outside("src/app.py", THIRD + "mine\n")
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_F5)
    desk.until(desk.window.parts.pane.banner.isVisible)
    said = desk.window.parts.pane.banner.accessibleName()
    assert said == "Changed outside the agents: Those lines are kept when you undo."
    desk.window.parts.pane.banner.action_requested.emit()
    desk.settle()
    assert desk.window.parts.pane.diff.document.new_label == "on disk now"


def test_rows_of_others_arrive_without_moving_the_selection(desk: Desk) -> None:
    desk.select(desk.entries[0])
    fresh = desk.build.write("src/other.py", "new\n")
    desk.app.signals.changed.emit(Changes(new_entries=(fresh.seq_id,), touched=None))
    desk.until(lambda: desk.window.model.row_of(fresh.seq_id) == 0)
    assert desk.window.parts.table.current_seq_id == desk.entries[0].seq_id


def test_an_expected_error_is_shown_in_the_window_and_can_be_dismissed(desk: Desk) -> None:
    desk.app.desk.report(LedgerBusy("The ledger is busy", "Another program writes.", "Wait a moment."))
    desk.until(desk.window.parts.messages.isVisible)
    assert "Wait a moment." in desk.window.parts.messages.accessibleName()
    desk.window.parts.messages.action_requested.emit()
    assert not desk.window.parts.messages.isVisible()


def test_copy_as_patch_puts_the_change_on_the_clipboard(desk: Desk) -> None:
    desk.select(desk.entries[1])
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_C, BOTH)
    desk.settle()
    assert "+TWO" in QGuiApplication.clipboard().text()


def test_the_theme_follows_the_menu_everywhere(desk: Desk) -> None:
    parts = desk.window.parts
    shown = (desk.window, parts.top, parts.pane, parts.pane.diff, parts.filters.search)
    for verb, theme in ((Verb.THEME_DARK, DARK), (Verb.THEME_LIGHT, LIGHT)):
        desk.window.actions_by_verb[verb].trigger()
        desk.until(partial(_all_in, theme, shown))


def _all_in(theme: Theme, parts: Sequence[QWidget]) -> bool:
    return all(theme_of(part.palette()) is theme for part in parts)


def test_undo_history_lists_what_was_decided(desk: Desk) -> None:
    desk.window.undo_flow.undo((desk.entries[1].seq_id,))
    desk.planned().close()
    desk.settle()
    desk.window.parts.sidebar.page_requested.emit(SidebarView.UNDO_HISTORY)
    desk.settle()
    assert desk.window.parts.records.isVisible()
    desk.window.parts.records.entry_requested.emit(desk.entries[1].seq_id)
    assert not desk.window.parts.records.isVisible()
    assert desk.window.parts.table.current_seq_id == desk.entries[1].seq_id


def test_a_search_without_hits_says_so_and_offers_the_way_back(desk: Desk) -> None:
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert desk.window.parts.filters.search.hasFocus()
    QTest.keyClicks(desk.window.parts.filters.search, "zzz")
    desk.until(desk.window.parts.empty.isVisible)
    desk.window.parts.empty.action_requested.emit()
    desk.until(desk.window.parts.table.isVisible)


def test_whatever_can_have_the_focus_has_a_name_for_screen_readers(desk: Desk) -> None:
    desk.select(desk.entries[1])
    assert not nameless(desk.window)
    desk.window.undo_flow.undo((desk.entries[1].seq_id,))
    sheet = desk.planned()
    assert not nameless(sheet)
    desk.press("undo_button")
    desk.settle()
    assert not nameless(sheet)
    sheet.close()
    desk.window.actions_by_verb[Verb.KEYS].trigger()
    keys = desk.window.findChild(KeySheet)
    assert keys is not None
    assert not nameless(keys)
    keys.close()


def nameless(window: QWidget) -> list[QWidget]:
    """What a person can reach by key and a screen reader has no name for."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    ]


def test_f6_goes_around_the_panes_and_back(desk: Desk) -> None:
    desk.select(desk.entries[1])
    parts = desk.window.parts
    seen = []
    for key, shift in ((Qt.Key.Key_F6, False),) * 4 + ((Qt.Key.Key_F6, True),):
        modifier = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
        QTest.keyClick(desk.window, key, modifier)
        seen.append(next(pane for pane in parts.panes if _has_focus(pane)))
    assert seen == [parts.pane.diff, parts.details, parts.filters.search, parts.sidebar, parts.filters.search]


def _has_focus(pane: QWidget) -> bool:
    return any(widget.hasFocus() for widget in (pane, *pane.findChildren(QWidget)))


def test_a_narrow_window_keeps_the_table_readable_without_the_details(desk: Desk) -> None:
    parts = desk.window.parts
    for width, shown in ((760, False), (1000, True), (1440, True)):
        desk.window.resize(width, 640)
        assert parts.details.isVisible() is shown
        desk.until(
            partial(_shows, parts.table, LedgerColumn.TIME, LedgerColumn.PLUS_MINUS, LedgerColumn.UNDO)
        )


def _shows(table: QTableView, *columns: LedgerColumn) -> bool:
    return not any(table.isColumnHidden(column) for column in columns)


def test_reset_layout_gives_columns_their_first_width_again(desk: Desk) -> None:
    table = desk.window.parts.table
    first = table.columnWidth(LedgerColumn.HARNESS)
    table.setColumnWidth(LedgerColumn.HARNESS, first + 60)
    desk.window.actions_by_verb[Verb.RESET_LAYOUT].trigger()
    assert table.columnWidth(LedgerColumn.HARNESS) == first


def test_sizes_and_choices_survive_a_restart(desk: Desk, qapp: QApplication) -> None:
    desk.window.actions_by_verb[Verb.UNIFIED].trigger()
    desk.window.parts.columns.setSizes([200, 700, 400])
    sizes = desk.window.parts.columns.sizes()
    desk.window.close()
    desk.settle()
    assert (desk.build.home.root / "window.ini").is_file()
    assert desk.window.parts.columns.sizes() == sizes
    assert qapp.activeWindow() is None


def test_a_window_that_is_closed_after_a_yes_waits_for_it_and_then_closes(desk: Desk) -> None:
    quits: list[bool] = []
    desk.window.quit_requested.connect(partial(quits.append, True))
    desk.window.undo_flow.undo((desk.entries[2].seq_id,))
    desk.planned()
    desk.press("undo_button")
    assert not desk.window.close()
    assert desk.window.isVisible()
    assert "is being written" in said(desk.window.parts.messages)
    assert quits == []
    desk.until(lambda: bool(quits))
    assert not desk.window.isVisible()
    assert desk.file.read_text() == SECOND
    assert desk.build.ledger.entry(desk.entries[2].seq_id).state is EntryState.UNDONE


def test_a_window_that_is_closed_after_a_yes_stays_to_tell_that_nothing_was_written(desk: Desk) -> None:
    desk.window.undo_flow.undo((desk.entries[2].seq_id,))
    desk.planned()
    desk.file.write_text(SECOND)
    desk.press("undo_button")
    assert not desk.window.close()
    desk.settle()
    assert desk.window.isVisible()
    assert desk.window.undo_flow.sheet is None
    assert "changed" in said(desk.window.parts.messages)
    assert desk.file.read_text() == SECOND
    assert desk.window.close()


def test_more_rows_than_go_at_once_cannot_be_undone_together_and_the_tip_says_why(desk: Desk) -> None:
    for number in range(100):
        desk.build.write(f"many/{number}.txt", "x\n")
    desk.window.model.reload()
    desk.until(lambda: desk.window.model.rowCount() == 103)
    desk.select(desk.entries[1])
    undo = desk.window.actions_by_verb[Verb.UNDO]
    assert undo.isEnabled()
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_A, CONTROL)
    assert not undo.isEnabled()
    assert not desk.window.actions_by_verb[Verb.DECIDE_LATER].isEnabled()
    assert "At most 100" in undo.toolTip()
    assert desk.window.selected.undoable() == ()
    desk.select(desk.entries[1])
    assert undo.isEnabled()
    assert "At most" not in undo.toolTip()


def test_a_change_that_touches_nothing_shown_asks_the_ledger_for_nothing(desk: Desk) -> None:
    desk.app.signals.changed.emit(Changes(notice="A word."))
    assert desk.window.is_settled


def test_the_difference_a_person_waits_for_goes_before_counts(desk: Desk) -> None:
    answers: list[str] = []
    desk.window.reads.facets_found.connect(lambda _found: answers.append("facets"))
    desk.window.reads.ids_found.connect(lambda *_found: answers.append("ids"))
    desk.window.reads.change_found.connect(lambda _found: answers.append("change"))
    desk.window.parts.table.select_entry(desk.entries[0].seq_id)
    desk.window.reads.ask_around(desk.window.parts.filters.facet_query)
    desk.window.model.reload()
    desk.settle()
    assert answers.index("change") < min(answers.index("facets"), answers.index("ids"))


def test_an_answer_comes_with_the_moves_that_lead_to_it(desk: Desk) -> None:
    found: list[object] = []
    desk.window.reads.ids_found.connect(lambda _query, _ids, moves: found.append(moves))
    desk.window.model.reload()
    desk.settle()
    desk.window.model.sort(LedgerColumn.TARGET)
    desk.settle()
    assert [isinstance(moves, KnownMoves) for moves in found] == [True, False]


def test_of_several_files_the_first_with_something_to_see_is_shown_and_stays_in_every_view(
    desk: Desk,
) -> None:
    ran = desk.build.command("make", {".env": "KEY=1\n", "gen/a.py": "a = 1\n", "gen/b.py": "b = 1\n"})
    desk.app.signals.changed.emit(Changes(new_entries=(ran.seq_id,), touched=None))
    desk.until(lambda: desk.window.model.row_of(ran.seq_id) == 0)
    desk.select(ran)
    pane = desk.window.parts.pane
    assert pane.diff.document.path == "gen/a.py"
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_3)
    desk.settle()
    assert (pane.diff.document.path, pane.diff.document.new_label) == ("gen/a.py", "after undo")
    pane.file_chosen.emit(0)
    desk.settle()
    assert pane.diff.document.path == ".env"


def test_a_write_that_leaves_the_selected_row_alone_colours_and_describes_nothing_anew(desk: Desk) -> None:
    desk.select(desk.entries[1])
    coloured: list[object] = []
    desk.window.reads.coloured.connect(lambda document, _colours: coloured.append(document))
    facts = desk.window.parts.details.findChildren(FactList)
    bodies = [body for each in facts for body in each.findChildren(QWidget)]
    fresh = desk.build.write("src/other.py", "new\n")
    desk.app.signals.changed.emit(Changes(new_entries=(fresh.seq_id,), touched=None))
    desk.settle()
    assert desk.window.model.row_of(fresh.seq_id) == 0
    assert coloured == []
    assert [body for each in facts for body in each.findChildren(QWidget)] == bodies
    desk.select(desk.entries[2])
    assert coloured == [desk.window.parts.pane.diff.document]
