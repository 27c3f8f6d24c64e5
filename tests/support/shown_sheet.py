"""An open undo sheet and everything it said, for tests that press its buttons."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QWidget

from sulcus_panel.core.model import Decision
from sulcus_panel.ui.dialogs.undo_sheet import UndoSheet


class Shown:
    """An open sheet and everything it said."""

    def __init__(self, sheet: UndoSheet) -> None:
        self.sheet = sheet
        self.decisions: list[Decision] = []
        self.hunks: list[tuple[int, ...]] = []
        sheet.decided.connect(self.decisions.append)
        sheet.hunks_changed.connect(self.hunks.append)

    def button(self, name: str) -> QPushButton:
        found = self.sheet.findChild(QPushButton, name)
        assert found is not None, name
        return found

    def box(self, name: str) -> QCheckBox:
        found = self.sheet.findChild(QCheckBox, name)
        assert found is not None, name
        return found

    def parts(self) -> int:
        return sum(box.objectName().startswith("hunk_") for box in self.sheet.findChildren(QCheckBox))

    def texts(self) -> str:
        return said(self.sheet)


def press(widget: QWidget, key: Qt.Key) -> None:
    QTest.keyClick(widget, key)


def said(widget: QWidget) -> str:
    """Return what can be read on a widget now, one label a line."""
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())
