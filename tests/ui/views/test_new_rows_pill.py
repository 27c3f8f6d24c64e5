from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sulcus_panel.ui.views.new_rows_pill import NewRowsPill


def test_the_pill_counts_and_asks_to_show(qtbot: QtBot) -> None:
    pill = NewRowsPill()
    qtbot.addWidget(pill)
    assert pill.isHidden()
    pill.set_count(2)
    assert pill.text() == "2 new changes ↑"
    assert pill.accessibleName() == "Show 2 new changes"
    with qtbot.waitSignal(pill.show_requested):
        QTest.mouseClick(pill, Qt.MouseButton.LeftButton)
    pill.set_count(0)
    assert pill.isHidden()
