"""Scenarios C08, C09, C16, C29: files that are created, deleted, emptied, replaced; absent is not empty."""

import os
from pathlib import Path

import pytest

from sulcus_panel.core.model import ActionType, EntryState
from sulcus_panel.core.undo.model import Outcome, Strategy
from tests.support.hooks import Run
from tests.support.scene import L10, Scene, sights, with_line


def test_c08_a_created_file_that_the_person_wrote_in_is_not_deleted(scene: Scene) -> None:
    turn = scene.puts("notes.md", b"# Notes\n", tool="Write")
    scene.person("notes.md", b"# Notes\nbuy milk\n")

    conflict = scene.conflict(turn)

    assert conflict.outside
    answer = scene.terminal("ledger", "rollback", str(turn.seq_id), stdin="y\n")
    assert answer.code == 1
    assert "outside" in answer.out
    assert scene.path("notes.md").read_bytes() == b"# Notes\nbuy milk\n"


def test_c08_a_created_file_with_the_same_bytes_and_another_mode_is_not_deleted(scene: Scene) -> None:
    turn = scene.puts("run.sh", b"#!/bin/sh\n", tool="Write")
    scene.path("run.sh").chmod(0o755)
    assert scene.conflict(turn).outside


def test_f076_a_created_file_goes_and_redo_brings_it_back_with_its_mode(scene: Scene) -> None:
    turn = scene.puts("notes.md", b"# Notes\n", tool="Write")
    mode = scene.path("notes.md").stat().st_mode
    assert turn.record.action_type is ActionType.FILE_CREATE

    result = scene.undo(turn)

    assert result.results[0].strategy is Strategy.DELETE_CREATED_FILE
    assert not scene.path("notes.md").exists()
    scene.redo(turn)
    assert scene.path("notes.md").read_bytes() == b"# Notes\n"
    assert scene.path("notes.md").stat().st_mode == mode


def test_f077_a_created_file_edited_by_a_later_turn_needs_that_turn_too(scene: Scene) -> None:
    first = scene.puts("notes.md", b"# Notes\n", tool="Write")
    second = scene.puts("notes.md", b"# Notes\nmore\n")

    assert scene.conflict(first).with_seq_ids == (second.seq_id,)
    scene.undo(second, first)
    assert not scene.path("notes.md").exists()


def test_f078_a_created_file_that_is_gone_already_needs_nothing(scene: Scene) -> None:
    turn = scene.puts("notes.md", b"# Notes\n", tool="Write")
    scene.path("notes.md").unlink()
    scene.already_so(turn)


def test_f079_a_folder_with_somebody_else_s_file_stays(scene: Scene) -> None:
    turn = scene.puts("new/deep/a.txt", b"a\n", tool="Write")
    scene.person("new/b.txt", b"mine\n")

    scene.undo(turn)

    assert not scene.path("new/deep/a.txt").exists()
    assert scene.path("new/b.txt").read_bytes() == b"mine\n"


def test_c09_f080_a_deleted_file_comes_back_with_bytes_and_mode(scene: Scene) -> None:
    scene.person("cfg.ini", b"a=1\n", 0o640)
    turn = scene.removes("cfg.ini")
    assert turn.record.action_type is ActionType.FILE_DELETE

    scene.undo(turn)

    assert scene.path("cfg.ini").read_bytes() == b"a=1\n"
    assert scene.path("cfg.ini").stat().st_mode & 0o7777 == 0o640
    scene.redo(turn)
    assert not scene.path("cfg.ini").exists()


def test_c09_f080_a_deleted_file_comes_back_into_a_folder_that_went_too(scene: Scene) -> None:
    scene.person("conf/d/cfg.ini", b"a=1\n")
    turn = scene.removes("conf/d/cfg.ini")
    scene.path("conf/d").rmdir()
    scene.path("conf").rmdir()

    scene.undo(turn)

    assert scene.path("conf/d/cfg.ini").read_bytes() == b"a=1\n"


def test_c09_a_path_taken_by_a_later_turn_is_a_conflict_and_both_together_go_back(scene: Scene) -> None:
    scene.person("cfg.ini", b"a=1\n")
    first = scene.removes("cfg.ini")
    second = scene.puts("cfg.ini", b"b=2\n", tool="Write")

    assert scene.conflict(first).with_seq_ids == (second.seq_id,)
    scene.undo(second)
    assert not scene.path("cfg.ini").exists()
    scene.undo(first)
    assert scene.path("cfg.ini").read_bytes() == b"a=1\n"


def test_c09_a_turn_that_deletes_and_creates_goes_back_as_one(scene: Scene) -> None:
    scene.person("cfg.ini", b"a=1\n")
    scene.agent.prompt("Write it anew", prompt_id="turn-1")
    scene.agent.extra["prompt_id"] = "turn-1"
    scene.removes("cfg.ini")
    turn = scene.puts("cfg.ini", b"b=2\n", tool="Write")

    answer = scene.terminal("ledger", "rollback", "--turn", turn.record.turn_id, stdin="y\n")

    assert answer.code == 0, answer.err
    assert scene.path("cfg.ini").read_bytes() == b"a=1\n"


def test_c09_a_folder_in_the_deleted_file_s_place_is_left_alone(scene: Scene) -> None:
    scene.person("lib", b"a file\n")
    first = scene.removes("lib")
    scene.puts("lib/x.py", b"x = 1\n", tool="Write")

    scene.conflict(first)

    assert scene.path("lib/x.py").read_bytes() == b"x = 1\n"


def test_f081_a_file_of_the_person_in_the_deleted_file_s_place_is_kept(scene: Scene) -> None:
    scene.person("cfg.ini", b"a=1\n")
    turn = scene.removes("cfg.ini")
    scene.person("cfg.ini", b"mine\n")
    assert scene.conflict(turn).outside


def test_f082_a_parent_that_became_a_file_is_refused(scene: Scene) -> None:
    scene.person("conf/cfg.ini", b"a=1\n")
    turn = scene.removes("conf/cfg.ini")
    scene.path("conf").rmdir()
    scene.person("conf", b"now a file\n")

    plan = scene.changes_nothing(turn)

    assert plan.outcome is Outcome.REFUSED
    assert "a file" in plan.entries[0].reason


@pytest.mark.parametrize(
    ("start", "left"),
    [(None, b""), (b"", b"hi"), (b"hi", b""), (b"", None), (b"hi", b"ho"), (None, b"hi\n")],
)
def test_c16_absent_and_empty_are_two_things_both_ways(
    scene: Scene, start: bytes | None, left: bytes | None
) -> None:
    if start is not None:
        scene.person("x.txt", start, 0o640)
    turn = scene.removes("x.txt") if left is None else scene.puts("x.txt", left, tool="Write")

    def at_start() -> bytes | None:
        return scene.path("x.txt").read_bytes() if scene.path("x.txt").exists() else None

    scene.undo(turn)
    assert at_start() == start
    if start is not None:
        assert scene.path("x.txt").stat().st_mode & 0o7777 == 0o640
    scene.redo(turn)
    assert at_start() == left


def test_c29_a_failed_read_makes_no_entry(scene: Scene) -> None:
    given = {"file_path": str(scene.path("in.csv"))}
    scene.agent.tool("PreToolUse", "Read", given, tool_use_id="r1")
    scene.agent.tool("PostToolUseFailure", "Read", given, tool_use_id="r1", error="File does not exist.")
    scene.person("in.csv", b"1,2\n")
    assert scene.rows() == ()


def test_c29_a_call_that_nobody_saw_begin_is_never_undone_by_deleting(scene: Scene) -> None:
    path = scene.person("z.txt", with_line(L10, 3, b"x"))
    given = {"file_path": str(path), "old_string": "line 3", "new_string": "x"}
    scene.agent.tool("PostToolUse", "Edit", given, tool_use_id="u1", tool_response={"filePath": str(path)})
    turn = scene.newest()

    plan = scene.changes_nothing(turn)

    assert (plan.outcome, plan.entries[0].reason) == (Outcome.UNAVAILABLE, "before_unknown")
    assert scene.terminal("ledger", "rollback", str(turn.seq_id), stdin="y\n").code == 1
    assert path.read_bytes() == with_line(L10, 3, b"x")


def test_a_denied_call_and_a_call_that_changed_no_byte_make_no_entry(scene: Scene) -> None:
    path = scene.person("a.txt", L10)
    given = {"file_path": str(path), "old_string": "line 3", "new_string": "x"}
    scene.agent.tool("PreToolUse", "Edit", given, tool_use_id="d1")
    scene.agent.tool("PreToolUse", "Edit", given, tool_use_id="d2")
    scene.agent.tool("PostToolUseFailure", "Edit", given, tool_use_id="d2", error="String not found")
    scene.agent.write("a.txt", L10)
    scene.agent.stop()
    assert scene.rows() == ()


def test_c23_only_the_chosen_session_s_change_goes_among_a_thousand_files(scene: Scene) -> None:
    for number in range(1000):
        (scene.folder / f"{number}.dat").write_bytes(b"%d" % number)
    scene.person("x", L10)
    scene.person("y", L10)
    other = Run(scene.folder, scene.home.spool, session="s2")
    mine = scene.puts("x", with_line(L10, 2, b"A"))
    scene.puts("y", with_line(L10, 3, b"B"), agent=other)
    scene.puts("x", with_line(with_line(L10, 2, b"A"), 8, b"B"), agent=other)
    before = sights(scene.folder)

    scene.undo(mine)

    after = sights(scene.folder)
    assert {name for name in before if before[name] != after[name]} == {"x"}
    assert scene.path("x").read_bytes() == with_line(L10, 8, b"B")


@pytest.mark.parametrize("tool", ["Write", "Edit", "MultiEdit"])
def test_every_file_tool_s_change_goes_back(scene: Scene, tool: str) -> None:
    scene.person("a.txt", L10)
    turn = scene.puts("a.txt", with_line(with_line(L10, 2, b"x"), 9, b"y"), tool=tool)
    assert turn.record.tool_name == tool
    scene.undo(turn)
    assert scene.path("a.txt").read_bytes() == L10


def test_a_multi_edit_with_its_real_payload(scene: Scene) -> None:
    scene.person("a.txt", L10)
    edits = [{"old_string": "line 2\n", "new_string": ""}, {"old_string": "line 9", "new_string": "nine"}]

    def act(path: Path) -> None:
        path.write_bytes(L10.replace(b"line 2\n", b"").replace(b"line 9", b"nine"))

    turn = scene.does("MultiEdit", "a.txt", act, edits=edits)
    scene.person("a.txt", b"top\n" + scene.path("a.txt").read_bytes())
    scene.undo(turn)
    assert scene.path("a.txt").read_bytes() == b"top\n" + L10


def test_undoing_what_is_undone_says_so_and_does_nothing(scene: Scene) -> None:
    scene.person("a.txt", L10)
    turn = scene.puts("a.txt", with_line(L10, 2, b"x"))
    scene.undo(turn)
    assert scene.changes_nothing(turn).outcome is Outcome.ALREADY_UNDONE
    assert scene.state(turn) is EntryState.UNDONE
    assert not [name for name in os.listdir(scene.folder) if name.startswith(".sulcus")]
