"""Claude Code's tools: a call's `tool_input` and its answer, as hooks and transcripts both hold them, in our words.

An answer (`tool_response`, `toolUseResult`) is a dict of the tool, a plain string, or missing; its strings are
what was really applied, since a person may have changed the proposal. Of 2025 are MultiEdit and
`originalFileContents`. Unknown keys are ignored, the wrong type counts as missing.
"""

import json
import re
from collections.abc import Mapping

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind
from sulcus_panel.core.capture.payload import NOTHING, JsonObject, number_of, optional_text, text_of

KINDS: Mapping[str, ToolKind] = {
    "Write": ToolKind.WRITE,
    "Edit": ToolKind.EDIT,
    "MultiEdit": ToolKind.EDIT,
    "NotebookEdit": ToolKind.NOTEBOOK,
    "Bash": ToolKind.COMMAND,
    "PowerShell": ToolKind.COMMAND,
}
"""Every tool whose calls are recorded."""
READ = "Read"
MCP = "mcp__"
"""What the name of another server's tool begins with."""

_EXIT_CODE = re.compile(r"\s*(?:Error: )?(?:Exit code|Command failed with exit code) (-?\d{1,10})\b")
_OPEN_ENDED = ("interrupted", "backgroundTaskId", "timedOutAfterMs", "returnCodeInterpretation")
"""Where one of these is set the exit code is not told; the last explains one that is not 0."""


def tool_call(
    tool: str, given: JsonObject, answer: JsonObject = NOTHING, call_id: str = ""
) -> ToolCall | None:
    """The call as it was applied, None for a tool that is not recorded or a call that names nothing."""
    if tool.startswith(MCP):
        return ToolCall(tool, ToolKind.MCP, call_id, given=json.dumps(given))
    kind = KINDS.get(tool)
    if kind is None:
        return None
    if kind is ToolKind.COMMAND:
        command = text_of(given, "command")
        return ToolCall(tool, kind, call_id, command=command) if command else None
    path = named_path(answer) or named_path(given)
    if not path:
        return None
    return ToolCall(tool, kind, call_id, path, _content(kind, given, answer), _edits(kind, given, answer))


def named_path(named: JsonObject) -> str:
    """The file that a call or an answer names, empty where it names none."""
    paths = (text_of(named, key) for key in ("filePath", "file_path", "notebook_path"))
    return next((path for path in paths if path), "")


def original_text(answer: JsonObject) -> str | None:
    """The file's text before, None where there was no file or it was too large to be told."""
    return optional_text(answer, "originalFile", "originalFileContents", "original_file")


def was_created(tool: str, answer: JsonObject, told: str = "") -> bool:
    """Whether the harness says that it made a new file; it also says so of an empty one."""
    if "type" in answer:
        return answer["type"] == "create"
    return tool == "Write" and told.startswith("File created successfully")


def was_staged(answer: JsonObject) -> bool:
    """Whether the harness kept the change back."""
    return answer.get("staged") is True


def exit_code(answer: JsonObject, told: str, *, failed: bool) -> int | None:
    """A command's exit code: 0 where it is not said to have failed, None where nothing tells it."""
    if failed:
        found = _EXIT_CODE.match(told)
        return int(found[1]) if found else None
    for key in ("exitCode", "exit_code"):
        if (code := number_of(answer, key)) is not None:
            return code
    return None if any(answer.get(key) for key in _OPEN_ENDED) else 0


def _content(kind: ToolKind, given: JsonObject, answer: JsonObject) -> str | None:
    """The whole file's text; a notebook's stands in the answer alone."""
    if kind is ToolKind.NOTEBOOK:
        return optional_text(answer, "updated_file")
    if kind is not ToolKind.WRITE:
        return None
    content = optional_text(answer, "content")
    return content if content is not None else optional_text(given, "content")


def _edits(kind: ToolKind, given: JsonObject, answer: JsonObject) -> tuple[TextEdit, ...]:
    """All replacements or none: with one missing, the others lead to no state that ever was."""
    if kind is not ToolKind.EDIT:
        return ()
    listed = answer.get("edits") or given.get("edits")
    if isinstance(listed, list):
        found = [_edit(one if isinstance(one, dict) else NOTHING) for one in listed]
    else:
        found = [_edit({**given, **answer})]
    edits = tuple(edit for edit in found if edit is not None)
    return edits if len(edits) == len(found) else ()


def _edit(named: JsonObject) -> TextEdit | None:
    """One replacement, in an answer's spelling (`oldString`) before a call's (`old_string`)."""
    old, new = (
        optional_text(named, "oldString", "old_string"),
        optional_text(named, "newString", "new_string"),
    )
    if old is None or new is None:
        return None
    return TextEdit(old, new, every=named.get("replaceAll", named.get("replace_all")) is True)
