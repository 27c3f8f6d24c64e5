"""From real hooks to entries: none lost, none twice, none invented."""

import base64
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from filelock import FileLock

from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.ledger.encoding import utc_now
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import ActionType, ActorKind, Entry, FileKind, Origin, Provenance
from tests.support.hooks import Run, edit_answer, spooled

SAMPLES = Path(__file__).parents[4] / "shared" / "samples" / "claude-hooks"


def entries(ledger: Ledger) -> tuple[Entry, ...]:
    """All entries, oldest first."""
    return ledger.find(LedgerQuery(limit=1000, descending=False))


def test_an_edit_becomes_one_entry_with_exact_states_and_hunks(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    (project / "a.py").write_bytes(b"one\r\ntwo\r\nthree")
    run.prompt("please change two")
    run.edit("a.py", "two", "TWO")
    report = recorder.drain()
    [entry] = entries(ledger)
    record = entry.record
    assert report.recorded == (entry.seq_id,)
    assert (record.action_type, record.target_path, record.summary) == (
        ActionType.FILE_EDIT,
        "a.py",
        "edited a.py",
    )
    assert (record.intent, record.turn_id, record.session_id) == ("please change two", "s1#1", "s1")
    assert (record.actor.name, record.actor.kind) == ("Claude Code", ActorKind.AGENT)
    assert (record.uid, record.provenance) == ("claude-code:s1:toolu_1", Provenance.OBSERVED)
    [change] = record.changes
    assert change.before.sha256 is not None
    assert ledger.blobs.get(change.before.sha256) == b"one\r\ntwo\r\nthree"
    assert change.after.sha256 is not None
    assert ledger.blobs.get(change.after.sha256) == b"one\r\nTWO\r\nthree"
    assert [(hunk.before_start, hunk.before_lines) for hunk in change.hunks] == [(1, 1)]
    assert (change.plus, change.minus) == (1, 1)
    assert entry.namespace == "project"
    assert not spooled(run.spool)


def test_a_write_of_a_new_file_is_a_creation_and_of_an_old_one_a_write(
    run: Run, recorder: Recorder, ledger: Ledger
) -> None:
    run.write("new/dir/a.txt", b"1\n")
    run.write("new/dir/a.txt", b"2\n")
    recorder.drain()
    first, second = entries(ledger)
    assert first.record.action_type is ActionType.FILE_CREATE
    assert first.record.changes[0].before.kind is FileKind.ABSENT
    assert (first.record.summary, second.record.summary) == ("created new/dir/a.txt", "wrote new/dir/a.txt")


def test_draining_twice_records_once(run: Run, recorder: Recorder, ledger: Ledger) -> None:
    run.write("a", b"1")
    copies = [(path, path.read_bytes()) for path in spooled(run.spool)]
    recorder.drain()
    for path, data in copies:
        path.write_bytes(data)
    assert recorder.drain().recorded == ()
    assert len(entries(ledger)) == 1


def test_two_recorders_at_once_record_each_event_once(run: Run, ledger: Ledger, data_home: DataHome) -> None:
    for number in range(12):
        run.write(f"f{number}", b"x")

    def drain(_: int) -> int:
        with Ledger.open(data_home) as own:
            return len(Recorder(own, data_home, utc_now).drain(wait=20).recorded)

    with ThreadPoolExecutor(3) as pool:
        counts = list(pool.map(drain, range(3)))
    assert sum(counts) == 12
    assert len(entries(ledger)) == 12


def test_a_drain_beside_another_says_so_and_does_nothing(
    run: Run, recorder: Recorder, data_home: DataHome
) -> None:
    run.write("a", b"1")
    with FileLock(str(data_home.lock / "drain")):
        assert recorder.drain().busy
    assert len(spooled(run.spool)) == 2


def test_calls_without_ids_are_paired_by_tool_and_path_in_order(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    (project / "a").write_bytes(b"0")
    for step in ("1", "2"):
        given = {"file_path": str(project / "a"), "content": step}
        run.tool("PreToolUse", "Write", given)
        (project / "a").write_bytes(step.encode())
        run.tool("PostToolUse", "Write", given, tool_response={"type": "update"})
    recorder.drain()
    first, second = entries(ledger)
    assert first.record.changes[0].after == second.record.changes[0].before
    assert first.record.uid.startswith("claude-code:spool:")


def test_a_post_without_a_pre_takes_the_harness_word_only_when_it_fits(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    file = project / "a"
    file.write_bytes(b"x = 2\r\n")
    given = {"file_path": str(file), "old_string": "1", "new_string": "2"}
    for number, original in enumerate(("x = 1\n", "y = 1\n", None)):
        answer = edit_answer(file, "1", "2", original)
        run.tool("PostToolUse", "Edit", given, tool_use_id=f"c{number}", tool_response=answer)
    recorder.drain()
    fits, does_not, nothing = (entry.record.changes[0] for entry in entries(ledger))
    assert fits.before.sha256 is not None
    assert ledger.blobs.get(fits.before.sha256) == b"x = 1\r\n"
    for change in (does_not, nothing):
        assert (change.before.kind, change.before.reason) == (
            FileKind.UNKNOWN,
            "no state from before was seen",
        )


def test_a_created_file_without_a_pre_was_absent_by_the_harness_word(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    (project / "a").write_bytes(b"new")
    given = {"file_path": str(project / "a"), "content": "new"}
    run.tool("PostToolUse", "Write", given, tool_use_id="c", tool_response={"type": "create"})
    recorder.drain()
    [entry] = entries(ledger)
    assert entry.record.changes[0].before.kind is FileKind.ABSENT
    assert entry.record.provenance is Provenance.IMPORTED


@pytest.mark.parametrize("end", ["Stop", "UserPromptSubmit", "SessionEnd"])
def test_a_pre_without_a_post_is_closed_by_what_the_disk_says(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path, end: str
) -> None:
    for name in ("done", "denied", "other"):
        (project / name).write_bytes(b"before")
        given = {"file_path": str(project / name), "old_string": "before", "new_string": "after"}
        run.tool("PreToolUse", "Edit", given, tool_use_id=name)
    (project / "done").write_bytes(b"after")
    (project / "other").write_bytes(b"somebody else")
    recorder.drain()
    assert not entries(ledger)
    run.event(end, prompt="next")
    recorder.drain()
    [entry] = entries(ledger)
    assert (entry.record.target_path, entry.record.uid) == ("done", "claude-code:s1:done")
    assert not ledger.pending("started")


def test_failed_and_staged_calls_make_no_entry_unless_bytes_changed(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    for name in ("same", "changed", "staged"):
        (project / name).write_bytes(b"before")
        run.tool("PreToolUse", "Write", {"file_path": str(project / name), "content": "x"}, tool_use_id=name)
    (project / "changed").write_bytes(b"half")
    (project / "staged").write_bytes(b"a person's own")
    for name in ("same", "changed"):
        given = {"file_path": str(project / name), "content": "x"}
        run.tool("PostToolUseFailure", "Write", given, tool_use_id=name, error="no")
    given = {"file_path": str(project / "staged"), "content": "x"}
    run.tool("PostToolUse", "Write", given, tool_use_id="staged", tool_response={"staged": True})
    run.tool("PostToolUseFailure", "Edit", given, tool_use_id="unseen", error="no")
    run.stop()
    recorder.drain()
    assert [entry.record.target_path for entry in entries(ledger)] == ["changed"]


def test_commands_are_recorded_with_their_exit_code_and_never_their_output(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    run.prompt("run it")
    run.bash("make")
    run.bash("false", error="Exit code 3\nsecret output")
    run.bash("sleep 9", error="Interrupted", is_interrupt=True)
    run.bash("long " + "x" * 1000)
    recorder.drain()
    found = [entry.record for entry in entries(ledger)]
    assert [record.exit_code for record in found] == [0, 3, None, 0]
    assert [record.command for record in found[:3]] == ["make", "false", "sleep 9"]
    assert found[0].cwd == str(project)
    assert (found[0].summary, found[0].intent) == ("ran: make", "run it")
    assert len(found[3].summary) <= 500
    assert not any("secret" in repr(record) for record in found)


def test_reads_of_the_turn_before_the_change_are_what_it_derives_from(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    (project / "a").write_bytes(b"1")
    run.prompt("first")
    run.read("old")
    run.prompt("second")
    for name in ("z", "b", "b", "a", "../outside"):
        run.read(name)
    run.edit("a", "1", "2")
    run.read("later")
    run.edit("a", "2", "3")
    recorder.drain()
    first, second = entries(ledger)
    assert first.record.derived_from == ("b", "z")
    assert second.record.derived_from == ("b", "later", "z")


def test_turns_follow_the_harness_ids_where_there_are_any(
    run: Run, recorder: Recorder, ledger: Ledger
) -> None:
    run.prompt("the first prompt has no id")
    run.extra["prompt_id"] = "p1"
    run.write("a", b"1")
    run.prompt("the second has", prompt_id="p2")
    run.extra["prompt_id"] = "p2"
    run.write("a", b"2")
    run.extra["prompt_id"] = "p1"
    run.write("a", b"a background agent goes on")
    recorder.drain()
    assert [(entry.record.turn_id, entry.record.intent) for entry in entries(ledger)] == [
        ("p1", "the first prompt has no id"),
        ("p2", "the second has"),
        ("p1", "the first prompt has no id"),
    ]


def test_turns_survive_between_drains(run: Run, recorder: Recorder, ledger: Ledger) -> None:
    for number in (1, 2):
        run.prompt(f"prompt {number}")
        recorder.drain()
        run.write("a", str(number).encode())
        recorder.drain()
    assert [entry.record.turn_id for entry in entries(ledger)] == ["s1#1", "s1#2"]


def test_a_change_from_outside_between_two_calls_gets_an_entry_of_its_own(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    run.write("a", b"1\n")
    (project / "a").write_bytes(b"1\nmine\n")
    run.edit("a", "1", "2")
    recorder.drain()
    first, outside, second = entries(ledger)
    assert (outside.record.origin, outside.record.actor.kind) == (Origin.OUTSIDE, ActorKind.PERSON)
    assert outside.record.summary == "changed outside the agents"
    assert outside.record.changes[0].before.sha256 == first.record.changes[0].after.sha256
    assert outside.record.changes[0].after == second.record.changes[0].before
    assert outside.record.at < second.record.at
    steps = ledger.timeline(first.workspace_id, second.record.target_path)
    assert [step.seq_id for step in steps] == [first.seq_id, outside.seq_id, second.seq_id]


def test_two_agents_on_one_file_at_once_leave_a_chain_without_a_false_outside_entry(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path, data_home: DataHome
) -> None:
    other = Run(project, data_home.spool, session="s2")
    run.write("a", b"1\n2\n")
    given = {"file_path": str(project / "a"), "old_string": "1", "new_string": "one"}
    run.tool("PreToolUse", "Edit", given, tool_use_id="slow")
    other.edit("a", "2", "two")
    (project / "a").write_bytes(b"one\ntwo\n")
    run.tool("PostToolUse", "Edit", given, tool_use_id="slow", tool_response={})
    recorder.drain()
    created, fast, slow = entries(ledger)
    assert [entry.record.origin for entry in (created, fast, slow)] == [Origin.AGENT] * 3
    assert fast.record.changes[0].after.sha256 == slow.record.changes[0].before.sha256
    assert len(slow.record.changes[0].hunks) == 1


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


def test_nothing_is_recorded_while_recording_is_off_and_the_gap_is_counted(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    workspace = ledger.add_workspace(str(project))
    run.write("a", b"1")
    recorder.drain()
    ledger.set_setting(workspace.id, "enabled", value=False)
    run.write("a", b"2")
    recorder.drain()
    assert len(entries(ledger)) == 1
    assert [gap.events for gap in ledger.gaps(workspace.id)] == [1]


def test_bad_events_are_set_aside_told_once_and_hinder_nobody(
    run: Run, recorder: Recorder, ledger: Ledger, data_home: DataHome
) -> None:
    run.write("a", b"1")
    for number, data in enumerate((b"", b"{", b"[]", b'{"no": "name"}')):
        event = b"sulcus-spool 1\nat 1\nharness claude-code\npayload_bytes %d\n\n" % len(data) + data
        (data_home.spool_new / f"1-{number}").write_bytes(event)
    (data_home.spool_new / "2-1").write_bytes(b"garbage")
    (data_home.spool_new / "2-2").mkdir()
    (data_home.spool_new / "2-3").symlink_to("/etc/passwd")
    os.mkfifo(data_home.spool_new / "2-4")
    (data_home.spool_new / "2-5").write_bytes(b"sulcus-spool 1\nat 1\nharness who\npayload_bytes 2\n\n{}")
    report = recorder.drain()
    assert (len(report.recorded), report.set_aside) == (1, 9)
    assert len(report.messages) == 9
    assert len(list(data_home.spool_bad.iterdir())) == 9
    assert len(ledger.governance(None, kind_prefix="capture.set_aside")) == 9
    assert recorder.drain().set_aside == 0


def test_drops_are_told_once_as_a_gap(recorder: Recorder, ledger: Ledger, data_home: DataHome) -> None:
    (data_home.spool / "dropped").write_bytes(b"...")
    report = recorder.drain()
    assert (report.dropped, report.gaps) == (3, 3)
    assert recorder.drain().gaps == 0
    assert len(ledger.governance(None, kind_prefix="capture.dropped")) == 1


def test_what_a_killed_hook_began_is_set_aside(recorder: Recorder, data_home: DataHome) -> None:
    torn = data_home.spool_tmp / "1-1"
    torn.write_bytes(b"sulcus-spool 1\n")
    assert recorder.drain().set_aside == 0
    os.utime(torn, (0, 0))
    assert recorder.drain().set_aside == 1
    assert (data_home.spool_bad / "1-1").exists()


def test_a_kill_between_commit_and_unlink_repeats_nothing(
    run: Run, recorder: Recorder, ledger: Ledger
) -> None:
    run.prompt("one")
    run.write("a", b"1")
    copies = [(path, path.read_bytes()) for path in spooled(run.spool)]
    recorder.drain()
    for path, data in copies:
        path.write_bytes(data)
    run.prompt("two")
    run.write("a", b"2")
    recorder.drain()
    assert [entry.record.turn_id for entry in entries(ledger)] == ["s1#1", "s1#2"]


def test_subagents_are_sessions_with_a_parent_in_the_same_turn(
    run: Run, recorder: Recorder, ledger: Ledger
) -> None:
    run.prompt("delegate")
    run.extra["agent_id"] = "agent-7"
    run.write("a", b"1")
    run.event("SubagentStop")
    recorder.drain()
    [entry] = entries(ledger)
    assert (entry.record.session_id, entry.record.turn_id) == ("agent-7", "s1#1")
    assert entry.record.uid == "claude-code:s1/agent-7:toolu_1"
    assert entry.record.actor.name == "Claude Code"
    parents = {run.session_id: run.parent for run in ledger.runs(entry.workspace_id)}
    assert parents == {"agent-7": "s1", "s1": None}


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


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recordings are not here")
@pytest.mark.parametrize("name", ["pre", "post", "both"])
def test_all_recorded_payloads_go_through(run: Run, recorder: Recorder, ledger: Ledger, name: str) -> None:
    parts = ["pre", "post"] if name == "both" else [name]
    for part in parts:
        for payload in json.loads((SAMPLES / f"quantstats_{part}_tool_use.json").read_text()):
            run.event("", **payload)
    report = recorder.drain()
    assert (report.set_aside, report.messages) == (0, ())
    kinds = [entry.record.action_type for entry in entries(ledger)]
    if name == "pre":
        assert not kinds
    else:
        assert kinds.count(ActionType.RUN_COMMAND) == 2


def test_a_file_in_an_agents_hands_is_in_flight_until_the_call_ends(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    workspace = ledger.add_workspace(str(project))
    given = {"file_path": str(project / "a"), "content": "x"}
    run.tool("PreToolUse", "Write", given, tool_use_id="c")
    recorder.drain()
    assert recorder.in_flight(workspace) == {"a"}
    run.tool("PostToolUse", "Write", given, tool_use_id="c", tool_response={"type": "create"})
    recorder.drain()
    assert recorder.in_flight(workspace) == frozenset()
