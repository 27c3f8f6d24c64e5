"""An undo that an agent asked for appears by itself, and only the person's answer decides it."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPushButton

from sulcus_panel.core.holds import Hold, HoldState
from sulcus_panel.core.model import EntryState
from sulcus_panel.service.operations import Operations
from sulcus_panel.ui.dialogs.holds_dialog import HoldsDialog
from sulcus_panel.ui.main_window import MainWindow
from sulcus_panel.ui.views.holds_strip import HoldsStrip
from sulcus_panel.ui.views.rows_table import RowsTable
from sulcus_panel.ui.views.view_list import SidebarView, ViewButton
from tests.support.askers import ask_for
from tests.support.desk import THIRD, WITHOUT_SECOND, Desk
from tests.support.shown_sheet import said


def held(desk: Desk, which: int = 1, name: str = "codex") -> Hold:
    """Have an agent ask for the undo of one of the three changes, and wait until the window says so."""
    hold = ask_for(desk.build, desk.entries[which].seq_id, name=name)
    QTest.keyClick(desk.window, Qt.Key.Key_F5)
    desk.until(strip(desk.window).isVisible)
    desk.settle()
    return hold


def strip(window: MainWindow) -> HoldsStrip:
    return window.parts.holds


def press(desk: Desk, name: str) -> None:
    button = strip(desk.window).findChild(QAbstractButton, name)
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def state_of(desk: Desk, hold: Hold) -> HoldState:
    with Operations.open(desk.build.home) as operations:
        return operations.holds.get(hold.id).state


def test_what_another_process_held_appears_by_itself(desk: Desk) -> None:
    desk.app.follow()
    assert strip(desk.window).isHidden()
    seq_id = desk.entries[1].seq_id
    ask_for(desk.build, seq_id)
    desk.until(strip(desk.window).isVisible)
    assert strip(desk.window).accessibleName() == (
        f"codex asks to undo #{seq_id}. It waits for you because #{seq_id} is the work of Claude Code."
    )
    desk.until(lambda: desk.build.ledger.entry(seq_id).state is EntryState.HELD)


def test_a_yes_in_the_same_sheet_undoes_it_and_ends_the_waiting(desk: Desk) -> None:
    hold = held(desk)
    press(desk, "look_at_hold")
    sheet = desk.planned()
    assert f"codex asks to undo #{desk.entries[1].seq_id}. It waits for you because" in said(sheet)
    desk.press("undo_button")
    desk.settle()
    assert desk.file.read_text() == WITHOUT_SECOND
    assert state_of(desk, hold) is HoldState.ACCEPTED
    desk.until(strip(desk.window).isHidden)


def test_keep_it_in_the_sheet_is_the_answer_to_whoever_asked(desk: Desk) -> None:
    hold = held(desk)
    press(desk, "look_at_hold")
    desk.planned()
    desk.press("keep_button")
    desk.settle()
    assert desk.file.read_text() == THIRD
    assert state_of(desk, hold) is HoldState.REJECTED
    assert desk.build.ledger.entry(desk.entries[1].seq_id).state is EntryState.RECORDED
    desk.until(strip(desk.window).isHidden)


def test_closing_the_sheet_and_later_decide_nothing(desk: Desk) -> None:
    hold = held(desk)
    press(desk, "look_at_hold")
    QTest.keyClick(desk.planned(), Qt.Key.Key_Escape)
    desk.settle()
    desk.window.undo_flow.answer(hold)
    desk.planned()
    desk.press("later_button")
    desk.settle()
    assert state_of(desk, hold) is HoldState.WAITING
    assert strip(desk.window).isVisible()


def test_keep_it_on_the_strip_says_no_at_once(desk: Desk) -> None:
    hold = held(desk)
    press(desk, "keep_hold")
    desk.settle()
    desk.until(strip(desk.window).isHidden)
    assert (state_of(desk, hold), desk.file.read_text()) == (HoldState.REJECTED, THIRD)


def test_a_double_click_is_no_answer_to_the_next_request(desk: Desk) -> None:
    first = held(desk)
    second = held(desk, 2, name="gemini")
    button = strip(desk.window).findChild(QAbstractButton, "keep_hold")
    assert button is not None
    QTest.mouseDClick(button, Qt.MouseButton.LeftButton)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    desk.settle()
    desk.until(lambda: "gemini" in strip(desk.window).accessibleName())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    desk.settle()
    assert (state_of(desk, first), state_of(desk, second)) == (HoldState.REJECTED, HoldState.WAITING)


def test_several_stand_in_a_list_and_each_can_be_answered(desk: Desk) -> None:
    first = held(desk)
    second = held(desk, 2, name="<b>gemini</b>\u202e")
    press(desk, "all_holds")
    dialog = desk.window.doors.holds.dialog
    assert isinstance(dialog, HoldsDialog)
    table = dialog.findChild(RowsTable)
    assert table is not None
    assert table.model().rowCount() == 2
    assert table.choose(second.id)
    keep = dialog.findChild(QPushButton, "keep_button")
    assert keep is not None
    keep.click()
    desk.settle()
    desk.until(lambda: table.model().rowCount() == 1)
    assert (state_of(desk, first), state_of(desk, second)) == (HoldState.WAITING, HoldState.REJECTED)
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert "codex asks to undo" in said(desk.planned())
    desk.sheet.reject()
    desk.settle()
    dialog.reject()


def test_parts_that_were_asked_for_are_the_parts_that_are_shown(desk: Desk) -> None:
    text = "a\nb\nc\nd\ne\nf\ng\nh\n"
    desk.build.write("src/two.py", text)
    entry = desk.build.write("src/two.py", text.replace("a", "A").replace("h", "H"))
    hold = ask_for(desk.build, entry.seq_id, hunks=(1,))
    desk.window.undo_flow.answer(hold)
    sheet = desk.planned()
    assert sheet.plan is not None
    assert sheet.plan.request.hunks == (1,)
    desk.press("undo_button")
    desk.settle()
    assert (desk.build.root / "src/two.py").read_text() == text.replace("a", "A")
    assert state_of(desk, hold) is HoldState.ACCEPTED


def test_what_was_decided_meanwhile_says_so_and_does_nothing(desk: Desk) -> None:
    hold = held(desk)
    with Operations.open(desk.build.home) as operations:
        operations.holds.reject(hold.id)
    press(desk, "look_at_hold")
    desk.until(lambda: desk.window.undo_flow.sheet is not None and "no longer waits" in said(desk.sheet))
    assert desk.file.read_text() == THIRD
    desk.sheet.reject()
    desk.settle()
    desk.window.doors.holds.ask()
    desk.until(strip(desk.window).isHidden)


def test_waiting_for_you_lists_what_is_held(desk: Desk) -> None:
    held(desk)
    view = next(each for each in desk.window.findChildren(ViewButton) if each.view is SidebarView.WAITING)
    desk.until(lambda: view.accessibleName() == "Waiting for you, 1")
    QTest.mouseClick(view, Qt.MouseButton.LeftButton)
    desk.until(lambda: desk.window.model.rowCount() == 1)
    desk.window.parts.filters.clear()
    desk.until(lambda: desk.window.model.rowCount() == 3)
    desk.window.parts.filters.search.search_now("is:waiting")
    desk.until(lambda: desk.window.model.rowCount() == 1)
    assert desk.window.model.seq_id_at(0) == desk.entries[1].seq_id
