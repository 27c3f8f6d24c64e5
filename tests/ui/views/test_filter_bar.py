from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from sulcus_panel.core.ledger.queries import Facets, LedgerQuery
from sulcus_panel.core.model import ActionType, DriftKind, LedgerPath
from sulcus_panel.ui.models.scope import EVERYTHING, Scope
from sulcus_panel.ui.views.filter_bar import FilterBar
from sulcus_panel.ui.views.painted_button import PaintedButton
from sulcus_panel.ui.views.search_box import DEBOUNCE_MS
from tests.support.ledger_builder import LedgerBuilder
from tests.support.stage import on_stage

BASE = LedgerQuery(workspace_id=1)
TURN = Scope("This turn", "claude-code", "s1", "t1")


@pytest.fixture
def bar(qtbot: QtBot) -> FilterBar:
    widget = FilterBar(BASE)
    on_stage(qtbot, widget, 900, 80)
    return widget


@pytest.fixture
def asked(bar: FilterBar) -> list[LedgerQuery]:
    queries: list[LedgerQuery] = []
    bar.query_changed.connect(queries.append)
    return queries


@pytest.fixture
def build(tmp_path: Path) -> Iterator[LedgerBuilder]:
    builder = LedgerBuilder.make(tmp_path)
    builder.session("claude-code")
    builder.write("a.txt", "1\n")
    builder.write("a.txt", "2\n")
    builder.session("codex")
    builder.command("make")
    builder.ledger.set_drift(builder.workspace.id, {LedgerPath("a.txt"): DriftKind.CHANGED})
    yield builder
    builder.ledger.close()


def chips(bar: FilterBar) -> dict[str, PaintedButton]:
    return {chip.text(): chip for chip in bar.findChildren(PaintedButton) if not chip.isHidden()}


def click(widget: PaintedButton) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def test_typing_asks_once_when_it_stops(bar: FilterBar, asked: list[LedgerQuery], qtbot: QtBot) -> None:
    with qtbot.waitSignal(bar.query_changed, timeout=5 * DEBOUNCE_MS):
        QTest.keyClicks(bar.search, "is:drifted web")
    assert asked == [replace(BASE, text="web", drifted=True)]


def test_escape_clears_the_search_at_once_and_then_leaves(
    bar: FilterBar, asked: list[LedgerQuery], qtbot: QtBot
) -> None:
    bar.search.search_now("web")
    QTest.keyClick(bar.search, Qt.Key.Key_Escape)
    assert asked == [replace(BASE, text="web"), BASE]
    with qtbot.waitSignal(bar.left):
        QTest.keyClick(bar.search, Qt.Key.Key_Escape)


def test_return_asks_at_once_and_leaves(bar: FilterBar, asked: list[LedgerQuery], qtbot: QtBot) -> None:
    QTest.keyClicks(bar.search, "web")
    with qtbot.waitSignal(bar.left):
        QTest.keyClick(bar.search, Qt.Key.Key_Return)
    assert asked == [replace(BASE, text="web")]


def test_chips_count_what_is_there(bar: FilterBar, build: LedgerBuilder) -> None:
    bar.set_facets(build.ledger.facets(LedgerQuery(workspace_id=build.workspace.id)))
    assert list(chips(bar)) == ["Edits 1", "Created 1", "Commands 1", "Drifted 2", "Claude Code 2", "Codex 1"]


def test_a_chip_narrows_the_search_and_lets_go_again(
    bar: FilterBar, asked: list[LedgerQuery], build: LedgerBuilder
) -> None:
    bar.set_facets(build.ledger.facets(LedgerQuery(workspace_id=build.workspace.id)))
    click(chips(bar)["Commands 1"])
    assert bar.search.text() == "action:command"
    assert chips(bar)["Commands 1"].isChecked()
    click(chips(bar)["Commands 1"])
    assert asked == [replace(BASE, action_type=ActionType.RUN_COMMAND), BASE]
    assert not chips(bar)["Commands 1"].isChecked()


def test_a_chip_works_by_key(bar: FilterBar, build: LedgerBuilder) -> None:
    bar.set_facets(build.ledger.facets(LedgerQuery(workspace_id=build.workspace.id)))
    chip = chips(bar)["Drifted 2"]
    assert chip.accessibleName() == "Only Drifted: 2"
    QTest.keyClick(chip, Qt.Key.Key_Space)
    assert bar.query.drifted is True


def test_a_scope_is_a_chip_that_can_be_taken_off(
    bar: FilterBar, asked: list[LedgerQuery], qtbot: QtBot
) -> None:
    bar.set_scope(TURN)
    assert asked == [TURN.within(BASE)]
    with qtbot.waitSignal(bar.scope_changed) as changed:
        click(chips(bar)["This turn ✕"])
    assert changed.args == [EVERYTHING]
    assert asked[-1] == BASE
    assert chips(bar) == {}


def test_clear_takes_off_scope_and_search_in_one(bar: FilterBar) -> None:
    bar.set_scope(TURN)
    bar.search.search_now("web")
    bar.clear()
    assert bar.query == BASE
    assert not bar.is_narrowed


def test_hits_are_told_only_when_something_is_left_out(bar: FilterBar) -> None:
    bar.set_hits(12)
    assert "12" not in labels(bar)
    bar.search.search_now("web")
    bar.set_hits(1)
    assert "1 change" in labels(bar)


def labels(bar: FilterBar) -> str:
    return " ".join(label.text() for label in bar.findChildren(QLabel))


def test_facets_are_counted_over_the_scope_alone(bar: FilterBar) -> None:
    bar.set_scope(TURN)
    bar.search.search_now("is:drifted")
    assert bar.facet_query == TURN.within(BASE)


def test_chips_that_do_not_fit_are_left_out(bar: FilterBar, build: LedgerBuilder) -> None:
    bar.set_facets(build.ledger.facets(LedgerQuery(workspace_id=build.workspace.id)))
    bar.resize(260, 80)
    assert 0 < len(chips(bar)) < 6
    assert bar.width() == 260


def test_a_harness_is_never_markup_in_a_tooltip(bar: FilterBar) -> None:
    bar.set_facets(Facets(3, {"<b>evil</b>": 2, "codex": 1}, {}, {}, 0))
    tips = [chip.toolTip() for chip in bar.findChildren(PaintedButton)]
    assert any("&lt;b&gt;evil" in tip for tip in tips)
    assert not any("<b>" in tip for tip in tips)
