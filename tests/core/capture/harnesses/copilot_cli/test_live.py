"""What the conformance suite does not say of Copilot CLI's hooks: odd shapes of their answers."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    Ignored,
    PromptSubmitted,
    SessionEnded,
    ToolFailed,
    ToolFinished,
)
from sulcus_panel.core.capture.harnesses.copilot_cli.live import CopilotCli
from sulcus_panel.core.capture.spool import SpoolEvent
from sulcus_panel.core.errors import BadPayload


def read(payload: Mapping[str, object]) -> tuple[CaptureEvent, ...]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return CopilotCli().read(SpoolEvent("1-1", "copilot-cli", at, payload))


def after(tool: str, given: object, **fields: object) -> CaptureEvent:
    payload = {"hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": given, **fields}
    (event,) = read(payload)
    return event


@pytest.mark.parametrize(
    "answer",
    [
        {"tool_result": {"result_type": "success", "text_result_for_llm": "x\n<exited with exit code 4>"}},
        {"tool_response": "x\n<exited with exit code 4>"},
        {"tool_response": {"content": "x\n<exited with exit code 4>"}},
        {"toolResult": {"resultType": "success", "textResultForLlm": "x\n<exited with exit code 4>"}},
    ],
)
def test_an_answer_comes_in_several_forms(answer: dict[str, object]) -> None:
    event = after("bash", {"command": "x"}, **answer)
    assert isinstance(event, ToolFinished)
    assert (event.exit_code, event.output) == (4, "x\n")


def test_a_command_that_failed_ran_and_one_that_was_refused_did_not() -> None:
    def ended(kind: str) -> CaptureEvent:
        result = {"result_type": kind, "text_result_for_llm": "<exited with exit code 9>"}
        return after("bash", {"command": "x"}, tool_result=result)

    failed = ended("failure")
    assert isinstance(failed, ToolFailed)
    assert failed.exit_code == 9
    assert isinstance(ended("rejected"), Ignored)


@pytest.mark.parametrize("error", [{"message": "no"}, {}, "no"])
def test_an_error_is_a_failure_in_any_shape(error: object) -> None:
    event = after("create", {"path": "/a", "file_text": ""}, tool_result={"error": error})
    assert isinstance(event, ToolFailed)


def test_a_view_that_failed_is_no_read() -> None:
    result = {"result_type": "failure", "text_result_for_llm": "Path does not exist"}
    assert isinstance(after("view", {"path": "/a"}, tool_result=result), Ignored)
    assert isinstance(after("view", {}), Ignored)


def test_without_a_name_what_else_there_is_tells_the_event() -> None:
    assert isinstance(read({"sessionId": "s", "prompt": "x"})[0], PromptSubmitted)
    assert isinstance(read({"sessionId": "s", "reason": "complete"})[0], SessionEnded)
    with pytest.raises(BadPayload):
        read({"sessionId": "s", "prompt": 7})
