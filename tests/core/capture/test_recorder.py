"""From real hooks to entries: none lost, none twice, none invented."""

import json
from pathlib import Path

import pytest

from sulcus_panel.core.capture.recorder import PIECE_EVENTS, Recorder
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import ActionType, ActorKind, FileKind, Origin, Provenance
from tests.support.hooks import Run, edit_answer, spooled
from tests.support.ledgers import entries

SAMPLES = Path(__file__).parents[4] / "shared" / "samples" / "claude-hooks"


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


def test_a_drain_that_is_told_to_rest_ends_between_two_events_and_leaves_the_others(
    run: Run, recorder: Recorder, ledger: Ledger
) -> None:
    for number in range(3 * PIECE_EVENTS):
        run.write(f"{number}.txt", b"1\n")
    rests: list[int] = []

    def rest() -> bool:
        rests.append(len(entries(ledger)))
        return len(rests) < 2

    report = recorder.drain(rest=rest)
    assert report.more
    assert len(report.recorded) == len(entries(ledger)) == rests[1]
    assert 0 < rests[0] < rests[1] < 3 * PIECE_EVENTS
    assert spooled(run.spool)
    whole = recorder.drain()
    assert not whole.more
    assert len(entries(ledger)) == 3 * PIECE_EVENTS
    assert not spooled(run.spool)
