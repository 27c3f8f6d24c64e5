"""Past runs through the one entry point: found where the harness keeps them, or given by name."""

from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.claude.places import project_key
from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.model import Provenance, Undoability
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import LedgerQuery, Operations
from sulcus_panel.service.past_runs import ELSEWHERE, import_runs
from tests.support.claude_transcripts import CWD, Transcript
from tests.support.clock import FakeClock
from tests.support.ledger_builder import LedgerBuilder

ONE, TWO = "one\ntwo\n", "one\nTWO\n"


def a_run(path: Path, cwd: str, clock: FakeClock) -> Path:
    """A file made and edited in `cwd`, lately enough for the ledger to keep it."""
    run = Transcript(path, cwd=cwd, start=clock.now)
    run.prompt("Make it louder")
    run.write(f"{cwd}/a.txt", ONE)
    run.edit(f"{cwd}/a.txt", "two", "TWO", ONE)
    return run.path


def paths_of(operations: Operations, build: LedgerBuilder) -> list[tuple[str, ...]]:
    return [entry.paths for entry in operations.find(LedgerQuery(workspace_id=build.workspace.id))]


def test_runs_are_found_where_the_harness_keeps_them(
    build: LedgerBuilder, operations: Operations, home: Path
) -> None:
    key = project_key(str(build.root))
    a_run(home / ".claude" / "projects" / key / "s-1.jsonl", str(build.root), build.clock)

    report = import_runs(operations, build.workspace, "claude-code", ())

    assert (report.recorded, report.already, report.problems) == (2, 0, ())
    assert paths_of(operations, build) == [("a.txt",), ("a.txt",)]
    newest = operations.find(LedgerQuery(workspace_id=build.workspace.id))[0].record
    assert (newest.provenance, newest.intent) == (Provenance.IMPORTED, "Make it louder")


def test_importing_again_records_nothing(
    build: LedgerBuilder, operations: Operations, tmp_path: Path
) -> None:
    path = a_run(tmp_path / "run.jsonl", str(build.root), build.clock)
    import_runs(operations, build.workspace, "claude-code", (path,))
    report = import_runs(operations, build.workspace, "claude-code", (path,))
    assert (report.recorded, report.already) == (0, 2)


def test_the_workspace_stands_for_the_root_that_the_run_had_and_its_change_can_be_undone(
    build: LedgerBuilder, operations: Operations, tmp_path: Path
) -> None:
    path = a_run(tmp_path / "elsewhere.jsonl", CWD, build.clock)
    build.outside("a.txt", TWO + "mine\n")

    import_runs(operations, build.workspace, "claude-code", (path,), stands_for_recorded_root=True)

    assert paths_of(operations, build) == [("a.txt",), ("a.txt",)]
    newest = operations.ledger.newest_seq()
    assert operations.apply(operations.plan(UndoRequest((newest,)))).outcome is Outcome.UNDONE
    assert (build.root / "a.txt").read_text() == ONE + "mine\n"


def test_a_run_from_elsewhere_stays_elsewhere_unless_the_workspace_was_given(
    build: LedgerBuilder, operations: Operations, tmp_path: Path
) -> None:
    path = a_run(tmp_path / "elsewhere.jsonl", CWD, build.clock)
    build.outside("a.txt", TWO)

    report = import_runs(operations, build.workspace, "claude-code", (path,))

    assert report.problems == (ELSEWHERE,)
    assert paths_of(operations, build) == [(f"{CWD}/a.txt",)] * 2
    (newest, _) = operations.find(LedgerQuery(workspace_id=build.workspace.id))
    (change,) = newest.record.changes
    assert (change.before.kept, change.after.kept, change.hunks) == (False, False, ())
    assert change.after.sha256 is not None
    assert newest.undoability is Undoability.NOT
    assert (build.root / "a.txt").read_text() == TWO


def test_a_run_in_the_workspace_itself_needs_no_mapping(
    build: LedgerBuilder, operations: Operations, tmp_path: Path
) -> None:
    (build.root / "sub").mkdir()
    path = a_run(tmp_path / "run.jsonl", str(build.root / "sub"), build.clock)
    report = import_runs(operations, build.workspace, "claude-code", (path,))
    assert report.problems == ()
    assert paths_of(operations, build) == [("sub/a.txt",)] * 2


def test_a_folder_stands_for_the_transcripts_in_it(
    build: LedgerBuilder, operations: Operations, tmp_path: Path
) -> None:
    a_run(tmp_path / "runs" / "deep" / "s-1.jsonl", CWD, build.clock)
    assert import_runs(operations, build.workspace, "claude-code", (tmp_path / "runs",)).recorded == 2


def test_nothing_found_says_where_it_looked(build: LedgerBuilder, operations: Operations, home: Path) -> None:
    a_run(home / ".claude" / "projects" / "-home-dev-shop" / "s-1.jsonl", CWD, build.clock)
    with pytest.raises(NotFound, match="keeps no past run") as caught:
        import_runs(operations, build.workspace, "claude-code", ())
    assert str(home / ".claude") in caught.value.detail
    assert paths_of(operations, build) == []


def test_a_path_that_is_not_there_is_named(
    build: LedgerBuilder, operations: Operations, tmp_path: Path
) -> None:
    with pytest.raises(NotFound, match=r"nowhere\.jsonl"):
        import_runs(operations, build.workspace, "claude-code", (tmp_path / "nowhere.jsonl",))


def test_an_unknown_harness_and_a_workspace_without_a_folder_are_refused(
    build: LedgerBuilder, operations: Operations
) -> None:
    with pytest.raises(BadRequest, match="'nano'") as caught:
        import_runs(operations, build.workspace, "nano", ())
    assert caught.value.field == "harness"
    with pytest.raises(BadRequest, match="no folder"):
        import_runs(operations, build.ledger.add_workspace(None, "bare"), "claude-code", ())


def test_an_import_is_told_to_all_and_kept_on_governance(
    build: LedgerBuilder, operations: Operations, tmp_path: Path
) -> None:
    path = a_run(tmp_path / "run.jsonl", str(build.root), build.clock)
    heard: list[Changes] = []
    operations.bus.subscribe(heard.append)

    import_runs(operations, build.workspace, "claude-code", (path,))

    assert [changes.new_entries for changes in heard if changes.new_entries] == [(1, 2)]
    (record,) = operations.governance(build.workspace.id, kind_prefix="import")
    assert record.summary == "claude-code: 2 recorded, 0 known already"
