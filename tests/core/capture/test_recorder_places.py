"""Which file a change is of, and what is kept of it: links, files outside, secrets, odd names, large files."""

import base64
import os
from pathlib import Path

import pytest

from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import ActionType, FileKind
from tests.support.hooks import Run
from tests.support.ledgers import entries


def test_a_link_written_through_is_its_targets_change_and_a_replaced_link_its_own(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    (project / "real").write_bytes(b"1")
    (project / "link").symlink_to("real")
    run.edit("link", "1", "2")
    given = {"file_path": str(project / "link"), "content": "3"}
    run.tool("PreToolUse", "Write", given, tool_use_id="replace")
    (project / "link").unlink()
    (project / "link").write_bytes(b"3")
    run.tool("PostToolUse", "Write", given, tool_use_id="replace", tool_response={})
    recorder.drain()
    through, replaced = entries(ledger)
    assert through.record.target_path == "real"
    change = replaced.record.changes[0]
    assert (change.path, change.before.kind, change.after.kind) == ("link", FileKind.SYMLINK, FileKind.FILE)


def test_files_outside_the_workspace_have_absolute_paths_and_no_contents(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "far").write_bytes(b"1")
    (project / "link").symlink_to(tmp_path / "far")
    run.edit("link", "1", "2")
    run.edit("../far", "2", "3")
    recorder.drain()
    for entry in entries(ledger):
        assert entry.record.target_path == str(tmp_path / "far")
        assert entry.namespace == "project"
        assert not entry.record.changes[0].before.kept
        assert not entry.record.changes[0].after.kept
        assert entry.record.changes[0].before.sha256


def test_withheld_contents_leave_no_text_anywhere(
    run: Run, recorder: Recorder, ledger: Ledger, data_home: DataHome
) -> None:
    given = {"file_path": str(run.folder / ".env"), "content": "TOKEN=hunter2-hunter2\n"}
    (run.folder / ".env").write_bytes(b"TOKEN=hunter2\n")
    run.tool("PreToolUse", "Write", given, tool_use_id="c")
    recorder.drain()
    (run.folder / ".env").write_bytes(b"TOKEN=hunter2-hunter2\n")
    run.tool("PostToolUse", "Write", given, tool_use_id="c", tool_response={"type": "update"})
    recorder.drain()
    [entry] = entries(ledger)
    assert entry.record.changes[0].before.sha256
    assert not entry.record.changes[0].after.kept
    assert not entry.record.changes[0].hunks
    left = b"".join(path.read_bytes() for path in data_home.root.rglob("*") if path.is_file())
    assert b"hunter2" not in left
    assert base64.b64encode(b"hunter2")[:8] not in left


@pytest.mark.parametrize("way", ["link", "two links", "folder", "changed outside"])
def test_a_secret_is_one_by_every_name_that_leads_to_it(
    way: str, run: Run, recorder: Recorder, ledger: Ledger, project: Path, data_home: DataHome
) -> None:
    (project / "real").mkdir()
    (project / "real" / "plain.txt").write_bytes(b"TOKEN=hunter2-1\n")
    name = ".env.local"
    if way == "folder":
        (project / "private").symlink_to("real")
        name = "private/plain.txt"
        ledger.set_setting(ledger.add_workspace(str(project)).id, "exclude", "private")
    elif way == "two links":
        (project / ".env").symlink_to("real/plain.txt")
        (project / "first").symlink_to(".env")
        name = "first"
    else:
        (project / ".env.local").symlink_to("real/plain.txt")
    for step in ("2", "3"):
        given = {"file_path": str(project / name), "content": f"TOKEN=hunter2-{step}\n"}
        run.tool("PreToolUse", "Write", given, tool_use_id=step)
        recorder.drain()
        (project / "real" / "plain.txt").write_bytes(given["content"].encode())
        run.tool("PostToolUse", "Write", given, tool_use_id=step, tool_response={"type": "update"})
        recorder.drain()
        if way == "changed outside":
            (project / "real" / "plain.txt").write_bytes(b"TOKEN=hunter2-by-hand\n")
    found = entries(ledger)
    assert {entry.record.target_path for entry in found} == {"real/plain.txt"}
    assert len(found) == (3 if way == "changed outside" else 2)
    assert all(not entry.record.changes[0].before.kept for entry in found)
    ledger.checkpoint()
    left = b"".join(path.read_bytes() for path in data_home.root.rglob("*") if path.is_file())
    assert b"hunter2" not in left
    assert base64.b64encode(b"TOKEN=hunter2")[:16] not in left


def test_a_loop_of_links_makes_no_entry_that_says_nothing(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    (project / "l1").symlink_to("l2")
    (project / "l2").symlink_to("l1")
    given = {"file_path": str(project / "l1"), "content": "x"}
    run.tool("PreToolUse", "Write", given, tool_use_id="c")
    run.tool("PostToolUse", "Write", given, tool_use_id="c", tool_response={"type": "update"})
    run.tool("PostToolUse", "Write", given, tool_use_id="d", tool_response={"type": "update"})
    recorder.drain()
    assert not entries(ledger)


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="this system has no /proc")
@pytest.mark.parametrize("linked", [False, True])
def test_a_name_that_is_another_thing_in_every_process_is_kept_as_it_was_written(
    linked: bool, run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    if linked:
        (project / "link").symlink_to("/proc/self/mem")
    given = {"file_path": str(project / "link") if linked else "/proc/self/mem", "content": "x"}
    run.tool("PreToolUse", "Write", given, tool_use_id="c")
    run.tool("PostToolUse", "Write", given, tool_use_id="c", tool_response={"type": "update"})
    run.tool("PostToolUse", "Edit", {"file_path": "/proc/self/cwd/a"}, tool_use_id="d", tool_response={})
    recorder.drain()
    assert [entry.record.target_path for entry in entries(ledger)] == ["/proc/self/mem", "/proc/self/cwd/a"]
    assert [workspace.root for workspace in ledger.workspaces()] == [str(project)]


def test_over_the_cap_hunks_carry_their_text(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    (project / "big").write_bytes(b"line\n" * 100_000)
    run.edit("big", "line\n", "LINE\n")
    recorder.drain()
    [change] = entries(ledger)[0].record.changes
    assert not change.before.kept
    assert [(hunk.old, hunk.new) for hunk in change.hunks] == [(b"line\n", b"LINE\n")]


def test_a_file_that_cannot_be_seen_invents_no_change(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    os.mkfifo(project / "fifo")
    (project / "folder").mkdir()
    for name in ("fifo", "folder"):
        given = {"file_path": str(project / name), "content": "x"}
        run.tool("PreToolUse", "Write", given, tool_use_id=name)
        run.tool("PostToolUse", "Write", given, tool_use_id=name, tool_response={})
    recorder.drain()
    assert not entries(ledger)


def test_a_file_that_vanished_between_pre_and_post_is_a_deletion(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    (project / "a").write_bytes(b"1")
    given = {"file_path": str(project / "a"), "content": "x"}
    run.tool("PreToolUse", "Write", given, tool_use_id="c")
    (project / "a").unlink()
    run.tool("PostToolUse", "Write", given, tool_use_id="c", tool_response={})
    recorder.drain()
    [entry] = entries(ledger)
    assert entry.record.action_type is ActionType.FILE_DELETE


def test_names_that_are_not_utf8_are_recorded(run: Run, recorder: Recorder, ledger: Ledger) -> None:
    name = os.fsdecode(b"\xff.txt")
    run.write(name, b"odd")
    recorder.drain()
    assert entries(ledger)[0].record.target_path == name
