"""Windsurf's hook payloads as events. They bear no id of a call: it is known by trajectory, tool and path.

One of a file names no folder, its path is absolute. Source: the harness's hook documentation (cascade/hooks).
"""

import json

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    FileRead,
    Ignored,
    PromptSubmitted,
    Scene,
    TextEdit,
    ToolCall,
    ToolFinished,
    ToolKind,
    ToolStarted,
    TurnEnded,
)
from sulcus_panel.core.capture.harnesses.windsurf.places import path_of
from sulcus_panel.core.capture.payload import (
    JsonObject,
    model_of,
    number_of,
    object_of,
    objects_of,
    optional_text,
    text_of,
)
from sulcus_panel.core.capture.spool import SpoolEvent, bad_event

WRITE, COMMAND, MCP = "write_code", "run_command", "mcp_tool_use"


class Windsurf:
    """The adapter for `windsurf`."""

    harness = "windsurf"
    actor = "Windsurf Cascade"

    def read(self, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
        """The event in our words; BadPayload where it has no name."""
        name = text_of(event.payload, "agent_action_name")
        if not name:
            raise bad_event(event.name, "it has no agent_action_name")
        return (_read(name, event),)


def _read(name: str, event: SpoolEvent) -> CaptureEvent:
    payload = event.payload
    told = object_of(payload, "tool_info")
    scene = Scene(
        event.name,
        event.at,
        event.harness,
        text_of(payload, "trajectory_id"),
        path_of(text_of(told, "cwd") or text_of(payload, "cwd")),
        text_of(payload, "execution_id"),
        transcript=text_of(told, "transcript_path"),
        model=model_of(payload),
    )
    match name:
        case "pre_user_prompt":
            return PromptSubmitted(scene, text_of(told, "user_prompt"))
        case "post_read_code":
            path = path_of(text_of(told, "file_path"))
            return FileRead(scene, path) if path else Ignored(scene, name)
        case "post_cascade_response" | "post_cascade_response_with_transcript":
            return TurnEnded(scene)
    moment, _, tool = name.partition("_")
    call = _call(tool, told) if moment in ("pre", "post") else None
    if call is None or (call.kind is ToolKind.COMMAND and not scene.cwd):
        return Ignored(scene, name)
    if moment == "pre":
        return ToolStarted(scene, call, event.sighting)
    output = text_of(told, "output", "stdout") if call.kind is ToolKind.COMMAND else ""
    return ToolFinished(scene, call, event.sighting, exit_code=number_of(told, "exit_code"), output=output)


def _call(tool: str, told: JsonObject) -> ToolCall | None:
    if tool == COMMAND:
        command = text_of(told, "command_line", "command")
        return ToolCall(tool, ToolKind.COMMAND, command=command) if command else None
    if tool == MCP:
        server, name = text_of(told, "mcp_server_name"), text_of(told, "mcp_tool_name")
        given = json.dumps(told.get("mcp_tool_arguments"))
        return ToolCall(f"mcp__{server}__{name}", ToolKind.MCP, given=given) if server and name else None
    path = path_of(text_of(told, "file_path"))
    if tool != WRITE or not path:
        return None
    return ToolCall(tool, ToolKind.EDIT, path=path, edits=tuple(_edits(told)))


def _edits(told: JsonObject) -> list[TextEdit]:
    """All of them, or none where one is not whole: an empty old text stands for a file that was empty."""
    found: list[TextEdit] = []
    for one in objects_of(told, "edits"):
        old, new = optional_text(one, "old_string"), optional_text(one, "new_string")
        if old is None or new is None:
            return []
        found.append(TextEdit(old, new))
    return found
