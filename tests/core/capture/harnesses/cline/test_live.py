"""What the conformance suite does not say of Cline's hooks."""

from datetime import UTC, datetime

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    Ignored,
    SessionEnded,
    ToolFailed,
    ToolFinished,
    ToolStarted,
)
from sulcus_panel.core.capture.changes import file_side
from sulcus_panel.core.capture.harnesses.cline.live import Cline
from sulcus_panel.core.capture.spool import Sighting, SpoolEvent


def read(**payload: object) -> tuple[CaptureEvent, ...]:
    told = {"taskId": "t", "workspaceRoots": ["/w"], **payload}
    return Cline().read(SpoolEvent("1-1", "cline", datetime(2026, 1, 1, tzinfo=UTC), told))


def test_the_command_line_names_its_calls_and_agents() -> None:
    (event,) = read(
        hookName="tool_call",
        agent_id="a",
        parent_agent_id="p",
        sessionContext={"rootSessionId": "root"},
        tool_call={"id": "c", "name": "editor", "input": {"path": "x", "old_text": "1", "new_text": "2"}},
        preToolUse={"toolName": "editor", "parameters": {"path": "x"}},
    )
    assert isinstance(event, ToolStarted)
    assert (event.call.call_id, event.scene.session_id, event.scene.agent_id) == ("c", "root", "a")
    assert event.call.edits[0].new == "2"


def test_an_agent_without_a_parent_is_the_run_itself() -> None:
    (event,) = read(hookName="agent_start", agent_id="a", parent_agent_id=None)
    assert (event.scene.agent_id, event.scene.session_id, event.scene.cwd) == ("", "t", "/w")


def test_a_command_that_failed_has_its_code_or_fails() -> None:
    told = {"toolName": "run_commands", "parameters": {"commands": '["x"]'}, "success": True}
    bad = '[{"query": "x", "result": "", "error": "%s", "success": false}]'
    (coded,) = read(
        hookName="tool_result", postToolUse={**told, "result": bad % "Command exited with code 2"}
    )
    (failed,) = read(hookName="tool_result", postToolUse={**told, "result": bad % "no such file"})
    assert isinstance(coded, ToolFinished)
    assert (coded.exit_code, coded.call.command) == (2, "x")
    assert isinstance(failed, ToolFailed)


def test_a_message_without_words_is_no_prompt() -> None:
    (event,) = read(hookName="prompt_submit", userPromptSubmit={"prompt": ""})
    assert isinstance(event, Ignored)


def test_a_file_below_another_root_is_where_the_hook_found_it() -> None:
    told = {
        "taskId": "t",
        "workspaceRoots": ["/w", "/v"],
        "hookName": "PreToolUse",
        "preToolUse": {"tool": "write_to_file", "parameters": {"path": "a", "content": "x"}},
    }
    seen = Sighting("/v/a", file_side(b"old"))
    (event,) = Cline().read(SpoolEvent("1-1", "cline", datetime(2026, 1, 1, tzinfo=UTC), told, seen))
    assert isinstance(event, ToolStarted)
    assert event.call.path == "/v/a"


def test_the_end_of_a_session_is_told() -> None:
    (event,) = read(hookName="session_shutdown")
    assert isinstance(event, SessionEnded)
