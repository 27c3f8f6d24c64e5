"""The verbs behind every door, on a real ledger and real files."""

from pathlib import Path

import pytest

from sulcus_panel.core.errors import BadRequest, NotFound, StalePlan
from sulcus_panel.core.model import Decision, DriftKind, EntryState, LedgerPath
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import DiffView, LedgerQuery, Operations, Selection
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
