"""The page "Ledger & Triggers": rules are made, tried, changed, switched and let go of by gestures."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QPushButton

from sulcus_panel.core.triggers import Rule, Trigger, TriggerAction, TriggerFilter
from sulcus_panel.service.operations import Operations
from sulcus_panel.ui.dialogs.trigger_form import TriggerForm
from sulcus_panel.ui.pages.triggers_page import NONE_YET, TriggersPage
from sulcus_panel.ui.views.view_list import SidebarView, ViewButton
from tests.support.desk import Desk
from tests.support.shown_sheet import said

WATCH = Rule("Watch", "entry.recorded", TriggerAction.NOTIFY, TriggerFilter(path="*.py"))


def page(desk: Desk) -> TriggersPage:
    """Open the page as a person does."""
    view = next(each for each in desk.window.findChildren(ViewButton) if each.view is SidebarView.TRIGGERS)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton)
    desk.settle()
    assert desk.window.parts.triggers.isVisible()
    return desk.window.parts.triggers


def press(desk: Desk, name: str) -> None:
    button = desk.window.parts.triggers.findChild(QAbstractButton, f"{name}_trigger")
    assert button is not None
    assert button.isEnabled(), name
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def form(desk: Desk) -> TriggerForm:
    found = desk.window.doors.triggers.form
    assert found is not None
    return found


def click(desk: Desk, name: str) -> None:
    button = form(desk).findChild(QPushButton, f"{name}_button")
    assert button is not None
    button.click()
    desk.settle()


def rules(desk: Desk) -> tuple[Trigger, ...]:
    with Operations.open(desk.build.home) as operations:
        return operations.triggers.all()


def make(desk: Desk, rule: Rule = WATCH) -> Trigger:
    with Operations.open(desk.build.home) as operations:
        return operations.triggers.add(None, rule)


def test_a_rule_is_made_from_plain_words(desk: Desk) -> None:
    page(desk)
    press(desk, "add")
    fields = form(desk).fields
    QTest.keyClicks(fields.name, "Settings")
    QTest.keyClicks(fields.path, "*.toml")
    fields.then.setCurrentIndex(fields.then.findText("ask me to look before it is undone"))
    fields.rest.setValue(60)
    click(desk, "save")
    [made] = rules(desk)
    assert made.workspace_id == desk.build.workspace.id
    assert made.rule == Rule(
        "Settings",
        "entry.recorded",
        TriggerAction.HOLD,
        TriggerFilter(path="*.toml"),
        cooldown_seconds=60,
    )
    assert desk.window.doors.triggers.form is None
    shown = desk.window.parts.triggers.table
    assert (shown.key, shown.model().index(0, 0).data()) == (made.id, "on")
    assert shown.model().index(0, 4).data() == (
        "When a change is recorded (*.toml): ask me to look before it is undone"
    )


@pytest.mark.parametrize(
    ("action", "field", "words"),
    [
        (TriggerAction.NOTIFY, "name", "needs a name"),
        (TriggerAction.LABEL, "label", "1 to 60 characters"),
        (TriggerAction.WEBHOOK, "url", "begins with http"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_saved(
    desk: Desk, action: TriggerAction, field: str, words: str
) -> None:
    page(desk)
    press(desk, "add")
    fields = form(desk).fields
    if field != "name":
        fields.name.setText("A rule")
    fields.url.setText("ftp://x")
    fields.then.setCurrentIndex(fields.then.findData(action))
    click(desk, "save")
    assert words in fields.complaint(field)
    assert fields.focusWidget() is getattr(fields, field)
    assert rules(desk) == ()
    form(desk).reject()


def test_a_double_click_on_save_makes_one_rule(desk: Desk) -> None:
    page(desk)
    press(desk, "add")
    form(desk).fields.name.setText("Once")
    button = form(desk).findChild(QPushButton, "save_button")
    assert button is not None
    button.click()
    button.click()
    desk.settle()
    assert len(rules(desk)) == 1


def test_a_trial_lists_what_it_would_have_fired_at_and_does_nothing(desk: Desk) -> None:
    trigger = make(desk)
    shown = page(desk)
    assert shown.table.key == trigger.id
    press(desk, "try")
    desk.settle()
    assert "It would have fired 3 times. Nothing was done now." in said(form(desk))
    QTest.keyClicks(form(desk).fields.path, "nowhere")
    click(desk, "try")
    assert "would not have fired" in said(form(desk))
    form(desk).reject()
    assert rules(desk)[0].fires == 0


def test_a_change_keeps_what_is_not_shown(desk: Desk) -> None:
    rule = Rule("Hook", "undo.done", TriggerAction.WEBHOOK, url="https://example.org/", secret="s3cret")
    make(desk, rule)
    page(desk)
    press(desk, "change")
    fields = form(desk).fields
    assert "s3cret" not in said(form(desk)) + fields.secret.text()
    fields.name.setText("Another name")
    click(desk, "save")
    [changed] = rules(desk)
    assert (changed.rule.name, changed.rule.secret, changed.workspace_id) == ("Another name", "s3cret", None)


def test_a_rule_of_all_workspaces_is_made_one_of_this_one_and_back(desk: Desk) -> None:
    make(desk)
    page(desk)
    for wanted in (desk.build.workspace.id, None):
        press(desk, "change")
        box = next(
            each for each in form(desk).findChildren(QComboBox) if each.findText("in all workspaces") >= 0
        )
        assert box.count() == 2
        QTest.keyClick(box, Qt.Key.Key_Up if wanted else Qt.Key.Key_Down)
        click(desk, "save")
        [changed] = rules(desk)
        assert changed.workspace_id == wanted


def test_refresh_shows_what_was_made_elsewhere(desk: Desk) -> None:
    shown = page(desk)
    assert NONE_YET in said(shown)
    trigger = make(desk)
    QTest.keyClick(desk.window, Qt.Key.Key_F5)
    desk.until(lambda: shown.table.key == trigger.id)
    assert NONE_YET not in said(shown)


def test_off_and_on_again(desk: Desk) -> None:
    make(desk)
    shown = page(desk)
    press(desk, "switch")
    desk.settle()
    assert not rules(desk)[0].rule.enabled
    assert (shown.switch.text(), shown.table.model().index(0, 0).data()) == ("Turn on", "off")
    press(desk, "switch")
    desk.settle()
    assert rules(desk)[0].rule.enabled


def test_it_is_let_go_of_only_by_the_button_that_says_so(desk: Desk) -> None:
    make(desk)
    page(desk)
    press(desk, "drop")
    box = desk.window.doors.triggers.box
    assert box is not None
    QTest.keyClick(box, Qt.Key.Key_Return)
    desk.settle()
    assert len(rules(desk)) == 1
    press(desk, "drop")
    box = desk.window.doors.triggers.box
    assert box is not None
    deed = box.findChild(QPushButton, "deed_button")
    assert deed is not None
    deed.click()
    desk.settle()
    assert rules(desk) == ()


def test_a_call_that_did_not_arrive_is_listed_with_its_reason(desk: Desk) -> None:
    hook = make(desk, Rule("Hook", "entry.recorded", TriggerAction.WEBHOOK, url="http://localhost:1/"))
    ledger = desk.build.ledger
    with ledger.write():
        ledger.rules.send(hook.id, 1, 0)
        [call] = ledger.rules.due(1)
        ledger.rules.settle(call.id, "dead", 0, "answered with 500")
    shown = page(desk)
    tab = shown.findChild(QAbstractButton, "calls_tab")
    assert tab is not None
    assert tab.text() == "Calls that did not arrive 1"
    QTest.mouseClick(tab, Qt.MouseButton.LeftButton)
    assert shown.calls.isVisible()
    assert shown.calls.model().index(0, 2).data() == "0 tries: answered with 500"


def test_what_it_did_stands_below_it_and_the_window_says_it(desk: Desk) -> None:
    make(desk)
    shown = page(desk)
    desk.app.follow()
    written = desk.build.write("src/new.py", "x\n")
    desk.until(lambda: shown.history.model().rowCount() == 1)
    assert shown.history.model().index(0, 1).data() == f"#{written.seq_id} src/new.py recorded"
    desk.until(lambda: "Watch: " in desk.window.parts.messages.accessibleName())
    assert "1 time, today" in str(shown.table.model().index(0, 2).data())
