"""Claude Code's hook payloads, in the shapes of 2025 and 2026, as events.

Unknown keys are ignored and missing ones tolerated: only the event's name is needed. Sources: the harness's
hook documentation and types; `originalFileContents` and calls without `tool_use_id` are of 2025.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    FileRead,
    Ignored,
    PromptSubmitted,
    Scene,
    SessionEnded,
    SessionStarted,
    TextEdit,
    ToolCall,
    ToolFailed,
    ToolFinished,
    ToolKind,
    ToolStarted,
    TurnEnded,
)
from sulcus_panel.core.capture.spool import SpoolEvent, bad_event

KINDS = {
    "Write": ToolKind.WRITE,
    "Edit": ToolKind.EDIT,
    "MultiEdit": ToolKind.EDIT,
    "NotebookEdit": ToolKind.NOTEBOOK,
    "Bash": ToolKind.COMMAND,
    "PowerShell": ToolKind.COMMAND,
}
_EXIT_CODE = re.compile(r"Exit code (\d{1,10})\b")


class ClaudeCode:
    """The adapter for `claude-code`."""

    harness = "claude-code"
    actor = "Claude Code"

    def read(self, event: SpoolEvent) -> CaptureEvent:
        """The event in our words; BadPayload where it has no name."""
        payload = event.payload
        name = _text(payload, "hook_event_name")
        if not name:
            raise bad_event(event.name, "it has no hook_event_name")
        scene = _scene(event)
        match name:
            case "PreToolUse" | "PostToolUse" | "PostToolUseFailure":
                return _tool_event(name, scene, event)
            case "UserPromptSubmit":
                return PromptSubmitted(scene, _text(payload, "prompt"))
            case "Stop" | "SubagentStop":
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
        _text(payload, "session_id"),
        _text(payload, "cwd"),
        _text(payload, "prompt_id"),
        _text(payload, "agent_id"),
        _foreign_caller(payload),
        _text(payload, "transcript_path"),
    )


def _foreign_caller(payload: Mapping[str, object]) -> str:
    """Which other product ran these hooks; several read Claude Code's settings."""
    transcript = _text(payload, "transcript_path").replace("\\", "/")
    if "cursor_version" in payload:
        return "cursor"
    if "workspaceStorage" in transcript or "github.copilot" in transcript:
        return "vscode-copilot"
    if "/.copilot/" in transcript:
        return "copilot-cli"
    return ""


def _tool_event(name: str, scene: Scene, event: SpoolEvent) -> CaptureEvent:
    payload = event.payload
    tool = _text(payload, "tool_name")
    given = _mapping(payload.get("tool_input"))
    if tool == "Read" and name == "PostToolUse":
        path = _text(given, "file_path")
        return FileRead(scene, path) if path else Ignored(scene, "Read")
    call = _call(tool, given, _text(payload, "tool_use_id"))
    if call is None:
        return Ignored(scene, tool or name)
    if name == "PreToolUse":
        return ToolStarted(scene, call, event.sighting)
    if name == "PostToolUseFailure":
        return _failed(scene, call, event)
    return _finished(scene, call, event)


def _finished(scene: Scene, call: ToolCall, event: SpoolEvent) -> ToolFinished:
    answer = _mapping(event.payload.get("tool_response"))
    original = answer.get("originalFile", answer.get("originalFileContents", answer.get("original_file")))
    open_ended = any(answer.get(key) for key in ("interrupted", "backgroundTaskId", "timedOutAfterMs"))
    return ToolFinished(
        scene,
        _as_applied(call, answer),
        event.sighting,
        original if isinstance(original, str) else None,
        created=answer.get("type") == "create",
        staged=answer.get("staged") is True,
        exit_code=None if open_ended else 0,
    )


def _as_applied(call: ToolCall, answer: Mapping[str, object]) -> ToolCall:
    """The call with the strings of its answer: a person may have changed what the agent proposed."""
    key = "updated_file" if call.kind is ToolKind.NOTEBOOK else "content"
    content = answer.get(key)
    if call.kind is not ToolKind.EDIT and isinstance(content, str):
        return replace(call, content=content)
    return replace(call, edits=_edits(call.kind, answer) or call.edits)


def _failed(scene: Scene, call: ToolCall, event: SpoolEvent) -> ToolFailed:
    error = _text(event.payload, "error")
    interrupted = event.payload.get("is_interrupt") is True
    found = _EXIT_CODE.match(error.lstrip())
    code = int(found[1]) if found and not interrupted else None
    return ToolFailed(scene, call, event.sighting, error, code)


def _call(tool: str, given: Mapping[str, object], call_id: str) -> ToolCall | None:
    """The call in our words, None for a tool that we do not record or that names nothing."""
    kind = KINDS.get(tool)
    if kind is None:
        return None
    if kind is ToolKind.COMMAND:
        command = _text(given, "command")
        return ToolCall(tool, kind, call_id, command=command) if command else None
    path = _text(given, "file_path") or _text(given, "notebook_path")
    if not path:
        return None
    content = given.get("content") if kind is ToolKind.WRITE else None
    return ToolCall(
        tool, kind, call_id, path, content if isinstance(content, str) else None, _edits(kind, given)
    )


def _edits(kind: ToolKind, given: Mapping[str, object]) -> tuple[TextEdit, ...]:
    if kind is not ToolKind.EDIT:
        return ()
    listed = given.get("edits")
    found = [_edit(_mapping(one)) for one in (listed if isinstance(listed, list) else [given])]
    edits = tuple(edit for edit in found if edit is not None)
    return edits if len(edits) == len(found) else ()


def _edit(given: Mapping[str, object]) -> TextEdit | None:
    """One edit, in the spelling of a call (`old_string`) or of an answer (`oldString`)."""
    old, new = (
        given.get("old_string", given.get("oldString")),
        given.get("new_string", given.get("newString")),
    )
    if not isinstance(old, str) or not isinstance(new, str):
        return None
    return TextEdit(old, new, given.get("replace_all", given.get("replaceAll")) is True)


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _text(payload: Mapping[str, object], key: str) -> str:
    value = payload.get(key)
    return value if isinstance(value, str) else ""
