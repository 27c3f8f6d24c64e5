"""The main job by real gestures: a key, a menu and a button each lead to the sheet, and the sheet to the disk."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QMenu,
    QPushButton,
    QToolButton,
)

from sulcus_panel.core.model import EntryState
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import Operations
from sulcus_panel.ui.actions import Verb
from sulcus_panel.ui.models.columns import LedgerColumn
from tests.support.desk import THIRD, WITHOUT_SECOND, Desk

CONTROL = Qt.KeyboardModifier.ControlModifier


BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def ask_by_enter(desk: Desk) -> None:
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_Return)


def ask_by_key(desk: Desk) -> None:
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_Backspace, CONTROL)


def ask_by_menu(desk: Desk) -> None:
    menu = next(menu for menu in desk.window.menuBar().findChildren(QMenu) if menu.title() == "&Change")
    next(action for action in menu.actions() if action.data() == Verb.UNDO).trigger()


def ask_by_the_rows_button(desk: Desk) -> None:
    table = desk.window.parts.table
    row = desk.window.model.row_of(desk.entries[1].seq_id)
    place = table.visualRect(desk.window.model.index(row, LedgerColumn.UNDO)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def ask_by_the_context_menu(desk: Desk) -> None:
    desk.window.parts.table.menu_requested.emit(desk.entries[1].seq_id, QPoint(1, 1))
    menu = next(m for m in desk.window.findChildren(QMenu) if m.isVisible())
    next(action for action in menu.actions() if action.data() == Verb.UNDO).trigger()
    menu.close()


WAYS_IN = [ask_by_enter, ask_by_key, ask_by_menu, ask_by_the_rows_button, ask_by_the_context_menu]


@pytest.mark.parametrize("ask", WAYS_IN)
def test_every_way_in_leads_to_the_sheet_and_the_button_to_the_disk(
    ask: Callable[[Desk], None], desk: Desk
) -> None:
    desk.select(desk.entries[1])
    ask(desk)
    desk.planned()
    assert desk.file.read_text() == THIRD
    desk.press("undo_button")
    desk.settle()
    assert desk.file.read_text() == WITHOUT_SECOND
    assert desk.build.ledger.entry(desk.entries[1].seq_id).state is EntryState.UNDONE
    desk.until(lambda: desk.window.model.rowCount() == len(desk.entries) + 1)


def test_redo_from_the_result_brings_the_change_back(desk: Desk) -> None:
    desk.select(desk.entries[1])
    ask_by_key(desk)
    desk.planned()
    desk.press("undo_button")
    desk.settle()
    first = desk.sheet
    desk.press("redo_button")
    desk.until(lambda: desk.sheet is not first)
    assert desk.planned().windowTitle() == f"Redo change #{desk.entries[1].seq_id}"
    desk.press("undo_button")
    desk.settle()
    assert desk.file.read_text() == THIRD


def test_redo_of_an_undone_row_by_its_key(desk: Desk) -> None:
    desk.window.undo_flow.undo((desk.entries[1].seq_id,))
    desk.planned()
    desk.press("undo_button")
    desk.settle()
    desk.sheet.close()
    desk.settle()
    desk.select(desk.entries[1])
    assert not desk.window.actions_by_verb[Verb.UNDO].isEnabled()
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_Z, BOTH)
    desk.planned()
    desk.press("undo_button")
    desk.settle()
    assert desk.file.read_text() == THIRD


def decided(desk: Desk) -> list[str]:
    records = desk.build.ledger.governance(desk.build.workspace.id)
    return [record.kind for record in records if record.kind.startswith("undo.")]


@pytest.mark.parametrize("way_out", ["keep_button", "later_button"])
def test_no_and_later_change_nothing_on_disk_and_are_remembered(way_out: str, desk: Desk) -> None:
    desk.select(desk.entries[1])
    ask_by_key(desk)
    desk.planned()
    desk.press(way_out)
    desk.settle()
    assert desk.file.read_text() == THIRD
    is_later = way_out == "later_button"
    assert decided(desk) == ["undo.deferred" if is_later else "undo.rejected"]
    state = desk.build.ledger.entry(desk.entries[1].seq_id).state
    assert state is (EntryState.DEFERRED if is_later else EntryState.RECORDED)


def test_a_sheet_that_is_only_closed_writes_nothing_and_what_was_put_off_stays_so(desk: Desk) -> None:
    desk.window.undo_flow.decide_later((desk.entries[1].seq_id,))
    desk.settle()
    desk.window.undo_flow.undo((desk.entries[1].seq_id,))
    QTest.keyClick(desk.planned(), Qt.Key.Key_Escape)
    desk.settle()
    assert decided(desk) == ["undo.deferred"]
    assert desk.build.ledger.entry(desk.entries[1].seq_id).state is EntryState.DEFERRED
    assert desk.file.read_text() == THIRD


def test_asking_for_another_undo_closes_the_open_sheet_which_decides_nothing(desk: Desk) -> None:
    desk.window.undo_flow.undo((desk.entries[1].seq_id,))
    desk.planned()
    desk.window.undo_flow.undo((desk.entries[2].seq_id,))
    desk.planned()
    desk.settle()
    assert decided(desk) == []
    assert desk.file.read_text() == THIRD
    desk.sheet.close()


def test_a_file_that_changes_under_the_open_sheet_is_shown_again_and_not_written(desk: Desk) -> None:
    desk.select(desk.entries[1])
    ask_by_key(desk)
    sheet = desk.planned()
    mine = THIRD.replace("five", "five, mine")
    desk.build.outside("src/app.py", mine)
    desk.press("undo_button")
    desk.settle()
    assert desk.file.read_text() == mine
    assert sheet.isVisible()
    assert not sheet.is_answered
    for box in sheet.findChildren(QCheckBox):
        if box.objectName().startswith("consequence"):
            box.click()
    desk.press("undo_button")
    desk.settle()
    assert desk.file.read_text() == WITHOUT_SECOND.replace("five", "five, mine")


def test_undo_this_turn_is_one_sheet_for_all_of_it(desk: Desk) -> None:
    desk.select(desk.entries[0])
    button = next(b for b in desk.window.parts.top.findChildren(QToolButton) if b.text() == "Undo This Turn…")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    sheet = desk.planned()
    assert sheet.windowTitle() == "Undo 3 changes"
    for box in sheet.findChildren(QCheckBox):
        box.click()
    desk.press("undo_button")
    desk.settle()
    assert not desk.file.exists()


def test_the_open_sheet_follows_what_changes_under_it(desk: Desk) -> None:
    desk.select(desk.entries[1])
    ask_by_key(desk)
    sheet = desk.planned()
    before = sheet.plan
    desk.app.signals.changed.emit(Changes(touched=None, drift=True))
    desk.settle()
    assert sheet.plan is before
    desk.build.outside("src/app.py", THIRD.replace("five", "five, mine"))
    desk.app.signals.changed.emit(Changes(touched=None, drift=True))
    desk.settle()
    assert sheet.plan is not before
    note = sheet.findChild(QLabel, "sheet_note")
    assert note is not None
    assert note.isVisible()
    assert note.text() == "It has changed meanwhile; look again."
    sheet.close()


def test_a_change_that_another_window_took_back_cannot_be_taken_back_from_this_sheet(desk: Desk) -> None:
    desk.select(desk.entries[1])
    ask_by_key(desk)
    sheet = desk.planned()
    with Operations.open(desk.build.home) as operations:
        operations.apply(operations.plan(UndoRequest((desk.entries[1].seq_id,))))
    desk.app.signals.changed.emit(Changes(touched=(desk.entries[1].seq_id,)))
    desk.settle()
    button = sheet.findChild(QPushButton, "undo_button")
    assert button is not None
    assert not (button.isEnabled() and button.isVisible())
    sheet.close()


def test_unticking_every_part_and_ticking_one_again_undoes_that_one(desk: Desk) -> None:
    both = desk.build.write("src/app.py", THIRD.replace("one", "ONE").replace("five", "FIVE"))
    desk.window.undo_flow.undo((both.seq_id,))
    sheet = desk.planned()
    for name in ("hunk_0", "hunk_1"):
        box = sheet.findChild(QCheckBox, name)
        assert box is not None
        box.click()
    desk.settle()
    undo = sheet.findChild(QPushButton, "undo_button")
    assert undo is not None
    assert not undo.isEnabled()
    boxes = [box for box in sheet.findChildren(QCheckBox) if box.objectName() == "hunk_1" and box.isVisible()]
    assert [box.isChecked() for box in boxes] == [False]
    boxes[0].click()
    desk.settle()
    desk.press("undo_button")
    desk.settle()
    assert desk.file.read_text() == THIRD.replace("one", "ONE")
    desk.sheet.close()
