"""Keys are made, seen once and ended by gestures; governance tells of both."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPushButton

from sulcus_panel.core.access import Caller, Scope
from sulcus_panel.core.model import Actor, ActorKind
from sulcus_panel.service.operations import Operations
from sulcus_panel.ui.dialogs.tokens_dialog import ONCE, TokensDialog
from tests.support.desk import Desk
from tests.support.shown_sheet import said


def opened(desk: Desk) -> TokensDialog:
    """Open the keys from the page "Ledger & Triggers"."""
    QTest.keyClick(desk.window, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    button = desk.window.parts.triggers.findChild(QAbstractButton, "keys_trigger")
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    desk.settle()
    dialog = desk.window.doors.tokens.dialog
    assert dialog is not None
    return dialog


def press(desk: Desk, name: str) -> None:
    dialog = desk.window.doors.tokens.dialog
    assert dialog is not None
    button = dialog.findChild(QPushButton, f"{name}_button")
    assert button is not None
    assert button.isVisible(), name
    assert button.isEnabled(), name
    button.click()
    desk.settle()


def made(desk: Desk, dialog: TokensDialog, name: str = "codex") -> str:
    press(desk, "new")
    QTest.keyClicks(dialog.form.name, name)
    press(desk, "make")
    return dialog.key.text()


def test_a_key_is_shown_once_with_a_way_to_copy_it(desk: Desk) -> None:
    dialog = opened(desk)
    key = made(desk, dialog)
    assert ONCE in said(dialog)
    press(desk, "copy")
    assert QGuiApplication.clipboard().text() == key
    with Operations.open(desk.build.home) as operations:
        assert operations.tokens.caller(key) == Caller(
            Actor("codex", ActorKind.AGENT), frozenset({Scope.READ, Scope.RECORD})
        )
    press(desk, "done")
    assert (dialog.key.text(), dialog.table.model().rowCount()) == ("", 1)
    dialog.reject()


def test_closing_the_dialog_hides_the_key_for_good(desk: Desk) -> None:
    dialog = opened(desk)
    assert made(desk, dialog)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert dialog.key.text() == ""


def test_what_is_wrong_is_said_beside_its_field_and_no_key_is_made(desk: Desk) -> None:
    dialog = opened(desk)
    press(desk, "new")
    press(desk, "make")
    assert "needs a name" in dialog.form.complaint("actor")
    QTest.keyClicks(dialog.form.name, "codex")
    for box in dialog.form.scopes.values():
        box.setChecked(False)
    press(desk, "make")
    assert "at least one thing" in dialog.form.complaint("scope")
    assert dialog.form.complaint("actor") == ""
    with Operations.open(desk.build.home) as operations:
        assert operations.tokens.all() == ()
    dialog.reject()


def test_a_key_is_ended_only_by_the_button_that_says_so(desk: Desk) -> None:
    dialog = opened(desk)
    key = made(desk, dialog, "<b>codex</b>")
    press(desk, "done")
    for answer in ("keep_button", "deed_button"):
        with Operations.open(desk.build.home) as operations:
            assert operations.tokens.caller(key) is not None
        press(desk, "revoke")
        box = desk.window.doors.tokens.box
        assert box is not None
        assert box.textFormat() is Qt.TextFormat.PlainText
        button = box.findChild(QPushButton, answer)
        assert button is not None
        button.click()
        desk.settle()
    with Operations.open(desk.build.home) as operations:
        assert operations.tokens.caller(key) is None
    revoke = dialog.findChild(QPushButton, "revoke_button")
    assert revoke is not None
    assert not revoke.isEnabled()
    dialog.reject()


def test_governance_tells_of_keys_though_they_belong_to_no_workspace(desk: Desk) -> None:
    dialog = opened(desk)
    made(desk, dialog)
    dialog.reject()
    desk.window.reads.ask_records("token.")
    with_keys: list[object] = []
    desk.window.reads.records_found.connect(with_keys.append)
    desk.until(lambda: bool(with_keys))
    [records] = with_keys
    assert isinstance(records, tuple)
    assert [record.kind for record in records] == ["token.made"]
