"""The main job as a person lives it: an agent's real hook, a row that appears, a gesture, the disk."""

import asyncio
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QMenu
from pytestqt.qtbot import QtBot

from sulcus_panel.core.model import DriftKind, EntryState, SeqId
from sulcus_panel.ui.actions import Verb
from sulcus_panel.ui.models.columns import LedgerColumn
from tests.support.clock import FakeClock
from tests.support.desk import SECOND, THIRD, Desk, open_desk
from tests.support.hooks import Run
from tests.support.ledger_builder import LedgerBuilder
from tests.support.shell import record_command
from tests.support.shown_sheet import said

BY_HOOK = THIRD.replace("one\n", "one, by the hook\n")


@pytest.fixture
def live(tmp_path: Path, qt_loop: asyncio.AbstractEventLoop, qtbot: QtBot) -> Iterator[Desk]:
    """The window as `run_window` has it: tail and watcher at work."""
    build = LedgerBuilder.make(tmp_path, FakeClock(datetime.now(UTC)))
    with open_desk(build, qt_loop, qtbot, live=True) as desk:
        yield desk
    build.ledger.close()


def by_key(desk: Desk) -> None:
    QTest.keyClick(desk.window.parts.table, Qt.Key.Key_Return)


def by_menu(desk: Desk) -> None:
    menu = next(menu for menu in desk.window.menuBar().findChildren(QMenu) if menu.title() == "&Change")
    next(action for action in menu.actions() if action.data() == Verb.UNDO).trigger()


def by_button(desk: Desk) -> None:
    table = desk.window.parts.table
    place = table.visualRect(desk.window.model.index(0, LedgerColumn.UNDO)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def hook_edits(desk: Desk) -> SeqId:
    """An agent edits line 1 with real hook processes; returns the row that appears by itself."""
    rows = desk.window.model.rowCount()
    agent = Run(desk.build.root, desk.build.home.spool)
    agent.prompt("Say who did it")
    agent.edit("src/app.py", "one\n", "one, by the hook\n")
    desk.until(lambda: desk.window.model.rowCount() == rows + 1)
    seq_id = desk.window.model.seq_id_at(0)
    assert seq_id is not None
    return seq_id


@pytest.mark.parametrize("ask", [by_key, by_menu, by_button])
def test_a_hooks_row_appears_and_each_gesture_leads_over_the_sheet_to_the_disk(
    live: Desk, ask: Callable[[Desk], None]
) -> None:
    seq_id = hook_edits(live)
    entry = live.build.ledger.entry(seq_id)
    assert entry.record.intent == "Say who did it"
    assert live.file.read_text() == BY_HOOK
    live.select(entry)

    ask(live)
    live.planned()
    assert live.file.read_text() == BY_HOOK
    live.press("undo_button")
    live.until(lambda: live.build.ledger.entry(seq_id).state is EntryState.UNDONE)
    live.settle()

    assert live.file.read_text() == THIRD
    live.until(lambda: live.window.model.rowCount() == len(live.entries) + 2)
    live.sheet.close()


@pytest.mark.parametrize("way_out", ["keep_button", "later_button", "escape"])
def test_no_and_later_leave_the_hooks_change_on_disk(live: Desk, way_out: str) -> None:
    seq_id = hook_edits(live)
    live.select(live.build.ledger.entry(seq_id))
    by_key(live)
    sheet = live.planned()
    if way_out == "escape":
        QTest.keyClick(sheet, Qt.Key.Key_Escape)
    else:
        live.press(way_out)
    live.settle()
    assert live.file.read_text() == BY_HOOK
    state = live.build.ledger.entry(seq_id).state
    assert state is (EntryState.DEFERRED if way_out == "later_button" else EntryState.RECORDED)


def test_a_new_row_keeps_the_selection(live: Desk) -> None:
    live.select(live.entries[1])
    hook_edits(live)
    assert live.window.parts.table.current_seq_id == live.entries[1].seq_id


def test_an_outside_save_shows_as_drift_within_a_second(live: Desk) -> None:
    live.select(live.entries[1])
    live.until(lambda: live.app.is_watching)
    began = time.monotonic()
    live.build.outside("src/app.py", THIRD + "mine\n")
    live.until(lambda: live.build.ledger.entry(live.entries[1].seq_id).drift is DriftKind.CHANGED)
    live.until(live.window.parts.pane.banner.isVisible)
    assert time.monotonic() - began < 1.0


def test_a_file_that_a_command_moved_goes_back_and_of_its_folders_only_the_empty_ones_go(live: Desk) -> None:
    command = "mkdir -p lib/new && mv src/app.py lib/new/app.py"
    entry = record_command(live.build.ledger, live.build.workspace, command, datetime.now(UTC), turn_id="t9")
    live.build.outside("lib/mine.txt", "mine\n")
    live.until(lambda: live.window.model.row_of(entry.seq_id) >= 0)
    live.select(entry)
    by_key(live)
    sheet = live.planned()
    assert "src/app.py ← lib/new/app.py" in said(sheet)
    assert not any(box.objectName().startswith("hunk_") for box in sheet.findChildren(QCheckBox))
    assert "not empty, so it is kept" in said(sheet)
    for box in sheet.findChildren(QCheckBox):
        if box.objectName().startswith("consequence"):
            assert "deleted" not in box.text()
            QTest.keyClick(box, Qt.Key.Key_Space)
    live.press("undo_button")
    live.until(lambda: live.build.ledger.entry(entry.seq_id).state is EntryState.UNDONE)
    live.settle()
    assert live.file.read_text() == THIRD
    assert not (live.build.root / "lib/new").exists()
    assert (live.build.root / "lib/mine.txt").read_text() == "mine\n"
    assert "Undone, and verified on disk" in said(sheet)
    sheet.close()


def test_what_a_person_changed_since_can_be_decided_about_and_is_kept_before_it_goes(live: Desk) -> None:
    last = live.entries[2]
    live.build.outside("src/app.py", THIRD.replace("FOUR", "FOUR and mine"))
    live.select(last)
    by_key(live)
    sheet = live.planned()
    assert "These lines were changed outside the agents." in said(sheet)
    live.press("choice_0")
    live.settle()
    assert "to be looked at: the later work on these lines goes too" in said(sheet)
    for box in sheet.findChildren(QCheckBox):
        if not box.isChecked():
            QTest.keyClick(box, Qt.Key.Key_Space)
    live.press("undo_button")
    live.settle()
    assert "Undone, and verified on disk" in said(sheet)
    assert live.file.read_text() == SECOND
    live.press("redo_button")
    live.until(lambda: live.sheet is not sheet)
    again = live.planned()
    for box in again.findChildren(QCheckBox):
        if not box.isChecked():
            QTest.keyClick(box, Qt.Key.Key_Space)
    live.press("undo_button")
    live.settle()
    assert live.file.read_text() == THIRD.replace("FOUR", "FOUR and mine")
    live.sheet.close()
