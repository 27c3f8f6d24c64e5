"""A person at a real screen, as a process: the demo's window opens, Enter asks, the button undoes, the disk tells.

Prints whether the file holds exactly what it must; run by tests/packaging/test_real_window.py on an X server.
"""

import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service.demo import DemoRun, play
from sulcus_panel.ui.app import run_window
from sulcus_panel.ui.main_window import MainWindow
from sulcus_panel.ui.preflight import prepare
from sulcus_panel.ui.resources import resource_path


class Person(QObject):
    """Looks every 50 ms and does the next thing once it can be done."""

    def __init__(self, demo: DemoRun) -> None:
        super().__init__()
        self._demo = demo
        self._next = self._ask
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_look)
        self._timer.start(50)

    @property
    def file(self) -> Path:
        return Path(self._demo.workspace.root or "") / self._demo.path

    @Slot()
    def _on_look(self) -> None:
        window = next((w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)), None)
        if window is not None:
            self._next(window)

    def _ask(self, window: MainWindow) -> None:
        if window.windowHandle().isExposed() and window.parts.table.select_entry(self._demo.seq_id):
            window.parts.table.setFocus()
            QTest.keyClick(window.parts.table, Qt.Key.Key_Return)
            self._next = self._accept

    def _accept(self, window: MainWindow) -> None:
        sheet = window.undo_flow.sheet
        if sheet is None or sheet.plan is None:
            return
        for box in sheet.findChildren(QCheckBox):
            if not box.isChecked():
                box.click()
        button = sheet.findChild(QPushButton, "undo_button")
        if isinstance(button, QPushButton) and button.isEnabled():
            button.click()
            self._next = self._leave

    def _leave(self, window: MainWindow) -> None:
        if self.file.read_bytes() == self._demo.expected:
            self._timer.stop()
            window.close()


def main() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve() / "project"
        folder.mkdir()
        home = DataHome(Path(scratch) / "data")
        demo = play(home, folder, resource_path("demo/run.json"))
        prepare()
        application = QApplication(sys.argv[:1])
        person = Person(demo)
        code = run_window(home, demo.workspace)
        print(application.platformName(), person.file.read_bytes() == demo.expected)
    return code


if __name__ == "__main__":
    sys.exit(main())
