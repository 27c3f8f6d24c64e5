"""VS Code's tools: a call's arguments and its answer, as hooks and chat sessions both hold them, in our words.

The answer is words: which files were edited, and what of the call could not be done. A patch that did not fit may
have been mended before it was applied, so that its text is not what was written.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind, part_id
from sulcus_panel.core.capture.patch_calls import patch_parts
from sulcus_panel.core.capture.payload import NOTHING, JsonObject, objects_of, optional_text, text_of

CREATE, PATCH, TERMINAL = "create_file", "apply_patch", "run_in_terminal"
SEVERAL = "multi_replace_string_in_file"
KINDS: Mapping[str, ToolKind] = {
    CREATE: ToolKind.WRITE,
    "replace_string_in_file": ToolKind.EDIT,
    "insert_edit_into_file": ToolKind.EDIT,
    "edit_notebook_file": ToolKind.NOTEBOOK,
    "create_new_jupyter_notebook": ToolKind.NOTEBOOK,
    "delete_file": ToolKind.DELETE,
    TERMINAL: ToolKind.COMMAND,
}
READ = "read_file"
MCP = "mcp_"

_ID = re.compile(r"__vscode-\d+\Z")
_EXITED = re.compile(r"\b(?:Command exited with code|exit code:?) (-?\d{1,10})\b", re.IGNORECASE)
_EDITED = "successfully edited"
_IN_PART = (
    "modified to the following",
    "conflicts with another",
    "could not find matching",
    "replacement failed",
    "multiple matches",
)
_LINES = re.compile(
    r"File: `[^\n]*`\. Lines 1 to (\d{1,7}) \((\d{1,7}) lines total\):[ \t]*\n(`{3,})[^\n]*\n(.*)\n\3\s*\Z",
    re.DOTALL,
)


def given_of(arguments: object) -> JsonObject:
    """A call's arguments: an object, or the same as a JSON string."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments, strict=False)
        except (ValueError, RecursionError):
            return NOTHING
    return arguments if isinstance(arguments, dict) else NOTHING


def own_id(call_id: str) -> str:
    """A call's id without what VS Code adds to it for itself: hooks and sessions name it alike."""
    return _ID.sub("", call_id)


def tool_calls(tool: str, given: JsonObject, call_id: str = "") -> tuple[ToolCall, ...]:
    """The call as it was asked for, one a file; none for a tool that is not recorded."""
    if tool == PATCH:
        return tuple(part.call for part in patch_parts(tool, patch_text(given), call_id))
    if tool == SEVERAL:
        return _several(tool, given, call_id)
    call = _single(tool, given, call_id)
    return () if call is None else (call,)


def _single(tool: str, given: JsonObject, call_id: str) -> ToolCall | None:
    if tool.startswith(MCP):
        return ToolCall(_mcp_name(tool), ToolKind.MCP, call_id, given=json.dumps(given))
    kind = KINDS.get(tool)
    if kind is ToolKind.COMMAND:
        command = text_of(given, "command")
        return ToolCall(tool, kind, call_id, command=command) if command else None
    path = named_path(given)
    if kind is None or not path:
        return None
    content = optional_text(given, "content") if kind is ToolKind.WRITE else None
    edit = _edit(given) if kind is ToolKind.EDIT else None
    return ToolCall(tool, kind, call_id, path, content, () if edit is None else (edit,))


def named_path(given: JsonObject) -> str:
    """The file that a call names, empty where it names none."""
    return text_of(given, "filePath", "file_path", "path")


def patch_text(given: JsonObject) -> str:
    """A patch, wherever it stands."""
    return text_of(given, "input", "patch", "command")


def is_as_asked(told: str) -> bool:
    """Whether what was done is what the call's words say, as far as its answer tells."""
    lower = told.lower()
    return not any(words in lower for words in _IN_PART)


def as_applied(call: ToolCall, told: str) -> ToolCall:
    """The call without its words, where its answer says that they are not what was done."""
    return call if is_as_asked(told) else replace(call, content=None, edits=())


def has_failed(told: str) -> bool:
    """Whether the answer says that nothing was done."""
    lower = told.lstrip().lower()
    if _EDITED in lower:
        return False
    return lower.startswith(("error", "failed", "file already exists", "string replacement failed", "cannot"))


def exit_code(told: str) -> int | None:
    """A command's exit code, None where its answer does not tell."""
    found = _EXITED.search(told[-1000:]) or _EXITED.search(told[:1000])
    return int(found[1]) if found else None


def is_background(given: JsonObject) -> bool:
    """Whether the command was started to run on."""
    return given.get("isBackground") is True or text_of(given, "mode") == "async"


def whole_text(told: str) -> str | None:
    """The file that a read shows, None where it shows only a part, or does not say."""
    found = _LINES.match(told.lstrip())
    if found is None or found[1] != found[2] or found[4].count("\n") + 1 != int(found[2]):
        return None
    return found[4]


def _several(tool: str, given: JsonObject, call_id: str) -> tuple[ToolCall, ...]:
    """The replacements of one call, those of a file together."""
    found: dict[str, list[TextEdit | None]] = {}
    for one in objects_of(given, "replacements"):
        if path := named_path(one):
            found.setdefault(path, []).append(_edit(one))
    calls = []
    for number, (path, edits) in enumerate(found.items()):
        known = tuple(edit for edit in edits if edit is not None)
        own = known if len(known) == len(edits) else ()
        calls.append(ToolCall(tool, ToolKind.EDIT, part_id(call_id, number), path, None, own))
    return tuple(calls)


def _edit(given: JsonObject) -> TextEdit | None:
    old, new = optional_text(given, "oldString"), optional_text(given, "newString")
    return None if old is None or new is None else TextEdit(old, new)


def _mcp_name(tool: str) -> str:
    """`mcp__SERVER__TOOL`, as other harnesses call it."""
    if tool.startswith("mcp__"):
        return tool
    server, _, name = tool.removeprefix(MCP).partition("_")
    return f"mcp__{server}__{name or server}"
