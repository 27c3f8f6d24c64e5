"""The hook payloads of Copilot's agents in VS Code as events.

Keys are Claude Code's or camelCase, by version. A Post may come before the file is written: the recorder knows that
of this harness and goes by what the hook sees at the turn's end. Source: VS Code's documentation of agent hooks.
"""

from dataclasses import dataclass, replace

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
from sulcus_panel.core.capture.harnesses.copilot_vscode.toolset import (
    READ,
    as_applied,
    exit_code,
    given_of,
    has_failed,
    is_background,
    named_path,
    own_id,
    tool_calls,
)
from sulcus_panel.core.capture.payload import JsonObject, block_text, object_of, text_of
from sulcus_panel.core.capture.spool import SpoolEvent, bad_event


class CopilotInVsCode:
    """The adapter for `copilot-vscode`."""

    harness = "copilot-vscode"
    actor = "Copilot in VS Code"

    def read(self, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
        """The event in our words, a call on several files as one event a file; BadPayload where it has no name."""
        told = text_of(event.payload, "hook_event_name", "hookEventName")
        if not told:
            raise bad_event(event.name, "it has no hook_event_name")
        name = told[0].upper() + told[1:]
        scene = scene_of(event)
        if name in ("PreToolUse", "PostToolUse"):
            return _tool_events(name, scene, event)
        return (session_event(name, scene, event.payload),)


def _tool_events(name: str, scene: Scene, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
    payload = event.payload
    tool = text_of(payload, "tool_name", "toolName")
    given = given_of(payload.get("tool_input", payload.get("toolInput")))
    told = _told(payload)
    if tool == READ and name == "PostToolUse":
        path = named_path(given)
        return (FileRead(scene, path) if path and not has_failed(told) else Ignored(scene, READ),)
    calls = tool_calls(tool, given, own_id(text_of(payload, "tool_use_id", "toolUseId")))
    if not calls:
        return (Ignored(scene, tool or name),)
    alone = len(calls) == 1
    if name == "PreToolUse":
        return tuple(call_started(scene, call, event, alone=alone) for call in calls)
    runs_on = is_background(given)
    return tuple(_ended(scene, call, event, _Ending(told, alone=alone, runs_on=runs_on)) for call in calls)


@dataclass(frozen=True, slots=True)
class _Ending:
    """What a call's answer tells. `alone`: the call has no other file. `runs_on`: a command that does."""

    told: str
    alone: bool
    runs_on: bool


def _ended(scene: Scene, call: ToolCall, event: SpoolEvent, ending: _Ending) -> CaptureEvent:
    seen = seen_of(call, event, alone=ending.alone)
    moved = event.seen_at(call.moved_to)
    if call.kind is ToolKind.COMMAND:
        code = None if ending.runs_on else exit_code(ending.told)
        finished = ToolFinished(scene, call, seen, exit_code=code)
        return replace(finished, output=ending.told, background=ending.runs_on)
    if has_failed(ending.told):
        return ToolFailed(scene, call, seen, ending.told, moved=moved)
    return ToolFinished(scene, as_applied(call, ending.told), seen, moved=moved)


def _told(payload: JsonObject) -> str:
    """The answer: a string, or an object that holds one."""
    for key in ("tool_response", "toolResponse", "tool_result"):
        answer = payload.get(key)
        if isinstance(answer, str):
            return answer
        inner = object_of(payload, key)
        text = text_of(inner, "content", "output", "text") or block_text(inner.get("content", answer))
        if text:
            return text
    return ""
