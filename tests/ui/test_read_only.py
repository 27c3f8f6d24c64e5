"""A ledger that cannot be written is shown all the same; what cannot be done then says why."""

import asyncio
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from sulcus_panel.core.errors import LedgerTooNew
from sulcus_panel.ui.actions import Verb
from sulcus_panel.ui.models.columns import LedgerColumn
from sulcus_panel.ui.models.scope import Scope
from sulcus_panel.ui.views.painted_button import PaintedButton
from tests.support.desk import THIRD, Desk, open_desk
from tests.support.ledger_builder import LedgerBuilder
from tests.support.shown_sheet import said

NEWER = LedgerTooNew("The ledger was made by a newer version", "Its format is 9.", "Update Sulcus Panel.")
WHY = "the ledger was made by a newer version, so it is open for reading only"


@pytest.fixture
def reading(live_build: LedgerBuilder, qt_loop: asyncio.AbstractEventLoop, qtbot: QtBot) -> Iterator[Desk]:
    """The window on a ledger that is only read, with the tail at work."""
    with open_desk(live_build, qt_loop, qtbot, live=True, unwritable=NEWER) as desk:
        desk.select(desk.entries[1])
        yield desk


def test_a_banner_says_for_good_that_the_ledger_is_only_read(reading: Desk) -> None:
    banner = reading.window.parts.standing
    assert said(banner) == (
        "Read only\nThe ledger was made by a newer version. Its format is 9. Update Sulcus Panel."
    )
    assert not any(button.isVisible() for button in banner.findChildren(PaintedButton))
    assert not reading.window.parts.messages.isVisible()
    assert "Read only; the disk is not watched" in reading.window.parts.status.accessibleName()


def test_the_difference_is_shown_and_every_way_to_undo_says_why_it_is_off(reading: Desk) -> None:
    parts = reading.window.parts
    assert parts.pane.diff.document.path == "src/app.py"
    index = reading.window.model.index(1, LedgerColumn.UNDO)
    assert WHY in index.data(Qt.ItemDataRole.ToolTipRole)
    assert WHY in index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert f"Not from here: {WHY}." in said(parts.details)
    [button] = [each for each in parts.details.findChildren(PaintedButton) if each.text() == "Surgical Undo…"]
    assert not button.isEnabled()
    assert WHY in button.toolTip()
    for verb in (Verb.UNDO, Verb.REDO, Verb.UNDO_TURN, Verb.DECIDE_LATER):
        action = reading.window.actions_by_verb[verb]
        assert not action.isEnabled()
        assert action.toolTip() == WHY.capitalize()
    assert reading.window.actions_by_verb[Verb.COPY_PATCH].isEnabled()


def test_nothing_opens_a_sheet_and_nothing_is_written(reading: Desk) -> None:
    QTest.keyClick(reading.window.parts.table, Qt.Key.Key_Return)
    reading.window.actions_by_verb[Verb.REFRESH].trigger()
    reading.settle()
    assert reading.window.undo_flow.sheet is None
    assert not reading.window.parts.messages.isVisible()
    turn = Scope("a turn", "claude-code", "s", "t")
    reading.window.parts.sidebar.menu_requested.emit(turn, QPoint())
    menu = next(each for each in reading.window.findChildren(QMenu) if "Turn" in each.actions()[0].text())
    assert not menu.actions()[0].isEnabled()
    menu.close()
    assert reading.file.read_text() == THIRD


def test_rows_of_another_process_appear_and_cannot_be_undone_either(reading: Desk) -> None:
    fresh = reading.build.write("src/other.py", "new\n")
    reading.until(lambda: reading.window.model.row_of(fresh.seq_id) == 0)
    row = reading.window.model.ledger_row(0)
    assert row is not None
    assert (row.undo.label, row.undo.enabled, row.undo.reason) == ("Surgical Undo", False, WHY)
