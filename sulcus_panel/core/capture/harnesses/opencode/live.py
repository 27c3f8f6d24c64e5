"""What our plugin in OpenCode spools, as events: OpenCode's own names for them, in one envelope.

A subagent is a session of its own there. A call that fails has no event after it, only a part of a message.
"""

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
from sulcus_panel.core.capture.harnesses.opencode.toolset import (
    PATCHES,
    READ,
    as_applied,
    exit_code,
    named_path,
    told_texts,
    tool_calls,
    was_created,
    working_folder,
)
from sulcus_panel.core.capture.payload import model_of, object_of, text_of
from sulcus_panel.core.capture.spool import SpoolEvent, bad_event

BEFORE, AFTER, FAILED = "tool.execute.before", "tool.execute.after", "tool.execute.error"


class OpenCode:
    """The adapter for `opencode`."""

    harness = "opencode"
    actor = "OpenCode"

    def read(self, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
        """The event in our words, a patch as one event a file; BadPayload where it has no name."""
        payload = event.payload
        name = text_of(payload, "hook_event_name")
        if not name:
            raise bad_event(event.name, "it has no hook_event_name")
        scene = Scene(
            event.name,
            event.at,
            event.harness,
            text_of(payload, "session_id"),
            text_of(payload, "cwd"),
            model=model_of(payload),
        )
        match name:
            case "tool.execute.before" | "tool.execute.after" | "tool.execute.error":
                return _tool_events(name, scene, event)
            case "chat.message":
                asked = replace(scene, turn=text_of(payload, "message_id"))
                return (PromptSubmitted(asked, text_of(payload, "prompt")),)
            case "session.idle":
                return (TurnEnded(scene),)
            case "session.created":
                return (SessionStarted(scene),)
            case "session.deleted":
                return (SessionEnded(scene),)
        return (Ignored(scene, name),)


def _tool_events(name: str, scene: Scene, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
    payload = event.payload
    tool, given = text_of(payload, "tool_name"), object_of(payload, "tool_input")
    if tool == READ and name == AFTER and (path := named_path(given)):
        return (FileRead(scene, path),)
    calls = tool_calls(tool, given, text_of(payload, "tool_use_id"))
    if calls and calls[0].kind is ToolKind.COMMAND:
        scene = replace(scene, cwd=working_folder(given, scene.cwd))
    return tuple(_tool_event(name, scene, call, event) for call in calls) or (Ignored(scene, tool or name),)


def _tool_event(name: str, scene: Scene, call: ToolCall, event: SpoolEvent) -> CaptureEvent:
    seen = event.seen_at(call.path) if call.path else event.sighting
    moved = event.seen_at(call.moved_to)
    if name == BEFORE:
        return ToolStarted(scene, call, seen, moved)
    if name == FAILED:
        error = text_of(event.payload, "error") or "it failed"
        return ToolFailed(scene, call, seen, error, moved=moved)
    answer = object_of(event.payload, "tool_response")
    metadata = object_of(answer, "metadata")
    if call.kind is ToolKind.COMMAND:
        return ToolFinished(
            scene, call, seen, exit_code=exit_code(metadata), output=text_of(answer, "output")
        )
    if call.tool not in PATCHES and call.path:
        original, _ = told_texts(metadata)
        applied = as_applied(call, metadata)
        created = was_created(call.tool, metadata)
        return ToolFinished(scene, applied, seen, original, created=created)
    return ToolFinished(scene, call, seen, moved=moved)
