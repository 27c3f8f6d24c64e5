"""The window on another machine's ledger: all of it works, and nothing is taken as done without an answer."""

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import DriftKind, EntryState
from sulcus_panel.service.operations import Operations
from sulcus_panel.ui.actions import Verb
from sulcus_panel.ui.models.ledger_row import LedgerRow
from tests.support.desk import FIRST, THIRD, WITHOUT_SECOND
from tests.support.far_desk import FarDesk, far_desk
from tests.support.ledger_builder import LedgerBuilder
from tests.support.ledgers import appended, change, record
from tests.support.shown_sheet import said


@pytest.fixture
def desk(
    live_build: LedgerBuilder, tmp_path: Path, qt_loop: asyncio.AbstractEventLoop, qtbot: QtBot
) -> Iterator[FarDesk]:
    with far_desk(live_build, tmp_path / "near", qt_loop, qtbot) as desk:
        yield desk


def row_of(desk: FarDesk, number: int) -> LedgerRow | None:
    model = desk.window.model
    return model.ledger_row(model.row_of(desk.entries[number].seq_id))


def state_of(desk: FarDesk, number: int) -> EntryState | None:
    row = row_of(desk, number)
    return None if row is None else row.entry.state


def record_many(build: LedgerBuilder, count: int) -> None:
    with build.ledger.write():
        build.ledger.set_setting(build.workspace.id, "max_entries", count)
        for number in range(count):
            edit = change(f"src/file_{number}.py", b"1", b"2")
            appended(build.ledger, build.workspace.id, record(f"many-{number}", edit, at=build.clock()))


def ask(desk: FarDesk, number: int, verb: Verb = Verb.UNDO) -> None:
    desk.select(desk.entries[number])
    desk.until(desk.window.actions_by_verb[verb].isEnabled)
    desk.window.actions_by_verb[verb].trigger()
    desk.planned()


def test_the_window_says_where_it_is_attached_and_shows_rows_and_differences(desk: FarDesk) -> None:
    assert desk.window.windowTitle() == "work on buildbox — Sulcus Panel"
    desk.until(lambda: "Attached to " in desk.status)
    desk.select(desk.entries[1])
    desk.until(lambda: desk.window.parts.pane.diff.document.path == "src/app.py")
    desk.until(lambda: all(row_of(desk, number) for number in range(3)))
    assert {row.name for number in range(3) if (row := row_of(desk, number))} == {"app.py"}


def test_a_filter_is_answered_there(desk: FarDesk) -> None:
    workspace_id = desk.build.workspace.id
    desk.window.model.set_filter(LedgerQuery(workspace_id=workspace_id, text="no such thing"))
    desk.until(lambda: desk.window.model.rowCount() == 0)
    desk.window.model.set_filter(LedgerQuery(workspace_id=workspace_id, text="app.py"))
    desk.until(lambda: desk.window.model.rowCount() == 3)


def test_an_undo_and_its_redo_are_carried_out_there_and_shown_here(desk: FarDesk) -> None:
    ask(desk, 1)
    desk.press("undo_button")
    desk.until(lambda: desk.file.read_text() == WITHOUT_SECOND)
    desk.until(lambda: state_of(desk, 1) is EntryState.UNDONE)
    assert "Undone, and verified on disk" in said(desk.sheet)
    desk.sheet.close()
    ask(desk, 1, Verb.REDO)
    desk.press("undo_button")
    desk.until(lambda: desk.file.read_text() == THIRD)
    desk.until(lambda: state_of(desk, 1) is EntryState.RECORDED)


def test_rows_and_drift_of_others_there_appear_by_themselves(desk: FarDesk) -> None:
    other = desk.build.write("src/other.py", "one\n")
    desk.until(lambda: desk.window.model.row_of(other.seq_id) == 0)
    desk.file.write_text(FIRST)

    def has_drifted() -> bool:
        row = row_of(desk, 2)
        return row is not None and row.entry.drift is DriftKind.CHANGED

    desk.until(has_drifted)
    desk.select(desk.entries[2])
    desk.window.actions_by_verb[Verb.VIEW_NOW].trigger()
    desk.until(
        lambda: (
            "FOUR" not in said(desk.window.parts.pane.banner) and desk.window.parts.pane.banner.isVisible()
        )
    )


def test_a_broken_link_is_a_banner_and_bars_what_needs_it_until_it_is_back(desk: FarDesk) -> None:
    desk.select(desk.entries[2])
    desk.until(desk.window.actions_by_verb[Verb.UNDO].isEnabled)
    desk.wire.cut()
    desk.until(lambda: "is broken" in desk.banner)
    assert "Its last answer came at " in desk.banner
    assert "tried again" in desk.banner
    desk.until(lambda: "No link to " in desk.status)
    action = desk.window.actions_by_verb[Verb.UNDO]
    assert not action.isEnabled()
    assert action.toolTip().startswith("The link to ")
    row = row_of(desk, 2)
    assert row is not None
    assert (row.undo.enabled, "is broken" in row.undo.reason) == (False, True)
    assert desk.window.parts.pane.diff.document.path == "src/app.py"
    later = desk.build.write("src/later.py", "meanwhile\n")
    desk.wire.mend()
    desk.until(lambda: not desk.banner)
    desk.until(lambda: desk.window.model.row_of(later.seq_id) == 0)
    desk.until(action.isEnabled)


def test_a_slow_link_says_who_is_waited_for(desk: FarDesk) -> None:
    desk.wire.answers.clear()
    desk.select_without_waiting(desk.entries[0])
    desk.until(lambda: "waiting for " in desk.status)
    assert not desk.banner
    desk.wire.answers.set()
    desk.until(lambda: "Attached to " in desk.status)


def test_an_undo_whose_answer_is_lost_is_not_taken_as_done_and_is_told_as_it_was(desk: FarDesk) -> None:
    ask(desk, 1)
    desk.far.before = lambda verb: desk.wire.answers.clear() if verb == "apply" else None
    desk.press("undo_button")
    desk.until(lambda: desk.file.read_text() == WITHOUT_SECOND)
    desk.wire.cut()
    desk.until(lambda: "whether it was carried out is not known" in said(desk.sheet))
    assert "Undone, and verified" not in said(desk.sheet)
    assert state_of(desk, 1) is EntryState.RECORDED
    desk.wire.answers.set()
    desk.wire.mend()
    desk.until(lambda: "was carried out (undone)" in desk.note)
    desk.until(lambda: state_of(desk, 1) is EntryState.UNDONE)
    assert len(desk.build.ledger.find(LedgerQuery())) == 4


def test_an_undo_that_reached_nobody_is_said_not_to_have_been_carried_out(desk: FarDesk) -> None:
    ask(desk, 1)
    desk.wire.swallow = True
    desk.press("undo_button")
    desk.until(lambda: "whether it was carried out is not known" in said(desk.sheet))
    desk.wire.swallow = False
    desk.wire.mend()
    desk.until(lambda: "was not carried out" in desk.note)
    assert desk.file.read_text() == THIRD
    assert state_of(desk, 1) is EntryState.RECORDED
    desk.sheet.close()
    ask(desk, 1)
    desk.press("undo_button")
    desk.until(lambda: desk.file.read_text() == WITHOUT_SECOND)


def test_a_deferred_change_waits_for_the_person_there(desk: FarDesk) -> None:
    desk.select(desk.entries[0])
    desk.until(desk.window.actions_by_verb[Verb.DECIDE_LATER].isEnabled)
    desk.window.actions_by_verb[Verb.DECIDE_LATER].trigger()
    desk.until(lambda: state_of(desk, 0) is EntryState.DEFERRED)


def test_a_turned_away_token_is_told_in_the_banner(desk: FarDesk) -> None:
    with Operations.open(desk.build.home) as operations:
        for token in operations.tokens.all():
            operations.tokens.revoke(token.id)
    desk.wire.cut()
    desk.wire.mend()
    desk.until(lambda: "does not let this window in" in desk.banner)


@pytest.mark.slow
def test_among_50_000_rows_over_a_slow_link_scrolling_never_waits(
    live_build: LedgerBuilder, tmp_path: Path, qt_loop: asyncio.AbstractEventLoop, qtbot: QtBot
) -> None:
    record_many(live_build, 50_000)
    with far_desk(live_build, tmp_path / "near", qt_loop, qtbot, story=False) as desk:
        desk.until(lambda: desk.window.model.rowCount() == 50_000)
        desk.wire.delay = 0.1
        bar = desk.window.parts.table.verticalScrollBar()
        longest = 0.0
        for step in range(1, 101):
            began = time.monotonic()
            bar.setValue(bar.maximum() * step // 100)
            QCoreApplication.processEvents()
            longest = max(longest, time.monotonic() - began)
        desk.until(lambda: desk.window.model.ledger_row(49_999) is not None)
    assert longest < 0.1


def test_an_undo_over_a_link_known_to_be_broken_is_not_sent(desk: FarDesk) -> None:
    ask(desk, 1)
    desk.wire.cut()
    desk.until(lambda: bool(desk.banner))
    desk.press("undo_button")
    desk.until(lambda: "Nothing was sent" in said(desk.sheet))
    assert desk.file.read_text() == THIRD
    assert not desk.link.owed


def test_the_window_closes_at_once_however_silent_the_other_side_is(desk: FarDesk) -> None:
    desk.wire.answers.clear()
    desk.select_without_waiting(desk.entries[0])
    desk.until(lambda: desk.link.state.waiting > 0)
    desk.window.close()
    desk.app.close()
    assert not [each.name for each in threading.enumerate() if each.name.startswith(("remote-", "sulcus-"))]
