"""Gemini CLI's tools: a call's arguments and its answer, as hooks and chats both hold them, in our words.

An answer's display is a file diff with the whole text before and after, or missing (it is not kept by versions of
2025). The CLI corrects an `old_string` that does not stand in the file, and a person may change the proposal:
where the text after is told, that is what was written.
"""

import json
import re
from collections.abc import Mapping

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind
from sulcus_panel.core.capture.payload import (
    NOTHING,
    JsonObject,
    number_of,
    object_of,
    optional_text,
    text_of,
)

KINDS: Mapping[str, ToolKind] = {
    "write_file": ToolKind.WRITE,
    "replace": ToolKind.EDIT,
    "edit": ToolKind.EDIT,
    "run_shell_command": ToolKind.COMMAND,
}
READ = "read_file"
FILE_TOOLS = ("write_file", "replace", "edit", READ)
MCP = "mcp_"

_EXIT_CODE = re.compile(r"^Exit Code: (-?\d{1,10})\b", re.MULTILINE)
_BACKGROUND = re.compile(r"^Background PIDs: (.+)$", re.MULTILINE)
_CREATED = re.compile(r"\s*(?:Successfully created and wrote to new file|Created new file)")
_CUT = "truncated"


def tool_call(
    tool: str, given: JsonObject, call_id: str = "", context: JsonObject = NOTHING
) -> ToolCall | None:
    """The call as it was asked for; None for a tool that is not recorded, or a call that names nothing.

    `context` is what a hook tells of another server's tool (`mcp_context`).
    """
    server, name = text_of(context, "server_name"), text_of(context, "tool_name")
    if server or (tool.startswith(MCP) and tool not in KINDS):
        return ToolCall(_mcp_name(tool, server, name), ToolKind.MCP, call_id, given=json.dumps(given))
    kind = KINDS.get(tool)
    if kind is None:
        return None
    if kind is ToolKind.COMMAND:
        command = text_of(given, "command")
        return ToolCall(tool, kind, call_id, command=command) if command else None
    path = named_path(given)
    if not path:
        return None
    content = optional_text(given, "content") if kind is ToolKind.WRITE else None
    return ToolCall(tool, kind, call_id, path, content, _edits(kind, given))


def named_path(given: JsonObject) -> str:
    """The file that a call names, empty where it names none."""
    return text_of(given, "file_path", "absolute_path", "path")


def display_of(answer: object) -> JsonObject:
    """A file diff from an answer's display, an empty object where it is text or missing."""
    is_diff = isinstance(answer, dict) and ("newContent" in answer or "originalContent" in answer)
    return answer if is_diff and isinstance(answer, dict) else {}


def original_text(display: JsonObject) -> str | None:
    """The file's text before, None where there was no file or nothing tells."""
    return optional_text(display, "originalContent")


def written_text(display: JsonObject) -> str | None:
    """The file's text after, None where nothing tells."""
    return optional_text(display, "newContent")


def was_created(display: JsonObject, told: str) -> bool:
    """Whether the harness says that it made a new file."""
    stat = object_of(display, "diffStat")
    if display.get("isNewFile") is True or stat.get("isNewFile") is True:
        return True
    if "originalContent" in display and display["originalContent"] is None:
        return True
    return bool(_CREATED.match(told))


def exit_code(told: str) -> int | None:
    """A command's exit code; one that ended well may tell none, one that went into the background does not."""
    found = _EXIT_CODE.search(told)
    if found:
        return int(found[1])
    return None if _is_open(told) else 0


def is_background(told: str) -> bool:
    """Whether the command left processes running."""
    found = _BACKGROUND.search(told)
    return found is not None and found[1].strip() != "(none)"


def whole_text(given: JsonObject, told: str) -> str | None:
    """The file that a read shows, None where only a part of it is shown."""
    is_part = any(number_of(given, key) is not None for key in ("offset", "limit", "start_line", "end_line"))
    return None if is_part or not told or _CUT in told[:400].lower() else told


def _is_open(told: str) -> bool:
    return told.startswith(("Command was cancelled", "Command timed out", "Command moved to background"))


def _mcp_name(tool: str, server: str, name: str) -> str:
    """`mcp__SERVER__TOOL`, as other harnesses call it."""
    if server:
        return f"mcp__{server}__{name or tool}"
    rest = tool.removeprefix(MCP).lstrip("_")
    server, found, name = rest.partition("__")
    if not found:
        server, _, name = rest.partition("_")
    return f"mcp__{server}__{name or server}"


def _edits(kind: ToolKind, given: JsonObject) -> tuple[TextEdit, ...]:
    old, new = optional_text(given, "old_string"), optional_text(given, "new_string")
    if kind is not ToolKind.EDIT or old is None or new is None:
        return ()
    many = (number_of(given, "expected_replacements") or 1) > 1
    every = many or given.get("allow_multiple") is True or given.get("replace_all") is True
    return (TextEdit(old, new, every=every),)
