"""The window's door: what cannot be written is opened to be read."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from tests.support.clock import FakeClock
from tests.support.ledger_builder import LedgerBuilder

OPENED = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from sulcus_panel.cli.main import main
application, timer = QApplication(sys.argv[:1]), QTimer()
def look():
    for window in QApplication.topLevelWidgets():
        if window.objectName() == "main_window" and window.isVisible() and window.model.rowCount():
            print(window.parts.standing.accessibleName(), window.model.rowCount())
            timer.stop()
            window.close()
timer.timeout.connect(look)
timer.start(50)
sys.exit(main(sys.argv[1:]))
"""


def opened(build: LedgerBuilder, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Open the window by its door, read what stands on top of it, and close it."""
    return subprocess.run(
        [sys.executable, "-c", OPENED, *arguments],
        cwd=build.root,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "SULCUS_HOME": str(build.home.root),
            "PYTHONPATH": str(Path(__file__).parents[2]),
        },
    )


def test_a_ledger_of_a_newer_version_opens_to_be_read(tmp_path: Path) -> None:
    build = LedgerBuilder.make(tmp_path, FakeClock())
    build.write("a.txt", "1\n")
    build.ledger.close()
    with closing(sqlite3.connect(build.home.database)) as newer:
        newer.execute("PRAGMA user_version = 999")
    for arguments in ([], ["--workspace", str(build.root)]):
        done = opened(build, *arguments)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("Read only: The ledger was made by a newer version.")
        assert done.stdout.rstrip().endswith(" 1")
