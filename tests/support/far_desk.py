"""The window attached to another machine's ledger over a wire that a test can cut."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import Entry
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.link import Link
from sulcus_panel.service.remote import RemoteOperations
from sulcus_panel.ui.app import build_app
from sulcus_panel.ui.theme import LIGHT, ThemeSwitch, palette_of
from tests.support.desk import FIRST, SECOND, THIRD, Desk
from tests.support.far_link import a_link
from tests.support.far_machine import FarMachine, Wire, far_machine
from tests.support.ledger_builder import LedgerBuilder


class FarDesk(Desk):
    """A desk whose ledger is elsewhere."""

    far: FarMachine
    wire: Wire
    link: Link

    def select_without_waiting(self, entry: Entry) -> None:
        assert self.window.parts.table.select_entry(entry.seq_id)

    @property
    def status(self) -> str:
        return self.window.parts.status.accessibleName()

    @property
    def banner(self) -> str:
        standing = self.window.parts.standing
        return standing.accessibleName() if standing.isVisible() else ""

    @property
    def note(self) -> str:
        messages = self.window.parts.messages
        return messages.accessibleName() if messages.isVisible() else ""


@contextmanager
def far_desk(
    build: LedgerBuilder, near: Path, loop: asyncio.AbstractEventLoop, qtbot: QtBot, *, story: bool = True
) -> Iterator[FarDesk]:
    """Record the story there, attach the window, and close everything afterwards."""
    build.session()
    build.turn("Make it louder")
    entries = tuple(build.write("src/app.py", text) for text in (FIRST, SECOND, THIRD) if story)
    qapp = QApplication.instance()
    assert isinstance(qapp, QApplication)
    home = DataHome(near)
    home.ensure()
    with far_machine(build.home) as (far, port):
        wire = Wire(port)
        link = a_link(build.home, wire.port)
        with RemoteOperations(link, ChangeBus()) as operations:
            greeting = operations.greet()
        link.mend("buildbox")
        themes = ThemeSwitch(qapp)
        app = build_app(home, greeting.workspaces[0], loop, themes, link=link)
        desk = FarDesk(app, build, entries, qtbot)
        desk.far, desk.wire, desk.link = far, wire, link
        try:
            app.window.show()
            app.window.activateWindow()
            qtbot.waitActive(app.window)
            app.start()
            desk.until(lambda: app.window.model.rowCount() == len(entries) or not story)
            desk.settle()
            yield desk
        finally:
            app.window.close()
            app.close()
            app.window.deleteLater()
            themes.deleteLater()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            qapp.setPalette(palette_of(LIGHT))
            wire.close()
