"""What the conformance suite does not say of Gemini CLI's hooks: odd shapes of its answers."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from sulcus_panel.core.capture.adapter import ToolFailed, ToolFinished
from sulcus_panel.core.capture.harnesses.gemini.live import Gemini
from sulcus_panel.core.capture.spool import SpoolEvent


def after(tool: str, given: Mapping[str, object], response: object) -> object:
    payload = {
        "hook_event_name": "AfterTool",
        "session_id": "s",
        "cwd": "/w",
        "tool_name": tool,
        "tool_input": given,
        "tool_response": response,
    }
    (event,) = Gemini().read(SpoolEvent("1-1", "gemini", datetime(2026, 1, 1, tzinfo=UTC), payload))
    return event


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"llmContent": "<untrusted_context>\nOutput: x\nExit Code: 3\n</untrusted_context>"}, 3),
        ({"llmContent": [{"text": "Output: x"}, {"text": "Exit Code: 4"}]}, 4),
        ({"llmContent": {"text": "Output: x\nExit Code: 5"}}, 5),
        ({"llmContent": "Output: x"}, 0),
        ({"llmContent": "Command was cancelled by user before it could complete."}, None),
        ({"llmContent": "Command moved to background (PID: 7)."}, None),
    ],
)
def test_an_exit_code_is_told_in_words(answer: object, code: int | None) -> None:
    event = after("run_shell_command", {"command": "x"}, answer)
    assert isinstance(event, ToolFinished)
    assert event.exit_code == code


def test_a_command_that_left_processes_running_is_in_the_background() -> None:
    event = after(
        "run_shell_command", {"command": "x &"}, {"llmContent": "Exit Code: 0\nBackground PIDs: 7, 8"}
    )
    assert isinstance(event, ToolFinished)
    assert (event.background, event.exit_code) == (True, None)


@pytest.mark.parametrize("error", [{"message": "no"}, {"type": "x"}, "no", {}])
def test_an_error_is_a_failure_in_any_shape(error: object) -> None:
    assert isinstance(after("write_file", {"file_path": "/w/a", "content": ""}, {"error": error}), ToolFailed)


def test_what_a_person_changed_in_the_proposal_is_what_was_written() -> None:
    display = {"originalContent": "a\n", "newContent": "mine\n"}
    given = {"file_path": "/w/a", "content": "its\n"}
    event = after("write_file", given, {"llmContent": "ok", "returnDisplay": display})
    assert isinstance(event, ToolFinished)
    assert (event.call.content, event.original) == ("mine\n", "a\n")
