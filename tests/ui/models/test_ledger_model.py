import time
from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from sulcus_panel.core.errors import LedgerBusy
from sulcus_panel.core.ledger.queries import LedgerQuery, SortKey
from sulcus_panel.core.model import Entry, EntryState, SeqId
from sulcus_panel.service.changes import Changes
from sulcus_panel.ui.models.columns import LedgerColumn, LedgerRole
from sulcus_panel.ui.models.entry_pages import PAGE
from sulcus_panel.ui.models.ledger_model import LedgerModel
from tests.support.clock import NOON
from tests.support.entries import EntryList, make_entry
from tests.support.ledger_builder import LedgerBuilder
from tests.support.model_rules import watch_rules

QUERY = LedgerQuery(workspace_id=1)


def model_of(rows: EntryList) -> LedgerModel:
    model = LedgerModel(rows, QUERY, clock=lambda: NOON)
    model.take_ids(QUERY, rows.newest_first())
    return model


def shown(model: LedgerModel, row: int, column: LedgerColumn) -> str:
    return str(model.index(row, column).data())


def listed(model: LedgerModel) -> list[int]:
    return [model.index(row, 0).data(LedgerRole.SEQ_ID) for row in range(model.rowCount())]


@pytest.fixture
def rows() -> EntryList:
    return EntryList([make_entry(seq_id) for seq_id in range(1, 301)])


@pytest.fixture
def build(tmp_path: Path) -> Iterator[LedgerBuilder]:
    builder = LedgerBuilder.make(tmp_path)
    yield builder
    builder.ledger.close()


@pytest.mark.usefixtures("qtbot")
def test_the_model_keeps_qts_rules_through_every_change(rows: EntryList) -> None:
    model = model_of(rows)
    rules = watch_rules(model)
    rows.add(make_entry(301))
    model.take_ids(QUERY, rows.newest_first())
    model.take_ids(QUERY, rows.newest_first()[:20] + rows.newest_first()[40:])
    model.refresh()
    model.set_filter(replace(QUERY, text="app"))
    model.take_ids(model.query, array("q"))
    assert rules.model() is model


def test_cells_say_what_was_done() -> None:
    model = model_of(EntryList([make_entry(840, "services/billing/webhook.py", intent="Harden\nit")]))
    texts = [shown(model, 0, column) for column in LedgerColumn]
    assert texts == [
        "840",
        "12:14:00",
        "Claude",
        "edited",
        "webhook.py services/billing",
        "+2 −1",
        "Harden it",
        "",
        "",
        "Surgical Undo",
    ]


def test_a_screen_reader_hears_what_the_button_would_undo() -> None:
    model = model_of(EntryList([make_entry(840, "services/webhook.py")]))
    spoken = model.index(0, LedgerColumn.UNDO).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Undo change 840, edited webhook.py"


def test_only_the_page_in_sight_is_read(rows: EntryList) -> None:
    model = model_of(rows)
    assert rows.reads == []
    shown(model, 0, LedgerColumn.TARGET)
    shown(model, PAGE - 1, LedgerColumn.TARGET)
    assert rows.reads == [PAGE]


def test_new_rows_are_put_in_and_pages_at_hand_are_kept(rows: EntryList, qtbot: QtBot) -> None:
    model = model_of(rows)
    shown(model, 0, LedgerColumn.TARGET)
    rows.reads.clear()
    rows.add(make_entry(301))
    with qtbot.waitSignal(model.rowsInserted):
        model.take_ids(QUERY, rows.newest_first())
    assert shown(model, 0, LedgerColumn.SEQ) == "301"
    assert shown(model, 5, LedgerColumn.SEQ) == "296"
    assert rows.reads == [1]


def test_touched_rows_are_read_again(rows: EntryList, qtbot: QtBot) -> None:
    model = model_of(rows)
    shown(model, 0, LedgerColumn.STATE)
    rows.mark(300, EntryState.UNDONE, undone_by=310)
    with qtbot.waitSignal(model.dataChanged):
        model.apply_changes(Changes(touched=(SeqId(300),)))
    assert shown(model, 0, LedgerColumn.STATE) == "undone"
    assert shown(model, 0, LedgerColumn.UNDO) == "Redo"


def test_an_undone_row_says_when_at_the_price_of_one_question_a_page(rows: EntryList) -> None:
    for seq_id in (298, 299):
        rows.mark(seq_id, EntryState.UNDONE, undone_by=300)
    model = model_of(rows)
    shown(model, 0, LedgerColumn.STATE)
    rows.reads.clear()
    model.refresh()
    at = make_entry(300).record.at.astimezone()
    assert shown(model, 1, LedgerColumn.STATE) == f"undone {at:%H:%M}"
    assert shown(model, 2, LedgerColumn.STATE) == f"undone {at:%H:%M}"
    assert len(rows.reads) == 2


def test_changes_ask_for_the_ids_again(rows: EntryList, qtbot: QtBot) -> None:
    model = model_of(rows)
    with qtbot.waitSignal(model.ids_wanted) as wanted:
        model.apply_changes(Changes(new_entries=(SeqId(301),)))
    assert wanted.args == [QUERY]


def test_an_answer_to_a_query_no_longer_wanted_is_dropped(rows: EntryList) -> None:
    model = model_of(rows)
    model.set_filter(replace(QUERY, text="first"))
    stale = model.query
    model.set_filter(replace(QUERY, text="second"))
    model.take_ids(stale, array("q"))
    assert model.rowCount() == 300
    model.take_ids(model.query, array("q", [7]))
    assert listed(model) == [7]


def test_sorting_is_a_query_and_survives_a_filter(rows: EntryList, qtbot: QtBot) -> None:
    model = model_of(rows)
    with qtbot.waitSignal(model.ids_wanted) as wanted:
        model.sort(LedgerColumn.TARGET, Qt.SortOrder.AscendingOrder)
    assert (wanted.args[0].sort, wanted.args[0].descending) == (SortKey.TARGET, False)
    model.set_filter(replace(QUERY, text="app"))
    assert (model.query.sort, model.query.text) == (SortKey.TARGET, "app")


def test_an_entry_no_longer_kept_is_an_empty_row(rows: EntryList) -> None:
    model = model_of(rows)
    del rows.by_id[SeqId(300)]
    assert model.index(0, LedgerColumn.TARGET).data() is None
    assert model.index(1, LedgerColumn.SEQ).data() == "299"


class BusyRows(EntryList):
    def entries(self, _seq_ids: object) -> tuple[Entry, ...]:
        raise LedgerBusy("The ledger is busy")


def test_a_read_that_fails_is_told_and_leaves_the_row_empty(qtbot: QtBot) -> None:
    model = LedgerModel(BusyRows(), QUERY)
    model.take_ids(QUERY, array("q", [1]))
    with qtbot.waitSignal(model.read_failed):
        assert model.index(0, LedgerColumn.TARGET).data() is None


@pytest.mark.parametrize(
    "hostile",
    [
        "<b>bold</b><img src=x>",
        "a\nb\r\tc",
        "\u202egnp.exe",
        "x" * 5000,
        "\udcff\udcfe",
        "&lt;",
        "\x1b[31mred",
    ],
)
def test_hostile_strings_are_plain_in_cells_and_escaped_in_tooltips(hostile: str) -> None:
    model = model_of(EntryList([make_entry(1, f"d/{hostile}", intent=hostile, harness=hostile)]))
    for column in LedgerColumn:
        text = shown(model, 0, column)
        assert text.isprintable()
        assert len(text) < 700
        tip = str(model.index(0, column).data(Qt.ItemDataRole.ToolTipRole) or "")
        assert "<b>" not in tip
        assert "<img" not in tip
        assert tip.replace("\n", "").isprintable()


def test_fifty_thousand_rows_open_and_jump_quickly() -> None:
    rows = EntryList([make_entry(seq_id) for seq_id in range(1, 50_001)])
    ids = rows.newest_first()
    model = LedgerModel(rows, QUERY)
    start = time.perf_counter()
    model.take_ids(QUERY, ids)
    for row in range(0, 50_000, 997):
        shown(model, row, LedgerColumn.TARGET)
    rows.add(make_entry(50_001))
    model.take_ids(QUERY, rows.newest_first())
    assert time.perf_counter() - start < 3.0
    assert sum(rows.reads) < 52 * PAGE


def test_the_model_lists_sorts_and_filters_a_real_ledger(build: LedgerBuilder) -> None:
    build.session("claude-code")
    build.turn("Say hello")
    build.write("b.txt", "one\n")
    build.write("a.txt", "two\n")
    query = LedgerQuery(workspace_id=build.workspace.id)
    model = LedgerModel(build.ledger, query)

    def answer(wanted: LedgerQuery) -> None:
        model.take_ids(wanted, build.ledger.find_ids(wanted))

    model.ids_wanted.connect(answer)
    model.reload()
    assert [shown(model, row, LedgerColumn.TARGET) for row in (0, 1)] == ["a.txt", "b.txt"]
    model.sort(LedgerColumn.TARGET, Qt.SortOrder.DescendingOrder)
    assert [shown(model, row, LedgerColumn.TARGET) for row in (0, 1)] == ["b.txt", "a.txt"]
    model.set_filter(replace(query, text="A.TXT"))
    assert [shown(model, row, LedgerColumn.TARGET) for row in range(model.rowCount())] == ["a.txt"]


def test_the_root_has_no_parent_and_cells_no_children(rows: EntryList) -> None:
    model = model_of(rows)
    assert model.rowCount(model.index(0, 0)) == 0
    assert model.data(QModelIndex()) is None


def test_a_row_is_found_where_it_stands_after_every_move(rows: EntryList) -> None:
    model = model_of(rows)
    assert (model.row_of(300), model.row_of(1), model.row_of(999)) == (0, 299, -1)
    rows.add(make_entry(301))
    model.take_ids(QUERY, rows.newest_first())
    assert (model.row_of(301), model.row_of(300)) == (0, 1)
    model.take_ids(QUERY, rows.newest_first()[2:])
    assert (model.row_of(301), model.row_of(299)) == (-1, 0)


def test_what_a_worker_compared_is_believed_as_long_as_the_same_rows_are_shown(rows: EntryList) -> None:
    model = model_of(rows)
    shown_then = model.shown_ids(QUERY)
    assert shown_then is not None
    rows.add(make_entry(301))
    newer = rows.newest_first()
    model.take_ids(QUERY, newer, shown_then.moves_to(newer))
    assert listed(model) == list(newer)
    rows.add(make_entry(302))
    newest = rows.newest_first()
    model.take_ids(QUERY, newest, shown_then.moves_to(newest))
    assert listed(model) == list(newest)


def test_a_worker_compares_with_nothing_where_another_query_is_shown(rows: EntryList) -> None:
    model = model_of(rows)
    assert model.shown_ids(replace(QUERY, text="app")) is None


def test_rows_asked_for_together_are_read_with_one_question(rows: EntryList) -> None:
    model = model_of(rows)
    found = model.ledger_rows((SeqId(300), SeqId(7), SeqId(999), SeqId(150)))
    assert [row.seq_id for row in found] == [300, 7, 150]
    assert len(rows.reads) == 1


@pytest.mark.usefixtures("qtbot")
def test_a_change_that_touches_no_row_asks_for_nothing(rows: EntryList) -> None:
    model = model_of(rows)
    shown(model, 0, LedgerColumn.TIME)
    asked: list[object] = []
    model.ids_wanted.connect(asked.append)
    model.dataChanged.connect(asked.append)
    model.apply_changes(Changes(governance=True, settings=True, notice="A word."))
    assert asked == []
