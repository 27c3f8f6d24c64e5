import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import EntryState, Undoability
from sulcus_panel.ui.delegates.undo_button_delegate import button_rect
from sulcus_panel.ui.models.columns import LedgerColumn
from sulcus_panel.ui.models.ledger_model import LedgerModel
from sulcus_panel.ui.views.ledger_table import LedgerTable
from tests.support.entries import EntryList, make_entry

QUERY = LedgerQuery(workspace_id=1)
NO_KEYS = Qt.KeyboardModifier.NoModifier
UNDOABLE, UNDONE, NOT_UNDOABLE = 3, 2, 1


@pytest.fixture
def table(qtbot: QtBot) -> LedgerTable:
    rows = EntryList(
        [
            make_entry(UNDOABLE),
            make_entry(UNDONE, state=EntryState.UNDONE, undone_by=9),
            make_entry(NOT_UNDOABLE, undoability=Undoability.NOT, undo_reason="<b>before</b> unknown"),
        ]
    )
    model = LedgerModel(rows, QUERY)
    view = LedgerTable(model)
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.show()
    model.take_ids(QUERY, rows.newest_first())
    return view


def button(table: LedgerTable, seq_id: int) -> QPoint:
    model = table.model()
    assert isinstance(model, LedgerModel)
    index = model.index(model.row_of(seq_id), LedgerColumn.UNDO)
    row = model.ledger_row(index.row())
    assert row is not None
    return button_rect(table.visualRect(index), table.font(), row).center()


def test_a_click_on_the_button_asks_for_the_undo(table: LedgerTable, qtbot: QtBot) -> None:
    with qtbot.waitSignal(table.undo_requested) as asked:
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, NO_KEYS, button(table, UNDOABLE))
    assert asked.args == [UNDOABLE]


def test_a_click_on_the_button_of_an_undone_row_asks_for_redo(table: LedgerTable, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(table.undo_requested), qtbot.waitSignal(table.redo_requested) as asked:
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, NO_KEYS, button(table, UNDONE))
    assert asked.args == [UNDONE]


def test_a_click_on_a_button_that_cannot_be_used_only_selects(table: LedgerTable, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(table.undo_requested), qtbot.assertNotEmitted(table.redo_requested):
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, NO_KEYS, button(table, NOT_UNDOABLE))
    assert table.current_seq_id == NOT_UNDOABLE


@pytest.mark.parametrize("away", [QPoint(-300, 0), QPoint(0, 34)])
def test_a_press_that_is_let_go_elsewhere_asks_for_nothing(
    table: LedgerTable, qtbot: QtBot, away: QPoint
) -> None:
    place = button(table, UNDOABLE)
    with qtbot.assertNotEmitted(table.undo_requested), qtbot.assertNotEmitted(table.redo_requested):
        QTest.mousePress(table.viewport(), Qt.MouseButton.LeftButton, NO_KEYS, place)
        QTest.mouseRelease(table.viewport(), Qt.MouseButton.LeftButton, NO_KEYS, place + away)
        QTest.mousePress(table.viewport(), Qt.MouseButton.LeftButton, NO_KEYS, place + away)
        QTest.mouseRelease(table.viewport(), Qt.MouseButton.LeftButton, NO_KEYS, place)


def test_a_click_beside_the_button_or_with_another_mouse_button_asks_for_nothing(
    table: LedgerTable, qtbot: QtBot
) -> None:
    place = button(table, UNDOABLE)
    with qtbot.assertNotEmitted(table.undo_requested):
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, NO_KEYS, place + QPoint(0, -16))
        QTest.mouseClick(table.viewport(), Qt.MouseButton.RightButton, NO_KEYS, place)


def test_in_a_narrow_table_the_button_is_short_and_works_the_same(table: LedgerTable, qtbot: QtBot) -> None:
    wide = button(table, UNDOABLE)
    table.resize(480, 300)
    place = button(table, UNDOABLE)
    assert place.x() < wide.x()
    assert table.columnWidth(LedgerColumn.UNDO) < 90
    with qtbot.waitSignal(table.undo_requested):
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, NO_KEYS, place)


def test_a_double_click_asks_once(table: LedgerTable) -> None:
    asked: list[int] = []
    table.undo_requested.connect(asked.append)
    place = button(table, UNDOABLE)
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, NO_KEYS, place)
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, NO_KEYS, place)
    assert asked == [UNDOABLE]


def test_the_reason_is_in_the_tooltip_escaped(table: LedgerTable) -> None:
    index = table.model().index(2, LedgerColumn.UNDO)
    tip = index.data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;b&gt;before&lt;/b&gt; unknown" in tip
    assert table.indexAt(QPointF(button(table, NOT_UNDOABLE)).toPoint()) == index
