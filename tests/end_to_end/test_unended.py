"""A command that was killed, or refused, after its Pre: it has an entry, with what was found changed since."""

from datetime import datetime, timedelta

import pytest

from sulcus_panel.core.capture.draining import SILENT_FOR
from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.capture.shell.attribution import LOST
from sulcus_panel.core.capture.unended import NEVER_ENDED
from sulcus_panel.core.model import ActionType, Entry, Origin
from sulcus_panel.service.operations import utc_now
from tests.support.commands import agent_runs, tree_of
from tests.support.hooks import Run, run_hook
from tests.support.scene import Scene

ENDS = ("Stop", "UserPromptSubmit", "SessionEnd")


def begins(scene: Scene, command: str, *, call: str = "k1", agent: Run | None = None) -> None:
    """The hook before a command, whose end nobody will tell."""
    (agent or scene.agent).tool("PreToolUse", "Bash", {"command": command}, tool_use_id=call)


def goes_back(scene: Scene, entry: Entry) -> None:
    plan = scene.plan(entry)
    scene.carry_out(plan, {consent.key for consent in plan.consents})


@pytest.mark.parametrize("end", ENDS)
def test_a_killed_command_is_an_entry_once_its_turn_or_session_is_over(scene: Scene, end: str) -> None:
    scene.person("a.txt", b"one\n")
    scene.person("b.txt", b"two\n")
    before = tree_of(scene.folder)
    begins(scene, "sh build.sh")
    scene.person("a.txt", b"changed\n")
    scene.path("b.txt").unlink()
    scene.person("new/c.txt", b"made\n")
    scene.agent.event(end, prompt="go on")

    entry = scene.newest()

    record = entry.record
    assert (record.action_type, record.command) == (ActionType.RUN_COMMAND, "sh build.sh")
    assert (record.exit_code, record.notes) == (None, (NEVER_ENDED,))
    assert record.summary == "never reported its end: sh build.sh"
    assert set(entry.paths) == {"a.txt", "b.txt", "new", "new/c.txt"}
    assert record.ran is not None
    assert dict(record.ran.unsure) == dict.fromkeys(entry.paths, LOST)
    goes_back(scene, entry)
    assert tree_of(scene.folder) == before


def test_what_it_names_and_changed_at_once_is_its_own(scene: Scene) -> None:
    scene.person("a.txt", b"one\n")
    begins(scene, "echo x > a.txt; sleep 1000")
    scene.person("a.txt", b"x\n")
    scene.agent.stop()
    entry = scene.newest()
    assert entry.paths == ("a.txt",)
    assert entry.record.ran is None


def test_a_command_that_was_refused_shows_and_claims_no_file(scene: Scene) -> None:
    scene.person("a.txt", b"one\n")
    begins(scene, "rm -r src")
    scene.agent.stop()
    entry = scene.newest()
    assert (entry.paths, entry.record.notes) == ((), (NEVER_ENDED,))


def test_a_command_that_only_reads_shows_too(scene: Scene) -> None:
    begins(scene, "cat a.txt")
    scene.agent.stop()
    entry = scene.newest()
    assert (entry.record.command, entry.record.ran) == ("cat a.txt", None)


def test_an_end_that_comes_late_after_all_doubles_nothing_and_is_said(scene: Scene) -> None:
    scene.person("a.txt", b"one\n")
    begins(scene, "make")
    scene.person("a.txt", b"two\n")
    scene.agent.stop()
    entry = scene.newest()
    answer = {"stdout": "", "stderr": ""}
    scene.agent.tool("PostToolUse", "Bash", {"command": "make"}, tool_use_id="k1", tool_response=answer)
    report = scene.operations.drain(wait=10)
    assert report.messages == (
        f"#{entry.seq_id} did end with code 0, after it had been recorded without an end",
    )
    assert len(scene.rows()) == 1


def test_a_late_end_without_an_id_doubles_nothing_either(scene: Scene) -> None:
    run = scene.agent
    run.tool("PreToolUse", "Bash", {"command": "make"})
    scene.person("a.txt", b"two\n")
    run.stop()
    scene.newest()
    run.tool("PostToolUse", "Bash", {"command": "make"}, tool_response={"stdout": ""})
    assert len(scene.rows()) == 1


def test_the_next_command_of_the_session_is_an_entry_of_its_own(scene: Scene) -> None:
    scene.person("a.txt", b"one\n")
    scene.person("b.txt", b"one\n")
    begins(scene, "make a")
    scene.person("a.txt", b"killed\n")
    scene.agent.prompt("go on")
    killed = scene.newest()
    second = agent_runs(scene, "echo two > b.txt")
    assert (killed.paths, second.paths) == (("a.txt",), ("b.txt",))
    scene.agent.stop()
    assert len(scene.rows()) == 2


def test_what_another_call_recorded_meanwhile_stays_that_calls(scene: Scene) -> None:
    scene.person("a.txt", b"one\n")
    scene.person("b.txt", b"one\n")
    begins(scene, "make a")
    other = Run(scene.folder, scene.agent.spool, "s2")
    edited = scene.puts("b.txt", b"by the other\n", agent=other)
    scene.person("a.txt", b"killed\n")
    scene.agent.stop()
    killed = scene.newest()
    assert (edited.paths, killed.paths) == (("b.txt",), ("a.txt",))
    assert [row.record.origin for row in scene.rows()] == [Origin.AGENT, Origin.AGENT]


def test_a_subagent_that_stops_ends_no_command_of_the_one_that_called_it(scene: Scene) -> None:
    scene.person("a.txt", b"one\n")
    begins(scene, "echo x > a.txt")
    scene.agent.event("SubagentStop")
    scene.agent.event("SubagentStop", agent_id="a7")
    scene.person("a.txt", b"x\n")
    answer = {"stdout": "", "stderr": ""}
    given = {"command": "echo x > a.txt"}
    scene.agent.tool("PostToolUse", "Bash", given, tool_use_id="k1", tool_response=answer)
    entry = scene.newest()
    assert (entry.paths, entry.record.notes) == (("a.txt",), ())


def test_another_servers_call_that_was_killed_shows_where_it_changed_something(scene: Scene) -> None:
    scene.person("a.txt", b"one\n")
    for call in ("m1", "m2"):
        scene.agent.tool("PreToolUse", "mcp__fs__write", {"x": call}, tool_use_id=call)
        if call == "m2":
            scene.person("a.txt", b"two\n")
        scene.agent.stop()
    entry = scene.newest()
    assert (entry.record.action_type, entry.paths) == (ActionType.MCP_MUTATION, ("a.txt",))


@pytest.mark.parametrize("order", [1, -1])
def test_a_command_that_its_harness_began_in_two_voices_is_one_entry(scene: Scene, order: int) -> None:
    scene.person("a.txt", b"one\n")
    common = {"conversation_id": "s1", "generation_id": "g1", "workspace_roots": [str(scene.folder)]}
    named: dict[str, object] = {"hook_event_name": "preToolUse", "tool_name": "Shell", "tool_use_id": "c1"}
    voices: list[dict[str, object]] = [
        {**named, "tool_input": {"command": "make"}},
        {"hook_event_name": "beforeShellExecution", "command": "make", "cwd": str(scene.folder)},
    ]
    for voice in voices[::order]:
        run_hook({**common, **voice}, scene.home.spool, harness="cursor")
    scene.person("a.txt", b"two\n")
    run_hook({**common, "hook_event_name": "stop"}, scene.home.spool, harness="cursor")
    [entry] = scene.rows()
    assert (entry.paths, entry.record.notes) == (("a.txt",), (NEVER_ENDED,))


def test_a_refusal_that_is_told_closes_the_call(scene: Scene) -> None:
    common: dict[str, object] = {
        "conversation_id": "s1",
        "workspace_roots": [str(scene.folder)],
        "tool_name": "Shell",
    }
    call: dict[str, object] = {**common, "tool_use_id": "c1", "tool_input": {"command": "make"}}
    refused: dict[str, object] = {
        "hook_event_name": "postToolUseFailure",
        "failure_type": "permission_denied",
    }
    for event in (
        {**call, "hook_event_name": "preToolUse"},
        {**call, **refused},
        {"hook_event_name": "stop"},
    ):
        run_hook({**common, **event}, scene.home.spool, harness="cursor")
    assert scene.rows() == ()


@pytest.fixture
def later(scene: Scene) -> Recorder:
    """The recorder as it is when the panel is opened after a long silence."""

    def clock() -> datetime:
        return utc_now() + SILENT_FOR + timedelta(minutes=1)

    return Recorder(scene.operations.ledger, scene.home, clock=clock)


def test_after_a_long_silence_the_drain_itself_looks(scene: Scene, later: Recorder) -> None:
    scene.person("a.txt", b"one\n")
    begins(scene, "make")
    scene.person("a.txt", b"two\n")
    assert scene.rows() == ()
    later.drain()
    [entry] = scene.rows()
    assert (entry.paths, entry.record.notes) == (("a.txt",), (NEVER_ENDED,))
    later.drain()
    assert len(scene.rows()) == 1


def test_a_session_that_is_heard_of_may_run_its_command_for_a_day(scene: Scene, later: Recorder) -> None:
    begins(scene, "make")
    scene.rows()
    workspace = scene.operations.workspace_for(scene.folder, register=False)
    with scene.operations.ledger.write():
        scene.operations.ledger._db.run("UPDATE session SET last_at = last_at + 86400000000")
    assert scene.operations.ledger.active_sessions(workspace.id, utc_now()) == {"s1"}
    later.drain()
    assert scene.rows() == ()
