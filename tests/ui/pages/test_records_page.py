"""The second timeline as a list: plain text, newest first, each record a way to its entry."""

from datetime import UTC, datetime

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from sulcus_panel.core.model import PERSON, GovernanceRecord, SeqId
from sulcus_panel.ui.pages.records_page import RecordColumn, RecordsModel, RecordsPage

AT = datetime(2026, 11, 30, 14, 3, tzinfo=UTC)
APPLIED = GovernanceRecord(2, AT, None, PERSON, "undo.applied", "undone: #4\x1b[31m", (SeqId(4),))
REJECTED = GovernanceRecord(1, AT, None, PERSON, "undo.rejected", "Kept: undo of #3", (SeqId(3),))


def test_the_model_keeps_qts_rules(qtmodeltester: ModelTester) -> None:
    model = RecordsModel()
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]  # pytest-qt leaves it untyped
    model.show_records((APPLIED, REJECTED))
    assert model.rowCount() == 2
    model.show_records(())
    assert model.rowCount() == 0


def test_what_a_record_says_is_plain() -> None:
    model = RecordsModel()
    model.show_records((APPLIED,))
    said = str(model.index(0, RecordColumn.SUMMARY).data())
    assert said == "undone: #4\\x1b[31m"
    assert model.index(0, RecordColumn.KIND).data() == "undone"


def test_enter_on_a_record_leads_to_its_entry(qtbot: QtBot) -> None:
    page = RecordsPage()
    qtbot.addWidget(page)
    page.show_records("Undo history", (APPLIED, REJECTED))
    page.show()
    table = page.findChild(QTableView)
    assert table is not None
    assert table.accessibleName() == "Undo history"
    table.selectRow(1)
    with qtbot.waitSignal(page.entry_requested) as asked:
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert asked.args == [3]
