"""Where everything ends that nobody caught; the program goes on.

An expected error is a SulcusError: it goes to `refused`, and the window shows its title, detail and hint.
Anything else is our bug: the report is appended to the log file and shown in a dialog, to be copied.
"""

import asyncio
import logging
import platform
import sys
import threading
import traceback
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import QMessageLogContext, QObject, Qt, QtMsgType, Signal, Slot, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from sulcus_panel import __version__
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.home import make_private

_log = logging.getLogger("sulcus_panel.ui")
_QUIET_QT = ("This plugin does not support propagateSizeHints",)


class ErrorDesk(QObject):
    """Takes what was raised, from any thread, and shows it on the GUI thread."""

    refused = Signal(object)
    """A SulcusError to be shown in the window."""
    broken = Signal(str)
    """The report of a bug, already in the log."""
    _arrived = Signal(object)

    def __init__(self, log_file: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._log_file = log_file
        self._dialog: BugDialog | None = None
        self._arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)

    def install(self, loop: asyncio.AbstractEventLoop) -> None:
        """Become the one excepthook of the interpreter, of its threads, of the loop, and of Qt's messages."""
        sys.excepthook = self._on_uncaught
        threading.excepthook = self._on_uncaught_in_thread
        loop.set_exception_handler(self._on_uncaught_in_loop)
        qInstallMessageHandler(self._on_qt_message)

    def uninstall(self) -> None:
        """Give the hooks back to the interpreter."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        qInstallMessageHandler(None)

    @Slot(object)
    def report(self, error: BaseException) -> None:
        """Show `error`: as a message when it was to be expected, else as a bug. From any thread."""
        self._arrived.emit(error)

    @Slot(object)
    def _on_arrived(self, error: BaseException) -> None:
        if isinstance(error, SulcusError):
            _log.info("refused: %s", error)
            self.refused.emit(error)
            return
        report = bug_report(error)
        self._write(report)
        self.broken.emit(report)
        self._show(report)

    def _write(self, report: str) -> None:
        _log.error("bug\n%s", report)
        try:
            make_private(self._log_file)
            with self._log_file.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(report + "\n")
        except OSError as problem:
            _log.warning("the log %s cannot be written: %s", self._log_file, problem)

    def _show(self, report: str) -> None:
        if self._dialog is not None and self._dialog.isVisible():
            self._dialog.add(report)
            return
        self._dialog = BugDialog(report, self._log_file, QApplication.activeWindow())
        self._dialog.open()

    def _on_uncaught(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self.report(error)

    def _on_uncaught_in_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self.report(args.exc_value)

    def _on_uncaught_in_loop(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.report(error if isinstance(error, BaseException) else RuntimeError(str(context.get("message"))))

    def _on_qt_message(self, kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        if not message.startswith(_QUIET_QT):
            _log.log(_LEVELS.get(kind, logging.WARNING), "Qt: %s", message)


_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def bug_report(error: BaseException) -> str:
    """Return the text to send to us: when, which versions, the traceback. It holds no file contents."""
    head = (
        f"Sulcus Panel {__version__}, Python {platform.python_version()}, PySide6 {pyside_version}, "
        f"{platform.system()}, {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"
    )
    return head + "\n" + "".join(traceback.format_exception(error))


class BugDialog(QDialog):
    """Says that the program made a mistake, what that means, and gives the report to be copied."""

    def __init__(self, report: str, log_file: Path, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setObjectName("bug_dialog")
        self.setWindowTitle("Something went wrong in Sulcus Panel")
        self.setModal(False)
        self.resize(640, 380)
        words = QLabel(
            "The program made a mistake and stopped what it was doing. You can go on working.\n"
            f"The report below is also in {log_file}."
        )
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setWordWrap(True)
        self._text = QPlainTextEdit(report)
        self._text.setReadOnly(True)
        self._text.setAccessibleName("Report")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._copy = buttons.addButton("Copy report", QDialogButtonBox.ButtonRole.ActionRole)
        self._copy.setObjectName("copy_report")
        self._copy.clicked.connect(self._on_copy)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(words)
        layout.addWidget(self._text)
        layout.addWidget(buttons)

    def add(self, report: str) -> None:
        """Append one more report below those already shown."""
        self._text.appendPlainText("\n" + report)

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text.toPlainText())
