"""A change with several files lets the person choose one; the buttons are the verbs of the menu."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QToolButton

if TYPE_CHECKING:
    from tests.support.desk import Desk


def test_each_file_of_a_command_can_be_chosen(desk: "Desk") -> None:
    entry = desk.build.command("make fmt", {"a.py": "a\n", "b.py": "b\n"})
    desk.window.model.reload()
    desk.until(lambda: desk.window.model.row_of(entry.seq_id) == 0)
    desk.select(entry)
    chooser = desk.window.findChild(QComboBox, "file_chooser")
    assert chooser is not None
    assert chooser.isVisible()
    assert [chooser.itemText(row) for row in range(chooser.count())] == ["1 of 2: a.py", "2 of 2: b.py"]
    chooser.setFocus()
    QTest.keyClick(chooser, Qt.Key.Key_Down)
    desk.settle()
    assert desk.window.parts.pane.diff.document.path == "b.py"
    desk.select(desk.entries[0])
    assert not chooser.isVisible()


def test_the_buttons_are_the_verbs(desk: "Desk") -> None:
    desk.select(desk.entries[1])
    buttons = {b.text(): b for b in desk.window.parts.pane.findChildren(QToolButton)}
    QTest.mouseClick(buttons["Unified"], Qt.MouseButton.LeftButton)
    assert not desk.window.parts.pane.diff.side_by_side
    QTest.mouseClick(buttons["Since Then"], Qt.MouseButton.LeftButton)
    desk.settle()
    assert desk.window.parts.pane.diff.document.new_label == "on disk now"
