"""A branch that a command made, taken back and brought again by a key, a tick and a button of the real window."""

import subprocess
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QPushButton

from sulcus_panel.core.model import (
    ActionType,
    EntryState,
    GitDelta,
    GitState,
    LedgerPath,
    RefMove,
    Undoability,
)
from sulcus_panel.service.changes import Changes
from tests.support.commands import sh
from tests.support.desk import Desk
from tests.support.ledgers import appended
from tests.support.shown_sheet import said


def branches(desk: Desk) -> str:
    return subprocess.check_output(["git", "branch"], cwd=desk.build.root, text=True)


def tick_and_undo(desk: Desk) -> None:
    button = desk.sheet.findChild(QPushButton, "undo_button")
    assert button is not None
    assert not button.isEnabled()
    box = desk.sheet.findChild(QCheckBox, "consent_0")
    assert box is not None
    box.click()
    desk.press("undo_button")
    desk.settle()


def test_a_branch_goes_and_comes_by_the_same_gestures_as_a_file(desk: Desk) -> None:
    root = desk.build.root
    assert sh(root, "git init -q -b main && git add -A && git commit -qm one && git branch topic") == 0
    oid = subprocess.check_output(["git", "rev-parse", "main"], cwd=root, text=True).strip()
    here = GitState(oid, "main", {})
    first = desk.entries[0].record
    record = replace(
        first,
        uid="a-branch",
        changes=(),
        action_type=ActionType.RUN_COMMAND,
        command="git branch topic",
        cwd=str(root),
        target_path=LedgerPath(""),
        git=GitDelta(here, here, (RefMove("refs/heads/topic", "", oid),)),
    )
    entry = appended(desk.build.ledger, desk.build.workspace.id, record)
    assert entry.undoability is Undoability.FULLY
    desk.app.signals.changed.emit(Changes(desk.build.workspace.id, new_entries=(entry.seq_id,)))
    desk.until(lambda: desk.window.model.rowCount() == len(desk.entries) + 1)

    desk.select(entry)
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_Return)
    desk.planned()
    shown = said(desk.sheet)
    assert "branch topic was made at" in shown
    assert "branch topic is deleted" in shown
    assert "Nothing is lost" not in shown
    tick_and_undo(desk)
    assert "topic" not in branches(desk)
    assert desk.build.ledger.entry(entry.seq_id).state is EntryState.UNDONE
    shown = said(desk.sheet)
    assert "Undone, and verified on disk" in shown
    assert "no file was written" not in shown

    undone = desk.sheet
    desk.press("redo_button")
    desk.until(lambda: desk.sheet is not undone)
    desk.planned()
    tick_and_undo(desk)
    assert "topic" in branches(desk)
