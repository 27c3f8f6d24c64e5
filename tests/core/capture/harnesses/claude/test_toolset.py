"""What Claude Code's tools say is the same to who sees it live and to who reads it in a transcript."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolFailed, ToolFinished
from sulcus_panel.core.capture.harnesses.claude.calls import ToolResult, ToolUse, build_call
from sulcus_panel.core.capture.harnesses.claude.live import ClaudeCode
from sulcus_panel.core.capture.harnesses.claude.toolset import (
    KINDS,
    exit_code,
    original_text,
    tool_call,
    was_created,
)
from sulcus_panel.core.capture.hook_calls import FILE_TOOLS, SHELL_TOOLS
from sulcus_panel.core.capture.install.claude import FILES_AND_COMMANDS
from sulcus_panel.core.capture.past.records import CommandCall, FileCall, Stamp
from sulcus_panel.core.capture.spool import SpoolEvent

Json = dict[str, object]
AT = datetime(2026, 5, 4, tzinfo=UTC)
EDIT: Json = {"file_path": "/w/a", "old_string": "1", "new_string": "2"}


def live(tool: str, given: Json, answer: object) -> ToolFinished | ToolFailed:
    payload = {
        "hook_event_name": "PostToolUse",
        "session_id": "s",
        "tool_name": tool,
        "tool_input": given,
        "tool_response": answer,
        "tool_use_id": "c",
    }
    (event,) = ClaudeCode().read(SpoolEvent("1-1", "claude-code", AT, payload))
    assert isinstance(event, ToolFinished | ToolFailed)
    return event


def past(tool: str, given: Json, answer: Mapping[str, object]) -> FileCall | CommandCall | None:
    result = ToolResult("c", Stamp(AT, 1, "s", "", "/w", ""), "", False, False, answer)
    call = build_call(ToolUse(tool, given), result)
    assert call is None or isinstance(call, FileCall | CommandCall)
    return call


@pytest.mark.parametrize(
    ("tool", "given", "answer"),
    [
        ("Edit", EDIT, {"filePath": "/w/a", "oldString": "1", "newString": "3", "replaceAll": True}),
        ("Edit", {**EDIT, "replace_all": True}, {"filePath": "/w/a", "originalFile": "1"}),
        ("MultiEdit", {"file_path": "/w/a", "edits": [EDIT, {"old_string": "1"}]}, {"filePath": "/w/a"}),
        ("MultiEdit", {"file_path": "/w/a", "edits": [EDIT]}, {"edits": [EDIT, EDIT]}),
        ("Write", {"file_path": "/w/a", "content": "x"}, {"type": "create", "content": "y"}),
        ("Write", {"file_path": "/w/a", "content": "x"}, {"type": "update", "originalFileContents": "z"}),
        ("NotebookEdit", {"notebook_path": "/w/n"}, {"original_file": "{}", "updated_file": "{1}"}),
    ],
)
def test_a_file_call_says_the_same_live_and_in_a_transcript(tool: str, given: Json, answer: Json) -> None:
    now, then = live(tool, given, answer), past(tool, given, answer)
    assert isinstance(now, ToolFinished)
    assert isinstance(then, FileCall)
    assert (now.call, now.original, now.created) == (then.applied, then.original, then.created)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"stdout": "", "interrupted": False}, 0),
        ({"stdout": "", "exitCode": 2}, 2),
        ({"interrupted": True}, None),
        ({"backgroundTaskId": "b1"}, None),
        ({"timedOutAfterMs": 120_000}, None),
        ({"returnCodeInterpretation": "No matches found"}, None),
    ],
)
def test_a_command_has_the_same_exit_code_live_and_in_a_transcript(answer: Json, code: int | None) -> None:
    now, then = live("Bash", {"command": "grep x a"}, answer), past("Bash", {"command": "grep x a"}, answer)
    assert isinstance(now, ToolFinished)
    assert isinstance(then, CommandCall)
    assert (now.exit_code, then.exit_code) == (code, code)


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ("Exit code 127\nnot found", 127),
        ("Error: Exit code 1", 1),
        ("Command failed with exit code -9: killed", -9),
        ("Exit code 1x", None),
        ("Command timed out after 2m\nExit code 1", None),
        ("", None),
    ],
)
def test_a_failure_has_the_exit_code_that_its_text_begins_with(told: str, code: int | None) -> None:
    assert exit_code({}, told, failed=True) == code


def test_an_answer_that_tells_of_an_error_is_a_failure() -> None:
    given: Json = {"notebook_path": "/w/n", "new_source": "1"}
    answer: Json = {"notebook_path": "/w/n", "error": "no such cell"}
    event = live("NotebookEdit", given, answer)
    assert isinstance(event, ToolFailed)
    assert event.error == "no such cell"
    assert past("NotebookEdit", given, answer) is None


def test_an_answer_that_is_no_dict_leaves_what_was_asked() -> None:
    assert live("Edit", EDIT, "done").call.edits == (TextEdit("1", "2"),)


def test_live_the_path_is_the_one_that_the_hook_looked_at() -> None:
    assert live("Write", {"file_path": "a", "content": ""}, {"filePath": "/w/a"}).call.path == "a"


def test_what_names_nothing_is_no_call() -> None:
    assert tool_call("Bash", {"command": 1}) is None
    assert tool_call("Write", {"content": "x"}) is None
    assert tool_call("Glob", {"pattern": "*"}) is None
    both = tool_call("NotebookEdit", {"file_path": "", "notebook_path": "/w/n"})
    assert both is not None
    assert both.path == "/w/n"
    write = tool_call("Write", {"content": "x"}, {"filePath": "/w/a"})
    assert write == ToolCall("Write", KINDS["Write"], path="/w/a", content="x")


def test_the_text_before_has_three_names() -> None:
    for key in ("originalFile", "originalFileContents", "original_file"):
        assert original_text({key: "x"}) == "x"
    assert original_text({"originalFile": None}) is None


def test_a_new_file_is_told_by_the_answer_else_by_its_text() -> None:
    assert was_created("Write", {"type": "create"})
    assert not was_created("Write", {"type": "update"}, "File created successfully at: /w/a")
    assert was_created("Write", {}, "File created successfully at: /w/a")
    assert not was_created("Edit", {}, "File created successfully at: /w/a")


def test_the_hook_and_its_matchers_know_the_same_tools() -> None:
    commands = {tool for tool, kind in KINDS.items() if kind.value == "command"}
    assert commands <= SHELL_TOOLS
    assert set(KINDS) - commands <= FILE_TOOLS
    assert set(FILES_AND_COMMANDS.split("|")) - {"mcp__.*"} == set(KINDS)
