"""What the conformance suite does not say of VS Code's hooks: odd shapes of their answers."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    Ignored,
    ToolFailed,
    ToolFinished,
    TurnEnded,
)
from sulcus_panel.core.capture.harnesses.copilot_vscode.live import CopilotInVsCode
from sulcus_panel.core.capture.spool import SpoolEvent

EDIT = {"filePath": "/w/a.ts", "oldString": "x", "newString": "y"}


def read(payload: Mapping[str, object]) -> CaptureEvent:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    (event,) = CopilotInVsCode().read(SpoolEvent("1-1", "copilot-vscode", at, payload))
    return event


def after(tool: str, given: object, answer: object) -> CaptureEvent:
    return read(
        {
            "hookEventName": "PostToolUse",
            "sessionId": "s",
            "tool_name": tool,
            "tool_input": given,
            "tool_use_id": "c__vscode-1",
            "tool_response": answer,
        }
    )


@pytest.mark.parametrize(
    "answer",
    [
        "Command exited with code 4",
        {"content": "Command exited with code 4"},
        {"output": "Command exited with code 4"},
        {"content": [{"type": "text", "text": "Command exited with code 4"}]},
        [{"type": "text", "text": "Command exited with code 4"}],
    ],
)
def test_an_answer_comes_in_several_forms(answer: object) -> None:
    event = after("run_in_terminal", {"command": "x"}, answer)
    assert isinstance(event, ToolFinished)
    assert (event.exit_code, event.output) == (4, "Command exited with code 4")


def test_what_was_done_in_part_is_told_without_its_words() -> None:
    told = "The following files were successfully edited:\n/w/a.ts\nEdit at index 1 conflicts with another"
    event = after("replace_string_in_file", EDIT, told)
    assert isinstance(event, ToolFinished)
    assert (event.call.edits, event.call.call_id) == ((), "c")


def test_an_error_is_a_failure() -> None:
    assert isinstance(after("replace_string_in_file", EDIT, "ERROR while calling tool: x"), ToolFailed)
    assert isinstance(after("read_file", {"filePath": "/w/a"}, "ERROR while calling tool: x"), Ignored)


def test_only_a_subagent_with_a_name_ends_its_turn() -> None:
    stop = {"hookEventName": "subagentStop", "sessionId": "s"}
    assert isinstance(read(stop), Ignored)
    assert isinstance(read({**stop, "agent_id": "a"}), TurnEnded)
