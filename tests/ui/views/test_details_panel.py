from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from sulcus_panel.core.model import EntryState, LedgerPath, Undoability
from sulcus_panel.ui.models.entry_details import EntryDetails
from sulcus_panel.ui.views.details_panel import NOTHING, DetailsPanel
from sulcus_panel.ui.views.painted_button import PaintedButton
from tests.support.entries import make_entry
from tests.support.stage import on_stage


@pytest.fixture
def panel(qtbot: QtBot) -> DetailsPanel:
    widget = DetailsPanel()
    on_stage(qtbot, widget, 290, 700)
    return widget


def said(panel: DetailsPanel) -> str:
    return "\n".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


def button(panel: DetailsPanel, text: str) -> PaintedButton:
    return next(
        each for each in panel.findChildren(PaintedButton) if each.text() == text and each.isVisible()
    )


def test_nothing_selected_says_what_to_do(panel: DetailsPanel) -> None:
    assert said(panel).strip() == NOTHING


def test_an_entry_is_shown_with_its_request_and_its_states(panel: DetailsPanel) -> None:
    panel.show_entry(make_entry(840, "services/webhook.py", intent="Harden it"))
    text = said(panel)
    for part in (
        "#840 Edited webhook.py",
        "services",
        "“Harden it”",
        "Claude Code",
        "1,842 B",
        "Can be undone fully.",
    ):
        assert part in text


def test_the_main_button_asks_for_the_undo(panel: DetailsPanel, qtbot: QtBot) -> None:
    panel.show_entry(make_entry(840))
    with qtbot.waitSignal(panel.undo_requested) as asked:
        QTest.mouseClick(button(panel, "Surgical Undo…"), Qt.MouseButton.LeftButton)
    assert asked.args == [840]
    assert button(panel, "Surgical Undo…").accessibleName() == "Undo change 840, edited app.py"


def test_an_undone_entry_offers_redo_by_key(panel: DetailsPanel, qtbot: QtBot) -> None:
    panel.show_entry(make_entry(7, state=EntryState.UNDONE, undone_by=9))
    with qtbot.waitSignal(panel.redo_requested) as asked:
        QTest.keyClick(button(panel, "Redo…"), Qt.Key.Key_Space)
    assert asked.args == [7]


def test_what_cannot_be_undone_says_why_and_has_no_button(panel: DetailsPanel) -> None:
    panel.show_entry(make_entry(7, undoability=Undoability.NOT, undo_reason="before unknown"))
    assert "Cannot be undone." in said(panel)
    assert "Before unknown." in said(panel)
    assert not any(each.isVisible() for each in panel.findChildren(PaintedButton))


def test_what_can_be_undone_in_part_says_so_and_why(panel: DetailsPanel, qtbot: QtBot) -> None:
    panel.show_entry(make_entry(7, undoability=Undoability.PARTLY, undo_reason="1 of 3 files"))
    assert "Can be undone in part." in said(panel)
    assert "1 of 3 files." in said(panel)
    with qtbot.waitSignal(panel.undo_requested):
        QTest.mouseClick(button(panel, "Undo in part…"), Qt.MouseButton.LeftButton)


def test_a_later_change_is_a_link(panel: DetailsPanel, qtbot: QtBot) -> None:
    panel.show_details(EntryDetails(make_entry(840), later=(make_entry(842),), readers=(make_entry(844),)))
    with qtbot.waitSignal(panel.entry_requested) as asked:
        QTest.mouseClick(button(panel, "#842"), Qt.MouseButton.LeftButton)
    assert asked.args == [842]
    assert button(panel, "#844").accessibleName() == "Go to change 844, edited app.py"


def test_showing_another_entry_leaves_nothing_of_the_one_before(panel: DetailsPanel) -> None:
    panel.show_details(EntryDetails(make_entry(1, intent="First"), later=(make_entry(842),)))
    panel.show_entry(make_entry(2))
    assert "First" not in said(panel)
    assert "Claude edited" not in said(panel)
    panel.clear()
    assert said(panel).strip() == NOTHING


@pytest.mark.parametrize(
    "hostile", ["<b>bold</b><img src=x>", "a\nb\rc", "\u202egnp.exe", "x" * 5000, "\udcff", "word " * 1000]
)
def test_hostile_strings_are_plain_and_never_widen_the_panel(panel: DetailsPanel, hostile: str) -> None:
    entry = make_entry(1, f"{hostile}/{hostile}", intent=hostile, harness=hostile)
    record = replace(entry.record, derived_from=(LedgerPath(hostile),), command=hostile)
    panel.show_entry(replace(entry, record=record, undo_reason=hostile, undoability=Undoability.NOT))
    for label in panel.findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText
        assert label.text().replace("\n", "").isprintable()
        assert "<b>" not in label.toolTip()
    body = panel.widget()
    assert body is not None
    assert body.width() <= panel.viewport().width()
    assert not panel.grab().isNull()


def test_of_a_command_the_button_stands_above_the_long_list_of_its_files(panel: DetailsPanel) -> None:
    entry = make_entry(1, command="make")
    one = make_entry(1).record.changes[0]
    changes = tuple(replace(one, path=LedgerPath(f"f{number}.py")) for number in range(12))
    panel.show_entry(replace(entry, record=replace(entry.record, changes=changes)))
    files = next(label for label in panel.findChildren(QLabel) if label.text() == "Files")
    undo = button(panel, "Surgical Undo…")
    assert undo.mapTo(panel, undo.rect().bottomLeft()).y() < files.mapTo(panel, files.rect().topLeft()).y()
    panel.show_entry(make_entry(2))
    assert "f3.py" not in said(panel)
