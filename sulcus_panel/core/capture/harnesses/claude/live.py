"""Claude Code's hook payloads, in the shapes of 2025 and 2026, as events.

Unknown keys are ignored and missing ones tolerated: only the event's name is needed. Sources: the harness's
hook documentation and types; calls without `tool_use_id` are of 2025. What its tools say is toolset.py's
matter.
"""

from dataclasses import replace
from datetime import timedelta

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    FileRead,
    Ignored,
    PromptSubmitted,
    Scene,
    SessionEnded,
    SessionStarted,
    ToolCall,
    ToolFailed,
    ToolFinished,
    ToolKind,
    ToolStarted,
    TurnEnded,
)
from sulcus_panel.core.capture.harnesses.claude.toolset import (
    READ,
    exit_code,
    named_path,
    original_text,
    tool_call,
    was_created,
    was_staged,
)
from sulcus_panel.core.capture.hook_calls import caller_of
from sulcus_panel.core.capture.payload import NOTHING, JsonObject, model_of, number_of, object_of, text_of
from sulcus_panel.core.capture.spool import SpoolEvent, bad_event

MAX_MS = 10**10


class ClaudeCode:
    """The adapter for `claude-code`."""

    harness = "claude-code"
    actor = "Claude Code"

    def read(self, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
        """The event in our words; BadPayload where it has no name."""
        return (self._read(event),)

    def _read(self, event: SpoolEvent) -> CaptureEvent:
        payload = event.payload
        name = text_of(payload, "hook_event_name")
        if not name:
            raise bad_event(event.name, "it has no hook_event_name")
        scene = _scene(event)
        match name:
            case "PreToolUse" | "PostToolUse" | "PostToolUseFailure":
                return _tool_event(name, scene, event)
            case "UserPromptSubmit":
                return PromptSubmitted(scene, text_of(payload, "prompt"))
            case "Stop" | "SubagentStop":
                return TurnEnded(scene, of_subagent=name == "SubagentStop" and not scene.agent_id)
            case "SessionStart":
                return SessionStarted(scene)
            case "SessionEnd":
                return SessionEnded(scene)
        return Ignored(scene, name)


def _scene(event: SpoolEvent) -> Scene:
    payload = event.payload
    caller = caller_of(ClaudeCode.harness, payload)
    return Scene(
        event.name,
        event.at,
        event.harness,
        text_of(payload, "session_id"),
        text_of(payload, "cwd"),
        text_of(payload, "prompt_id"),
        text_of(payload, "agent_id"),
        caller if caller != ClaudeCode.harness else "",
        text_of(payload, "transcript_path"),
        model_of(payload),
    )


def _tool_event(name: str, scene: Scene, event: SpoolEvent) -> CaptureEvent:
    payload = event.payload
    tool, given = text_of(payload, "tool_name"), object_of(payload, "tool_input")
    if tool == READ and name == "PostToolUse":
        path = named_path(given)
        return FileRead(scene, path) if path else Ignored(scene, READ)
    call = tool_call(tool, given, call_id=text_of(payload, "tool_use_id"))
    if call is None:
        return Ignored(scene, tool or name)
    if name == "PreToolUse":
        return ToolStarted(scene, call, event.sighting)
    if name == "PostToolUseFailure":
        return _failed(scene, call, event)
    return _finished(scene, call, event)


def _finished(scene: Scene, call: ToolCall, event: SpoolEvent) -> ToolFinished | ToolFailed:
    given, answer = object_of(event.payload, "tool_input"), object_of(event.payload, "tool_response")
    error = text_of(answer, "error")
    if error and call.kind is not ToolKind.COMMAND:
        return ToolFailed(scene, call, event.sighting, error)
    applied = tool_call(call.tool, given, answer, call.call_id) or call
    return ToolFinished(
        scene,
        replace(applied, path=call.path),  # the one that the hook looked at
        event.sighting,
        original_text(answer),
        created=was_created(call.tool, answer),
        staged=was_staged(answer),
        exit_code=exit_code(answer, "", failed=False),
        output="\n".join(filter(None, (text_of(answer, "stdout"), text_of(answer, "stderr")))),
        background=bool(text_of(answer, "backgroundTaskId")),
        took=_took(event.payload),
    )


def _failed(scene: Scene, call: ToolCall, event: SpoolEvent) -> ToolFailed:
    error = text_of(event.payload, "error")
    interrupted = event.payload.get("is_interrupt") is True
    code = None if interrupted else exit_code(NOTHING, error, failed=True)
    return ToolFailed(scene, call, event.sighting, error, code, took=_took(event.payload))


def _took(payload: JsonObject) -> timedelta | None:
    milliseconds = number_of(payload, "duration_ms")
    return (
        None
        if milliseconds is None or not 0 <= milliseconds < MAX_MS
        else timedelta(milliseconds=milliseconds)
    )
