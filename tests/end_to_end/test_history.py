"""What happens around an undo: shell commands in between, gaps, parallel calls, redo chains, retention, choices."""

import pytest

from sulcus_panel.core.model import EntryState, Origin
from sulcus_panel.core.undo.model import Outcome
from tests.support.hooks import Run, edit_answer
from tests.support.scene import L10, Scene, sha, with_line

CHANGED = with_line(L10, 2, b"two")


@pytest.fixture(autouse=True)
def _a_file(scene: Scene) -> None:
    scene.person("f", L10)


def text(scene: Scene) -> bytes:
    return scene.path("f").read_bytes()


def test_what_a_shell_command_did_in_between_is_kept_and_shown_as_outside(scene: Scene) -> None:
    turn = scene.puts("f", CHANGED)
    scene.agent.bash("sed -i 's/line 5/five/' f")
    scene.person("f", with_line(CHANGED, 5, b"five"))
    scene.newest()
    scene.puts("f", with_line(with_line(CHANGED, 5, b"five"), 8, b"eight"))
    assert [row.record.origin for row in scene.rows()].count(Origin.OUTSIDE) == 1

    scene.undo(turn)

    assert text(scene) == with_line(with_line(L10, 5, b"five"), 8, b"eight")


def test_an_outside_change_under_a_later_turn_is_blamed_on_the_outside_alone(scene: Scene) -> None:
    turn = scene.puts("f", CHANGED)
    scene.person("f", with_line(L10, 2, b"mine"))
    scene.puts("f", with_line(with_line(L10, 2, b"mine"), 8, b"eight"))

    conflict = scene.conflict(turn)

    assert (conflict.with_seq_ids, conflict.outside) == ((), True)


def test_a_command_alone_has_no_way_back_and_says_so(scene: Scene) -> None:
    scene.agent.bash("rm -rf build", error="Exit code 3\nno")
    command = scene.newest()
    assert (command.record.exit_code, command.undoability) == (3, "not")
    plan = scene.changes_nothing(command)
    assert (plan.outcome, plan.entries[0].reason) == (Outcome.UNAVAILABLE, "no_rollback_point")


def test_a_file_that_a_command_deleted_is_not_made_anew_by_an_older_edit_s_undo(scene: Scene) -> None:
    turn = scene.puts("f", CHANGED)
    scene.agent.bash("rm f")
    scene.path("f").unlink()
    conflict = scene.conflict(turn)
    assert conflict.outside
    assert not scene.path("f").exists()


def test_two_calls_on_one_file_at_once_lose_nothing(scene: Scene) -> None:
    path = scene.path("f")
    one = {"file_path": str(path), "old_string": "line 2", "new_string": "two"}
    two = {"file_path": str(path), "old_string": "line 8", "new_string": "eight"}
    scene.agent.tool("PreToolUse", "Edit", one, tool_use_id="p1")
    scene.agent.tool("PreToolUse", "Edit", two, tool_use_id="p2")
    path.write_bytes(CHANGED)
    answer = edit_answer(path, "line 2", "two")
    scene.agent.tool("PostToolUse", "Edit", one, tool_use_id="p1", tool_response=answer)
    path.write_bytes(with_line(CHANGED, 8, b"eight"))
    answer = edit_answer(path, "line 8", "eight")
    scene.agent.tool("PostToolUse", "Edit", two, tool_use_id="p2", tool_response=answer)
    first, second = scene.rows()

    scene.undo(first)
    assert text(scene) == with_line(L10, 8, b"eight")
    scene.undo(second)
    assert text(scene) == L10


def test_redo_meets_a_conflict_like_any_undo_and_names_who(scene: Scene) -> None:
    turn = scene.puts("f", CHANGED)
    scene.undo(turn)
    later = scene.puts("f", with_line(L10, 2, b"zwei"))

    plan = scene.operations.plan_redo([turn.seq_id])

    assert plan.outcome is Outcome.CONFLICT
    assert plan.conflicts[0].with_seq_ids == (later.seq_id,)
    scene.undo(later)
    scene.redo(turn)
    assert text(scene) == CHANGED


def test_an_undo_is_an_entry_that_can_be_undone_itself_and_the_first_is_in_force_again(scene: Scene) -> None:
    turn = scene.puts("f", CHANGED)
    undone = scene.operations.entry(scene.undo(turn).results[0].undo_seq_id or turn.seq_id)
    change = undone.record.changes[0]
    assert (change.before.sha256, change.after.sha256) == (sha(CHANGED), sha(L10))
    assert undone.record.reverses == turn.seq_id
    redone = scene.operations.entry(scene.undo(undone).results[0].undo_seq_id or turn.seq_id)
    assert (text(scene), scene.state(turn)) == (CHANGED, EntryState.RECORDED)
    scene.undo(redone)
    assert (text(scene), scene.state(turn)) == (L10, EntryState.UNDONE)


def test_a_conflict_after_an_undo_names_only_who_still_stands_there(scene: Scene) -> None:
    first = scene.puts("f", CHANGED)
    second = scene.puts("f", with_line(L10, 2, b"zwei"))
    scene.undo(second)
    third = scene.puts("f", with_line(L10, 2, b"deux"))
    assert scene.conflict(first).with_seq_ids == (third.seq_id,)


def test_the_turn_s_undo_leaves_other_turns_and_names_its_commands(scene: Scene) -> None:
    scene.agent.prompt("First thing", prompt_id="t1")
    scene.agent.extra["prompt_id"] = "t1"
    scene.puts("f", CHANGED)
    scene.puts("new.txt", b"new\n", tool="Write")
    scene.agent.bash("npm install")
    scene.newest()
    scene.agent.stop()
    scene.agent.prompt("Second thing", prompt_id="t2")
    scene.agent.extra["prompt_id"] = "t2"
    later = scene.puts("f", with_line(CHANGED, 9, b"nine"))
    turn = scene.rows()[0].record
    assert (turn.turn_id, turn.intent) == ("t1", "First thing")

    answer = scene.terminal("ledger", "rollback", "--turn", "t1", "--json", stdin="y\n")

    assert answer.code == 0, answer.err
    assert text(scene) == with_line(L10, 9, b"nine")
    assert not scene.path("new.txt").exists()
    assert scene.state(later) is EntryState.RECORDED
    codes = {warning["code"] for each in answer.json()["results"] for warning in each["warnings"]}
    assert "command_stays" in codes


def test_the_last_n_and_a_search_choose_agents_open_entries(scene: Scene) -> None:
    other = Run(scene.folder, scene.home.spool, session="s2")
    scene.puts("f", CHANGED)
    scene.puts("g.txt", b"g\n", tool="Write", agent=other)
    scene.puts("h.txt", b"h\n", tool="Write")
    answer = scene.terminal("ledger", "rollback", "--query", "G.TXT", "--json", stdin="y\n")
    assert (answer.code, scene.path("g.txt").exists()) == (0, False)
    answer = scene.terminal("ledger", "rollback", "--last", "2", "--json", stdin="y\n")
    assert answer.code == 0, answer.err
    assert (text(scene), scene.path("h.txt").exists()) == (L10, False)
    answer = scene.terminal("ledger", "rollback", "--last", "2", stdin="y\n")
    assert answer.code == 1


def test_without_kept_snapshots_an_undo_is_unavailable_and_says_so_before(scene: Scene) -> None:
    scene.set("retain_file_snapshots", False)
    turn = scene.puts("f", CHANGED)
    assert (turn.undoability, turn.undo_reason) == ("not", "snapshots are switched off")
    plan = scene.changes_nothing(turn)
    assert (plan.outcome, plan.entries[0].reason) == (Outcome.UNAVAILABLE, "not_kept")


def test_a_gap_is_bridged_and_older_changes_stay_undoable(scene: Scene) -> None:
    turn = scene.puts("f", CHANGED)
    scene.set("enabled", False)
    scene.agent.edit("f", "line 5", "five")
    assert [row.seq_id for row in scene.rows()] == [turn.seq_id]
    scene.set("enabled", True)
    scene.puts("f", with_line(with_line(CHANGED, 5, b"five"), 8, b"eight"))

    scene.undo(turn)

    assert text(scene) == with_line(with_line(L10, 5, b"five"), 8, b"eight")


def test_the_oldest_change_that_is_still_kept_can_be_undone_under_many_later_ones(scene: Scene) -> None:
    data = b"".join(b"line %d\n" % number for number in range(1, 101))
    scene.person("f", data)
    for number in range(1, 71):
        data = with_line(data, number, b"x")
        scene.agent.edit("f", f"line {number}\n", "x\n")
    scene.rows()
    scene.set("max_entries", 50)
    rows = scene.rows()
    assert len(rows) == 50
    assert text(scene) == data

    scene.undo(rows[0])

    assert text(scene) == with_line(data, 21, b"line 21")


def test_reads_of_the_turn_are_named_and_warned_of(scene: Scene) -> None:
    scene.agent.prompt("Do it", prompt_id="t1")
    scene.agent.extra["prompt_id"] = "t1"
    first = scene.puts("f", CHANGED)
    scene.agent.read("f")
    reader = scene.puts("g.txt", b"g\n", tool="Write")
    assert reader.record.derived_from == ("f",)
    plan = scene.plan(first)
    assert [(w.code, w.seq_ids) for w in plan.warnings if w.code == "read_by"] == [
        ("read_by", (reader.seq_id,))
    ]
