from PySide6.QtCore import QRect
from pytestqt.qtbot import QtBot

from sulcus_panel.ui.views.view_list import SIDE, SidebarView, ViewButton
from tests.support.stage import on_stage


def test_without_a_count_a_name_has_the_whole_line(qtbot: QtBot) -> None:
    for view in SidebarView:
        button = ViewButton(view)
        words = button.fontMetrics().horizontalAdvance(view.value)
        narrow, wide = words + 2 * SIDE + 4, 400
        pictures = []
        for width in (wide, narrow):
            on_stage(qtbot, button, width, 26)
            pictures.append(button.grab(QRect(SIDE, 4, words, 18)).toImage())
        assert pictures[0] == pictures[1], view
