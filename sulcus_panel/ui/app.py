"""Builds the objects of the window, runs the one loop, and takes everything down again: no thread is left."""

import asyncio
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import FrameType

import qasync
from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from sulcus_panel import __version__
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import SeqId, Workspace
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.interface import Verbs
from sulcus_panel.service.link import Link
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.past_watch import PastWatch
from sulcus_panel.service.remote import RemoteOperations
from sulcus_panel.service.remote_tail import RemoteTail
from sulcus_panel.service.rule_watch import RuleWatch
from sulcus_panel.service.silence_watch import SilenceWatch
from sulcus_panel.service.spool_worker import SpoolWorker
from sulcus_panel.service.tail import LedgerTail
from sulcus_panel.service.upkeep import Upkeep
from sulcus_panel.service.watcher import WorkspaceWatcher
from sulcus_panel.ui.bridge import ChangeSignals
from sulcus_panel.ui.collector import Collector
from sulcus_panel.ui.errors import ErrorDesk
from sulcus_panel.ui.jobs import Jobs
from sulcus_panel.ui.link_news import LinkNews
from sulcus_panel.ui.main_window import MainWindow
from sulcus_panel.ui.preflight import prepare
from sulcus_panel.ui.resources import resource_path
from sulcus_panel.ui.serving import Serving
from sulcus_panel.ui.theme import ThemeChoice, ThemeSwitch
from sulcus_panel.ui.window_needs import WindowNeeds
from sulcus_panel.ui.window_state import WindowState

WATCH_MS = 500
PICTURE_SIZE = (1440, 900)
MOST_PICTURE_SECONDS = 20.0
NOT_WATCHED = "Read only; the disk is not watched"


class App:
    """Everything that runs while a window is open."""

    def __init__(
        self,
        home: DataHome,
        workspace: Workspace,
        loop: asyncio.AbstractEventLoop,
        themes: ThemeSwitch,
        unwritable: SulcusError | None = None,
        link: Link | None = None,
    ) -> None:
        self._home = home
        self._link = link
        self._remote: RemoteTail | None = None
        self._read_only = unwritable is not None
        self._workspace = workspace
        self._bus = ChangeBus()
        self._closed = False
        self._tail: LedgerTail | None = None
        self._watcher: WorkspaceWatcher | None = None
        self._worker: SpoolWorker | None = None
        self._upkeep: Upkeep | None = None
        self._past: PastWatch | None = None
        self._silence: SilenceWatch | None = None
        self._rules: RuleWatch | None = None
        self.desk = ErrorDesk(home.log)
        self.jobs = Jobs(loop, self._open_shared)
        self.signals = ChangeSignals(self._bus)
        self._rows = self._open_here() if link is None else None
        state = WindowState(home.root)
        machine = "" if link is None else link.machine
        needs = WindowNeeds(
            self.jobs, self.signals, self._rows, workspace, themes, state, unwritable, machine
        )
        self.window = MainWindow(needs)
        self._link_news = None if link is None else LinkNews(link, self.window, needs.barred)
        self._watch_timer = QTimer(self.window)
        self._watch_timer.timeout.connect(self._on_watch_due)
        self.jobs.failed.connect(self.desk.report)
        self.desk.refused.connect(self.window.show_error)
        if self._rows is not None and self._rows.notices and not self._read_only:
            self.window.show_note(" ".join(self._rows.notices))

    def start(self, *, live: bool = True) -> None:
        """Begin to read; with `live`, follow other processes and the disk too."""
        self.window.start()
        if live:
            self.follow()

    def follow(self) -> None:
        """Have rows of other processes and outside changes appear by themselves.

        What was changed outside is marked in the ledger; where that cannot be, the disk is not watched.
        """
        if self._link is not None and self._link_news is not None:
            self._remote = RemoteTail(self._link, self._workspace, self._bus)
            self._remote.start()
            self._link_news.start()
            return
        if not self._read_only:
            self._worker = SpoolWorker(self._home, self._bus)
            self._worker.start()
        opening = partial(Operations.open, self._home, read_only=self._read_only)  # with a bus of its own
        self._tail = LedgerTail(opening, self._bus, self._worker)
        self._tail.start()
        if self._read_only:
            self.window.parts.status.show_watch(NOT_WATCHED, is_watching=False)
            return
        self._watcher = WorkspaceWatcher(self._open_here, self._workspace, self._bus, self._worker)
        self._upkeep = Upkeep(self._open_here, self._bus)
        self._watcher.start()
        self._past = PastWatch(self._open_here, self._workspace, self._bus)
        self._upkeep.start()
        self._rules = RuleWatch(self._open_here, self._bus)
        self._rules.start()
        self._past.start()
        self._silence = SilenceWatch(self._open_here, self._workspace, self._bus)
        self._silence.start()
        self._watch_timer.start(WATCH_MS)

    @property
    def is_watching(self) -> bool:
        """True once outside changes show by themselves."""
        return self._watcher is not None and self._watcher.wait_until_watching(0)

    def close(self) -> None:
        """Stop and join every thread, close every ledger connection."""
        if self._closed:
            return
        self._closed = True
        self._watch_timer.stop()
        self.window.undo_flow.close()
        if self._link_news is not None:
            self._link_news.stop()
        if self._link is not None:
            self._link.close()
        first = (self._remote, self._silence, self._past, self._rules)
        for follower in (*first, self._watcher, self._tail, self._upkeep, self._worker):
            if follower is not None:
                follower.stop()
        self._silence = self._past = self._rules = None
        self._watcher = self._tail = self._upkeep = self._worker = None
        self.signals.close()
        self.jobs.close()
        if self._rows is not None:
            self._rows.close()

    def _open_shared(self) -> Verbs:
        return self._open_here() if self._link is None else RemoteOperations(self._link, self._bus)

    def _open_here(self) -> Operations:
        return Operations.open(self._home, bus=self._bus, read_only=self._read_only)

    def _on_watch_due(self) -> None:
        if self._watcher is not None:
            words = self._watcher.status
            is_watching = words.startswith(("Watching", "Checking"))
            self.window.parts.status.show_watch(words, is_watching=is_watching)


def build_app(
    home: DataHome,
    workspace: Workspace,
    loop: asyncio.AbstractEventLoop,
    themes: ThemeSwitch,
    unwritable: SulcusError | None = None,
    link: Link | None = None,
) -> App:
    """Make the window and what it stands on; `unwritable` says why the ledger is only read. Nothing runs yet.

    With `link` the ledger is another machine's; `home` then keeps no more than the window's own state.
    """
    # Without this a widget with a style sheet keeps the palette it was born with.
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_UseStyleSheetPropagationInWidgetStyles)
    return App(home, workspace, loop, themes, unwritable, link)


def run_window(
    home: DataHome,
    workspace: Workspace,
    notes: Sequence[str] = (),
    unwritable: SulcusError | None = None,
    link: Link | None = None,
) -> int:
    """Open the window on `workspace` and return the exit code when it is closed; `notes` are told in it.

    With `unwritable`, the reason, the ledger is opened to be read only.

    Raises PreflightFailed where this machine cannot show a window.
    """
    note = prepare()
    logging.basicConfig(level=logging.WARNING)
    application, loop = application_and_loop()
    themes = ThemeSwitch(application)
    app = build_app(home, workspace, loop, themes, unwritable, link)
    app.desk.install(loop)
    collector = Collector()
    app.window.quit_requested.connect(loop.stop)
    _close_on_signal(app.window)
    told = " ".join(text for text in (note, *notes) if text)
    if told:
        app.window.show_note(told)
    app.window.show()
    app.start()
    serving = Serving(home, app.window.show_note, app.desk.report)
    if unwritable is None and link is None:
        serving.begin(loop, lambda: app.window.is_settled)
    try:
        loop.run_forever()
        loop.run_until_complete(serving.end())
        loop.run_until_complete(_until(lambda: app.jobs.is_idle))
    finally:
        collector.stop()
        app.close()
        app.desk.uninstall()
        app.window.deleteLater()
        loop.close()
    return 0


def render_picture(
    home: DataHome,
    workspace: Workspace,
    path: Path,
    size: tuple[int, int] = PICTURE_SIZE,
    *,
    dark: bool = False,
    select: SeqId | None = None,
) -> None:
    """Write a PNG of the window without a screen, this row selected (None: the newest). Raises SulcusError."""
    if QApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    prepare()
    application, loop = application_and_loop()
    themes = ThemeSwitch(application)
    app = build_app(home, workspace, loop, themes)
    broken: list[str] = []
    app.desk.install(loop)
    app.desk.broken.connect(broken.append)
    try:
        app.window.resize(QSize(*size))
        themes.choose(ThemeChoice.DARK if dark else ThemeChoice.LIGHT)
        app.window.show()
        app.start(live=False)
        loop.run_until_complete(_until(lambda: app.window.is_settled))
        if select is not None and app.window.parts.table.select_entry(select):
            loop.run_until_complete(_until(lambda: app.window.is_settled))
        if broken:
            raise SulcusError("The window could not be drawn", broken[0])
        if not app.window.grab().save(str(path), "PNG"):
            raise SulcusError(f"Cannot write {path}", "", "Choose another place with --screenshot.")
    finally:
        app.window.hide()
        app.close()
        app.desk.uninstall()
        app.window.deleteLater()


def application_and_loop() -> tuple[QApplication, asyncio.AbstractEventLoop]:
    """Return the one application of this process, made if need be, and a loop for it."""
    found = QApplication.instance()
    application = found if isinstance(found, QApplication) else QApplication(sys.argv[:1])
    application.setApplicationName("sulcus-panel")
    application.setApplicationDisplayName("Sulcus Panel")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("sulcus-panel")
    application.setWindowIcon(QIcon(str(resource_path("icons/sulcus-panel.svg"))))
    application.setQuitOnLastWindowClosed(False)
    loop: asyncio.AbstractEventLoop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    return application, loop


def _close_on_signal(window: MainWindow) -> None:
    """Ctrl+C in the terminal, or a polite kill, closes the window as a click does."""

    def close(_number: int, _frame: FrameType | None) -> None:
        window.close()

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, close)
        signal.signal(signal.SIGTERM, close)


async def _until(condition: Callable[[], bool]) -> None:
    for _ in range(round(MOST_PICTURE_SECONDS / 0.05)):
        await asyncio.sleep(0.05)
        if condition():
            return
