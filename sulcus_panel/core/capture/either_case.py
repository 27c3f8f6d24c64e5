"""Payloads that call their keys as Claude Code does, or the same in camelCase: those of both Copilots.

Which of the two it is depends on the version, and on under whose names the hooks were registered.
"""

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    Ignored,
    PromptSubmitted,
    Scene,
    SessionEnded,
    SessionStarted,
    ToolCall,
    ToolStarted,
    TurnEnded,
)
from sulcus_panel.core.capture.payload import JsonObject, model_of, text_of
from sulcus_panel.core.capture.spool import Sighting, SpoolEvent


def scene_of(event: SpoolEvent) -> Scene:
    """Where the event belongs; no turn has an id."""
    payload = event.payload
    return Scene(
        event.name,
        event.at,
        event.harness,
        text_of(payload, "session_id", "sessionId"),
        text_of(payload, "cwd"),
        agent_id=text_of(payload, "agent_id", "agentId"),
        transcript=text_of(payload, "transcript_path", "transcriptPath"),
        model=model_of(payload),
    )


def session_event(name: str, scene: Scene, payload: JsonObject) -> CaptureEvent:
    """What an event of this name, as Claude Code has it, says of a session or a turn."""
    match name:
        case "UserPromptSubmit":
            return PromptSubmitted(scene, text_of(payload, "prompt"))
        case "Stop":
            return TurnEnded(scene)
        case "SubagentStop" if scene.agent_id:  # without a name it would end the main agent's turn
            return TurnEnded(scene)
        case "SessionStart":
            return SessionStarted(scene)
        case "SessionEnd":
            return SessionEnded(scene)
    return Ignored(scene, name)


def call_started(scene: Scene, call: ToolCall, event: SpoolEvent, *, alone: bool) -> ToolStarted:
    """A call's beginning, with what the hook saw."""
    return ToolStarted(scene, call, seen_of(call, event, alone=alone), event.seen_at(call.moved_to))


def seen_of(call: ToolCall, event: SpoolEvent, *, alone: bool) -> Sighting | None:
    """What the hook saw of a call's file; `alone`: the payload's call has no other, however it is spelled."""
    return event.sighting if alone and not call.moved_to else event.seen_at(call.path)
