"""Cursor's hook payloads as events; the person's mail address in them goes nowhere.

What an agent does is told by the tool's own events, and by older ones beside them that bear no id: those count
only where the call did not. Source: cursor.com/docs/agent/hooks.
"""

import re
from dataclasses import replace

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
from sulcus_panel.core.capture.harnesses.cursor.toolset import (
    READS,
    edits_of,
    named_path,
    opened,
    path_of,
    tool_calls,
)
from sulcus_panel.core.capture.payload import model_of, number_of, optional_text, text_of
from sulcus_panel.core.capture.spool import SpoolEvent, bad_event

_EXIT_CODE = re.compile(r"exit(?:ed)?(?: with)?(?: code)?:? (-?\d{1,10})\b", re.IGNORECASE)
_MCP = "cursor"


class Cursor:
    """The adapter for `cursor`."""

    harness = "cursor"
    actor = "Cursor"

    def read(self, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
        """The event in our words, a patch as one event a file; BadPayload where it has no name."""
        payload = event.payload
        given_name = text_of(payload, "hook_event_name")
        if not given_name:
            raise bad_event(event.name, "it has no hook_event_name")
        scene = _scene(event)
        name = given_name[0].lower() + given_name[1:]
        match name:
            case "preToolUse" | "postToolUse" | "postToolUseFailure":
                return _tool_events(name, scene, event)
            case "beforeShellExecution" | "afterShellExecution" | "beforeMCPExecution" | "afterMCPExecution":
                return (_bare_event(name, scene, event),)
            case "afterFileEdit":
                return (_edited(scene, event),)
        return (_session_event(name, given_name, scene, event),)


def _session_event(name: str, given_name: str, scene: Scene, event: SpoolEvent) -> CaptureEvent:
    payload = event.payload
    match name:
        case "beforeSubmitPrompt" | "userPromptSubmit":
            return PromptSubmitted(scene, text_of(payload, "prompt"))
        case "stop":
            return TurnEnded(scene)
        case "subagentStop" if agent := text_of(payload, "subagent_id", "agent_id"):
            return TurnEnded(replace(scene, agent_id=agent))
        case "sessionStart":
            return SessionStarted(scene)
        case "sessionEnd":
            return SessionEnded(scene)
    return Ignored(scene, given_name)


def _scene(event: SpoolEvent) -> Scene:
    payload = event.payload
    roots = payload.get("workspace_roots")
    root = next((one for one in roots if isinstance(one, str)), "") if isinstance(roots, list) else ""
    return Scene(
        event.name,
        event.at,
        event.harness,
        text_of(payload, "conversation_id", "session_id"),
        path_of(text_of(payload, "cwd") or root),
        text_of(payload, "generation_id"),
        transcript=path_of(text_of(payload, "transcript_path")),
        model=model_of(payload),
    )


def _tool_events(name: str, scene: Scene, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
    payload = event.payload
    tool, given = text_of(payload, "tool_name"), payload.get("tool_input")
    if tool in READS and name == "postToolUse" and (path := named_path(opened(given))):
        return (FileRead(scene, path),)
    calls = tool_calls(tool, given, text_of(payload, "tool_use_id"), text_of(payload, "server_name"))
    if name == "postToolUseFailure" and text_of(payload, "failure_type") == "permission_denied":
        calls = ()
    return tuple(_tool_event(name, scene, call, event) for call in calls) or (Ignored(scene, tool or name),)


def _tool_event(name: str, scene: Scene, call: ToolCall, event: SpoolEvent) -> CaptureEvent:
    seen = event.seen_at(call.path) if call.path else event.sighting
    moved = event.seen_at(call.moved_to)
    if name == "preToolUse":
        return ToolStarted(scene, call, seen, moved)
    if name == "postToolUseFailure":
        error = text_of(event.payload, "error_message", "error") or "it failed"
        code = _EXIT_CODE.search(error) if call.kind is ToolKind.COMMAND else None
        return ToolFailed(scene, call, seen, error, int(code[1]) if code else None, moved)
    if call.kind is not ToolKind.COMMAND:
        return ToolFinished(scene, call, seen, moved=moved)
    answer = opened(event.payload.get("tool_output"))
    output = text_of(answer, "output", "stdout")
    code_told = number_of(answer, "exitCode")
    code_told = number_of(answer, "exit_code") if code_told is None else code_told
    return ToolFinished(scene, call, seen, exit_code=code_told, output=output)


def _bare_event(name: str, scene: Scene, event: SpoolEvent) -> CaptureEvent:
    """A command's or another server's call in the older events, which bear no id."""
    payload = event.payload
    if name.endswith("ShellExecution"):
        calls = tool_calls("Shell", {"command": payload.get("command")})
    else:
        server = text_of(payload, "server_name") or _MCP
        calls = tool_calls(text_of(payload, "tool_name"), payload.get("tool_input"), "", server)
    if not calls:
        return Ignored(scene, name)
    call = calls[0]
    if name.startswith("before"):
        return ToolStarted(scene, call, event.sighting)
    output = optional_text(payload, "output") or ""
    return ToolFinished(scene, call, event.sighting, output=output, echo=True)


def _edited(scene: Scene, event: SpoolEvent) -> CaptureEvent:
    payload = event.payload
    path = named_path(payload)
    if not path:
        return Ignored(scene, "afterFileEdit")
    call = ToolCall("edit", ToolKind.EDIT, path=path, edits=tuple(edits_of(payload)))
    return ToolFinished(scene, call, event.sighting, echo=True)
