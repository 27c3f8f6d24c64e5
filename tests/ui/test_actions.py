"""Every verb has a text, a tip and a place in the menu; single letters stay out of text fields."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListWidget, QMainWindow, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from sulcus_panel.ui.actions import MENUS, TABLE, Actions, Verb


class Window(QMainWindow):
    """A window with a list that has the letters and a text field that has not."""

    def __init__(self) -> None:
        super().__init__()
        self.actions_by_verb = Actions(self)
        self.actions_by_verb.fill_menu_bar(self.menuBar())
        self.list, self.field = QListWidget(), QLineEdit()
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.addWidget(self.list)
        column.addWidget(self.field)
        self.setCentralWidget(middle)
        self.actions_by_verb.give_letters([self.list])
        self.asked: list[Verb] = []
        self.actions_by_verb.asked.connect(self.asked.append)


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    window = Window()
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitActive(window)
    yield window
    window.close()


def all_in_menu(menu: QMenu) -> set[QAction]:
    return set(menu.actions())


def test_every_verb_stands_once_in_the_table() -> None:
    assert sorted(row.verb for row in TABLE) == sorted(Verb)
    assert {row.menu for row in TABLE} == set(MENUS)


def test_no_key_is_given_twice() -> None:
    keys = [key for row in TABLE for key in (*row.keys, row.letter) if key]
    assert len(keys) == len(set(keys))


def test_every_verb_has_a_text_a_tip_and_is_in_the_menu(window: Window) -> None:
    in_menus: set[QAction] = set()
    for menu in window.menuBar().findChildren(QMenu):
        in_menus |= all_in_menu(menu)
    for verb in Verb:
        action = window.actions_by_verb[verb]
        assert action.text()
        assert action.toolTip()
        assert action in in_menus, verb


def test_mnemonics_are_unique_in_each_menu() -> None:
    for title in MENUS:
        letters = [row.text[row.text.index("&") + 1].lower() for row in TABLE if row.menu == title]
        assert len(letters) == len(set(letters)), (title, sorted(letters))


def test_a_letter_acts_in_the_list_and_is_text_in_the_field(window: Window) -> None:
    window.list.setFocus()
    QTest.keyClick(window.list, Qt.Key.Key_W)
    assert window.asked == [Verb.IGNORE_BLANKS]
    window.field.setFocus()
    QTest.keyClick(window.field, Qt.Key.Key_W)
    assert window.field.text() == "w"
    assert window.asked == [Verb.IGNORE_BLANKS]


def test_u_goes_from_unified_to_side_by_side_and_back(window: Window) -> None:
    actions = window.actions_by_verb
    actions[Verb.UNIFIED].setChecked(True)
    window.list.setFocus()
    QTest.keyClick(window.list, Qt.Key.Key_U)
    assert actions[Verb.SIDE_BY_SIDE].isChecked()
    QTest.keyClick(window.list, Qt.Key.Key_U)
    assert actions[Verb.UNIFIED].isChecked()
    assert window.asked == [Verb.SIDE_BY_SIDE, Verb.UNIFIED]


def test_a_verb_without_a_row_cannot_be_asked(window: Window) -> None:
    window.actions_by_verb.set_row_verbs({Verb.UNDO: False, Verb.COPY_PATCH: True})
    window.list.setFocus()
    QTest.keyClick(window.list, Qt.Key.Key_Backspace, Qt.KeyboardModifier.ControlModifier)
    assert window.asked == []
    assert window.actions_by_verb[Verb.COPY_PATCH].isEnabled()


def test_the_context_menu_holds_the_verbs_of_a_row(window: Window) -> None:
    menu = window.actions_by_verb.context_menu(window)
    shown = {Verb(action.data()) for action in menu.actions() if not action.isSeparator()}
    assert shown == {row.verb for row in TABLE if row.needs_row}
    menu.deleteLater()
