"""Every way out of the sheet: which says yes, which no, which later, and which decides nothing."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from sulcus_panel.core.model import Decision
from tests.support import undo_plans
from tests.support.shown_sheet import Shown, press


def close_by_esc(shown: Shown) -> None:
    press(shown.sheet, Qt.Key.Key_Escape)


def close_by_enter(shown: Shown) -> None:
    press(shown.sheet, Qt.Key.Key_Return)


def close_by_window(shown: Shown) -> None:
    shown.sheet.close()


def close_by_keep(shown: Shown) -> None:
    QTest.mouseClick(shown.button("keep_button"), Qt.MouseButton.LeftButton)


def close_by_enter_on_the_danger_button(shown: Shown) -> None:
    shown.button("undo_button").setFocus()
    press(shown.button("undo_button"), Qt.Key.Key_Return)


def close_by_enter_in_a_tick_box(shown: Shown) -> None:
    shown.box("hunk_0").setFocus()
    press(shown.box("hunk_0"), Qt.Key.Key_Return)


KEEPS = [
    close_by_enter,
    close_by_keep,
    close_by_enter_on_the_danger_button,
    close_by_enter_in_a_tick_box,
]


LEAVES = [close_by_esc, close_by_window]


@pytest.mark.parametrize("keep", KEEPS)
def test_keep_it_and_its_enter_say_no(keep: Callable[[Shown], None], shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.clean_plan())
    keep(shown)
    assert shown.decisions == [Decision.REJECT]
    assert not shown.sheet.isVisible()


@pytest.mark.parametrize("leave", LEAVES)
def test_a_sheet_that_is_only_closed_has_decided_nothing(
    leave: Callable[[Shown], None], shown: Shown
) -> None:
    shown.sheet.show_plan(undo_plans.clean_plan())
    leave(shown)
    assert shown.decisions == []
    assert shown.sheet.is_answered
    assert not shown.sheet.isVisible()


@pytest.mark.parametrize("way_out", [close_by_esc, close_by_enter, close_by_window, close_by_keep])
def test_leaving_before_there_is_a_plan_decides_nothing(
    way_out: Callable[[Shown], None], shown: Shown
) -> None:
    way_out(shown)
    assert shown.decisions == []
    assert not shown.sheet.isVisible()


def test_the_button_says_yes_and_the_sheet_stays_to_show_the_result(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.clean_plan())
    QTest.mouseClick(shown.button("undo_button"), Qt.MouseButton.LeftButton)
    assert shown.decisions == [Decision.ACCEPT]
    assert shown.sheet.isVisible()


def test_the_danger_button_works_by_space_but_is_not_the_default(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.clean_plan())
    button = shown.button("undo_button")
    assert not button.isDefault()
    assert not button.autoDefault()
    assert shown.button("keep_button").isDefault()
    button.setFocus()
    press(button, Qt.Key.Key_Space)
    assert shown.decisions == [Decision.ACCEPT]


def test_a_second_click_while_it_is_applied_says_nothing_more(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.clean_plan())
    shown.button("undo_button").click()
    shown.sheet.show_applying()
    shown.button("undo_button").click()
    close_by_esc(shown)
    assert shown.decisions == [Decision.ACCEPT]


def test_decide_later_defers_and_closes(shown: Shown) -> None:
    shown.sheet.show_plan(undo_plans.clean_plan())
    QTest.mouseClick(shown.button("later_button"), Qt.MouseButton.LeftButton)
    assert shown.decisions == [Decision.DEFER]
    assert not shown.sheet.isVisible()
