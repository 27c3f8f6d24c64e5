"""Ids that come again and clocks that go back: every call has its entry, and each only one."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.capture.hook import spool_data, write_spool
from sulcus_panel.core.capture.past.into_ledger import import_into
from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import NewEntry, Origin, SeqId
from tests.support.claude_transcripts import CWD, START, Transcript, read_run
from tests.support.hooks import Payload, Run, edit_answer, spooled
from tests.support.ledgers import entries

SECOND = 10**9
NOON = 1_796_000_000 * SECOND


def uids(ledger: Ledger) -> list[str]:
    return [entry.record.uid.removeprefix("claude-code:") for entry in entries(ledger)]


class Clock:
    """Leaves events as the hook does, at times of the test's choosing."""

    def __init__(self, project: Path, spool: Path) -> None:
        self.project, self.spool = project, spool

    def leave(self, clock: int, uptime: int, content: bytes, payload: Payload) -> None:
        common = {"session_id": "s1", "cwd": str(self.project)}
        at = NOON + clock * SECOND
        header = {"at": str(at), "uptime": str(uptime * SECOND), "harness": "claude-code"}
        sections = {"payload": json.dumps({**common, **payload}).encode()}
        if "tool_name" in payload:
            header |= {"kind": "file", "mode": "420", "size": str(len(content))}
            sections |= {"path": str(self.project / "a").encode(), "link": b"", "content": content}
        write_spool(str(self.spool), f"{at}-7-{uptime:08x}", spool_data(header, sections))

    def edit(self, call: str, start: tuple[int, int], end: tuple[int, int], old: bytes, new: bytes) -> None:
        path = self.project / "a"
        given = {"file_path": str(path), "old_string": old.decode(), "new_string": new.decode()}
        named = {"tool_name": "Edit", "tool_input": given, "tool_use_id": call}
        answer = edit_answer(path, old.decode(), new.decode())
        self.leave(*start, old, {"hook_event_name": "PreToolUse", **named})
        self.leave(*end, new, {"hook_event_name": "PostToolUse", "tool_response": answer, **named})


@pytest.fixture
def clock(project: Path, data_home: DataHome) -> Clock:
    return Clock(project, data_home.spool)


def test_a_clock_set_back_between_start_and_end_pairs_and_orders(
    clock: Clock, recorder: Recorder, ledger: Ledger
) -> None:
    clock.leave(58, 1000, b"", {"hook_event_name": "UserPromptSubmit", "prompt": "count"})
    clock.edit("c1", (60, 1002), (1, 1003), b"1", b"2")
    clock.edit("c2", (2, 1004), (3, 1005), b"2", b"3")
    recorder.drain()
    first, second = entries(ledger)
    assert [one.record.origin for one in (first, second)] == [Origin.AGENT] * 2
    assert [one.record.intent for one in (first, second)] == ["count"] * 2
    assert first.record.changes[0].after.sha256 == second.record.changes[0].before.sha256
    assert first.record.changes[0].before.kept


def test_a_clock_set_back_between_two_drains_makes_no_change_from_outside(
    clock: Clock, recorder: Recorder, ledger: Ledger
) -> None:
    clock.edit("c1", (10, 1000), (11, 1001), b"1", b"2")
    clock.edit("c2", (70, 1060), (71, 1061), b"2", b"3")
    recorder.drain()
    clock.edit("c3", (30, 1070), (31, 1071), b"3", b"4")
    recorder.drain()
    found = entries(ledger)
    assert [one.record.origin for one in found] == [Origin.AGENT] * 3
    steps = ledger.timeline(found[0].workspace_id, found[0].record.target_path)
    assert [step.seq_id for step in steps] == [one.seq_id for one in found]


def test_a_subagents_call_with_its_parents_id_is_a_call_of_its_own(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    def half(name: str, file: str, agent: str) -> None:
        fields: dict[str, object] = {"agent_id": agent} if agent else {}
        given = {"file_path": str(project / file), "content": file}
        run.tool(name, "Write", given, tool_use_id="toolu_1", tool_response={"type": "create"}, **fields)

    half("PreToolUse", "mine", "")
    half("PreToolUse", "theirs", "a7")
    for file, agent in (("theirs", "a7"), ("mine", "")):
        (project / file).write_text(file)
        half("PostToolUse", file, agent)
    recorder.drain()
    assert uids(ledger) == ["s1/a7:toolu_1", "s1:toolu_1"]
    assert [entry.record.target_path for entry in entries(ledger)] == ["theirs", "mine"]


def test_a_resumed_session_that_counts_anew_loses_no_call(
    run: Run, recorder: Recorder, ledger: Ledger
) -> None:
    for content in (b"1", b"2", b"3"):
        run.calls = 0
        run.event("SessionStart", source="resume")
        run.write("a", content)
        run.bash("make")
        run.stop()
        if content == b"2":
            recorder.drain()
    recorder.drain()
    assert uids(ledger) == [
        *("s1:toolu_1", "s1:toolu_2"),
        *("s1:toolu_1#2", "s1:toolu_2#2"),
        *("s1:toolu_1#3", "s1:toolu_2#3"),
    ]


def test_events_that_come_twice_are_recorded_once_also_where_ids_repeat(
    run: Run, recorder: Recorder, ledger: Ledger
) -> None:
    for content in (b"1", b"2"):
        run.calls = 0
        run.write("a", content)
        run.bash("make")
    copies = [(path, path.read_bytes()) for path in spooled(run.spool)]
    for _ in range(2):
        recorder.drain()
        for path, data in copies:
            path.write_bytes(data)
    assert recorder.drain().recorded == ()
    assert len(entries(ledger)) == 4


def test_hooks_installed_twice_record_a_call_once(run: Run, recorder: Recorder, ledger: Ledger) -> None:
    given = {"command": "make"}
    for name in ("PreToolUse", "PostToolUse"):
        for _ in range(2):
            run.tool(name, "Bash", given, tool_use_id="c", tool_response={"stdout": ""})
    recorder.drain()
    assert uids(ledger) == ["s1:c"]


def test_an_id_without_a_session_is_no_name(run: Run, recorder: Recorder, ledger: Ledger) -> None:
    run.session = ""
    for _ in range(2):
        run.tool("PostToolUse", "Bash", {"command": "ls"}, tool_use_id="c", tool_response={})
    recorder.drain()
    assert len(entries(ledger)) == 2


def test_two_sessions_with_the_same_ids_keep_their_own(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    other = Run(project, run.spool, session="s2")
    for agent, name in ((run, "a"), (other, "b")):
        agent.write(name, b"1")
        agent.bash("ls")
    recorder.drain()
    assert uids(ledger) == ["s1:toolu_1", "s1:toolu_2", "s2:toolu_1", "s2:toolu_2"]


def past(tmp_path: Path, *, first: str = "s-1", second: str = "s-2", agent: str = "") -> tuple[Path, ...]:
    """Two transcripts whose calls have the same ids and do different things."""
    one = Transcript(tmp_path / f"{first}.jsonl", session=first)
    later = START + timedelta(seconds=30)
    two = Transcript(tmp_path / "second" / f"{second}.jsonl", session=second, agent=agent, start=later)
    for run, name in ((one, "a"), (two, "b")):
        run.prompt(f"write {name}")
        run.write(f"{CWD}/{name}", f"{name}\n")
        run.bash(f"make {name}")
    for run in (one, two):
        text = run.path.read_text()
        for number in (1, 2):
            text = text.replace(f"toolu_{run.session}_{run.agent}_{number}", f"toolu_{number}")
        run.path.write_text(text)
    return one.path, two.path


def deeds(records: list[NewEntry]) -> list[str]:
    return [record.command or record.target_path for record in records]


@pytest.mark.parametrize(
    "names",
    [{}, {"second": "s-1"}, {"second": "s-1", "agent": "a7"}],
    ids=["two sessions", "a session resumed", "a subagent"],
)
def test_past_calls_with_the_same_ids_are_all_imported(
    names: dict[str, str], tmp_path: Path, ledger: Ledger
) -> None:
    workspace = ledger.add_workspace(str(tmp_path))
    run = read_run(past(tmp_path, **names), config_dir=None, root=str(tmp_path))
    assert deeds([one.entry for one in run.entries]) == ["a", "make a", "b", "make b"]
    assert len({one.entry.uid for one in run.entries}) == 4
    assert import_into(ledger, workspace, run).recorded == 4
    again = import_into(ledger, workspace, run)
    assert (again.recorded, again.already) == (0, 4)


def test_of_calls_with_one_id_those_that_a_hook_saw_are_skipped_and_no_others(
    tmp_path: Path, ledger: Ledger
) -> None:
    workspace = ledger.add_workspace(str(tmp_path))
    run = read_run(past(tmp_path, second="s-1"), config_dir=None, root=str(tmp_path))
    for one in run.entries[2:]:
        live = replace(one.entry, uid=one.entry.uid.removesuffix("#2"))
        ledger.append(workspace.id, live, contents=one.contents)
    report = import_into(ledger, workspace, run)
    assert (report.recorded, report.already) == (2, 2)
    found = [entry.record for entry in ledger.after(SeqId(0), workspace.id, 10)]
    assert sorted(deeds(found)) == ["a", "b", "make a", "make b"]
