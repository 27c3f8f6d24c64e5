"""The parts of a response as VS Code shows it: commands in its terminal, files that it edited, made or moved.

They tell how a command ended and which files were edited; what an edit replaced they do not tell.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sulcus_panel.core.capture.adapter import ToolCall, ToolKind
from sulcus_panel.core.capture.harnesses.copilot_vscode.toolset import TERMINAL, own_id
from sulcus_panel.core.capture.payload import JsonObject, number_of, object_of, objects_of, text_of

_URI = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#]*(/[^?#]*)")
_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")
_REFUSED = (0, 5)
"""Ways in which a call was decided: denied, skipped."""
EDITOR = {"textEditGroup": ToolKind.EDIT, "notebookEditGroup": ToolKind.NOTEBOOK}


@dataclass(frozen=True, slots=True)
class TerminalRun:
    """A command that VS Code's terminal was given. `ran` False: it was not allowed."""

    call: ToolCall
    asked: str
    """As the model spelled it: the person may have changed it."""
    ran: bool
    exit_code: int | None


def terminal_runs(response: list[JsonObject]) -> list[TerminalRun]:
    """The commands of a response, in order."""
    return [
        _run(part, object_of(part, "toolSpecificData"))
        for part in response
        if text_of(object_of(part, "toolSpecificData"), "kind") == "terminal"
    ]


def _run(part: JsonObject, told: JsonObject) -> TerminalRun:
    line = object_of(told, "commandLine")
    asked = text_of(line, "original") or text_of(told, "command")
    command = text_of(line, "userEdited") or text_of(line, "toolEdited") or asked
    call = ToolCall(TERMINAL, ToolKind.COMMAND, own_id(text_of(part, "toolCallId")), command=command)
    code = number_of(object_of(told, "terminalCommandState"), "exitCode")
    return TerminalRun(call, asked, _was_allowed(part), code)


def _was_allowed(part: JsonObject) -> bool:
    decided = part.get("isConfirmed")
    if isinstance(decided, dict):
        return number_of(decided, "type") not in _REFUSED
    return decided is not False


def editor_calls(request_id: str, response: list[JsonObject]) -> Iterator[ToolCall]:
    """What the editor says was edited, created, moved or deleted: one call a file, without the texts."""
    found: dict[str, ToolCall] = {}
    for part in response:
        kind = EDITOR.get(text_of(part, "kind"))
        path = path_of(object_of(part, "uri"))
        if kind is not None and path and _has_edits(part):
            found.setdefault(path, ToolCall(text_of(part, "kind"), kind, f"{request_id}/{path}", path))
        for one in objects_of(part, "edits") if text_of(part, "kind") == "workspaceEdit" else ():
            call = _file_call(request_id, one)
            if call is not None:
                found.setdefault(call.path, call)
    yield from found.values()


def _has_edits(part: JsonObject) -> bool:
    edits = part.get("edits")
    return isinstance(edits, list) and any(edits)


def _file_call(request_id: str, one: JsonObject) -> ToolCall | None:
    old, new = path_of(object_of(one, "oldResource")), path_of(object_of(one, "newResource"))
    tool, call_id = "workspaceEdit", f"{request_id}/{old or new}"
    if old and new:
        return ToolCall(tool, ToolKind.EDIT, call_id, old, moved_to=new)
    if old:
        return ToolCall(tool, ToolKind.DELETE, call_id, old)
    return ToolCall(tool, ToolKind.WRITE, call_id, new) if new else None


def path_of(uri: JsonObject) -> str:
    """The file that VS Code's URI object names; empty for anything that is no file."""
    if text_of(uri, "scheme") not in ("file", "vscode-remote", "vscode-notebook-cell"):
        return ""
    return text_of(uri, "fsPath") or text_of(uri, "path")


def path_in_uri(uri: str) -> str:
    """The path in a URI's text, a Windows drive without the slash before it."""
    found = _URI.match(uri)
    if found is None:
        return ""
    data = _ESCAPED.sub(
        lambda code: bytes.fromhex(code[1].decode()), found[1].encode("utf-8", "surrogatepass")
    )
    path = data.decode("utf-8", "surrogateescape")
    return path[1:] if path[2:3] == ":" else path
