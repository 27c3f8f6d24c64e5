"""The sheet answers once, and only the button that names the deed says yes."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QFrame, QLabel, QWidget
from pytestqt.qtbot import QtBot

from sulcus_panel.core.errors import ApplyFailed
from sulcus_panel.core.model import Decision, DriftKind, LedgerPath
from sulcus_panel.core.undo.model import (
    Explanation,
    Outcome,
    UndoPlan,
    UndoResult,
    Warning,
)
from sulcus_panel.service.file_diffs import FileDiff
from sulcus_panel.ui.dialogs.card_list import AT_ONCE
from sulcus_panel.ui.dialogs.plan_page import PlanPage
from tests.support import hard_plans, undo_plans
from tests.support.shown_sheet import Shown, press


@pytest.mark.parametrize(
    ("plan", "consequences"),
    [
        (undo_plans.clean_plan, []),
        (undo_plans.drifted_plan, ["changed outside"]),
        (undo_plans.delete_plan, ["will be deleted"]),
        (undo_plans.turn_plan, ["will be deleted", "All 2 changes"]),
    ],
)
def test_each_named_consequence_must_be_ticked_first(
    plan: Callable[[], UndoPlan], consequences: list[str], shown: Shown
) -> None:
    shown.sheet.show_plan(plan())
    for number, words in enumerate(consequences):
        assert not shown.button("undo_button").isEnabled()
        box = shown.box(f"consequence_{number}")
        assert words in box.text()
        assert not box.isChecked()
        box.click()
    assert shown.button("undo_button").isEnabled()


def test_a_conflict_names_who_stands_there_and_cannot_be_accepted(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.conflict_plan())
    assert "#842 stands on these lines" in shown.texts()
    assert not shown.button("undo_button").isEnabled()
    shown.button("undo_button").click()
    assert shown.decisions == []


def test_a_conflict_with_an_outside_change_says_so(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.conflict_plan(outside=True))
    assert "changed outside the agents" in shown.texts()


def test_unticking_a_hunk_asks_for_a_new_plan_and_forbids_yes_until_it_is_there(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.conflict_plan())
    shown.box("hunk_1").click()
    assert shown.hunks == [(0,)]
    assert not shown.button("undo_button").isEnabled()
    item = undo_plans.drifted_plan()
    shown.sheet.show_plan(replace(item, drift={}))
    assert shown.button("undo_button").isEnabled()
    assert not shown.box("hunk_1").isChecked()


def test_the_focus_stays_on_the_ticked_hunk_when_the_new_plan_comes(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.drifted_plan())
    box = shown.box("hunk_1")
    box.setFocus()
    press(box, Qt.Key.Key_Space)
    shown.sheet.show_plan(undo_plans.conflict_plan())
    focused = shown.sheet.focusWidget()
    assert focused is not None
    assert focused.objectName() == "hunk_1"


def test_a_stale_plan_is_shown_again_with_a_reason_and_asked_anew(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.clean_plan())
    shown.button("undo_button").click()
    shown.sheet.show_applying()
    shown.sheet.ask_again()
    shown.sheet.show_plan(undo_plans.clean_plan(), "The file changed meanwhile. Look again.")
    assert "The file changed meanwhile" in shown.texts()
    shown.button("undo_button").click()
    assert shown.decisions == [Decision.ACCEPT, Decision.ACCEPT]


def test_drift_is_told_before_every_rollback_and_can_be_shown(shown: Shown, qtbot: QtBot) -> None:
    asked: list[object] = []
    shown.sheet.outside_requested.connect(asked.append)
    shown.sheet.show_plan(undo_plans.drifted_plan())
    shown.button("show_outside").click()
    assert asked == [undo_plans.PATH]
    diff = FileDiff(undo_plans.PATH, b"a\n", b"a\n# mine\n", "after #842", "on disk now")
    shown.sheet.show_outside(undo_plans.PATH, diff)
    qtbot.waitUntil(lambda: "on disk now" in shown.texts())


def test_the_result_shows_the_hashes_read_back_and_offers_redo(shown: Shown) -> None:
    wanted: list[object] = []
    shown.sheet.redo_requested.connect(wanted.append)
    shown.sheet.show_plan(undo_plans.clean_plan())
    shown.button("undo_button").click()
    result = undo_plans.result()
    shown.sheet.show_result(result)
    assert str(result.results[0].paths[0].after_sha256) in shown.texts()
    assert "verified on disk" in shown.texts()
    assert shown.button("keep_button").text() == "Close"
    QTest.mouseClick(shown.button("redo_button"), Qt.MouseButton.LeftButton)
    assert wanted == [(847,)]
    assert shown.decisions == [Decision.ACCEPT]


@pytest.mark.parametrize("recorded", [True, False])
def test_what_was_written_and_not_confirmed_is_neither_done_nor_undone(shown: Shown, recorded: bool) -> None:
    shown.sheet.show_plan(undo_plans.clean_plan())
    shown.button("undo_button").click()
    done = undo_plans.result().results[0]
    entry = replace(
        done,
        outcome=Outcome.APPLIED_UNCONFIRMED,
        reason="the file has changed again",
        undo_seq_id=done.undo_seq_id if recorded else None,
        paths=tuple(replace(path, read_back=False) for path in done.paths),
    )
    shown.sheet.show_result(UndoResult(Outcome.APPLIED_UNCONFIRMED, "d1", (entry,)))
    assert "written, but not confirmed" in shown.texts()
    assert "the file has changed again" in shown.texts()
    for lie in ("nothing is changed", "verified on disk", "read back from disk", "did not happen"):
        assert lie not in shown.texts()


def test_a_failure_is_shown_with_its_hint_and_only_close_is_left(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.clean_plan())
    shown.button("undo_button").click()
    shown.sheet.show_error(
        ApplyFailed("The disk is full", "Everything was put back.", "Make room and try again.")
    )
    assert "Make room and try again." in shown.texts()
    assert not shown.button("undo_button").isVisible()
    press(shown.sheet, Qt.Key.Key_Return)
    assert shown.decisions == [Decision.ACCEPT]


def test_a_redo_speaks_of_the_change_that_comes_back(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.redo_plan())
    assert shown.sheet.windowTitle() == "Redo change #840"
    assert shown.button("undo_button").text() == "Redo this change"


def test_a_turn_lists_its_entries_newest_first_with_their_outcome(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.turn_plan())
    texts = shown.texts()
    assert texts.index("#844  lib/support/clock_skew.rb") < texts.index("#840  services/billing")
    assert texts.count("goes back cleanly") == 2


def test_what_a_record_says_is_never_markup(shown: Shown) -> None:
    evil = "<b>bold</b> &amp; <img src=x> \x1b[31m"
    plan = undo_plans.clean_plan()
    plan = replace(plan, explanation=Explanation(evil, evil, evil, evil))
    shown.sheet.show_plan(plan)
    assert "<b>bold</b>" in shown.texts()
    assert "\x1b" not in shown.texts()
    for label in shown.sheet.findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText


@pytest.mark.parametrize(
    "plan",
    [
        undo_plans.clean_plan,
        undo_plans.drifted_plan,
        undo_plans.conflict_plan,
        undo_plans.turn_plan,
        hard_plans.blocked_plan,
        hard_plans.review_plan,
        hard_plans.folder_plan,
        hard_plans.twelve_plan,
    ],
)
def test_whatever_can_have_the_focus_has_a_name_for_screen_readers(
    plan: Callable[[], UndoPlan], shown: Shown
) -> None:
    shown.sheet.show_plan(plan())
    for widget in shown.sheet.findChildren(QWidget):
        if widget.isVisible() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            interface = QAccessible.queryAccessibleInterface(widget)
            assert interface.text(QAccessible.Text.Name), widget


def test_a_very_long_path_stays_inside_the_sheet(shown: Shown) -> None:
    plan = undo_plans.clean_plan()
    item = plan.entries[0]
    long_path = replace(item.paths[0], path=LedgerPath("x" * 4000))
    shown.sheet.show_plan(replace(plan, entries=(replace(item, paths=(long_path,)),)))
    content = shown.sheet.findChild(QWidget, "plan_content")
    assert content is not None
    assert content.minimumSizeHint().width() <= shown.sheet.width()


@pytest.mark.parametrize("name", ["src/" + "deep/" * 24 + "x.py", "y" * 900, "a b " * 200, "W" * 39])
@pytest.mark.parametrize("make", [undo_plans.delete_plan, undo_plans.turn_plan])
def test_no_path_makes_the_sheet_wider_than_a_small_screen(
    make: Callable[[], UndoPlan], name: str, shown: Shown
) -> None:
    path, plan = LedgerPath(name), make()
    writes = tuple(replace(write, path=path) for write in plan.writes)
    warning = Warning("other", f"Also {name}.", path)
    shown.sheet.show_plan(
        replace(plan, writes=writes, drift={path: DriftKind.CHANGED}, warnings=(warning,)), f"Look at {name}"
    )
    assert shown.sheet.minimumSizeHint().width() <= 640
    shown.sheet.resize(640, 600)
    QApplication.processEvents()
    content, page = shown.sheet.findChild(QWidget, "plan_content"), shown.sheet.findChild(PlanPage)
    assert content is not None
    assert page is not None
    assert content.width() <= page.viewport().width()
    for box in (box for box in shown.sheet.findChildren(QCheckBox) if box.objectName()[:11] == "consequence"):
        assert box.height() >= box.heightForWidth(box.width())


def test_a_long_consequence_is_told_on_several_lines_and_ticked_by_a_click_on_any(shown: Shown) -> None:
    path, plan = LedgerPath("src/" + "deep/" * 60 + "x.py"), undo_plans.delete_plan()
    shown.sheet.resize(640, 600)
    shown.sheet.show_plan(replace(plan, writes=tuple(replace(write, path=path) for write in plan.writes)))
    QApplication.processEvents()
    box = shown.box("consequence_0")
    assert box.height() > 2 * box.fontMetrics().height()
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(60, box.height() - 6))
    assert box.isChecked()
    assert shown.button("undo_button").isEnabled()


def test_the_last_part_can_be_unticked_and_ticked_again(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.clean_plan())
    shown.box("hunk_0").click()
    assert shown.hunks == [()]
    assert shown.box("hunk_0").isVisible()
    assert "Nothing is chosen" in shown.texts()
    assert not shown.button("undo_button").isEnabled()
    shown.box("hunk_0").click()
    assert shown.hunks == [(), (0,)]
    shown.sheet.show_plan(undo_plans.clean_plan())
    assert "Nothing is chosen" not in shown.texts()
    assert shown.button("undo_button").isEnabled()


def many_parts_plan(count: int) -> UndoPlan:
    plan = undo_plans.clean_plan()
    hunks = tuple(undo_plans.clean_hunk(index) for index in range(count))
    return replace(plan, entries=(replace(plan.entries[0], paths=(undo_plans.path_plan(*hunks),)),))


def test_of_many_parts_the_first_are_shown_and_the_rest_is_counted(shown: Shown) -> None:
    shown.sheet.show_plan(many_parts_plan(5000))
    assert 30 <= shown.parts() <= AT_ONCE
    assert f"{5000 - shown.parts():,} more parts: all of them go back" in shown.texts()
    before = shown.parts()
    shown.button("more_button").click()
    assert shown.parts() == before + AT_ONCE


def test_what_was_opened_stays_open_and_what_is_not_shown_stays_chosen(shown: Shown) -> None:
    shown.sheet.show_plan(many_parts_plan(200))
    shown.button("more_button").click()
    count = shown.parts()
    shown.box("hunk_3").click()
    assert shown.hunks == [tuple(index for index in range(200) if index != 3)]
    shown.sheet.show_plan(many_parts_plan(200))
    assert shown.parts() == count


def test_of_many_entries_and_files_the_first_are_shown(shown: Shown) -> None:
    plan = undo_plans.turn_plan()
    shown.sheet.show_plan(replace(plan, entries=plan.entries * 300, writes=plan.writes * 300))
    assert len(shown.sheet.findChildren(QFrame, "entry_line")) == AT_ONCE
    assert f"{600 - AT_ONCE} more changes: all of them go back" in shown.texts()
    assert f"{600 - AT_ONCE} more files" in shown.texts()


def test_a_very_long_file_is_not_compared_while_the_window_waits(shown: Shown) -> None:
    plan = undo_plans.clean_plan()
    write = undo_plans.write_of(now=b"line\n" * 400_000, then=b"life\n" * 400_000)
    shown.sheet.show_plan(replace(plan, writes=(write,)))
    assert "Too long to be compared here" in shown.texts()


def test_a_plan_shown_again_with_a_reason_wants_its_consequences_ticked_again(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.delete_plan())
    shown.box("consequence_0").click()
    shown.sheet.show_plan(undo_plans.delete_plan())
    assert shown.box("consequence_0").isChecked()
    shown.sheet.show_plan(undo_plans.delete_plan(), "It has changed meanwhile; look again.")
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not shown.box("consequence_0").isChecked()


def test_a_short_title_stands_on_one_line_beside_its_box(shown: Shown) -> None:
    shown.sheet.resize(640, 600)
    shown.sheet.show_plan(undo_plans.clean_plan())
    QApplication.processEvents()
    box = shown.box("hunk_0")
    assert box.heightForWidth(box.width()) < 2 * box.fontMetrics().height()
