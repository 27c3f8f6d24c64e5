"""Tab goes through a sheet in the order in which it is read, and round again."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from sulcus_panel.core.undo.model import Resolution
from tests.support import hard_plans
from tests.support.shown_sheet import Shown, press


def walked(shown: Shown) -> list[str]:
    """The names of what Tab reaches, from the page on until it comes back there."""
    page = shown.sheet.findChild(QWidget, "plan_page")
    assert page is not None
    page.setFocus()
    names: list[str] = []
    while len(names) < 200:
        at = QApplication.focusWidget()
        assert at is not None
        if names and at is page:
            return names
        names.append(at.objectName())
        press(at, Qt.Key.Key_Tab)
    raise AssertionError(names)


def test_who_stands_in_the_way_comes_before_the_parts_and_the_buttons_last(shown: Shown) -> None:
    plan = replace(hard_plans.blocked_plan(), choices=(Resolution.TAKE_ALL, Resolution.REST))
    shown.sheet.show_plan(plan, "", hard_plans.standing())
    names = [name for name in walked(shown) if name]
    assert names[:4] == ["plan_page", "way_button", "choice_0", "choice_1"]
    assert names[-4:] == ["hunk_0", "hunk_1", "keep_button", "later_button"]


def test_what_must_be_ticked_comes_between_the_parts_and_the_buttons_also_of_a_second_plan(
    shown: Shown,
) -> None:
    shown.sheet.show_plan(hard_plans.blocked_plan(), "", hard_plans.standing())
    shown.sheet.show_plan(hard_plans.review_plan())
    names = [name for name in walked(shown) if name]
    assert names[-5:] == ["hunk_1", "consent_0", "consent_1", "keep_button", "later_button"]


def test_parts_that_are_shown_later_come_before_the_buttons_too(shown: Shown) -> None:
    shown.sheet.show_plan(hard_plans.parts_plan(60))
    shown.button("more_button").click()
    QApplication.processEvents()
    names = [name for name in walked(shown) if name]
    parts = [name for name in names if name.startswith("hunk_")]
    assert parts == [f"hunk_{number}" for number in range(60)]
    assert names.index("hunk_59") < names.index("keep_button")
