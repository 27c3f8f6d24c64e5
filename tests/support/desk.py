"""The main window on a real ledger over real files, and the small story that it shows."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import Entry
from sulcus_panel.ui.app import App, build_app
from sulcus_panel.ui.dialogs.undo_sheet import UndoSheet
from sulcus_panel.ui.main_window import MainWindow
from sulcus_panel.ui.theme import LIGHT, ThemeSwitch, palette_of
from tests.support.ledger_builder import LedgerBuilder

FIRST = "one\ntwo\nthree\nfour\nfive\n"
SECOND = "one\nTWO\nthree\nfour\nfive\n"
THIRD = "one\nTWO\nthree\nFOUR\nfive\n"
WITHOUT_SECOND = "one\ntwo\nthree\nFOUR\nfive\n"


class Desk:
    """The window, and the story it shows: a file made, changed in line 2, then in line 4."""

    def __init__(self, app: App, build: LedgerBuilder, entries: tuple[Entry, ...], qtbot: QtBot) -> None:
        self.app = app
        self.window: MainWindow = app.window
        self.build = build
        self.entries = entries
        self.file: Path = build.root / "src/app.py"
        self._qtbot = qtbot

    def settle(self) -> None:
        self._qtbot.waitUntil(lambda: self.window.is_settled, timeout=10_000)

    def until(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=10_000)

    def select(self, entry: Entry) -> None:
        self.window.activateWindow()
        self._qtbot.waitActive(self.window)
        assert self.window.parts.table.select_entry(entry.seq_id)
        self.window.parts.table.setFocus()
        self.settle()

    @property
    def sheet(self) -> UndoSheet:
        sheet = self.window.undo_flow.sheet
        assert sheet is not None
        return sheet

    def planned(self) -> UndoSheet:
        self.until(lambda: self.window.undo_flow.sheet is not None and self.sheet.plan is not None)
        self.settle()
        return self.sheet

    def press(self, name: str) -> None:
        button = self.sheet.findChild(QPushButton, name)
        assert button is not None
        assert button.isEnabled(), name
        button.click()


@contextmanager
def open_desk(
    build: LedgerBuilder,
    loop: asyncio.AbstractEventLoop,
    qtbot: QtBot,
    *,
    live: bool = False,
    unwritable: SulcusError | None = None,
) -> Iterator[Desk]:
    """Record the story, open the window on it, and close everything afterwards.

    With `live`, the tail and the watcher run as they do for a person. With `unwritable` the ledger is only read.
    """
    build.session()
    build.turn("Make it louder")
    entries = tuple(build.write("src/app.py", text) for text in (FIRST, SECOND, THIRD))
    qapp = QApplication.instance()
    assert isinstance(qapp, QApplication)
    themes = ThemeSwitch(qapp)
    app = build_app(build.home, build.workspace, loop, themes, unwritable)
    app.jobs.failed.connect(_raise)
    app.window.show()
    app.window.activateWindow()
    qtbot.waitActive(app.window)
    app.start(live=live)
    desk = Desk(app, build, entries, qtbot)
    desk.until(lambda: app.window.model.rowCount() == len(entries))
    desk.settle()
    try:
        yield desk
    finally:
        app.window.close()
        desk.settle()
        app.close()
        app.window.deleteLater()
        themes.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        qapp.setPalette(palette_of(LIGHT))


def _raise(error: BaseException) -> None:
    raise error
