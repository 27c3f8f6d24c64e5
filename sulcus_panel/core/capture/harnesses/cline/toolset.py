"""Cline's tools: a call's parameters, as hooks and histories both hold them, in our words.

A hook's parameters are strings even where they are lists. The extension in an editor writes a file without the
blank lines at its end, and the editor may add some: then only the file itself tells how it ends.
"""

import json
from collections.abc import Mapping
from dataclasses import replace

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind
from sulcus_panel.core.capture.harnesses.cline.blocks import read_blocks
from sulcus_panel.core.capture.patch_calls import patch_parts
from sulcus_panel.core.capture.payload import JsonObject, object_of, optional_text, text_of

WRITES = ("write_to_file", "new_file")
BLOCKS, EDITOR, PATCH, DELETE = "replace_in_file", "editor", "apply_patch", "delete_file"
COMMANDS = ("execute_command", "run_commands", "bash")
READS = ("read_file", "read_files")
MCP = "use_mcp_tool"
KINDS: Mapping[str, ToolKind] = {
    **dict.fromkeys(WRITES, ToolKind.WRITE),
    BLOCKS: ToolKind.EDIT,
    EDITOR: ToolKind.EDIT,
    DELETE: ToolKind.DELETE,
    **dict.fromkeys(COMMANDS, ToolKind.COMMAND),
}


def tool_calls(tool: str, given: JsonObject, call_id: str = "") -> tuple[ToolCall, ...]:
    """The call as it was asked for, a patch as one a file; none for a tool that is not recorded."""
    if tool == PATCH:
        text = text_of(given, "input", "patch", "diff")
        return tuple(part.call for part in patch_parts(tool, text, call_id))
    kind = KINDS.get(tool)
    if kind is None:
        return _foreign(tool, given, call_id)
    if kind is ToolKind.COMMAND:
        command = command_line(given)
        return (ToolCall(tool, kind, call_id, command=command),) if command else ()
    path = text_of(given, "path", "absolutePath", "file_path")
    return (_file_call(tool, kind, given, (call_id, path)),) if path else ()


def command_line(given: JsonObject) -> str:
    """The command; several of one call stand below each other."""
    value = given.get("commands", given.get("command"))
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = _list_in(value)
    several = value if isinstance(value, list) else [value]
    return "\n".join(line for one in several if (line := _one_command(one)))


def named_paths(given: JsonObject) -> tuple[str, ...]:
    """The files that a reading call names."""
    one = text_of(given, "path", "file_path")
    if one:
        return (one,)
    several = given.get("files", given.get("file_paths"))
    listed = _list_in(several) if isinstance(several, str) else several
    found: list[str] = []
    for each in listed if isinstance(listed, list) else ():
        name = text_of(each, "path") if isinstance(each, dict) else each
        if isinstance(name, str) and name:
            found.append(name)
    return tuple(dict.fromkeys(found))


def _file_call(tool: str, kind: ToolKind, given: JsonObject, named: tuple[str, str]) -> ToolCall:
    call = ToolCall(tool, kind, *named)
    if kind is ToolKind.DELETE:
        return call
    if kind is ToolKind.WRITE:
        return replace(call, content=optional_text(given, "content"))
    if tool == EDITOR:
        return _editor_call(call, given)
    edits = read_blocks(text_of(given, "diff"))
    if len(edits) == 1 and not edits[0].old:
        return replace(call, kind=ToolKind.WRITE, content=edits[0].new)
    return replace(call, edits=edits) if all(one.old for one in edits) else call


def _editor_call(call: ToolCall, given: JsonObject) -> ToolCall:
    """A replacement; without a text to replace a new file. A line's number does not tell what stands there."""
    old, new = optional_text(given, "old_text", "old_str"), optional_text(given, "new_text", "new_str")
    if given.get("insert_line") not in (None, "", "null"):
        return call
    if old:
        return replace(call, edits=(TextEdit(old, new or ""),))
    return call if new is None else replace(call, kind=ToolKind.WRITE, content=new)


def _one_command(one: object) -> str:
    if isinstance(one, str):
        return one
    if not isinstance(one, dict):
        return ""
    words = one.get("args")
    listed = [word for word in words if isinstance(word, str)] if isinstance(words, list) else []
    return " ".join([text_of(one, "command"), *listed]).strip()


def _list_in(text: str) -> object:
    """A list as the hooks spell it, or the text itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, list) else text


def _foreign(tool: str, given: JsonObject, call_id: str) -> tuple[ToolCall, ...]:
    """Another server's tool."""
    if tool == MCP:
        server, name = text_of(given, "server_name"), text_of(given, "tool_name")
        told = json.dumps(object_of(given, "arguments") or given.get("arguments"))
    else:
        server, _, name = tool.removeprefix("mcp__").partition("__")
        told = json.dumps(given)
    if not server or not name:
        return ()
    return (ToolCall(f"mcp__{server}__{name}", ToolKind.MCP, call_id, given=told),)
