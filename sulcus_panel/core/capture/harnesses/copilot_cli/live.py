"""Copilot CLI's hook payloads as events, in both languages in which it speaks them.

Hooks registered under Claude Code's names get its keys; those under Copilot's own names get camelCase, and no event
name: what else there is tells it. No call has an id. Source: the hooks reference of its documentation.
"""

from collections.abc import Mapping
from dataclasses import replace

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    FileRead,
    Ignored,
    Scene,
    ToolCall,
    ToolFailed,
    ToolFinished,
    ToolKind,
)
from sulcus_panel.core.capture.either_case import call_started, scene_of, seen_of, session_event
from sulcus_panel.core.capture.harnesses.copilot_cli.toolset import (
    READS,
    exit_code,
    given_of,
    is_background,
    named_path,
    printed,
    tool_calls,
    tool_name,
    was_refused,
)
from sulcus_panel.core.capture.payload import JsonObject, object_of, optional_text, text_of
from sulcus_panel.core.capture.spool import SpoolEvent, bad_event

NAMES: Mapping[str, str] = {
    "preToolUse": "PreToolUse",
    "postToolUse": "PostToolUse",
    "postToolUseFailure": "PostToolUseFailure",
    "userPromptSubmitted": "UserPromptSubmit",
    "sessionStart": "SessionStart",
    "sessionEnd": "SessionEnd",
    "agentStop": "Stop",
    "subagentStop": "SubagentStop",
}
"""Copilot's own names of events, and Claude Code's for the same."""
_TOLD_BY = (
    ("prompt", "UserPromptSubmit"),
    ("stopReason", "Stop"),
    ("source", "SessionStart"),
    ("reason", "SessionEnd"),
)
_TOOL_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
_WELL = ("", "success")


class CopilotCli:
    """The adapter for `copilot-cli`."""

    harness = "copilot-cli"
    actor = "Copilot CLI"

    def read(self, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
        """The event in our words, a patch as one event a file; BadPayload where nothing tells which it is."""
        payload = event.payload
        name = _name(payload)
        if not name:
            raise bad_event(event.name, "nothing in it tells which event it is")
        scene = scene_of(event)
        if name in _TOOL_EVENTS:
            return _tool_events(name, scene, event)
        return (session_event(name, scene, payload),)


def _name(payload: JsonObject) -> str:
    """The event's name as Claude Code has it; in camelCase only what else there is tells it."""
    told = text_of(payload, "hook_event_name", "hookEventName")
    if told:
        return NAMES.get(told, told)
    if "toolName" in payload:
        if "toolResult" in payload:
            return "PostToolUse"
        return "PostToolUseFailure" if "error" in payload else "PreToolUse"
    if "notification_type" in payload or "notificationType" in payload:
        return "Notification"
    found = next((name for key, name in _TOLD_BY if isinstance(payload.get(key), str)), "")
    return found or ("ErrorOccurred" if "error" in payload else "")


def _tool_events(name: str, scene: Scene, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
    payload = event.payload
    tool = text_of(payload, "tool_name", "toolName")
    given = given_of(payload.get("tool_input", payload.get("toolArgs")))
    call_id = text_of(payload, "tool_use_id", "toolUseId", "toolCallId")
    if tool_name(tool, given) in READS:
        path = named_path(given)
        failed = name != "PostToolUse" or _kind_of_result(payload) not in _WELL
        return (Ignored(scene, tool) if failed or not path else FileRead(scene, path),)
    calls = tool_calls(tool, given, call_id)
    if not calls:
        return (Ignored(scene, tool or name),)
    if name == "PreToolUse":
        return tuple(call_started(scene, call, event, alone=len(calls) == 1) for call in calls)
    return tuple(_ended(name, scene, call, event, alone=len(calls) == 1) for call in calls)


def _ended(name: str, scene: Scene, call: ToolCall, event: SpoolEvent, *, alone: bool) -> CaptureEvent:
    payload = event.payload
    result, told = _kind_of_result(payload), _told(payload)
    error = _error(payload)
    seen = seen_of(call, event, alone=alone)
    moved = event.seen_at(call.moved_to)
    is_command = call.kind is ToolKind.COMMAND
    if name == "PostToolUseFailure" or result not in _WELL or error:
        if is_command and was_refused(result, error or told):
            return Ignored(scene, call.tool)
        return ToolFailed(scene, call, seen, error or told, exit_code(told) if is_command else None, moved)
    finished = ToolFinished(scene, call, seen, moved=moved)
    if not is_command:
        return finished
    return replace(finished, exit_code=exit_code(told), output=printed(told), background=is_background(told))


def _answer(payload: JsonObject) -> JsonObject:
    for key in ("tool_result", "toolResult", "tool_response"):
        if answer := object_of(payload, key):
            return answer
    return {}


def _kind_of_result(payload: JsonObject) -> str:
    return text_of(_answer(payload), "result_type", "resultType")


def _told(payload: JsonObject) -> str:
    """What the model is told of the call's end."""
    whole = optional_text(payload, "tool_result", "toolResult", "tool_response")
    if whole is not None:
        return whole
    return text_of(_answer(payload), "text_result_for_llm", "textResultForLlm", "content", "output")


def _error(payload: JsonObject) -> str:
    error = payload.get("error", _answer(payload).get("error"))
    if isinstance(error, dict):
        return text_of(error, "message", "name", "code") or "it failed"
    return error if isinstance(error, str) else ""
