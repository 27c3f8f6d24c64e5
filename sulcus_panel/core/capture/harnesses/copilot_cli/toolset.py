"""Copilot CLI's tools: a call's arguments and its answer, as hooks and session files both hold them, in our words.

Arguments are an object, the same as a JSON string, or a patch's text. A shell's answer says "success" whatever the
command's exit code, which stands in its last line.
"""

import json
import re
from collections.abc import Mapping

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind
from sulcus_panel.core.capture.patch_calls import patch_parts
from sulcus_panel.core.capture.payload import NOTHING, JsonObject, objects_of, optional_text, text_of

KINDS: Mapping[str, ToolKind] = {
    "create": ToolKind.WRITE,
    "write": ToolKind.WRITE,
    "edit": ToolKind.EDIT,
    "multiedit": ToolKind.EDIT,
    "str_replace": ToolKind.EDIT,
    "insert": ToolKind.EDIT,
    "bash": ToolKind.COMMAND,
    "powershell": ToolKind.COMMAND,
    "local_shell": ToolKind.COMMAND,
}
"""By the name in small letters: hooks that are registered as Claude Code's may give its names too."""
PATCH = "apply_patch"
EDITOR = "str_replace_editor"
"""One tool of which an argument, `command`, says which it is."""
READS = frozenset(("view", "read"))

_ENDED = re.compile(r"<[^<>\n]*\b(?:completed|exited) with exit code (-?\d{1,10})[^<>\n]*>\s*\Z")
_OPEN = re.compile(r"<[^<>\n]*\b(?:still running|started in background|running in the background)[^<>\n]*>")
_SHELL = re.compile(r"<[^<>\n]*\bshellId: ?([\w-]{1,100})[^<>\n]*>\s*\Z")
_NUMBERED = re.compile(r"(\d{1,9})\. ?(.*)\Z", re.DOTALL)
_REFUSED = ("denied", "rejected", "blocked", "permission")


def given_of(arguments: object) -> JsonObject:
    """A call's arguments as an object, whichever way they came; a bare patch stands under `patch`."""
    if isinstance(arguments, dict):
        return arguments
    if not isinstance(arguments, str):
        return NOTHING
    if arguments.lstrip().startswith("{"):
        try:
            value = json.loads(arguments, strict=False)
        except (ValueError, RecursionError):
            return NOTHING
        return value if isinstance(value, dict) else NOTHING
    return {"patch": arguments}


def tool_name(tool: str, given: JsonObject) -> str:
    """Which tool it is: one of several in one says so in its arguments."""
    name = text_of(given, "command") if tool.lower() == EDITOR else tool
    return name.lower()


def tool_calls(tool: str, given: JsonObject, call_id: str = "") -> tuple[ToolCall, ...]:
    """The call as it was asked for, a patch as one a file; none for a tool that is not recorded."""
    name = tool_name(tool, given)
    if name == PATCH:
        patch = text_of(given, "patch", "input", "command")
        return tuple(part.call for part in patch_parts(tool, patch, call_id))
    if server := _server(tool):
        return (ToolCall(server, ToolKind.MCP, call_id, given=json.dumps(given)),)
    kind = KINDS.get(name)
    if kind is None:
        return ()
    if kind is ToolKind.COMMAND:
        command = text_of(given, "command")
        return (ToolCall(tool, kind, call_id, command=command),) if command else ()
    path = named_path(given)
    if not path:
        return ()
    content = optional_text(given, "file_text", "content") if kind is ToolKind.WRITE else None
    return (ToolCall(tool, kind, call_id, path, content, _edits(kind, given)),)


def mcp_name(server: str, tool: str) -> str:
    """`mcp__SERVER__TOOL`, as other harnesses call it."""
    return f"mcp__{server}__{tool}"


def named_path(given: JsonObject) -> str:
    """The file that a call names, empty where it names none."""
    return text_of(given, "path", "file_path", "filePath")


def exit_code(told: str) -> int | None:
    """A shell command's exit code, None where it still runs or the answer does not tell."""
    found = _ENDED.search(told[-500:])
    return int(found[1]) if found else None


def printed(told: str) -> str:
    """What the command itself printed."""
    return _SHELL.sub("", _ENDED.sub("", told))


def is_background(told: str) -> bool:
    """Whether the command runs on."""
    return exit_code(told) is None and _OPEN.search(told[-2000:]) is not None


def shell_of(told: str) -> str:
    """The shell in which a command ran, empty where the answer does not tell."""
    found = _SHELL.search(told[-500:])
    return found[1] if found else ""


def was_refused(code: str, message: str) -> bool:
    """Whether a call was not allowed, and so did nothing."""
    return code.lower() in _REFUSED or message.lower().startswith(("permission", "the user rejected"))


def whole_text(given: JsonObject, told: str) -> str | None:
    """The file that a view shows line by line, None where it shows only a part, or something else."""
    if any(given.get(key) is not None for key in ("view_range", "offset", "limit")):
        return None
    lines = [_NUMBERED.match(line) for line in told.split("\n")]
    if not all(line is not None and int(line[1]) == number for number, line in enumerate(lines, 1)):
        return None
    return "\n".join(line[2] for line in lines if line is not None)


def _server(tool: str) -> str:
    """Another server's tool under one name, empty for one of Copilot's own, which have no hyphen."""
    if tool.startswith("mcp__"):
        return tool
    server, hyphen, name = tool.rpartition("-")
    return mcp_name(server, name) if hyphen and server and name else ""


def _edits(kind: ToolKind, given: JsonObject) -> tuple[TextEdit, ...]:
    """What is to be replaced, all of it or nothing: an insertion names only a line."""
    if kind is not ToolKind.EDIT:
        return ()
    found = [_edit(one) for one in objects_of(given, "edits") or [given]]
    edits = tuple(one for one in found if one is not None)
    return edits if len(edits) == len(found) else ()


def _edit(given: JsonObject) -> TextEdit | None:
    old, new = optional_text(given, "old_str", "old_string"), optional_text(given, "new_str", "new_string")
    if old is None or "insert_line" in given:
        return None
    return TextEdit(old, new or "", every=given.get("replace_all") is True)
