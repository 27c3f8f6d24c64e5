"""OpenCode's tools: a call's input and what its metadata tell, as plugin and storage both hold them, in our words.

An edit looks for its text less and less exactly, and a formatter may run behind it: only where the texts before and
after are told (until late 2025), or what was asked fits the diff, is the result known. That diff has lost the
indentation that all of its lines share: it is no patch.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind
from sulcus_panel.core.capture.patch_calls import patch_parts
from sulcus_panel.core.capture.payload import (
    JsonObject,
    number_of,
    object_of,
    objects_of,
    optional_text,
    text_of,
)

KINDS: Mapping[str, ToolKind] = {
    "write": ToolKind.WRITE,
    "edit": ToolKind.EDIT,
    "multiedit": ToolKind.EDIT,
    "bash": ToolKind.COMMAND,
    "shell": ToolKind.COMMAND,
}
PATCHES = ("apply_patch", "patch")
READ = "read"
_OTHERS = frozenset(
    (
        *(
            "glob",
            "grep",
            "list",
            "ls",
            "task",
            "webfetch",
            "websearch",
            "codesearch",
            "todowrite",
            "todoread",
        ),
        *("question", "skill", "lsp", "batch", "plan", "plan_enter", "plan_exit", "invalid", "lsp_hover"),
        *("lsp_diagnostics", "structured_output"),
    )
)


def tool_calls(tool: str, given: JsonObject, call_id: str = "") -> tuple[ToolCall, ...]:
    """The call as it was asked for, a patch as one a file; none for a tool that is not recorded."""
    if tool in PATCHES:
        text = text_of(given, "patchText", "patch", "input")
        return tuple(part.call for part in patch_parts(tool, text, call_id))
    kind = KINDS.get(tool)
    if kind is None:
        return _foreign(tool, given, call_id)
    if kind is ToolKind.COMMAND:
        command = text_of(given, "command")
        return (ToolCall(tool, kind, call_id, command=command),) if command else ()
    path = named_path(given)
    return (_file_call(tool, kind, given, ToolCall(tool, kind, call_id, path)),) if path else ()


def _file_call(tool: str, kind: ToolKind, given: JsonObject, call: ToolCall) -> ToolCall:
    if kind is ToolKind.WRITE:
        return replace(call, content=optional_text(given, "content"))
    edits = tuple(_edits(tool, given))
    if len(edits) == 1 and not edits[0].old:  # the file is written anew, whatever stood there
        return replace(call, kind=ToolKind.WRITE, content=edits[0].new)
    return replace(call, edits=edits)


def named_path(given: JsonObject) -> str:
    """The file that a call names, empty where it names none."""
    return text_of(given, "filePath", "file_path", "path")


def working_folder(given: JsonObject, cwd: str) -> str:
    """Where a command ran: its own folder below the session's, else the session's."""
    folder = text_of(given, "workdir")
    if not folder or folder.startswith("/") or folder[1:2] == ":":
        inside = not cwd or folder == cwd or folder.startswith(cwd.rstrip("/\\") + "/")
        return folder if folder and inside else cwd
    below = folder.removeprefix("./")
    return f"{cwd.rstrip('/')}/{below}" if cwd and ".." not in below.split("/") and below != "." else cwd


def told_texts(metadata: JsonObject) -> tuple[str | None, str | None]:
    """A file's whole text before and after, as versions until late 2025 told them.

    An empty text before is also told where there was no file: then nothing is.
    """
    diff = object_of(metadata, "filediff")
    return optional_text(diff, "before") or None, optional_text(diff, "after")


def was_created(tool: str, metadata: JsonObject) -> bool:
    """Whether a write says that there was no file."""
    return tool == "write" and metadata.get("exists") is False


def exit_code(metadata: JsonObject) -> int | None:
    """A command's exit code, None where it was cut off."""
    return number_of(metadata, "exit")


def as_applied(call: ToolCall, metadata: JsonObject) -> ToolCall:
    """The call with the text that was written, where it is told; without its edits, where they are not all."""
    _, after = told_texts(metadata)
    if after is not None:
        return replace(call, content=after)
    if call.kind is ToolKind.EDIT and not _fits(call, text_of(metadata, "diff")):
        return replace(call, edits=())
    return call


def _fits(call: ToolCall, diff: str) -> bool:
    """Whether every line that the diff adds is one that was asked for: a formatter may have run behind it."""
    asked = [line.strip() for edit in call.edits for line in edit.new.split("\n") if line.strip()]
    if not asked:
        return True
    added = [
        line[1:].strip() for line in diff.split("\n") if line.startswith("+") and not line.startswith("+++")
    ]
    return all(not line or any(one in line or line in one for one in asked) for line in added)


def _edits(tool: str, given: JsonObject) -> Iterator[TextEdit]:
    for one in objects_of(given, "edits") if tool == "multiedit" else [given]:
        old, new = optional_text(one, "oldString"), optional_text(one, "newString")
        if old is None or new is None:
            continue
        yield TextEdit(old, new, every=one.get("replaceAll") is True)


def _foreign(tool: str, given: JsonObject, call_id: str) -> tuple[ToolCall, ...]:
    """Another server's tool: its name and the server's are joined by one sign that both may hold."""
    server, found, name = tool.partition("_")
    if tool in _OTHERS or tool == READ or not (server and found and name):
        return ()
    return (ToolCall(f"mcp__{server}__{name}", ToolKind.MCP, call_id, given=json.dumps(given)),)
