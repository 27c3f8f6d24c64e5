from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from pytestqt.qtbot import QtBot

from sulcus_panel.core.ledger.queries import Run, TurnRun
from sulcus_panel.ui.models.run_answers import RunsRole
from sulcus_panel.ui.models.runs_model import RunsModel
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


def run(session: str, *turns: str, entries: int = 1) -> Run:
    at = datetime(2026, 11, 3, 12, tzinfo=UTC)
    of_turns = tuple(TurnRun(turn, turn, at, entries, 1, 1, 0) for turn in turns)
    return Run("codex", session, None, None, at, at, False, entries, 1, 1, 0, of_turns)


def shown(model: RunsModel) -> list[tuple[str, list[str]]]:
    return [
        (
            model.index(row, 0).data(RunsRole.SCOPE).session_id,
            [
                model.index(turn, 0, model.index(row, 0)).data(RunsRole.TITLE)
                for turn in range(model.rowCount(model.index(row, 0)))
            ],
        )
        for row in range(model.rowCount())
    ]


RUNS = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.lists(st.sampled_from("uvwxyz"), unique=True), st.integers(1, 3)),
    unique_by=lambda run: run[0],
)


@pytest.mark.usefixtures("qtbot")
@given(st.lists(RUNS, max_size=6))
def test_whatever_runs_follow_each_other_the_rules_hold_and_the_last_are_shown(
    lists: list[list[tuple[str, list[str], int]]],
) -> None:
    model = RunsModel()
    rules = watch_rules(model)
    for told in lists:
        runs = [run(session, *turns, entries=entries) for session, turns, entries in told]
        model.show_runs(runs)
        assert shown(model) == [(session, turns) for session, turns, _ in told]
        assert model.runs == tuple(runs)
    assert rules.model() is model


def test_a_new_run_moves_the_others_and_makes_no_new_tree(qtbot: QtBot) -> None:
    model = RunsModel([run("old", "first", "second")])
    turn = QPersistentModelIndex(model.index(1, 0, model.index(0, 0)))
    with qtbot.assertNotEmitted(model.modelReset):
        model.show_runs([run("new", "other"), run("old", "first", "second", "third")])
    assert turn.data(RunsRole.TITLE) == "second"
    assert turn.parent().row() == 1
    with qtbot.assertNotEmitted(model.modelReset):
        model.show_runs([run("old", "first", "second", "third"), run("new", "other")])
    assert turn.data(RunsRole.TITLE) == "second"
    assert turn.parent().row() == 0


def test_what_is_as_it_was_is_not_told_anew() -> None:
    model = RunsModel([run("one", "first", "second"), run("other", "first")])
    told = list[QModelIndex]()
    model.dataChanged.connect(lambda first, _last, _roles: told.append(first))
    model.show_runs([run("one", "first", "second"), run("other", "first", entries=2)])
    of_other = model.index(1, 0)
    assert told == [of_other, model.index(0, 0, of_other)]
