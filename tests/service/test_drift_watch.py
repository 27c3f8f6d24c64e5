"""Drift is marked once, told when it changes, and never for what an agent or an undo is writing."""

from collections.abc import Callable

import pytest

from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.model import DriftKind, LedgerPath
from sulcus_panel.core.undo.lock import undo_lock
from sulcus_panel.service import drift_watch
from sulcus_panel.service.drift_watch import DriftWatch, Looked
from tests.support.hooks import Run
from tests.support.ledger_builder import LedgerBuilder
from tests.support.ledgers import change, record

A, B = LedgerPath("a.txt"), LedgerPath("b.txt")
CHANGED = DriftKind.CHANGED


@pytest.fixture
def recorder(build: LedgerBuilder) -> Recorder:
    return Recorder(build.ledger, build.home, clock=build.clock)


@pytest.fixture
def watch(build: LedgerBuilder, recorder: Recorder) -> DriftWatch:
    build.write(A, "1\n")
    build.write(B, "1\n")
    return DriftWatch(build.ledger, recorder.in_flight)


def test_only_another_mark_than_before_is_news(build: LedgerBuilder, watch: DriftWatch) -> None:
    assert watch.refresh(build.workspace, None) == Looked({}, is_news=False)
    build.outside(A, "mine\n")
    assert watch.refresh(build.workspace, None) == Looked({A: CHANGED}, is_news=True)
    assert watch.refresh(build.workspace, None) == Looked({A: CHANGED}, is_news=False)
    build.outside(A, "1\n")
    assert watch.refresh(build.workspace, None) == Looked({}, is_news=True)


def test_only_the_paths_asked_for_are_looked_at(build: LedgerBuilder, watch: DriftWatch) -> None:
    build.outside(A, "mine\n")
    build.outside(B, "mine\n")
    assert watch.refresh(build.workspace, {B, LedgerPath("unknown.txt")}) == Looked(
        {B: CHANGED}, is_news=True
    )


def test_an_agents_file_is_left_alone_while_its_call_is_in_flight(
    build: LedgerBuilder, recorder: Recorder, watch: DriftWatch
) -> None:
    run = Run(build.root, build.home.spool)
    given = {"file_path": str(build.root / A), "content": "2\n"}
    run.tool("PreToolUse", "Write", given, tool_use_id="c")
    recorder.drain()
    build.outside(A, "2\n")
    build.outside(B, "mine\n")

    assert watch.refresh(build.workspace, None) == Looked({B: CHANGED}, is_news=True)

    run.tool("PostToolUse", "Write", given, tool_use_id="c", tool_response={"type": "update"})
    recorder.drain()
    assert watch.refresh(build.workspace, None) == Looked({B: CHANGED}, is_news=False)


def test_while_an_undo_is_at_work_the_old_marks_stay(
    build: LedgerBuilder, watch: DriftWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drift_watch, "WAIT_SECONDS", 0.0)
    build.outside(A, "mine\n")
    with undo_lock(build.ledger, 0) as held:
        assert held
        assert watch.refresh(build.workspace, None) == Looked({}, is_news=False, is_done=False)
    assert watch.refresh(build.workspace, None) == Looked({A: CHANGED}, is_news=True)


@pytest.mark.parametrize(
    "later",
    [
        lambda build: build.write(A, "2\n"),
        lambda build: build.delete(A),
        lambda build: build.write("c.txt", "new\n"),
    ],
)
def test_what_was_recorded_since_is_known(
    build: LedgerBuilder, watch: DriftWatch, later: Callable[[LedgerBuilder], object]
) -> None:
    watch.known(build.workspace)
    later(build)
    assert watch.known(build.workspace) == build.ledger.last_known(build.workspace.id)
    assert watch.refresh(build.workspace, None) == Looked({}, is_news=False)


def test_a_few_paths_are_measured_without_reading_the_whole_ledger(
    build: LedgerBuilder, watch: DriftWatch
) -> None:
    build.outside(B, "mine\n")
    statements: list[str] = []
    build.ledger._db.connection.set_trace_callback(statements.append)
    assert watch.refresh(build.workspace, {B}) == Looked({B: CHANGED}, is_news=True)
    build.ledger._db.connection.set_trace_callback(None)
    of_changes = [sql for sql in statements if "FROM change" in sql]
    assert of_changes
    assert all("c.path IN ('b.txt')" in sql for sql in of_changes)


def test_what_was_recorded_is_fresh_until_it_is_looked_at(build: LedgerBuilder, watch: DriftWatch) -> None:
    first = watch.known(build.workspace)
    assert watch.fresh(build.workspace) == frozenset()
    assert watch.known(build.workspace) is first
    build.write(A, "2\n")
    assert list(watch.known(build.workspace)) == [B, A]
    assert watch.fresh(build.workspace) == {A}
    watch.refresh(build.workspace, {B})
    assert watch.fresh(build.workspace) == {A}
    watch.refresh(build.workspace, {A})
    assert watch.fresh(build.workspace) == frozenset()


def test_a_workspace_without_a_folder_cannot_drift(build: LedgerBuilder, watch: DriftWatch) -> None:
    bare = build.ledger.add_workspace(None, "bare")
    build.ledger.append(bare.id, record("told", change(A, None, b"1\n")))
    assert watch.refresh(bare, None) == Looked({}, is_news=False)


def test_workspaces_do_not_know_each_others_files(build: LedgerBuilder, watch: DriftWatch) -> None:
    other = build.root.parent / "other"
    other.mkdir()
    assert watch.known(build.ledger.add_workspace(str(other))) == {}
    assert set(watch.known(build.workspace)) == {A, B}
