"""What the conformance suite does not say of Cursor's hooks."""

from datetime import UTC, datetime

import pytest

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    Ignored,
    PromptSubmitted,
    ToolFailed,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from sulcus_panel.core.capture.harnesses.cursor.live import Cursor
from sulcus_panel.core.capture.spool import SpoolEvent


def read(name: str, **payload: object) -> CaptureEvent:
    told = {"hook_event_name": name, "conversation_id": "s", "generation_id": "g", **payload}
    (event,) = Cursor().read(SpoolEvent("1-1", "cursor", datetime(2026, 1, 1, tzinfo=UTC), told))
    return event


SHELL = {
    "tool_name": "Shell",
    "tool_input": {"command": "make"},
    "tool_use_id": "c",
    "workspace_roots": ["/w"],
}


def test_a_failed_command_has_its_code_where_the_message_tells_it() -> None:
    coded = read("postToolUseFailure", **SHELL, error_message="Command failed with exit code 2")
    other = read("postToolUseFailure", **SHELL, error_message="timed out", failure_type="timeout")
    assert isinstance(coded, ToolFailed)
    assert isinstance(other, ToolFailed)
    assert (coded.exit_code, other.exit_code, other.error) == (2, None, "timed out")


def test_a_call_that_was_not_allowed_did_not_run() -> None:
    assert isinstance(read("postToolUseFailure", **SHELL, failure_type="permission_denied"), Ignored)


def test_names_in_the_spelling_of_another_harness_are_understood() -> None:
    started = read("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}, session_id="x", cwd="/w")
    assert isinstance(started, ToolStarted)
    assert started.call.command == "ls"
    assert isinstance(read("UserPromptSubmit", prompt="go"), PromptSubmitted)


def test_paths_of_windows_are_spelled_as_there() -> None:
    event = read("afterFileEdit", file_path="/c:/w/a.py", edits=[], workspace_roots=["/c:/w"])
    assert isinstance(event, ToolFinished)
    assert (event.call.path, event.scene.cwd, event.echo) == ("c:/w/a.py", "c:/w", True)


def test_a_subagent_that_stops_ends_its_own_turn() -> None:
    event = read("subagentStop", subagent_id="sub")
    assert isinstance(event, TurnEnded)
    assert event.scene.agent_id == "sub"
    assert isinstance(read("subagentStop"), Ignored)


@pytest.mark.parametrize("name", ["afterFileEdit", "beforeShellExecution", "afterMCPExecution", "preCompact"])
def test_an_event_that_names_nothing_is_ignored(name: str) -> None:
    assert isinstance(read(name), Ignored)
