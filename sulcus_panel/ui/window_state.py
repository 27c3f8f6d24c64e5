"""What the window remembers from one day to the next: sizes, columns, layout and colours, in an INI file."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QHeaderView, QMainWindow, QSplitter

from sulcus_panel.core.ledger.home import make_private
from sulcus_panel.ui.theme import ThemeChoice

FILE = "window.ini"
VERSION = 1
"""Raised when panes or columns change, so that an older memory is dropped."""


class WindowState:
    """Saves and restores by name; what is unknown or broken is left as it is."""

    def __init__(self, folder: Path) -> None:
        with suppress(OSError):  # a folder that cannot be written: nothing is remembered
            make_private(folder / FILE)
        self._settings = QSettings(str(folder / FILE), QSettings.Format.IniFormat)
        if _number(self._settings.value("version")) != VERSION:
            self._settings.clear()
            self._settings.setValue("version", VERSION)

    def save(
        self, window: QMainWindow, splitters: Mapping[str, QSplitter], headers: Mapping[str, QHeaderView]
    ) -> None:
        """Remember how these stand now."""
        self._settings.setValue("geometry", window.saveGeometry())
        for name, splitter in splitters.items():
            self._settings.setValue(f"splitter/{name}", splitter.saveState())
        for name, header in headers.items():
            self._settings.setValue(f"header/{name}", header.saveState())
        self._settings.sync()

    def restore(
        self, window: QMainWindow, splitters: Mapping[str, QSplitter], headers: Mapping[str, QHeaderView]
    ) -> None:
        """Bring these to where they stood."""
        if isinstance(saved := self._settings.value("geometry"), QByteArray):
            window.restoreGeometry(saved)
        for name, splitter in splitters.items():
            if isinstance(saved := self._settings.value(f"splitter/{name}"), QByteArray):
                splitter.restoreState(saved)
        for name, header in headers.items():
            if isinstance(saved := self._settings.value(f"header/{name}"), QByteArray):
                header.restoreState(saved)

    @property
    def theme(self) -> ThemeChoice:
        """The colours chosen."""
        found = str(self._settings.value("theme", ""))
        return ThemeChoice(found) if found in tuple(ThemeChoice) else ThemeChoice.SYSTEM

    @theme.setter
    def theme(self, choice: ThemeChoice) -> None:
        self._settings.setValue("theme", choice.value)

    @property
    def side_by_side(self) -> bool:
        """Whether the diff stands side by side."""
        return str(self._settings.value("side_by_side", "true")) == "true"

    @side_by_side.setter
    def side_by_side(self, wanted: bool) -> None:
        self._settings.setValue("side_by_side", "true" if wanted else "false")


def _number(value: object) -> int:
    return int(value) if isinstance(value, int | str) and str(value).isdecimal() else 0
