from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sulcus_panel.ui.views.empty_state import EmptyState
from sulcus_panel.ui.views.painted_button import PaintedButton
from tests.support.stage import on_stage


def test_an_empty_state_says_what_to_do_and_offers_one_button(qtbot: QtBot) -> None:
    empty = EmptyState()
    on_stage(qtbot, empty, 600, 400)
    empty.tell("No change matches", "Nothing fits.", "Show all changes")
    assert empty.accessibleName() == "No change matches. Nothing fits."
    button = empty.findChild(PaintedButton)
    assert button is not None
    with qtbot.waitSignal(empty.action_requested):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_without_an_action_there_is_no_button(qtbot: QtBot) -> None:
    empty = EmptyState()
    on_stage(qtbot, empty, 600, 400)
    empty.tell("Nothing yet", "Install the hooks.")
    button = empty.findChild(PaintedButton)
    assert button is not None
    assert button.isHidden()
