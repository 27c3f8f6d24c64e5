"""Exporting asks for a file and writes what is shown; a place that cannot be written is said in the window."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

if TYPE_CHECKING:
    from tests.support.desk import Desk


def choose(desk: "Desk", file: Path, name_filter: str) -> None:
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    dialog = desk.window.findChild(QFileDialog, "export_dialog")
    assert dialog is not None
    assert dialog.isVisible()
    dialog.selectNameFilter(name_filter)
    dialog.fileSelected.emit(str(file))
    dialog.close()
    desk.settle()


def test_the_shown_changes_are_written_for_their_owner_alone(desk: "Desk", tmp_path: Path) -> None:
    choose(desk, tmp_path / "changes.md", "Markdown (*.md)")
    written = tmp_path / "changes.md"
    assert "src/app.py" in written.read_text()
    assert "TWO" not in written.read_text()
    assert written.stat().st_mode & 0o077 == 0
    assert "3 changes written" in desk.window.parts.messages.accessibleName()


def test_a_patch_has_the_contents_oldest_first(desk: "Desk", tmp_path: Path) -> None:
    choose(desk, tmp_path / "changes.patch", "Patch with contents (*.patch)")
    text = (tmp_path / "changes.patch").read_text()
    assert 0 < text.index("+TWO") < text.index("+FOUR")


def test_a_place_that_cannot_be_written_is_told(desk: "Desk", tmp_path: Path) -> None:
    desk.app.jobs.failed.disconnect()
    desk.app.jobs.failed.connect(desk.app.desk.report)
    (tmp_path / "file").write_text("in the way")
    choose(desk, tmp_path / "file" / "changes.md", "Markdown (*.md)")
    desk.until(lambda: "Cannot write" in desk.window.parts.messages.accessibleName())


def test_a_patch_has_the_bytes_that_git_applies(desk: "Desk", tmp_path: Path) -> None:
    desk.build.write("src/odd.txt", b"caf\xe9\r\n")
    desk.window.model.reload()
    desk.until(lambda: desk.window.model.rowCount() == 4)
    choose(desk, tmp_path / "changes.patch", "Patch with contents (*.patch)")
    assert b"+caf\xe9\r\n" in (tmp_path / "changes.patch").read_bytes()
