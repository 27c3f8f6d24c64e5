"""The verbs behind every door, on a real ledger and real files."""

import os
import stat
from contextlib import ExitStack
from pathlib import Path
from sqlite3 import OperationalError

import pytest

from sulcus_panel.core.errors import BadRequest, LedgerBusy, LedgerCorrupt, NotFound, StalePlan
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import PERSON, Decision, DriftKind, EntryState, LedgerPath
from sulcus_panel.core.undo import apply as applying
from sulcus_panel.core.undo.lock import undo_lock
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import DiffView, LedgerQuery, Operations, Selection
from tests.support.hooks import Run
from tests.support.ledger_builder import LedgerBuilder

LINES = "".join(f"line {n}\n" for n in range(1, 11))


def replaced(text: str, number: int, new: str) -> str:
    return text.replace(f"line {number}\n", f"{new}\n")


def test_undo_keeps_a_later_edit_and_redo_brings_the_change_back(
    build: LedgerBuilder, operations: Operations
) -> None:
    build.write("a.txt", LINES)
    first = build.write("a.txt", replaced(LINES, 2, "two by T1"))
    build.write("a.txt", replaced(replaced(LINES, 2, "two by T1"), 8, "eight by T2"))
    file = build.root / "a.txt"

    result = operations.apply(operations.plan(UndoRequest((first.seq_id,))))

    assert result.outcome is Outcome.UNDONE
    assert file.read_text() == replaced(LINES, 8, "eight by T2")
    assert operations.entry(first.seq_id).state is EntryState.UNDONE

    redone = operations.apply(operations.plan_redo((first.seq_id,)))

    assert redone.outcome is Outcome.UNDONE
    assert file.read_text() == replaced(replaced(LINES, 2, "two by T1"), 8, "eight by T2")
    assert operations.entry(first.seq_id).state is EntryState.RECORDED


def test_what_was_never_undone_cannot_be_redone(build: LedgerBuilder, operations: Operations) -> None:
    entry = build.write("a.txt", LINES)
    with pytest.raises(NotFound, match="not been undone"):
        operations.plan_redo((entry.seq_id,))


def test_a_declined_plan_touches_nothing_and_is_on_governance(
    build: LedgerBuilder, operations: Operations
) -> None:
    build.write("a.txt", LINES)
    entry = build.write("a.txt", replaced(LINES, 2, "two"))
    plan = operations.plan(UndoRequest((entry.seq_id,)))

    operations.decline(plan, Decision.REJECT)
    assert operations.entry(entry.seq_id).state is EntryState.RECORDED
    operations.decline(plan, Decision.DEFER)

    assert (build.root / "a.txt").read_text() == replaced(LINES, 2, "two")
    assert operations.entry(entry.seq_id).state is EntryState.DEFERRED
    kinds = [record.kind for record in operations.governance(build.workspace.id, kind_prefix="undo.")]
    assert kinds == ["undo.deferred", "undo.rejected"]


def test_a_plan_is_stale_once_the_file_has_changed(build: LedgerBuilder, operations: Operations) -> None:
    build.write("a.txt", LINES)
    entry = build.write("a.txt", replaced(LINES, 2, "two"))
    plan = operations.plan(UndoRequest((entry.seq_id,)))
    mine = replaced(replaced(LINES, 2, "two"), 7, "mine")
    build.outside("a.txt", mine)

    with pytest.raises(StalePlan):
        operations.apply(plan)

    assert (build.root / "a.txt").read_text() == mine


@pytest.mark.parametrize("again", [False, True])
def test_nothing_is_displaced_into_a_ledger_that_was_removed(
    build: LedgerBuilder, operations: Operations, again: bool
) -> None:
    build.write("a.txt", LINES)
    entry = build.write("a.txt", replaced(LINES, 2, "two"))
    plan = operations.plan(UndoRequest((entry.seq_id,)))
    for file in build.home.root.glob("ledger.db*"):
        file.unlink()
    if again:
        Ledger.open(build.home, clock=build.clock).close()
    with pytest.raises(LedgerCorrupt, match="removed or replaced"):
        operations.apply(plan)
    assert (build.root / "a.txt").read_text() == replaced(LINES, 2, "two")


def test_a_turn_is_undone_as_one_batch_and_its_commands_are_named(
    build: LedgerBuilder, operations: Operations
) -> None:
    build.write("a.txt", LINES)
    turn = build.turn("Do things")
    build.write("a.txt", replaced(LINES, 1, "one"))
    command = build.command("npm install")
    build.write("a.txt", replaced(replaced(LINES, 1, "one"), 9, "nine"))
    build.write("new.txt", "new\n")

    plan = operations.plan_selection(build.workspace.id, Selection(turn_id=turn))
    result = operations.apply(plan)

    assert [w.seq_ids for w in plan.warnings if w.code == "command_stays"] == [(command.seq_id,)]
    assert result.outcome is Outcome.UNDONE
    assert (build.root / "a.txt").read_text() == LINES
    assert not (build.root / "new.txt").exists()


def test_the_three_views_show_this_change_since_then_and_after_undo(
    build: LedgerBuilder, operations: Operations
) -> None:
    build.write("a.txt", "one\ntwo\n")
    entry = build.write("a.txt", "ONE\ntwo\n")
    build.outside("a.txt", "ONE\nTWO\n")

    views = {view: operations.diff(entry.seq_id, view)[0] for view in DiffView}

    assert (views[DiffView.CHANGE].old, views[DiffView.CHANGE].new) == (b"one\ntwo\n", b"ONE\ntwo\n")
    assert (views[DiffView.NOW].old, views[DiffView.NOW].new) == (b"ONE\ntwo\n", b"ONE\nTWO\n")
    assert (views[DiffView.AFTER].old, views[DiffView.AFTER].new) == (b"ONE\nTWO\n", b"one\nTWO\n")


def test_an_outside_save_is_drift_and_an_undo_is_not(build: LedgerBuilder, operations: Operations) -> None:
    build.write("a.txt", LINES)
    entry = build.write("b.txt", "b\n")
    build.outside("a.txt", LINES + "mine\n")

    drifted = operations.refresh_drift(build.workspace.id)
    assert drifted == {LedgerPath("a.txt"): DriftKind.CHANGED}

    operations.apply(operations.plan(UndoRequest((entry.seq_id,))))
    assert operations.refresh_drift(build.workspace.id) == {LedgerPath("a.txt"): DriftKind.CHANGED}

    build.outside("a.txt", LINES)
    assert operations.refresh_drift(build.workspace.id) == {}


def told(operations: Operations, build: LedgerBuilder) -> list[str]:
    """The kinds on the undo history, oldest first."""
    records = operations.governance(build.workspace.id, kind_prefix="undo.")
    return [record.kind for record in reversed(records)]


def test_an_undo_that_is_done_is_never_said_to_have_failed(
    build: LedgerBuilder, operations: Operations
) -> None:
    entry = build.write("a.txt", LINES)
    build.ledger.set_drift(build.workspace.id, {LedgerPath("a.txt"): DriftKind.CHANGED})
    operations.ledger._db.connection.execute("PRAGMA busy_timeout = 10")
    with Ledger.open(build.home) as other, ExitStack() as stack:

        def keep_the_ledger_busy(changes: Changes) -> None:
            if changes.new_entries:
                stack.enter_context(other.write())

        operations.bus.subscribe(keep_the_ledger_busy)
        result = operations.apply(operations.plan(UndoRequest((entry.seq_id,))))

    assert result.outcome is Outcome.UNDONE
    assert not (build.root / "a.txt").exists()


def test_what_came_of_an_accepted_plan_is_told_however_it_ends(
    build: LedgerBuilder, operations: Operations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(applying, "LOCK_SECONDS", 0.0)
    build.write("a.txt", LINES)
    entry = build.write("a.txt", replaced(LINES, 2, "two"))
    plan = operations.plan(UndoRequest((entry.seq_id,)))
    heard: list[Changes] = []
    operations.bus.subscribe(heard.append)

    build.outside("a.txt", replaced(LINES, 2, "mine"))
    with pytest.raises(StalePlan):
        operations.apply(plan)
    assert told(operations, build) == ["undo.accepted", "undo.failed"]
    conflict = operations.plan(UndoRequest((entry.seq_id,)))
    assert operations.apply(conflict).outcome is Outcome.CONFLICT
    assert told(operations, build)[2:] == ["undo.accepted", "undo.failed"]
    build.outside("a.txt", replaced(LINES, 2, "two"))
    with undo_lock(build.ledger, 0), pytest.raises(LedgerBusy):
        operations.apply(plan)
    assert told(operations, build)[4:] == ["undo.accepted", "undo.failed"]
    operations.apply(plan)
    assert told(operations, build)[6:] == ["undo.accepted", "undo.applied"]

    assert [changes.governance for changes in heard if not changes.drift] == [True] * 4
    stale, conflicting, busy = [
        record
        for record in reversed(operations.governance(build.workspace.id))
        if record.kind == "undo.failed"
    ]
    assert "Something has changed" in stale.summary
    assert stale.detail["outcome"] == "stale_plan"
    assert "conflict: nothing was written" in conflicting.summary
    assert (busy.detail["outcome"], busy.seq_ids) == ("ledger_busy", (entry.seq_id,))


def test_a_decision_is_written_whole_or_not_at_all(build: LedgerBuilder, operations: Operations) -> None:
    entry = build.write("a.txt", LINES)
    plan = operations.plan(UndoRequest((entry.seq_id,)))
    with operations.ledger.write():
        operations.ledger._db.run("ALTER TABLE governance RENAME TO away")
    with pytest.raises(OperationalError):
        operations.decline(plan, Decision.DEFER)
    with pytest.raises(OperationalError):
        operations.set_setting(build.workspace.id, "max_entries", 60)
    assert operations.entry(entry.seq_id).state is EntryState.RECORDED
    assert operations.settings(build.workspace.id).max_entries == 1000


def test_an_empty_request_says_that_nothing_is_named(operations: Operations) -> None:
    with pytest.raises(BadRequest, match="No change is named"):
        operations.plan(UndoRequest(()))


def test_a_folder_is_registered_once_and_told_once(operations: Operations, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    workspace = operations.register(tmp_path / "other")
    assert operations.register(tmp_path / "other") == workspace
    (record,) = operations.governance(workspace.id)
    assert (record.kind, record.actor) == ("workspace.added", PERSON)


def test_a_workspace_that_an_event_registers_is_told_on_governance(
    operations: Operations, tmp_path: Path
) -> None:
    (tmp_path / "fresh").mkdir()
    Run(tmp_path / "fresh", operations.home.spool).write("a.txt", b"1\n")
    heard: list[Changes] = []
    operations.bus.subscribe(heard.append)
    operations.drain()
    workspace = operations.workspace_for(tmp_path / "fresh", register=False)
    assert [record.kind for record in operations.governance(workspace.id)] == ["workspace.added"]
    assert [changes.governance for changes in heard] == [True]


def test_a_journal_that_cannot_be_read_keeps_nobody_out_and_is_told(build: LedgerBuilder) -> None:
    entry = build.write("a.txt", LINES)
    with build.ledger.write():
        build.ledger._db.run(
            "INSERT INTO undo_journal (op_id, workspace_id, at, body) VALUES ('op', ?, 0, 'torn')",
            (build.workspace.id,),
        )
    with Operations.open(build.home, clock=build.clock) as operations:
        assert "journal cannot be read" in " ".join(operations.notices)
        assert operations.apply(operations.plan(UndoRequest((entry.seq_id,)))).outcome is Outcome.UNDONE


def test_every_file_of_the_home_is_ours_alone_whatever_the_umask(
    build: LedgerBuilder, operations: Operations
) -> None:
    before = os.umask(0)
    try:
        entry = build.write("a.txt", LINES)
        Run(build.root, build.home.spool).write("b.txt", b"1\n")
        operations.drain()
        operations.apply(operations.plan(UndoRequest((entry.seq_id,))))
        operations.ledger.checkpoint()
    finally:
        os.umask(before)
    files = [path for path in build.home.root.rglob("*") if path.is_file()]
    assert {"undo", "drain", "checkpoint", "ledger.db"} <= {path.name for path in files}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_every_write_says_what_it_changed(build: LedgerBuilder, operations: Operations) -> None:
    entry = build.write("a.txt", LINES)
    heard: list[Changes] = []
    stop = operations.bus.subscribe(heard.append)

    result = operations.apply(operations.plan(UndoRequest((entry.seq_id,))))
    stop()
    operations.set_setting(build.workspace.id, "max_entries", "60")

    assert heard[0].new_entries == (result.results[0].undo_seq_id,)
    assert not any(changes.settings for changes in heard)


def test_a_setting_out_of_range_names_field_and_range_and_changes_nothing(
    build: LedgerBuilder, operations: Operations
) -> None:
    with pytest.raises(BadRequest, match="50 to 50000") as caught:
        operations.set_setting(build.workspace.id, "max_entries", "20")
    assert caught.value.field == "max_entries"
    assert operations.settings(build.workspace.id).max_entries == 1000


def test_later_and_readers_name_what_stands_on_a_change(build: LedgerBuilder, operations: Operations) -> None:
    build.write("a.txt", LINES)
    entry = build.write("a.txt", replaced(LINES, 1, "one"))
    later = build.write("a.txt", replaced(replaced(LINES, 1, "one"), 9, "nine"))
    build.reads("a.txt")
    reader = build.write("b.txt", "b\n")

    assert [one.seq_id for one in operations.later(entry.seq_id)] == [later.seq_id]
    assert operations.readers(entry.seq_id) == (reader.seq_id,)


def test_a_folder_below_a_workspace_belongs_to_it(build: LedgerBuilder, operations: Operations) -> None:
    below = build.root / "deep" / "down"
    below.mkdir(parents=True)
    assert operations.workspace_for(below, register=False) == build.workspace
    with pytest.raises(NotFound):
        operations.workspace_for(build.root.parent, register=False)


def test_a_folder_without_a_workspace_is_registered_at_its_git_top(
    operations: Operations, tmp_path: Path
) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "src").mkdir()
    workspace = operations.workspace_for(tmp_path / "repo" / "src", register=True)
    assert workspace.root == str(tmp_path / "repo")
    assert operations.count(LedgerQuery(workspace_id=workspace.id)) == 0
