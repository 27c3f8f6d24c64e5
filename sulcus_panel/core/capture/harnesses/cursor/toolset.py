"""Cursor's tools: a call's input, as hooks and transcripts both hold it, in our words.

Paths of Windows come as `/c:/…`. Where Cursor runs another's hooks, it may use that one's names.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind
from sulcus_panel.core.capture.patch_calls import PatchPart, patch_parts
from sulcus_panel.core.capture.payload import JsonObject, objects_of, optional_text, text_of

KINDS: Mapping[str, ToolKind] = {
    "Write": ToolKind.WRITE,
    "StrReplace": ToolKind.EDIT,
    "Edit": ToolKind.EDIT,
    "MultiEdit": ToolKind.EDIT,
    "search_replace": ToolKind.EDIT,
    "Delete": ToolKind.DELETE,
    "delete_file": ToolKind.DELETE,
    "EditNotebook": ToolKind.NOTEBOOK,
    "NotebookEdit": ToolKind.NOTEBOOK,
    "Shell": ToolKind.COMMAND,
    "Bash": ToolKind.COMMAND,
    "run_terminal_cmd": ToolKind.COMMAND,
}
PATCHES = ("ApplyPatch", "apply_patch")
READS = ("Read", "read_file")
_DRIVE = re.compile(r"/[A-Za-z]:(?:[/\\]|$)")
_PATHS = ("file_path", "path", "target_file", "target_notebook", "notebook_path", "filePath")


def tool_calls(tool: str, given: object, call_id: str = "", server: str = "") -> tuple[ToolCall, ...]:
    """The call as it was asked for, a patch as one a file; none for a tool that is not recorded."""
    if tool in PATCHES:
        return tuple(part.call for part in parts_of_patch(tool, given, call_id))
    told = opened(given)
    kind = KINDS.get(tool)
    if kind is None:
        return _foreign(tool, given, call_id, server)
    if kind is ToolKind.COMMAND:
        command = text_of(told, "command")
        return (ToolCall(tool, kind, call_id, command=command),) if command else ()
    path = named_path(told)
    if not path:
        return ()
    call = ToolCall(tool, kind, call_id, path)
    if kind is ToolKind.WRITE:
        return (replace(call, content=optional_text(told, "contents", "content", "file_text")),)
    return (replace(call, edits=tuple(edits_of(told))) if kind is ToolKind.EDIT else call,)


def parts_of_patch(tool: str, given: object, call_id: str) -> tuple[PatchPart, ...]:
    """A patch's files, their paths as this system spells them."""
    told = opened(given)
    text = (
        given
        if isinstance(given, str) and not told
        else text_of(told, "patch", "input", "patch_text", "diff")
    )
    return tuple(
        PatchPart(
            replace(part.call, path=path_of(part.call.path), moved_to=path_of(part.call.moved_to)),
            part.patches,
        )
        for part in patch_parts(tool, text, call_id)
    )


def edits_of(given: JsonObject) -> Iterator[TextEdit]:
    """The replacements, all or none: an empty text to replace may stand for a whole file."""
    listed = objects_of(given, "edits") or [given]
    found = []
    for one in listed:
        old, new = optional_text(one, "old_string", "old_str"), optional_text(one, "new_string", "new_str")
        if not old or new is None:
            return
        found.append(TextEdit(old, new, every=one.get("replace_all") is True))
    yield from found


def named_path(given: JsonObject) -> str:
    """The file that a call names, empty where it names none."""
    return path_of(text_of(given, *_PATHS))


def path_of(spelled: str) -> str:
    """A path as its system spells it."""
    return spelled[1:] if _DRIVE.match(spelled) else spelled


def opened(given: object) -> JsonObject:
    """An object that may be JSON inside a string, an empty one where it is neither."""
    if isinstance(given, str) and given.lstrip().startswith("{"):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {}
    return given if isinstance(given, dict) else {}


def _foreign(tool: str, given: object, call_id: str, server: str) -> tuple[ToolCall, ...]:
    """Another server's tool, `MCP:name`, or in its own event the bare name with the server beside it."""
    name = tool.removeprefix("MCP:").removeprefix("mcp__").replace(":", "__")
    if not name or (name == tool and not server):
        return ()
    host, found, own = name.rpartition("__")
    told = given if isinstance(given, str) else json.dumps(given)
    full = f"mcp__{host}__{own}" if found else f"mcp__{server or 'cursor'}__{own}"
    return (ToolCall(full, ToolKind.MCP, call_id, given=told),)
