"""Cline's hook payloads as events, those of the extension and those of the command line.

The extension gives no id of a call: it is known by task, tool and path; the command line names its calls. Source:
cline/cline, src/core/hooks and sdk/packages/core/src/hooks.
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
from sulcus_panel.core.capture.harnesses.cline.answers import answer_of, exit_code, was_created
from sulcus_panel.core.capture.harnesses.cline.toolset import READS, named_paths, tool_calls
from sulcus_panel.core.capture.payload import JsonObject, model_of, object_of, text_of
from sulcus_panel.core.capture.spool import SpoolEvent, bad_event

BEFORE, AFTER = ("PreToolUse", "tool_call"), ("PostToolUse", "tool_result")


class Cline:
    """The adapter for `cline`."""

    harness = "cline"
    actor = "Cline"

    def read(self, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
        """The event in our words, a patch as one event a file; BadPayload where it has no name."""
        payload = event.payload
        name = text_of(payload, "hookName", "hook_event_name")
        if not name:
            raise bad_event(event.name, "it has no hookName")
        scene = _scene(event)
        if name in BEFORE or name in AFTER:
            return _tool_events(name, scene, event)
        match name:
            case "UserPromptSubmit" | "prompt_submit":
                prompt = text_of(object_of(payload, "userPromptSubmit"), "prompt")
                return (PromptSubmitted(scene, prompt) if prompt else Ignored(scene, name),)
            case "TaskStart" | "TaskResume" | "agent_start" | "agent_resume":
                return (SessionStarted(scene),)
            case "TaskComplete" | "TaskCancel" | "agent_end" | "agent_abort" | "agent_error":
                return (TurnEnded(scene),)
            case "session_shutdown":
                return (SessionEnded(scene),)
        return (Ignored(scene, name),)


def _scene(event: SpoolEvent) -> Scene:
    payload = event.payload
    roots = payload.get("workspaceRoots")
    root = next((one for one in roots if isinstance(one, str)), "") if isinstance(roots, list) else ""
    session = text_of(object_of(payload, "sessionContext"), "rootSessionId") or text_of(payload, "taskId")
    agent = text_of(payload, "agent_id") if text_of(payload, "parent_agent_id") else ""
    return Scene(event.name, event.at, event.harness, session, root, agent_id=agent, model=model_of(payload))


def _tool_events(name: str, scene: Scene, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
    payload = event.payload
    starts = name in BEFORE
    told = object_of(payload, "preToolUse" if starts else "postToolUse")
    raw = object_of(payload, "tool_call" if starts else "tool_result")
    tool = text_of(told, "toolName", "tool") or text_of(raw, "name")
    given = object_of(raw, "input") or object_of(told, "parameters")
    if tool in READS:
        reads = tuple(FileRead(scene, path) for path in named_paths(given)) if not starts else ()
        return reads or (Ignored(scene, tool),)
    calls = tuple(_placed(call, event) for call in tool_calls(tool, given, text_of(raw, "id")))
    if starts:
        return tuple(_started(scene, call, event) for call in calls) or (Ignored(scene, tool or name),)
    return tuple(_ended(scene, call, event, told) for call in calls) or (Ignored(scene, tool or name),)


def _placed(call: ToolCall, event: SpoolEvent) -> ToolCall:
    """The call with its file as the hook found it: of several roots it may be below another than the first."""
    roots = event.payload.get("workspaceRoots")
    seen = event.seen_at(call.path) if call.path and isinstance(roots, list) and len(roots) > 1 else None
    return replace(call, path=seen.path) if seen is not None else call


def _started(scene: Scene, call: ToolCall, event: SpoolEvent) -> ToolStarted:
    seen = event.seen_at(call.path) if call.path else event.sighting
    return ToolStarted(scene, call, seen, event.seen_at(call.moved_to))


def _ended(scene: Scene, call: ToolCall, event: SpoolEvent, told: JsonObject) -> ToolFinished | ToolFailed:
    seen = event.seen_at(call.path) if call.path else event.sighting
    moved = event.seen_at(call.moved_to)
    answer = answer_of({"content": told.get("result"), "is_error": told.get("success") is False})
    if call.kind is ToolKind.COMMAND:
        code = exit_code(answer)
        if not answer.is_good and code is None:
            return ToolFailed(scene, call, seen, answer.text)
        return ToolFinished(
            scene, call, seen, exit_code=code, output=answer.text, background=answer.still_runs
        )
    if not answer.is_good:
        return ToolFailed(scene, call, seen, answer.text or "it failed", moved=moved)
    return ToolFinished(scene, call, seen, created=was_created(answer), moved=moved)
