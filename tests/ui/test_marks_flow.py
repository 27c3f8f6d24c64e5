"""Pins and labels by key and menu: the row shows them, and the ledger keeps them."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QPushButton

from sulcus_panel.core.model import Entry
from sulcus_panel.core.triggers import Rule, TriggerAction
from sulcus_panel.service.operations import Operations
from sulcus_panel.ui.actions import Verb
from sulcus_panel.ui.dialogs.label_dialog import LabelDialog
from tests.support.desk import Desk
from tests.support.shown_sheet import said

CTRL = Qt.KeyboardModifier.ControlModifier


def badges(desk: Desk, entry: Entry) -> list[str]:
    row = desk.window.model.ledger_row(desk.window.model.row_of(entry.seq_id))
    return [] if row is None else [badge.text for badge in row.badges]


def shows(desk: Desk, entry: Entry, wanted: list[str]) -> bool:
    return badges(desk, entry) == wanted


def labels(desk: Desk, entry: Entry) -> LabelDialog:
    """Open the labels of an entry."""
    desk.select(entry)
    desk.window.actions_by_verb[Verb.LABEL].trigger()
    desk.until(lambda: desk.window.doors.marks.dialog is not None)
    dialog = desk.window.doors.marks.dialog
    assert dialog is not None
    return dialog


def save(desk: Desk, dialog: LabelDialog) -> None:
    button = dialog.findChild(QPushButton, "save_button")
    assert button is not None
    button.click()
    desk.settle()


def test_a_pin_is_put_and_taken_by_the_same_key(desk: Desk) -> None:
    entry = desk.entries[1]
    desk.select(entry)
    for pinned, shown in ((True, ["pinned"]), (False, [])):
        QTest.keyClick(desk.window.parts.table, Qt.Key.Key_D, CTRL)
        desk.settle()
        desk.until(partial(shows, desk, entry, shown))
        assert desk.window.actions_by_verb[Verb.PIN].isChecked() is pinned
        assert ("pin" in desk.build.ledger.entry(entry.seq_id).marks) is pinned


def test_the_pin_in_the_menu_tells_how_the_chosen_row_stands(desk: Desk) -> None:
    with Operations.open(desk.build.home) as operations:
        operations.marks.pin([desk.entries[1].seq_id], pinned=True)
    QTest.keyClick(desk.window, Qt.Key.Key_F5)
    desk.settle()
    for at, entry in enumerate(desk.entries):
        desk.select(entry)
        assert desk.window.actions_by_verb[Verb.PIN].isChecked() is (at == 1)


def test_labels_are_given_and_taken_away(desk: Desk) -> None:
    entry = desk.entries[0]
    dialog = labels(desk, entry)
    QTest.keyClicks(dialog.word, "<b>review</b> & co")
    save(desk, dialog)
    desk.until(lambda: badges(desk, entry) == ["<b>review</b> & co"])
    dialog = labels(desk, entry)
    box = dialog.findChild(QCheckBox)
    assert box is not None
    assert box.accessibleName() == "<b>review</b> & co"
    box.click()
    QTest.keyClicks(dialog.word, "done")
    save(desk, dialog)
    desk.until(lambda: badges(desk, entry) == ["done"])


def test_a_label_that_is_none_is_told_beside_its_field(desk: Desk) -> None:
    dialog = labels(desk, desk.entries[0])
    dialog.word.setText("x" * 61)
    save(desk, dialog)
    assert "1 to 60 characters" in dialog.complaint
    assert desk.build.ledger.entry(desk.entries[0].seq_id).marks == ()
    dialog.reject()


def test_what_a_rule_asks_to_be_looked_at_is_said_in_the_sheet_and_can_be_noted(desk: Desk) -> None:
    with Operations.open(desk.build.home) as operations:
        operations.triggers.add(None, Rule("Careful", "entry.recorded", TriggerAction.HOLD))
        entry = desk.build.write("src/new.py", "x\n")
        operations.triggers.run()
    desk.window.model.reload()
    desk.until(lambda: badges(desk, entry) == ["look first"])
    desk.select(entry)
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_Return)
    assert "Look at it first" in said(desk.planned())
    desk.sheet.reject()
    desk.settle()
    looked = desk.window.actions_by_verb[Verb.LOOKED]
    assert looked.isEnabled()
    looked.trigger()
    desk.settle()
    desk.until(lambda: badges(desk, entry) == [])
    assert not looked.isEnabled()
