"""Codex's hook payloads as events: Claude Code's names for events, its own for what a call holds.

`tool_input.command` is a shell's line or a whole patch: the tool's name decides. A subagent's events bear its
parent's session id; the transcript's name tells whose they are. There is no event for a failed call. Source: the
generated schemas of the hooks (reference: openai/codex, codex-rs/hooks/schema).
"""

import json

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
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
from sulcus_panel.core.capture.harnesses.codex.rollout import thread_id_of
from sulcus_panel.core.capture.harnesses.codex.shell import (
    MCP,
    PATCH,
    SHELL,
    Ending,
    ending_of,
    shell_line,
    shell_patch,
    shell_words,
)
from sulcus_panel.core.capture.patch_calls import patch_parts
from sulcus_panel.core.capture.payload import JsonObject, model_of, object_of, optional_text, text_of
from sulcus_panel.core.capture.spool import SpoolEvent, bad_event

_FAILED_PATCH = ("apply_patch verification failed", "failed", "error", "invalid patch", "patch rejected")


class Codex:
    """The adapter for `codex`."""

    harness = "codex"
    actor = "Codex"

    def read(self, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
        """The event in our words, a patch as one event a file; BadPayload where it has no name."""
        payload = event.payload
        name = text_of(payload, "hook_event_name")
        if not name:
            raise bad_event(event.name, "it has no hook_event_name")
        scene = _scene(event)
        match name:
            case "PreToolUse" | "PostToolUse":
                return _tool_events(name, scene, event)
            case "UserPromptSubmit":
                return (PromptSubmitted(scene, text_of(payload, "prompt")),)
            case "Stop" | "SubagentStop":
                return (TurnEnded(scene),)
            case "SessionStart":
                return (SessionStarted(scene),)
            case "SessionEnd":
                return (SessionEnded(scene),)
        return (Ignored(scene, name),)


def _scene(event: SpoolEvent) -> Scene:
    payload = event.payload
    session = text_of(payload, "session_id")
    transcript = text_of(payload, "agent_transcript_path") or text_of(payload, "transcript_path")
    thread = text_of(payload, "agent_id") or thread_id_of(transcript)
    return Scene(
        event.name,
        event.at,
        event.harness,
        session,
        text_of(payload, "cwd"),
        text_of(payload, "turn_id"),
        thread if thread != session else "",
        "",
        transcript,
        model_of(payload),
    )


def _tool_events(name: str, scene: Scene, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
    payload = event.payload
    tool, call_id = text_of(payload, "tool_name"), text_of(payload, "tool_use_id")
    given = _given(payload)
    if tool == PATCH:
        parts = patch_parts(PATCH, _patch_text(given), call_id)
        calls = tuple(part.call for part in parts)
        return tuple(_file_event(name, scene, call, event) for call in calls) or (Ignored(scene, tool),)
    if tool.startswith(MCP):
        call = ToolCall(tool, ToolKind.MCP, call_id, given=json.dumps(payload.get("tool_input")))
        return (_mcp_event(name, scene, call, event),)
    words = shell_words(given.get("command"))
    if not words or not any(words):
        return (Ignored(scene, tool or name),)
    command = ToolCall(tool or SHELL, ToolKind.COMMAND, call_id, command=shell_line(words))
    return (_command_event(name, scene, command, event),)


def _given(payload: JsonObject) -> JsonObject:
    """A call's input; one that is a text alone is what it runs."""
    given = payload.get("tool_input")
    return {"command": given} if isinstance(given, str) else object_of(payload, "tool_input")


def _patch_text(given: JsonObject) -> str:
    """The raw patch, wherever it stands; once it was a shell's words."""
    words = shell_words(given.get("command"))
    found = shell_patch(words)
    if found is not None:
        return found.text
    return words[0] if words else text_of(given, "input", "patch")


def _file_event(name: str, scene: Scene, call: ToolCall, event: SpoolEvent) -> CaptureEvent:
    seen = event.seen_at(call.path)
    moved = event.seen_at(call.moved_to)
    if name == "PreToolUse":
        return ToolStarted(scene, call, seen, moved)
    answer = event.payload.get("tool_response")
    ending = _ending(answer)
    if not ending.ran or ending.exit_code not in (0, None) or _says_failed(ending.text):
        return ToolFailed(scene, call, seen, ending.text, ending.exit_code, moved)
    return ToolFinished(scene, call, seen, moved=moved)


def _command_event(name: str, scene: Scene, call: ToolCall, event: SpoolEvent) -> CaptureEvent:
    if name == "PreToolUse":
        return ToolStarted(scene, call, event.sighting)
    ending = _ending(event.payload.get("tool_response"))
    if not ending.ran:
        return Ignored(scene, call.tool)
    return ToolFinished(
        scene,
        call,
        event.sighting,
        exit_code=ending.exit_code,
        output=ending.text,
        background=bool(ending.session),
    )


def _mcp_event(name: str, scene: Scene, call: ToolCall, event: SpoolEvent) -> CaptureEvent:
    if name == "PreToolUse":
        return ToolStarted(scene, call, event.sighting)
    answer = object_of(event.payload, "tool_response")
    if answer.get("isError") is True or answer.get("is_error") is True:
        return ToolFailed(scene, call, event.sighting, "the tool answered with an error")
    return ToolFinished(scene, call, event.sighting)


def _ending(answer: object) -> Ending:
    """A tool's answer: words, or an object that has them, and an exit code where it is told."""
    if isinstance(answer, dict):
        for key in ("exit_code", "exitCode"):
            code = answer.get(key)
            if isinstance(code, int) and not isinstance(code, bool):
                text = optional_text(answer, "output", "stdout", "aggregated_output") or ""
                return Ending(ran=True, exit_code=code, text=text)
    return ending_of(answer)


def _says_failed(text: str) -> bool:
    return text.lstrip().lower().startswith(_FAILED_PATCH)
