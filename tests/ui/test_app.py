"""The window opens, follows other processes, closes without a trace; and it can be drawn without a screen."""

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from sulcus_panel.core.model import DriftKind

if TYPE_CHECKING:
    from tests.support.desk import Desk
    from tests.support.ledger_builder import LedgerBuilder

PICTURE = """
import sys
from pathlib import Path
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service.operations import Operations
from sulcus_panel.ui.app import render_picture, run_window
home = DataHome(Path(sys.argv[2]))
with Operations.open(home) as operations:
    workspace = operations.workspaces()[0]
if sys.argv[1] == "picture":
    render_picture(home, workspace, Path(sys.argv[3]), (1200, 800), dark=True)
else:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication
    import threading
    QApplication(sys.argv[:1])
    def close():
        if QApplication.activeWindow() is not None:
            QApplication.activeWindow().close()
    timer = QTimer()
    timer.timeout.connect(close)
    timer.start(800)
    code = run_window(home, workspace)
    timer.stop()
    left = [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()]
    print("left:", left)
    sys.exit(code)
"""


def run_python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-X", "dev", "-W", "ignore::DeprecationWarning", "-c", PICTURE, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )


def complaints(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line for line in done.stderr.splitlines() if "propagateSizeHints" not in line]


def test_a_picture_of_the_window_is_drawn_without_a_screen(
    live_build: "LedgerBuilder", tmp_path: Path
) -> None:
    live_build.write("src/app.py", "one\n")
    live_build.write("src/app.py", "two\n")
    picture = tmp_path / "window.png"
    done = run_python("picture", str(live_build.home.root), str(picture))
    assert done.returncode == 0, done.stderr
    assert complaints(done) == []
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1200, 800)
    colours = {image.pixelColor(x, y).name() for x in range(0, 1200, 7) for y in range(0, 800, 7)}
    assert len(colours) > 20


def test_the_window_opens_closes_and_leaves_no_thread(live_build: "LedgerBuilder") -> None:
    live_build.write("src/app.py", "one\n")
    done = run_python("window", str(live_build.home.root))
    assert done.returncode == 0, done.stderr
    assert "left: []" in done.stdout
    assert complaints(done) == []


def test_rows_of_another_process_and_outside_saves_appear_by_themselves(desk: "Desk") -> None:
    desk.app.follow()
    fresh = desk.build.write("src/other.py", "new\n")
    desk.until(lambda: desk.window.model.row_of(fresh.seq_id) == 0)
    desk.until(lambda: "Watching" in desk.window.parts.status.accessibleName())
    desk.build.outside("src/other.py", "mine\n")
    desk.until(lambda: _drift(desk, fresh.seq_id) is DriftKind.CHANGED)
    desk.build.outside("src/other.py", "new\n")
    desk.until(lambda: _drift(desk, fresh.seq_id) is None)


def test_the_threads_end_with_the_window(desk: "Desk") -> None:
    desk.app.follow()
    assert {"ledger-tail", "drift-watcher", "rules"} <= _threads()
    desk.window.hide()
    desk.app.close()
    assert not _threads() & {"ledger-tail", "drift-watcher", "rules", "sulcus-read_0", "sulcus-write_0"}


def _threads() -> set[str]:
    return {thread.name for thread in threading.enumerate()}


def _drift(desk: "Desk", seq_id: int) -> DriftKind | None:
    row = desk.window.model.ledger_row(desk.window.model.row_of(seq_id))
    return None if row is None else row.entry.drift
