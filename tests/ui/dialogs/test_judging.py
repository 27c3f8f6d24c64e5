"""What a person needs to judge a plan by: who stands there, what is not certain, which parts, what is grave."""

from collections.abc import Callable
from dataclasses import replace
from html import escape

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QFrame, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from sulcus_panel.core.model import Decision, LedgerPath, SeqId
from sulcus_panel.core.undo.model import HunkOutcome, Outcome, Resolution, UndoPlan, UndoRequest, Warning
from sulcus_panel.ui.dialogs.plan_page import PlanPage
from sulcus_panel.ui.dialogs.tick_list import HIGHEST, TickList
from tests.support import hard_plans, undo_plans
from tests.support.shown_sheet import Shown, press


def test_each_consent_is_ticked_by_space_before_a_yes_and_is_handed_on(shown: Shown) -> None:
    plan = hard_plans.review_plan()
    shown.sheet.show_plan(plan)
    assert "Please look at this first" in shown.texts()
    button = shown.button("undo_button")
    said = []
    for number in range(2):
        assert not button.isEnabled()
        assert button.accessibleDescription()
        assert escape(button.accessibleDescription()) in button.toolTip()
        said.append(button.accessibleDescription())
        press(shown.box(f"consent_{number}"), Qt.Key.Key_Space)
    assert said == [f"Tick what stands above first: {left} of 2 still to go." for left in (2, 1)]
    assert button.isEnabled()
    assert button.accessibleDescription() == ""
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert shown.decisions == [Decision.ACCEPT]
    assert shown.sheet.consents == tuple(consent.key for consent in plan.consents)


def test_a_consent_is_asked_anew_of_another_plan(shown: Shown) -> None:
    plan = hard_plans.review_plan()
    shown.sheet.show_plan(plan)
    shown.box("consent_0").click()
    shown.sheet.show_plan(plan)
    assert shown.box("consent_0").isChecked()
    shown.sheet.show_plan(replace(plan, digest="d2"))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not shown.box("consent_0").isChecked()


@pytest.mark.parametrize("plan", [hard_plans.review_plan, hard_plans.batch_review_plan])
def test_what_is_not_certain_is_marked_with_the_reason_and_its_lines(
    plan: Callable[[], UndoPlan], shown: Shown
) -> None:
    shown.sheet.show_plan(plan())
    (card,) = shown.sheet.findChildren(QFrame, "review_card")
    texts = [label.text() for label in card.findChildren(QLabel)]
    assert f"to be looked at: {hard_plans.WHY_REVIEW}" in texts
    spoken = "\n".join(each.accessibleDescription() for each in card.findChildren(QWidget))
    assert "goes:     raise Stale if drift(request) > MAX_DRIFT" in spoken
    assert "comes:     raise Stale" in spoken


def test_where_the_file_as_a_whole_is_not_certain_no_part_is_called_clean(shown: Shown) -> None:
    plan = hard_plans.review_plan()
    item = plan.entries[0]
    path = replace(item.paths[0], hunks=(undo_plans.clean_hunk(),), reason="the file would no longer parse")
    shown.sheet.show_plan(replace(plan, entries=(replace(item, paths=(path,)),)))
    assert "to be looked at: the file would no longer parse" in shown.texts()
    assert "goes back cleanly" not in shown.texts()
    assert len(shown.sheet.findChildren(QFrame, "review_card")) == 1


def test_who_stands_in_the_way_is_told_and_undone_too_at_one_click(shown: Shown) -> None:
    wanted: list[object] = []
    shown.sheet.request_wanted.connect(wanted.append)
    shown.sheet.show_plan(hard_plans.blocked_plan(), "", hard_plans.standing())
    assert "#851 and #842 stand on these lines. Undo them too, newest first?" in shown.texts()
    assert shown.texts().count("edited webhook_verifier.rb — “Harden webhook verification") == 2
    (button,) = shown.sheet.findChildren(QPushButton, "way_button")
    assert button.text() == "Undo #851 and #842 too"
    button.setFocus()
    press(button, Qt.Key.Key_Space)
    assert wanted == [UndoRequest((SeqId(851), SeqId(842), SeqId(840)))]
    assert not shown.button("undo_button").isEnabled()


def test_without_a_safe_set_it_is_told_who_stands_there_and_nothing_is_offered(shown: Shown) -> None:
    shown.sheet.show_plan(hard_plans.blocked_plan(safe=()), "", hard_plans.standing())
    assert "Who stands in the way" in shown.texts()
    assert "#851" in shown.texts()
    assert shown.sheet.findChildren(QPushButton, "way_button") == []


def test_what_else_a_person_may_decide_is_offered_below_who_stands_there(shown: Shown) -> None:
    wanted: list[object] = []
    shown.sheet.request_wanted.connect(wanted.append)
    plan = replace(hard_plans.blocked_plan(), choices=(Resolution.TAKE_ALL, Resolution.REST))
    shown.sheet.show_plan(plan, "", hard_plans.standing())
    for number, resolution in enumerate(plan.choices):
        QTest.mouseClick(shown.button(f"choice_{number}"), Qt.MouseButton.LeftButton)
        assert wanted[number] == UndoRequest((SeqId(840),), resolution=resolution)


def test_a_change_outside_the_agents_can_be_decided_about_too(shown: Shown) -> None:
    plan = replace(undo_plans.conflict_plan(outside=True), choices=(Resolution.TAKE_ALL,))
    shown.sheet.show_plan(plan)
    assert "These lines were changed outside the agents." in shown.texts()
    assert shown.button("choice_0").text() == "Let what stands there go too (a copy is kept)"
    assert shown.sheet.findChildren(QPushButton, "way_button") == []


def test_many_who_stand_in_the_way_are_counted(shown: Shown) -> None:
    many = tuple(range(900, 912))
    standing = tuple(undo_plans.entry(seq_id) for seq_id in many)
    shown.sheet.show_plan(hard_plans.blocked_plan(safe=many), "", standing)
    assert shown.button("way_button").text() == "Undo these 12 too"
    assert "and 6 more" in shown.texts()


def test_of_a_batch_what_stands_in_the_way_comes_first_and_can_be_left_out(shown: Shown) -> None:
    wanted: list[object] = []
    shown.sheet.request_wanted.connect(wanted.append)
    shown.sheet.show_plan(hard_plans.twelve_plan())
    texts = shown.texts()
    assert texts.index("What stands in the way") < texts.index("#853  ") < texts.index("What would go back")
    assert texts.count("\nwould go back") == 11
    assert "12 changes, 12 files" in texts
    QTest.mouseClick(shown.button("way_button"), Qt.MouseButton.LeftButton)
    assert wanted == [UndoRequest(tuple(SeqId(each) for each in range(860, 848, -1) if each != 853))]


def test_parts_are_counted_and_chosen_all_none_or_only_the_clean(shown: Shown) -> None:
    shown.sheet.show_plan(hard_plans.parts_plan(300))
    assert "300 of 300 parts" in shown.texts()
    QTest.mouseClick(shown.button("tick_clean"), Qt.MouseButton.LeftButton)
    assert shown.hunks == [tuple(index for index in range(300) if index % 50 != 7)]
    assert "294 of 300 parts" in shown.texts()
    assert not shown.box("hunk_7").isChecked()
    assert shown.box("hunk_8").isChecked()
    QTest.mouseClick(shown.button("tick_none"), Qt.MouseButton.LeftButton)
    assert "0 of 300 parts" in shown.texts()
    assert "Nothing is chosen" in shown.texts()
    QTest.mouseClick(shown.button("tick_all"), Qt.MouseButton.LeftButton)
    assert shown.hunks[1:] == [(), tuple(range(300))]


def test_a_single_part_is_not_counted(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.clean_plan())
    assert shown.sheet.findChildren(QPushButton, "tick_all") == []


def test_the_focus_stays_on_the_button_that_chose_parts(shown: Shown) -> None:
    shown.sheet.show_plan(hard_plans.parts_plan(3))
    button = shown.button("tick_all")
    button.setFocus()
    press(button, Qt.Key.Key_Space)
    shown.sheet.show_plan(hard_plans.parts_plan(3))
    focused = shown.sheet.focusWidget()
    assert focused is not None
    assert focused.objectName() == "tick_all"


def test_the_gravest_warnings_stand_before_the_parts_and_the_quiet_after_them(shown: Shown) -> None:
    shown.sheet.show_plan(hard_plans.warned_plan())
    texts = shown.texts()
    order = ["Still at work", "More than one name", "goes back cleanly", "Later work stays", "Also look at"]
    assert [texts.index(each) for each in order] == sorted(texts.index(each) for each in order)


def test_folders_go_come_or_are_kept_and_a_move_is_one_line(shown: Shown) -> None:
    shown.sheet.show_plan(hard_plans.folder_plan())
    assert shown.texts().count("the folder is empty by then and goes") == 2
    assert "not empty, so it is kept" in shown.texts()
    assert "1 file, 2 folders" in shown.texts()
    shown.sheet.show_plan(hard_plans.move_plan())
    assert shown.texts().count("lib/legacy/hmac.rb ← lib/support/crypto/hmac_sha256.rb") == 2
    assert "will be deleted" not in shown.texts()


def test_what_is_not_text_has_no_parts_and_says_so(shown: Shown) -> None:
    shown.sheet.show_plan(hard_plans.binary_plan())
    assert "Not text; its bytes are not shown." in shown.texts()
    assert shown.button("undo_button").isEnabled()


@pytest.mark.parametrize("width", [640, 1100, 1440])
@pytest.mark.parametrize(
    "plan", [hard_plans.review_plan, hard_plans.drifted_long_plan, hard_plans.folder_plan]
)
def test_every_tick_is_in_sight_with_all_of_its_words(
    plan: Callable[[], UndoPlan], width: int, shown: Shown
) -> None:
    shown.sheet.show_plan(plan())
    shown.sheet.resize(width, 700)
    QApplication.processEvents()
    ticks = shown.sheet.findChild(TickList)
    assert ticks is not None
    for box in ticks.findChildren(QCheckBox):
        assert box.height() >= box.heightForWidth(box.width())
        assert ticks.viewport().rect().contains(box.geometry())


def test_many_ticks_scroll_and_leave_room_for_the_plan(shown: Shown) -> None:
    plan = hard_plans.review_plan()
    many = tuple(replace(plan.consents[0], path=LedgerPath(f"file_{number}.py")) for number in range(30))
    shown.sheet.show_plan(replace(plan, consents=many))
    QApplication.processEvents()
    page, ticks = shown.sheet.findChild(PlanPage), shown.sheet.findChild(TickList)
    assert page is not None
    assert ticks is not None
    assert ticks.height() <= HIGHEST
    assert page.height() > shown.sheet.height() / 2
    shown.box("consent_29").setFocus(Qt.FocusReason.TabFocusReason)
    ticks.ensureWidgetVisible(shown.box("consent_29"))
    press(shown.box("consent_29"), Qt.Key.Key_Space)
    assert "1 of 30 ticked" in shown.texts()


def test_what_was_kept_beside_a_file_is_named_in_the_result(shown: Shown) -> None:
    shown.sheet.show_plan(hard_plans.warned_plan())
    shown.button("undo_button").click()
    copy = Warning("late_write", "what a program wrote meanwhile is kept as webhook_verifier.rb.1")
    shown.sheet.show_result(hard_plans.result_of(Outcome.UNDONE, warnings=(*hard_plans.WARNINGS, copy)))
    assert "Written meanwhile" in shown.texts()
    assert "webhook_verifier.rb.1" in shown.texts()
    assert "Still at work" not in shown.texts()


def test_a_result_that_was_held_says_that_nothing_was_written_and_why(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.clean_plan())
    shown.button("undo_button").click()
    shown.sheet.show_result(hard_plans.result_of(Outcome.HELD, "needs the person's own yes: a.py"))
    assert "Nothing was written: it waits for your own yes" in shown.texts()
    assert "needs the person's own yes: a.py" in shown.texts()
    assert not shown.button("redo_button").isVisible()


def test_a_folder_that_went_is_told_as_a_folder(shown: Shown) -> None:
    shown.sheet.show_plan(hard_plans.folder_plan())
    for number in range(2):
        shown.box(f"consequence_{number}").click()
    shown.button("undo_button").click()
    shown.sheet.show_result(hard_plans.folder_result())
    assert shown.texts().count("was a folder\nnow nothing there · read back from disk") == 2


def test_a_ticked_part_stays_under_the_mouse_when_more_is_said_above_it(shown: Shown, qtbot: QtBot) -> None:
    plan = hard_plans.parts_plan(60)
    shown.sheet.show_plan(plan, "", hard_plans.standing()[1:])
    QApplication.processEvents()
    box, page = shown.box("hunk_20"), shown.sheet.findChild(PlanPage)
    assert page is not None
    page.ensureWidgetVisible(box)
    box.setFocus()
    before = box.mapTo(shown.sheet, QPoint()).y()
    press(box, Qt.Key.Key_Space)
    clean = replace(plan, safe_set=(), writes=(undo_plans.write_of(),), outcome=Outcome.UNDONE)
    shown.sheet.show_plan(clean)
    qtbot.waitUntil(lambda: shown.sheet.findChildren(QPushButton, "way_button") == [])
    QApplication.processEvents()
    assert shown.box("hunk_20") is box
    assert box.mapTo(shown.sheet, QPoint()).y() == before


def test_what_becomes_of_the_same_parts_is_shown_on_the_same_cards(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.conflict_plan())
    box = shown.box("hunk_1")
    assert "#842 stands on these lines" in box.accessibleName()
    plan = hard_plans.review_plan()
    item = plan.entries[0]
    path, hunks = item.paths[0], undo_plans.conflict_plan().entries[0].paths[0].hunks
    seen = replace(hunks[1], outcome=HunkOutcome.REVIEW, conflict=item.paths[0].hunks[1].conflict)
    paths = (replace(path, hunks=(replace(hunks[0], chosen=False), seen), conflicts=()),)
    shown.sheet.show_plan(replace(plan, entries=(replace(item, paths=paths),)))
    assert shown.box("hunk_1") is box
    assert "to be looked at" in box.accessibleName()
    assert len(shown.sheet.findChildren(QFrame, "review_card")) == 1
    assert not shown.box("hunk_0").isChecked()
    assert shown.texts().count("stays as it is") == 1


def test_why_a_file_stands_in_conflict_is_said_once(shown: Shown) -> None:
    why = "the created file was changed since"
    whole = replace(undo_plans.conflict(outside=True), lines=None, reason=why)
    path = replace(undo_plans.path_plan(), outcome=Outcome.CONFLICT, hunks=(), conflicts=(whole,), reason=why)
    plan = undo_plans.conflict_plan(outside=True)
    item = replace(plan.entries[0], paths=(path,), reason=why)
    shown.sheet.show_plan(replace(plan, entries=(item,), choices=()))
    assert shown.texts().count(why) == 1
    assert "This file was changed outside the agents" in shown.texts()
