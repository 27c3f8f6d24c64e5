from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sulcus_panel.ui.views.search_box import SearchBox
from tests.support.stage import on_stage


def test_marking_fields_leaves_text_cursor_and_undo_alone(qtbot: QtBot) -> None:
    box = SearchBox()
    on_stage(qtbot, box, 400, 30)
    QTest.keyClicks(box, "is:drifted web")
    QTest.keyClick(box, Qt.Key.Key_Home)
    QTest.keyClicks(box, "path:src ")
    assert box.text() == "path:src is:drifted web"
    assert box.cursorPosition() == 9
    QTest.keyClick(box, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert box.text() == "is:drifted web"


def test_the_same_search_is_told_once(qtbot: QtBot) -> None:
    box = SearchBox()
    on_stage(qtbot, box, 400, 30)
    told: list[str] = []
    box.searched.connect(told.append)
    box.search_now("web")
    box.search_now("web ")
    assert told == ["web"]
