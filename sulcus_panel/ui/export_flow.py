"""Copying a change as a patch, and writing the shown changes to a file that only its owner can read."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import Entry, SeqId
from sulcus_panel.service.export import (
    ExportFormat,
    clipboard_patch,
    export_changes,
    export_patch,
    write_private,
)
from sulcus_panel.service.interface import Verbs
from sulcus_panel.service.operations import DiffView, FileDiff
from sulcus_panel.ui.jobs import Jobs

FILTERS = {
    "Markdown (*.md)": ExportFormat.MARKDOWN,
    "JSON (*.json)": ExportFormat.JSON,
    "Patch with contents (*.patch)": ExportFormat.PATCH,
}


class ExportFlow(QObject):
    """Asks where to, reads on the worker, tells what was done."""

    noted = Signal(str)

    def __init__(self, jobs: Jobs, window: QWidget) -> None:
        super().__init__(window)
        self._jobs = jobs
        self._window = window
        self._query = LedgerQuery()
        self._dialog: QFileDialog | None = None

    def copy_patch(self, seq_ids: tuple[SeqId, ...]) -> None:
        """Put these changes on the clipboard as a patch."""
        self._jobs.spawn(self._copy(seq_ids))

    def export(self, query: LedgerQuery) -> None:
        """Ask for a file, then write what `query` matches, oldest first."""
        self._query = query
        if self._dialog is None:
            dialog = QFileDialog(self._window, "Export the shown changes")
            dialog.setObjectName("export_dialog")
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.setNameFilters(list(FILTERS))
            dialog.setDefaultSuffix("md")
            dialog.filterSelected.connect(self._on_filter_selected)
            dialog.fileSelected.connect(self._on_file_selected)
            self._dialog = dialog
        self._dialog.open()

    async def _copy(self, seq_ids: tuple[SeqId, ...]) -> None:
        text = await self._jobs.read(partial(_patch, seq_ids=seq_ids))
        QGuiApplication.clipboard().setText(text)
        self.noted.emit("Copied as a patch.")

    async def _write(self, query: LedgerQuery, form: ExportFormat, file: Path) -> None:
        count = await self._jobs.read(partial(_export, query=query, form=form, file=file))
        self.noted.emit(f"{count:,} changes written to {file}.")

    @Slot(str)
    def _on_filter_selected(self, name: str) -> None:
        if self._dialog is not None and name in FILTERS:
            self._dialog.setDefaultSuffix(FILTERS[name].value)

    @Slot(str)
    def _on_file_selected(self, name: str) -> None:
        if self._dialog is not None:
            form = FILTERS.get(self._dialog.selectedNameFilter(), ExportFormat.MARKDOWN)
            self._jobs.spawn(self._write(self._query, form, Path(name)))


def _patch(operations: Verbs, seq_ids: tuple[SeqId, ...]) -> str:
    entries = sorted(operations.entries(seq_ids), key=_number)
    return clipboard_patch(entries, partial(_diffs, operations))


def _export(operations: Verbs, query: LedgerQuery, form: ExportFormat, file: Path) -> int:
    ids = tuple(SeqId(seq_id) for seq_id in operations.find_ids(query))
    entries = sorted(operations.entries(ids), key=_number)
    if form is ExportFormat.PATCH:
        data = export_patch(entries, partial(_diffs, operations))
    else:
        data = export_changes(entries, form, None).encode("utf-8", "backslashreplace")
    write_private(file, data)
    return len(entries)


def _diffs(operations: Verbs, entry: Entry) -> tuple[FileDiff, ...]:
    return operations.diff(entry.seq_id, DiffView.CHANGE)


def _number(entry: Entry) -> int:
    return entry.seq_id
