from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from sulcus_panel.ui.models.runs_model import RunsModel
from sulcus_panel.ui.models.scope import EVERYTHING, WAITING, Scope
from sulcus_panel.ui.views.runs_sidebar import MOST_RUNS, RunsSidebar
from sulcus_panel.ui.views.view_list import SidebarView
from tests.support.ledger_builder import LedgerBuilder
from tests.support.stage import on_stage


@pytest.fixture
def build(tmp_path: Path) -> Iterator[LedgerBuilder]:
    builder = LedgerBuilder.make(tmp_path)
    builder.session("codex")
    builder.turn("Rename it")
    builder.write("old.txt", "x\n")
    builder.session("claude-code")
    builder.turn("Add keys")
    builder.write("a.txt", "1\n2\n")
    builder.turn("Harden it")
    builder.write("a.txt", "1\n")
    yield builder
    builder.ledger.close()


@pytest.fixture
def sidebar(qtbot: QtBot, build: LedgerBuilder) -> RunsSidebar:
    widget = RunsSidebar(RunsModel(clock=build.clock))
    widget.show_runs(build.ledger.runs(build.workspace.id))
    on_stage(qtbot, widget, 260, 600)
    return widget


def click(sidebar: RunsSidebar, index: QModelIndex) -> None:
    place = sidebar.tree.visualRect(index).center()
    viewport = sidebar.tree.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def view_button(sidebar: RunsSidebar, view: SidebarView) -> QAbstractButton:
    return next(each for each in sidebar.findChildren(QAbstractButton) if each.text() == view.value)


def test_the_newest_run_is_open_and_the_others_are_not(sidebar: RunsSidebar) -> None:
    model = sidebar.tree.model()
    assert [sidebar.tree.isExpanded(model.index(row, 0)) for row in (0, 1)] == [True, False]


def test_what_a_person_opened_or_closed_stays_so_when_runs_change_places(
    sidebar: RunsSidebar, build: LedgerBuilder
) -> None:
    model, tree = sidebar.tree.model(), sidebar.tree
    newest, older = build.ledger.runs(build.workspace.id)
    tree.collapse(model.index(0, 0))
    tree.expand(model.index(1, 0))
    sidebar.show_runs([older, newest])
    assert [tree.isExpanded(model.index(row, 0)) for row in (0, 1)] == [True, False]
    sidebar.show_runs([replace(newest, session_id="newer"), newest, older])
    assert [tree.isExpanded(model.index(row, 0)) for row in (0, 1, 2)] == [True, False, True]


def test_it_says_where_older_runs_are_when_it_shows_as_many_as_it_can(
    qtbot: QtBot, build: LedgerBuilder
) -> None:
    widget = RunsSidebar(RunsModel(clock=build.clock))
    on_stage(qtbot, widget, 260, 600)
    runs = build.ledger.runs(build.workspace.id)
    for count, said in ((len(runs), False), (MOST_RUNS, True), (1, False)):
        widget.show_runs([replace(runs[0], session_id=f"session-{number}") for number in range(count)])
        older = next(label for label in widget.findChildren(QLabel) if label.text().startswith("Older runs"))
        assert older.isVisible() is said


def test_a_click_on_a_turn_asks_for_it(sidebar: RunsSidebar, qtbot: QtBot, build: LedgerBuilder) -> None:
    model = sidebar.tree.model()
    with qtbot.waitSignal(sidebar.scope_requested) as asked:
        click(sidebar, model.index(1, 0, model.index(0, 0)))
    assert asked.args == [Scope("This turn", "claude-code", build.session_id, build.turn_id)]


def test_a_click_on_a_run_asks_for_it_and_opens_it(sidebar: RunsSidebar, qtbot: QtBot) -> None:
    index = sidebar.tree.model().index(1, 0)
    with qtbot.waitSignal(sidebar.scope_requested) as asked:
        click(sidebar, index)
    assert asked.args == [Scope("This run", "codex", "session-1")]
    assert sidebar.tree.isExpanded(index)
    click(sidebar, index)
    assert not sidebar.tree.isExpanded(index)


def test_return_on_a_turn_asks_for_it(sidebar: RunsSidebar, qtbot: QtBot) -> None:
    model = sidebar.tree.model()
    sidebar.tree.setCurrentIndex(model.index(0, 0, model.index(0, 0)))
    with qtbot.waitSignal(sidebar.scope_requested):
        QTest.keyClick(sidebar.tree, Qt.Key.Key_Return)


def test_a_new_turn_keeps_what_is_open_and_chosen(sidebar: RunsSidebar, build: LedgerBuilder) -> None:
    model = sidebar.tree.model()
    click(sidebar, model.index(1, 0))
    click(sidebar, model.index(0, 0, model.index(1, 0)))
    build.turn("One more")
    build.write("b.txt", "x\n")
    sidebar.show_runs(build.ledger.runs(build.workspace.id))
    codex = model.index(1, 0)
    assert sidebar.tree.isExpanded(codex)
    assert sidebar.tree.currentIndex() == model.index(0, 0, codex)


@pytest.mark.parametrize(("view", "scope"), [(SidebarView.ALL, EVERYTHING), (SidebarView.WAITING, WAITING)])
def test_a_view_asks_for_its_scope(
    sidebar: RunsSidebar, qtbot: QtBot, view: SidebarView, scope: Scope
) -> None:
    with qtbot.waitSignal(sidebar.scope_requested) as asked:
        QTest.mouseClick(view_button(sidebar, view), Qt.MouseButton.LeftButton)
    assert asked.args == [scope]
    assert view_button(sidebar, view).isChecked()


@pytest.mark.parametrize("view", [SidebarView.UNDO_HISTORY, SidebarView.GOVERNANCE])
def test_the_other_timelines_are_pages(sidebar: RunsSidebar, qtbot: QtBot, view: SidebarView) -> None:
    with qtbot.waitSignal(sidebar.page_requested) as asked:
        QTest.keyClick(view_button(sidebar, view), Qt.Key.Key_Space)
    assert asked.args == [view]


def test_what_waits_is_counted_aloud(sidebar: RunsSidebar) -> None:
    sidebar.set_waiting(3)
    assert view_button(sidebar, SidebarView.WAITING).accessibleName() == "Waiting for you, 3"


def test_showing_a_scope_asks_for_nothing(sidebar: RunsSidebar, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(sidebar.scope_requested):
        sidebar.show_scope(WAITING)
        sidebar.show_scope(Scope("This run", "codex", "session-1"))
    assert sidebar.tree.currentIndex() == sidebar.tree.model().index(1, 0)
    assert not view_button(sidebar, SidebarView.WAITING).isChecked()


def test_a_turns_menu_is_asked_for_where_it_stands(sidebar: RunsSidebar, qtbot: QtBot) -> None:
    model = sidebar.tree.model()
    place = sidebar.tree.visualRect(model.index(0, 0, model.index(0, 0))).center()
    with qtbot.waitSignal(sidebar.menu_requested) as asked:
        sidebar.tree.customContextMenuRequested.emit(QPoint(place))
    assert asked.args is not None
    assert asked.args[0].label == "This turn"


def test_an_empty_sidebar_says_so(qtbot: QtBot) -> None:
    widget = RunsSidebar(RunsModel())
    on_stage(qtbot, widget, 260, 500)
    assert not widget.grab().isNull()
