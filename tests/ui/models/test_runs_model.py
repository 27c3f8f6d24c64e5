from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from sulcus_panel.ui.models.runs_model import RunsModel, RunsRole
from sulcus_panel.ui.models.scope import Scope
from tests.support.ledger_builder import LedgerBuilder
from tests.support.model_rules import watch_rules


@pytest.fixture
def build(tmp_path: Path) -> Iterator[LedgerBuilder]:
    builder = LedgerBuilder.make(tmp_path)
    builder.session("codex")
    builder.turn("Rename it")
    builder.write("old.txt", "x\n")
    builder.session("claude-code")
    builder.turn("Add keys")
    builder.write("a.txt", "1\n2\n")
    builder.write("b.txt", "1\n")
    builder.turn("Harden <b>it</b>")
    builder.write("a.txt", "1\n")
    yield builder
    builder.ledger.close()


def model_of(build: LedgerBuilder) -> RunsModel:
    model = RunsModel(clock=build.clock)
    model.show_runs(build.ledger.runs(build.workspace.id))
    return model


@pytest.mark.usefixtures("qtbot")
def test_the_model_keeps_qts_rules_through_every_change(build: LedgerBuilder) -> None:
    model = model_of(build)
    rules = watch_rules(model)
    build.write("c.txt", "x\n")
    model.show_runs(build.ledger.runs(build.workspace.id))
    build.turn("Another")
    build.write("d.txt", "x\n")
    model.show_runs(build.ledger.runs(build.workspace.id))
    assert rules.model() is model


def test_runs_are_newest_first_and_turns_as_they_happened(build: LedgerBuilder) -> None:
    model = model_of(build)
    run = model.index(0, 0)
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["Claude Code", "Codex"]
    assert [model.index(row, 0, run).data() for row in (0, 1)] == ["Add keys", "Harden <b>it</b>"]
    assert run.data(RunsRole.SECOND_LINE) == "today 12:00 · 2 files"
    assert model.index(0, 0, run).data(RunsRole.SECOND_LINE) == "2 files · +3"
    assert run.data(RunsRole.BARS) == (2, 1)


def test_a_turns_tooltip_is_escaped(build: LedgerBuilder) -> None:
    model = model_of(build)
    tip = model.index(1, 0, model.index(0, 0)).data(Qt.ItemDataRole.ToolTipRole)
    assert "<b>" not in tip
    assert "&lt;b&gt;" in tip


def test_a_scope_finds_its_row_again(build: LedgerBuilder) -> None:
    model = model_of(build)
    turn = model.index(1, 0, model.index(0, 0))
    scope = turn.data(RunsRole.SCOPE)
    assert model.find(scope) == turn
    assert not model.find(Scope("gone", "codex", "nowhere")).isValid()


def test_more_entries_in_known_turns_move_no_row(build: LedgerBuilder, qtbot: QtBot) -> None:
    model = model_of(build)
    build.write("c.txt", "x\n")
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged):
        model.show_runs(build.ledger.runs(build.workspace.id))
    assert model.index(0, 0).data(RunsRole.COUNT) == 4


def test_turns_have_no_children(build: LedgerBuilder) -> None:
    model = model_of(build)
    turn = model.index(0, 0, model.index(0, 0))
    assert model.rowCount(turn) == 0
    assert model.parent(turn) == model.index(0, 0)
    assert model.data(QModelIndex()) is None
