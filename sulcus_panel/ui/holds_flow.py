"""From "an agent asks for an undo" to the person's yes or no: the strip, the list, and the sheet that answers.

Whoever wrote the request, in this process or another, the ledger tells of it: `follow()` reads what waits now.
"""

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.holds import Hold
from sulcus_panel.core.model import Workspace
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.interface import Verbs
from sulcus_panel.ui.dialogs.holds_dialog import HoldsDialog
from sulcus_panel.ui.jobs import Jobs
from sulcus_panel.ui.models.hold_words import asker
from sulcus_panel.ui.undo_flow import UndoFlow
from sulcus_panel.ui.views.holds_strip import HoldsStrip

MEANWHILE = "It was decided meanwhile; nothing more was done."


class HoldsFlow(QObject):
    """Shows what waits in one workspace and carries out what the person answers."""

    noted = Signal(str)
    """A sentence for the window."""

    def __init__(
        self, jobs: Jobs, workspace: Workspace, strip: HoldsStrip, undo_flow: UndoFlow, window: QWidget
    ) -> None:
        super().__init__(window)
        self._jobs = jobs
        self._workspace = workspace
        self._strip = strip
        self._undo_flow = undo_flow
        self._window = window
        self._dialog: HoldsDialog | None = None
        self._holds: tuple[Hold, ...] = ()
        self.can_answer = True
        """False where the ledger is only read."""
        strip.look_requested.connect(self._on_look)
        strip.keep_requested.connect(self._on_keep)
        strip.list_requested.connect(self.show_list)

    @property
    def dialog(self) -> HoldsDialog | None:
        """The list, once it was opened."""
        return self._dialog

    def ask(self) -> None:
        """Read what waits now."""
        self._jobs.spawn(self._read())

    def follow(self, changes: Changes) -> None:
        """Read again where a write may have changed what waits."""
        if changes.holds or changes.touched is None:
            self.ask()

    @Slot()
    def show_list(self) -> None:
        """Open the list of everything that waits."""
        if self._dialog is None:
            self._dialog = HoldsDialog(self._window)
            self._dialog.look_requested.connect(self._on_look)
            self._dialog.keep_requested.connect(self._on_keep)
        self._dialog.show_holds(self._holds, can_answer=self.can_answer)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    def close(self) -> None:
        """Close the list with the window."""
        if self._dialog is not None:
            self._dialog.reject()

    async def _read(self) -> None:
        workspace_id = self._workspace.id
        holds = await self._jobs.read(lambda operations: operations.holds.find(workspace_id), key="holds")
        known = {hold.id for hold in self._holds}
        self._holds = holds
        self._strip.show_holds(holds, can_answer=self.can_answer)
        if self._dialog is not None:
            self._dialog.show_holds(holds, can_answer=self.can_answer)
        if any(hold.id not in known for hold in holds):
            QApplication.alert(self._window)

    async def _keep(self, hold: Hold) -> None:
        try:
            await self._jobs.write(partial(_reject, hold_id=hold.id))
        except BadRequest:
            self.noted.emit(MEANWHILE)
            self.ask()
        else:
            self.noted.emit(f"Kept as it is. {asker(hold.actor)} learns that you said no.")

    @Slot(int)
    def _on_look(self, hold_id: int) -> None:
        for hold in self._holds:
            if hold.id == hold_id:
                self._undo_flow.answer(hold)

    @Slot(int)
    def _on_keep(self, hold_id: int) -> None:
        for hold in self._holds:
            if hold.id == hold_id:
                self._jobs.spawn(self._keep(hold))


def _reject(operations: Verbs, hold_id: int) -> None:
    operations.holds.reject(hold_id)
