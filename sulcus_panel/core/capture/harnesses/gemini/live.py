"""Gemini CLI's hook payloads as events. They bear no id of a call: it is known by session, tool and path.

Source: the harness's hook documentation (docs/hooks); `returnDisplay` of a file tool is a file diff.
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
from sulcus_panel.core.capture.harnesses.gemini.toolset import (
    READ,
    display_of,
    exit_code,
    is_background,
    named_path,
    original_text,
    tool_call,
    was_created,
    written_text,
)
from sulcus_panel.core.capture.payload import JsonObject, block_text, model_of, object_of, text_of
from sulcus_panel.core.capture.spool import SpoolEvent, bad_event


class Gemini:
    """The adapter for `gemini`."""

    harness = "gemini"
    actor = "Gemini CLI"

    def read(self, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
        """The event in our words; BadPayload where it has no name."""
        name = text_of(event.payload, "hook_event_name")
        if not name:
            raise bad_event(event.name, "it has no hook_event_name")
        return (_read(name, event),)


def _read(name: str, event: SpoolEvent) -> CaptureEvent:
    payload, scene = event.payload, _scene(event)
    match name:
        case "BeforeTool" | "AfterTool":
            return _tool_event(name, scene, event)
        case "BeforeAgent":
            return PromptSubmitted(scene, text_of(payload, "prompt"))
        case "AfterAgent":
            return TurnEnded(scene)
        case "SessionStart":
            return SessionStarted(scene)
        case "SessionEnd":
            return SessionEnded(scene)
    return Ignored(scene, name)


def _scene(event: SpoolEvent) -> Scene:
    payload = event.payload
    return Scene(
        event.name,
        event.at,
        event.harness,
        text_of(payload, "session_id"),
        text_of(payload, "cwd"),
        transcript=text_of(payload, "transcript_path"),
        model=model_of(payload),
    )


def _tool_event(name: str, scene: Scene, event: SpoolEvent) -> CaptureEvent:
    payload = event.payload
    tool, given = text_of(payload, "tool_name"), object_of(payload, "tool_input")
    if tool == READ and name == "AfterTool":
        path = named_path(given)
        return FileRead(scene, path) if path else Ignored(scene, READ)
    call = tool_call(tool, given, context=object_of(payload, "mcp_context"))
    if call is None:
        return Ignored(scene, tool or name)
    if name == "BeforeTool":
        return ToolStarted(scene, call, event.sighting)
    return _finished(scene, call, event)


def _finished(scene: Scene, call: ToolCall, event: SpoolEvent) -> ToolFinished | ToolFailed:
    answer = object_of(event.payload, "tool_response")
    told = _told(answer)
    if error := _error(answer):
        code = exit_code(told) if call.kind is ToolKind.COMMAND else None
        return ToolFailed(scene, call, event.sighting, error, code or None)
    if call.kind is ToolKind.COMMAND:
        return ToolFinished(
            scene,
            call,
            event.sighting,
            exit_code=None if is_background(told) else exit_code(told),
            output=told,
            background=is_background(told),
        )
    display = display_of(answer.get("returnDisplay"))
    written = written_text(display)
    applied = call if written is None or call.kind is not ToolKind.WRITE else replace(call, content=written)
    created = was_created(display, told)
    return ToolFinished(scene, applied, event.sighting, original_text(display), created=created)


def _told(answer: JsonObject) -> str:
    """What the model is told: a string, or a list of parts."""
    told = block_text(answer.get("llmContent")) or _parts(answer.get("llmContent"))
    inner = told.removeprefix("<untrusted_context>").removesuffix("</untrusted_context>")
    return inner.strip("\n") if inner != told else told


def _parts(content: object) -> str:
    listed = content if isinstance(content, list) else [content]
    return "\n".join(text_of(part, "text") for part in listed if isinstance(part, dict))


def _error(answer: JsonObject) -> str:
    error = answer.get("error")
    if isinstance(error, dict):
        return text_of(error, "message", "type") or "it failed"
    return error if isinstance(error, str) else ""
