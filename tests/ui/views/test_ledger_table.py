import time
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sulcus_panel.core.ledger.queries import LedgerQuery, SortKey
from sulcus_panel.core.model import EntryState, SeqId, Undoability
from sulcus_panel.service.changes import Changes
from sulcus_panel.ui.models.columns import LedgerColumn
from sulcus_panel.ui.models.entry_pages import PAGE
from sulcus_panel.ui.models.ledger_model import LedgerModel
from sulcus_panel.ui.views.ledger_table import LedgerTable
from tests.support.entries import EntryList, make_entry
from tests.support.ledger_builder import LedgerBuilder

QUERY = LedgerQuery(workspace_id=1)


class Scene:
    """A table over a list of entries, and what it asked for."""

    def __init__(self, qtbot: QtBot, count: int) -> None:
        self.rows = EntryList([make_entry(seq_id) for seq_id in range(1, count + 1)])
        self.model = LedgerModel(self.rows, QUERY)
        self.table = LedgerTable(self.model)
        qtbot.addWidget(self.table)
        self.selected: list[int] = []
        self.unseen: list[int] = []
        self.table.entry_selected.connect(self.selected.append)
        self.table.unseen_changed.connect(self.unseen.append)
        self.table.resize(900, 400)
        self.table.show()
        self.model.take_ids(QUERY, self.rows.newest_first())

    def add(self, *seq_ids: int) -> None:
        """Let new entries come in live."""
        for seq_id in seq_ids:
            self.rows.add(make_entry(seq_id))
        self.model.take_ids(QUERY, self.rows.newest_first())

    def key(self, *keys: Qt.Key) -> None:
        """Press keys in the table."""
        for key in keys:
            QTest.keyClick(self.table, key)

    def top(self) -> int | None:
        """The entry in the first visible row."""
        return self.model.seq_id_at(self.table.rowAt(2))


@pytest.fixture
def scene(qtbot: QtBot) -> Scene:
    return Scene(qtbot, 300)


def test_the_newest_entry_is_selected_first(scene: Scene) -> None:
    assert scene.selected == [300]
    assert scene.table.current_seq_id == 300


def test_arrows_and_letters_move_the_selection(scene: Scene) -> None:
    scene.key(Qt.Key.Key_Down, Qt.Key.Key_J, Qt.Key.Key_K, Qt.Key.Key_Up, Qt.Key.Key_K)
    assert scene.selected == [300, 299, 298, 299, 300]


def test_home_and_end_go_to_the_newest_and_the_oldest(scene: Scene) -> None:
    scene.key(Qt.Key.Key_End)
    assert scene.table.current_seq_id == 1
    scene.key(Qt.Key.Key_Home)
    assert scene.table.current_seq_id == 300
    assert scene.top() == 300


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_asks_for_the_undo_of_the_row(scene: Scene, qtbot: QtBot, key: Qt.Key) -> None:
    with qtbot.waitSignal(scene.table.undo_requested) as asked:
        scene.key(Qt.Key.Key_Down, key)
    assert asked.args == [299]


def test_enter_on_an_undone_row_asks_for_redo(scene: Scene, qtbot: QtBot) -> None:
    scene.rows.mark(300, EntryState.UNDONE, undone_by=301)
    scene.model.apply_changes(Changes(touched=(SeqId(300),)))
    with qtbot.waitSignal(scene.table.redo_requested) as asked:
        scene.key(Qt.Key.Key_Return)
    assert asked.args == [300]


def test_enter_on_what_cannot_be_undone_asks_for_nothing(scene: Scene, qtbot: QtBot) -> None:
    scene.rows.add(make_entry(300, undoability=Undoability.NOT, undo_reason="no"))
    scene.model.refresh()
    with qtbot.assertNotEmitted(scene.table.undo_requested):
        scene.key(Qt.Key.Key_Return)


def test_new_rows_appear_at_the_top_and_the_selection_stays(scene: Scene) -> None:
    scene.add(301, 302)
    assert scene.top() == 302
    assert scene.table.current_seq_id == 300
    assert scene.selected == [300]
    assert scene.unseen == []


def test_new_rows_move_nothing_further_down_and_are_counted(scene: Scene) -> None:
    scene.table.verticalScrollBar().setValue(100)
    before, selected = scene.top(), list(scene.selected)
    scene.add(301, 302)
    scene.add(303)
    assert scene.top() == before
    assert scene.selected == selected
    assert scene.unseen == [2, 3]


def test_the_newest_can_be_shown_and_are_then_seen(scene: Scene) -> None:
    scene.table.verticalScrollBar().setValue(100)
    scene.add(301)
    scene.table.show_newest()
    assert scene.top() == 301
    assert scene.unseen == [1, 0]
    assert scene.table.current_seq_id == 300


def test_scrolling_up_sees_the_new_rows_one_by_one(scene: Scene) -> None:
    scene.table.verticalScrollBar().setValue(3)
    scene.add(301, 302)
    scene.table.verticalScrollBar().setValue(1)
    assert scene.unseen == [2, 1]


def test_a_search_keeps_the_selected_entry_when_it_still_matches(scene: Scene) -> None:
    scene.table.select_entry(120)
    scene.model.set_filter(LedgerQuery(workspace_id=1, text="x"))
    scene.model.take_ids(scene.model.query, array("q", [200, 120, 3]))
    assert scene.table.current_seq_id == 120
    assert scene.selected == [300, 120]


def test_a_search_without_the_selected_entry_selects_the_first(scene: Scene) -> None:
    scene.model.set_filter(LedgerQuery(workspace_id=1, text="x"))
    scene.model.take_ids(scene.model.query, array("q", [200, 3]))
    assert scene.table.current_seq_id == 200


def test_nothing_found_selects_nothing(scene: Scene) -> None:
    scene.model.set_filter(LedgerQuery(workspace_id=1, text="x"))
    scene.model.take_ids(scene.model.query, array("q"))
    assert scene.selected[-1] == 0
    assert scene.table.current_seq_id is None


def test_the_first_entry_of_all_is_selected_as_it_comes_in(qtbot: QtBot) -> None:
    scene = Scene(qtbot, 0)
    scene.add(1)
    assert scene.selected == [1]


def test_a_restored_header_keeps_widths_but_not_an_order_the_rows_do_not_have(
    scene: Scene, qtbot: QtBot
) -> None:
    header = scene.table.horizontalHeader()
    header.resizeSection(LedgerColumn.TIME, 123)
    scene.model.sort(LedgerColumn.TARGET)
    header.setSortIndicator(LedgerColumn.TARGET, Qt.SortOrder.AscendingOrder)
    state = header.saveState()
    other = Scene(qtbot, 3)
    other.table.horizontalHeader().restoreState(state)
    other.table.resize(901, 400)
    assert other.table.columnWidth(LedgerColumn.TIME) == 123
    assert other.table.horizontalHeader().sortIndicatorSection() == LedgerColumn.SEQ
    other.table.reset_columns()
    assert other.table.columnWidth(LedgerColumn.TIME) < 123


def test_columns_told_in_brief_are_remembered_as_wide_as_they_were_made(scene: Scene) -> None:
    scene.table.setColumnWidth(LedgerColumn.STATE, 150)
    scene.table.resize(500, 400)
    assert scene.table.columnWidth(LedgerColumn.STATE) < 150
    scene.table.widen_columns()
    assert scene.table.columnWidth(LedgerColumn.STATE) == 150
    scene.table.resize(1200, 400)
    assert scene.table.columnWidth(LedgerColumn.STATE) == 150


def heading(scene: Scene, column: LedgerColumn) -> QPoint:
    header = scene.table.horizontalHeader()
    return QPoint(header.sectionViewportPosition(column) + 12, header.height() // 2)


def test_a_click_on_a_heading_sorts_and_a_second_one_turns_it(scene: Scene, qtbot: QtBot) -> None:
    header = scene.table.horizontalHeader().viewport()
    orders = []
    for _ in range(2):
        with qtbot.waitSignal(scene.model.ids_wanted) as wanted:
            QTest.mouseClick(
                header,
                Qt.MouseButton.LeftButton,
                Qt.KeyboardModifier.NoModifier,
                heading(scene, LedgerColumn.TARGET),
            )
        orders.append((wanted.args[0].sort, wanted.args[0].descending))
    assert orders == [(SortKey.TARGET, False), (SortKey.TARGET, True)]


def test_a_click_on_the_buttons_heading_sorts_nothing(scene: Scene, qtbot: QtBot) -> None:
    header = scene.table.horizontalHeader()
    with qtbot.assertNotEmitted(scene.model.ids_wanted):
        QTest.mouseClick(
            header.viewport(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            heading(scene, LedgerColumn.UNDO),
        )
    assert header.sortIndicatorSection() == LedgerColumn.SEQ


@pytest.mark.parametrize("width", [420, 560, 700, 900, 1300, 2000])
def test_the_button_is_in_sight_at_every_width(scene: Scene, width: int) -> None:
    scene.table.resize(width, 400)
    header = scene.table.horizontalHeader()
    assert header.length() <= scene.table.viewport().width() + 1
    assert not scene.table.isColumnHidden(LedgerColumn.UNDO)
    assert not scene.table.isColumnHidden(LedgerColumn.TARGET)


def test_wide_tables_show_intent_and_drift(scene: Scene) -> None:
    scene.table.resize(1400, 400)
    assert not scene.table.isColumnHidden(LedgerColumn.INTENT)
    assert not scene.table.isColumnHidden(LedgerColumn.DRIFT)


def test_the_menu_key_asks_for_a_menu_of_the_row(scene: Scene, qtbot: QtBot) -> None:
    with qtbot.waitSignal(scene.table.menu_requested) as asked:
        QTest.mouseClick(scene.table.viewport(), Qt.MouseButton.LeftButton)
        scene.table.select_entry(299)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), QPoint(1, 1))
        QCoreApplication.sendEvent(scene.table.viewport(), event)
    assert asked.args is not None
    assert asked.args[0] == 299


def test_a_screen_reader_finds_the_button_by_name(scene: Scene) -> None:
    table = QAccessible.queryAccessibleInterface(scene.table)
    assert table.text(QAccessible.Text.Name) == "Changes"
    names = [table.child(at).text(QAccessible.Text.Name) for at in range(min(table.childCount(), 60))]
    assert "Undo change 300, edited app.py" in names


def test_several_rows_can_be_selected(scene: Scene) -> None:
    QTest.keyClick(scene.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert scene.table.selected_seq_ids() == (300, 299)


@pytest.mark.parametrize("hostile", ["<h1>big</h1>", "a\nb", "\u202eabc", "ש" * 50, "x" * 5000, "\udc80"])
def test_hostile_names_are_painted_without_complaint(qtbot: QtBot, hostile: str) -> None:
    scene = Scene(qtbot, 1)
    scene.rows.add(make_entry(2, f"{hostile}/{hostile}", intent=hostile, harness=hostile))
    scene.model.take_ids(QUERY, scene.rows.newest_first())
    assert not scene.table.grab().isNull()
    assert scene.table.rowHeight(0) == scene.table.rowHeight(1)


def test_fifty_thousand_rows_open_and_scroll_within_bounds(qtbot: QtBot) -> None:
    scene = Scene(qtbot, 0)
    scene.rows = EntryList([make_entry(seq_id) for seq_id in range(1, 50_001)])
    model = LedgerModel(scene.rows, QUERY)
    table = LedgerTable(model)
    qtbot.addWidget(table)
    table.resize(1200, 800)
    table.show()
    ids = scene.rows.newest_first()
    start = time.perf_counter()
    model.take_ids(QUERY, ids)
    table.viewport().repaint()
    opened = time.perf_counter() - start
    start = time.perf_counter()
    for _ in range(50):
        table.verticalScrollBar().setValue(table.verticalScrollBar().value() + 7)
        table.viewport().repaint()
    assert opened < 0.8
    assert (time.perf_counter() - start) / 50 < 0.1


@pytest.fixture
def build(tmp_path: Path) -> Iterator[LedgerBuilder]:
    builder = LedgerBuilder.make(tmp_path)
    yield builder
    builder.ledger.close()


def test_the_table_follows_a_real_ledger(build: LedgerBuilder, qtbot: QtBot) -> None:
    build.session()
    build.turn("Say hello")
    for number in range(40):
        build.write(f"f{number}.txt", "x\n")
    query = LedgerQuery(workspace_id=build.workspace.id)
    model = LedgerModel(build.ledger, query)
    table = LedgerTable(model)
    qtbot.addWidget(table)
    table.resize(900, 300)
    table.show()

    def answer(wanted: LedgerQuery) -> None:
        model.take_ids(wanted, build.ledger.find_ids(wanted))

    model.ids_wanted.connect(answer)
    model.reload()
    table.select_entry(20)
    fresh = build.write("new.txt", "x\n")
    model.apply_changes(Changes(new_entries=(fresh.seq_id,), touched=None))
    assert table.current_seq_id == 20
    assert model.seq_id_at(0) == fresh.seq_id
    assert table.unseen == 1


def test_when_the_selected_entry_is_no_longer_kept_nothing_is_selected(scene: Scene) -> None:
    scene.table.select_entry(1)
    scene.model.take_ids(QUERY, scene.rows.newest_first()[:-50])
    assert scene.selected[-1] == 0
    assert scene.table.current_seq_id is None
    assert scene.table.selected_seq_ids() == ()
    scene.add(301)
    assert scene.table.current_seq_id is None
    scene.key(Qt.Key.Key_J)
    assert scene.table.current_seq_id == 301


@pytest.mark.parametrize("keep", [slice(0, 100), slice(0, 300, 2)])
def test_entries_removed_elsewhere_leave_the_selected_one(scene: Scene, keep: slice) -> None:
    scene.table.select_entry(300)
    scene.model.take_ids(QUERY, scene.rows.newest_first()[keep])
    assert scene.table.current_seq_id == 300
    assert scene.table.selected_seq_ids() == (300,)


class CountingModel(LedgerModel):
    searches = 0

    def row_of(self, seq_id: int) -> int:
        self.searches += 1
        return super().row_of(seq_id)


def test_entries_removed_in_many_places_have_nobody_look_for_the_selected_one_each_time(qtbot: QtBot) -> None:
    ids = array("q", range(300, 0, -1))
    model = CountingModel(EntryList([make_entry(seq_id) for seq_id in ids]), QUERY)
    table = LedgerTable(model)
    qtbot.addWidget(table)
    model.take_ids(QUERY, ids)
    table.select_entry(150)
    model.searches = 0
    model.take_ids(QUERY, array("q", [each for each in ids if each % 3 or each == 150]))
    assert (table.current_seq_id, model.searches) == (150, 0)


def test_all_entries_replaced_by_others_select_none_of_them(scene: Scene) -> None:
    scene.model.take_ids(QUERY, array("q", range(900, 600, -1)))
    assert scene.selected[-1] == 0
    assert scene.table.selected_seq_ids() == ()


def test_selected_rows_are_counted_once_each_and_told_top_to_bottom(scene: Scene) -> None:
    scene.table.selectAll()
    assert scene.table.selected_count() == 300
    assert scene.table.selected_seq_ids() == tuple(range(300, 0, -1))


def test_fifty_thousand_selected_rows_cost_a_change_nothing_to_speak_of(qtbot: QtBot) -> None:
    scene = Scene(qtbot, 50_000)
    scene.table.selectAll()
    begun = time.perf_counter()
    scene.add(50_001)
    assert [scene.model.row_of(seq_id) for seq_id in range(1, 2001)] == list(range(50_000, 48_000, -1))
    assert scene.table.selected_count() == 50_000
    assert time.perf_counter() - begun < 1


@pytest.mark.parametrize("row", [0, 25_000])
def test_a_batch_of_new_rows_reads_no_more_than_can_be_seen(qtbot: QtBot, row: int) -> None:
    scene = Scene(qtbot, 50_000)
    scene.table.select_entry(scene.model.seq_id_at(row) or 0)
    for batch in range(3):
        qtbot.waitUntil(lambda: scene.model.ledger_row(scene.table.rowAt(2)) is not None)
        looked_at, top = scene.table.current_seq_id, scene.top()
        scene.rows.reads.clear()
        fresh = range(50_001 + 1_000 * batch, 51_001 + 1_000 * batch)
        for seq_id in fresh:
            scene.rows.add(make_entry(seq_id))
        scene.model.apply_changes(Changes(new_entries=tuple(map(SeqId, fresh)), touched=None))
        assert scene.rows.reads == []
        scene.model.take_ids(QUERY, scene.rows.newest_first())
        scene.table.grab()
        assert sum(scene.rows.reads) <= 3 * PAGE
        assert scene.table.current_seq_id == looked_at
        assert row == 0 or scene.top() == top
