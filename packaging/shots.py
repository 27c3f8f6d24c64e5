"""Render the README's pictures anew: `python packaging/shots.py`, with the project's own interpreter.

The demo is played into a temporary folder, the person edits a file beside the agent, and one late change is
undone; then the window and the undo sheet are drawn without a screen into docs/pictures. No argument, no
network; about ten seconds. Look at the pictures before you commit them: fonts are those of this machine.
"""

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QT_LOGGING_RULES"] = "qt.qpa.*=false"

from PySide6.QtCore import QSize  # noqa: E402  # Qt reads its platform when it is imported
from PySide6.QtGui import QImage  # noqa: E402
from PySide6.QtWidgets import QApplication, QWidget  # noqa: E402

from sulcus_panel.core.ledger.home import DataHome  # noqa: E402
from sulcus_panel.core.model import LedgerPath, SeqId  # noqa: E402
from sulcus_panel.core.undo.model import UndoRequest  # noqa: E402
from sulcus_panel.service.demo import DemoRun, play  # noqa: E402
from sulcus_panel.service.operations import LedgerQuery, Operations  # noqa: E402
from sulcus_panel.ui.app import App, application_and_loop, build_app  # noqa: E402
from sulcus_panel.ui.theme import ThemeChoice, ThemeSwitch  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
SCRIPT = ROOT / "resources" / "demo" / "run.json"
NAME = "payments-rails"
WINDOW, SHEET = QSize(1440, 900), QSize(1080, 720)
ROWS = (460, 340)
"""Pixels for the table, all of its rows in sight, and for the difference."""
UNDONE = LedgerPath("billing/journal.py")
MOST_BYTES = 250_000
MOST_SECONDS = 20.0


def main() -> int:
    """Draw every picture; 1 where one has become too large for a README."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    around = Path(tempfile.mkdtemp(prefix="sulcus-shots-")).resolve()
    folder = around / "src" / NAME
    folder.mkdir(parents=True)
    try:
        home = DataHome(around / "data")
        run = play(home, folder, SCRIPT)
        _tell_the_story(home, run)
        pictures = Pictures(home, run)
        os.environ["HOME"] = os.environ["USERPROFILE"] = str(around)  # the folder is then shown as ~/src/…
        pictures.window(ThemeChoice.LIGHT, "window-light.png", sheet="sheet-light.png")
        pictures.window(ThemeChoice.DARK, "window-dark.png")
    finally:
        shutil.rmtree(around)
    sizes = {path.name: path.stat().st_size for path in sorted(PICTURES.glob("*.png"))}
    for name, size in sizes.items():
        print(f"docs/pictures/{name}: {size // 1000} KB")
    return int(max(sizes.values()) > MOST_BYTES)


def _tell_the_story(home: DataHome, run: DemoRun) -> None:
    """Undo the newest change to the journal, and mark what the person changed outside the agents."""
    with Operations.open(home) as operations:
        newest = operations.find(LedgerQuery(workspace_id=run.workspace.id, path=UNDONE, limit=1))
        operations.apply(operations.plan(UndoRequest((newest[0].seq_id,))))
        operations.refresh_drift(run.workspace.id)


class Pictures:
    """Opens the window on the demo and draws it."""

    def __init__(self, home: DataHome, run: DemoRun) -> None:
        self._home = home
        self._run = run
        self._application, self._loop = application_and_loop()
        self._themes = ThemeSwitch(self._application)

    def window(self, theme: ThemeChoice, name: str, *, sheet: str = "") -> None:
        """Draw the window with the demo's drifted change selected, and with `sheet` its undo sheet."""
        app = build_app(self._home, self._run.workspace, self._loop, self._themes)
        self._themes.choose(theme)
        app.window.resize(WINDOW)
        app.window.parts.rows.setSizes(list(ROWS))
        app.window.show()
        app.start()
        try:
            self._settle(app)
            self._wait(lambda: "Watching" in app.window.parts.status.accessibleName())
            app.window.parts.table.select_entry(self._run.seq_id)
            self._settle(app)
            self._draw(app.window, name)
            if sheet:
                self._sheet(app, self._run.seq_id, sheet)
        finally:
            app.window.hide()
            app.close()
            app.window.deleteLater()

    def _sheet(self, app: App, seq_id: SeqId, name: str) -> None:
        app.window.undo_flow.undo((seq_id,))
        self._wait(lambda: app.window.undo_flow.sheet is not None)
        shown = app.window.undo_flow.sheet
        if shown is None:
            raise SystemExit("The undo sheet did not open")
        self._wait(lambda: shown.plan is not None)
        shown.resize(SHEET)
        self._settle(app)
        self._draw(shown, name)
        app.window.undo_flow.close()
        self._settle(app)

    def _draw(self, widget: QWidget, name: str) -> None:
        picture = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        if not picture.save(str(PICTURES / name), quality=0):
            raise SystemExit(f"Cannot write {PICTURES / name}")

    def _settle(self, app: App) -> None:
        self._wait(lambda: app.window.is_settled)

    def _wait(self, condition: Callable[[], bool]) -> None:
        """Let the window live until `condition` holds, and a moment longer for what it leads to."""
        self._loop.run_until_complete(_until(condition))
        QApplication.processEvents()


async def _until(condition: Callable[[], bool]) -> None:
    for _ in range(round(MOST_SECONDS / 0.05)):
        await asyncio.sleep(0.05)
        if condition():
            return
    raise SystemExit("The window did not come to rest")


if __name__ == "__main__":
    sys.exit(main())
