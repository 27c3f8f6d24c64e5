"""Pins and labels by the row's menu: what is chosen is marked, and the ledger tells the rows."""

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import SeqId
from sulcus_panel.service.interface import Verbs
from sulcus_panel.ui.dialogs.label_dialog import LabelDialog
from sulcus_panel.ui.jobs import Jobs
from sulcus_panel.ui.models.wording import numbers


class MarksFlow(QObject):
    """Marks entries, and opens the dialog of their labels."""

    noted = Signal(str)
    """A sentence for the window."""

    def __init__(self, jobs: Jobs, window: QWidget) -> None:
        super().__init__(window)
        self._jobs = jobs
        self._window = window
        self._dialog: LabelDialog | None = None

    @property
    def dialog(self) -> LabelDialog | None:
        """The labels that were opened last, until they are closed."""
        return self._dialog

    def pin(self, seq_ids: tuple[SeqId, ...], *, pinned: bool) -> None:
        """Keep entries however full the ledger is, or no longer."""
        self._jobs.spawn(self._pin(seq_ids, pinned=pinned))

    def looked(self, seq_ids: tuple[SeqId, ...]) -> None:
        """Say that the person has looked at what rules asked him to look at."""
        self._jobs.spawn(self._looked(seq_ids))

    def label(self, seq_ids: tuple[SeqId, ...]) -> None:
        """Open the labels of entries."""
        self._jobs.spawn(self._label(seq_ids))

    def close(self) -> None:
        """Close the dialog with the window; nothing is saved."""
        if self._dialog is not None:
            self._dialog.reject()

    async def _pin(self, seq_ids: tuple[SeqId, ...], *, pinned: bool) -> None:
        await self._jobs.write(lambda operations: operations.marks.pin(seq_ids, pinned=pinned))
        said = "is kept, however full the ledger is" if pinned else "is let go of in its turn again"
        self.noted.emit(f"{numbers(seq_ids)} {said}.")

    async def _looked(self, seq_ids: tuple[SeqId, ...]) -> None:
        await self._jobs.write(lambda operations: operations.marks.looked(seq_ids))
        self.noted.emit("Noted that you have looked.")

    async def _label(self, seq_ids: tuple[SeqId, ...]) -> None:
        entries = await self._jobs.read(lambda operations: operations.entries(seq_ids))
        self.close()
        if entries:
            self._dialog = LabelDialog(entries, self._window)
            self._dialog.saved.connect(self._on_saved)
            self._dialog.finished.connect(self._on_finished)
            self._dialog.show()

    async def _save(self, dialog: LabelDialog, add: tuple[str, ...], remove: tuple[str, ...]) -> None:
        try:
            await self._jobs.write(partial(_save, seq_ids=dialog.seq_ids, add=add, remove=remove))
        except SulcusError as error:
            dialog.show_error(error)
        else:
            dialog.accept()

    @Slot(object, object)
    def _on_saved(self, add: tuple[str, ...], remove: tuple[str, ...]) -> None:
        if self._dialog is not None:
            self._jobs.spawn(self._save(self._dialog, add, remove))

    @Slot()
    def _on_finished(self) -> None:
        if self._dialog is not None and self.sender() is self._dialog:
            self._dialog.deleteLater()
            self._dialog = None


def _save(
    operations: Verbs, seq_ids: tuple[SeqId, ...], add: tuple[str, ...], remove: tuple[str, ...]
) -> None:
    operations.marks.label(seq_ids, add, remove)
