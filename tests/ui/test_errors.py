"""Expected errors are shown, bugs are logged and shown once, and the program goes on."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from sulcus_panel.core.errors import LedgerBusy
from sulcus_panel.ui.errors import BugDialog, ErrorDesk, bug_report


@pytest.fixture
def desk(qapp: QApplication, tmp_path: Path) -> Iterator[ErrorDesk]:
    desk = ErrorDesk(tmp_path / "panel.log")
    yield desk
    for dialog in dialogs(qapp):
        dialog.close()
        dialog.deleteLater()


def dialogs(qapp: QApplication) -> list[BugDialog]:
    return [
        widget for widget in qapp.topLevelWidgets() if isinstance(widget, BugDialog) and widget.isVisible()
    ]


def raised(error: Exception) -> Exception:
    try:
        raise error
    except type(error) as caught:
        return caught


def test_an_expected_error_is_shown_and_is_no_bug(desk: ErrorDesk, qapp: QApplication, qtbot: QtBot) -> None:
    with qtbot.waitSignal(desk.refused) as shown:
        desk.report(LedgerBusy("The ledger is busy"))
    assert shown.args is not None
    assert shown.args[0].title == "The ledger is busy"
    assert dialogs(qapp) == []


def test_a_bug_goes_to_the_log_and_into_a_dialog_to_copy_from(
    desk: ErrorDesk, qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(desk.broken):
        desk.report(raised(ZeroDivisionError("seven by nothing")))
    assert "seven by nothing" in (tmp_path / "panel.log").read_text()
    (dialog,) = dialogs(qapp)
    copy = dialog.findChild(QPushButton, "copy_report")
    assert copy is not None
    copy.click()
    assert "ZeroDivisionError: seven by nothing" in QGuiApplication.clipboard().text()


def test_a_second_bug_joins_the_dialog_that_is_open(
    desk: ErrorDesk, qapp: QApplication, qtbot: QtBot
) -> None:
    for words in ("first", "second"):
        with qtbot.waitSignal(desk.broken):
            desk.report(raised(ValueError(words)))
    (dialog,) = dialogs(qapp)
    report = dialog.findChild(QPlainTextEdit)
    assert report is not None
    assert "first" in report.toPlainText()
    assert "second" in report.toPlainText()


def test_the_hooks_of_interpreter_and_threads_end_here(
    desk: ErrorDesk, qt_loop: asyncio.AbstractEventLoop, qtbot: QtBot
) -> None:
    desk.install(qt_loop)
    try:
        with qtbot.waitSignal(desk.refused):
            sys.excepthook(LedgerBusy, LedgerBusy("in a slot"), None)
        with qtbot.waitSignal(desk.refused):
            thread = threading.Thread(target=fail)
            thread.start()
            thread.join()
        with qtbot.waitSignal(desk.refused):
            qt_loop.call_exception_handler({"message": "x", "exception": LedgerBusy("in the loop")})
    finally:
        desk.uninstall()
        qt_loop.set_exception_handler(None)


def fail() -> None:
    raise LedgerBusy("in a thread")


def test_a_log_that_cannot_be_written_does_not_hide_the_bug(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    desk = ErrorDesk(tmp_path)
    with qtbot.waitSignal(desk.broken):
        desk.report(raised(ValueError("lost")))
    (dialog,) = dialogs(qapp)
    dialog.close()
    dialog.deleteLater()


def test_a_report_names_versions_and_the_traceback() -> None:
    report = bug_report(raised(ValueError("here")))
    assert "Sulcus Panel" in report
    assert "PySide6" in report
    assert "in raised" in report
