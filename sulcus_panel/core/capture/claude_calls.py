"""One tool call and its result -> a FileCall, a CommandCall, a ReadCall, or None where nothing happened.

Results come as a dict of the tool (its strings are what was really applied, a person may have changed the
proposal), as a plain string, or not at all; then the call's own input counts. Denied, failed and staged calls
are None. The shapes of 2025 (MultiEdit, `originalFileContents`) and of 2026 are both read.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sulcus_panel.core.capture.adapter import TextEdit
from sulcus_panel.core.capture.claude_json import (
    NOTHING,
    JsonObject,
    number_of,
    object_of,
    objects_of,
    optional_text,
    text_of,
)
from sulcus_panel.core.capture.claude_records import (
    Call,
    CommandCall,
    FileCall,
    PatchHunk,
    ReadCall,
    Stamp,
)

FILE_TOOLS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
COMMAND_TOOLS = frozenset({"Bash", "PowerShell"})
READ_TOOLS = frozenset({"Read"})
KNOWN_TOOLS = FILE_TOOLS | COMMAND_TOOLS | READ_TOOLS

_EXIT_CODE = re.compile(r"\A(?:Error: )?(?:Exit code|Command failed with exit code) (-?\d+)")
_NEVER_RAN = re.compile(
    r"\A(?:Error: )?(?:<tool_use_error>|User rejected|The user doesn't want|Permission (?:to|for) |"
    r"Claude requested permission|This (?:Bash )?command (?:requires|contains)|.{0,80}requires approval|"
    r".{0,80}(?:blocked by hook|hook error)|PreToolUse:|Blocked: |InputValidationError|Cancelled: |"
    r"Sibling tool call|No such tool|Error: No such tool|.{0,200}has been denied)"
)
_KEPT_KEYS = frozenset(
    (
        "type",
        "filePath",
        "file_path",
        "content",
        "oldString",
        "old_string",
        "newString",
        "new_string",
        "replaceAll",
        "replace_all",
        "edits",
        "file",
        "originalFile",
        "originalFileContents",
        "structuredPatch",
        "staged",
        "notebook_path",
        "original_file",
        "updated_file",
        "error",
        "interrupted",
        "backgroundTaskId",
        "returnCodeInterpretation",
        "timedOutAfterMs",
        "exitCode",
        "exit_code",
    )
)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The call as the model asked for it."""

    name: str
    arguments: JsonObject
    cwd: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came back: `details` is the tool's dict or empty, `text` what the model was told."""

    call_id: str
    stamp: Stamp
    text: str
    failed: bool
    denied: bool
    details: JsonObject


def slim(details: JsonObject) -> JsonObject:
    """Only what build_call looks at, so that outputs of a long transcript are not held in memory."""
    kept = {key: value for key, value in details.items() if key in _KEPT_KEYS}
    if not (optional_text(kept, "filePath", "file_path", "notebook_path")):
        kept.pop("content", None)
    if "stdout" in details:
        kept["stdout"] = ""
    return kept


def tool_of(details: JsonObject) -> str:
    """The file tool that gives such a result, for a result whose call is missing; else empty."""
    if "notebook_path" in details:
        return "NotebookEdit"
    if "filePath" not in details:
        return "Read" if text_of(object_of(details, "file"), "filePath") else ""
    if "edits" in details:
        return "MultiEdit"
    if "oldString" in details:
        return "Edit"
    return "Write" if "content" in details else ""


def build_call(use: ToolUse, result: ToolResult) -> Call | None:
    """What really happened, None where nothing did or where the tool only looks."""
    if result.denied:
        return None
    if use.name in COMMAND_TOOLS:
        return _command(use, result)
    if result.failed or result.details.get("staged") is True or text_of(result.details, "error"):
        return None
    if use.name in READ_TOOLS:
        return _read(use, result)
    return _file(use, result) if use.name in FILE_TOOLS else None


def _command(use: ToolUse, result: ToolResult) -> CommandCall | None:
    code = _EXIT_CODE.match(result.text)
    if result.failed and code is None and _NEVER_RAN.match(result.text):
        return None
    command = text_of(use.arguments, "command")
    if not command:
        return None
    exit_code = int(code[1]) if code and result.failed else _exit_code(result)
    return CommandCall(
        result.stamp, result.call_id, use.name, command, text_of(use.arguments, "description"), exit_code
    )


def _exit_code(result: ToolResult) -> int | None:
    """0 for a command that ended well: others are reported as failed; None while it runs."""
    details = result.details
    for key in ("exitCode", "exit_code"):
        if (code := number_of(details, key)) is not None:
            return code
    open_ended = ("interrupted", "backgroundTaskId", "returnCodeInterpretation", "timedOutAfterMs")
    return None if result.failed or any(details.get(key) for key in open_ended) else 0


def _read(use: ToolUse, result: ToolResult) -> ReadCall | None:
    file = object_of(result.details, "file")
    path = text_of(file, "filePath") or text_of(use.arguments, "file_path")
    return ReadCall(result.stamp, result.call_id, path, _whole(use, file)) if path else None


def _whole(use: ToolUse, file: JsonObject) -> str | None:
    """The file's text if all of it was read. Without a final line end it may be trimmed: not trusted."""
    content, total = optional_text(file, "content"), number_of(file, "totalLines")
    if content is None or total is None or use.arguments.get("offset") or use.arguments.get("limit"):
        return None
    if number_of(file, "startLine") not in (0, 1) or file.get("truncated") or file.get("isPartial"):
        return None
    lines = content.count("\n")
    return content if content.endswith("\n") and total in (lines, lines + 1) else None


def _file(use: ToolUse, result: ToolResult) -> FileCall | None:
    details, arguments = result.details, use.arguments
    path = text_of(details, "filePath", "file_path", "notebook_path") or text_of(
        arguments, "file_path", "notebook_path", "filePath"
    )
    edits, content = _edits(use.name, details, arguments), _content(use.name, details, arguments)
    if not path or (use.name == "Write" and content is None):
        return None
    return FileCall(
        result.stamp,
        result.call_id,
        use.name,
        path,
        edits,
        content,
        optional_text(details, "originalFile", "originalFileContents", "original_file"),
        _created(use.name, result),
        _patch(details),
    )


def _content(tool: str, details: JsonObject, arguments: JsonObject) -> str | None:
    if tool == "NotebookEdit":
        return optional_text(details, "updated_file")
    if tool != "Write":
        return None
    content = optional_text(details, "content")
    return content if content is not None else optional_text(arguments, "content")


def _edits(tool: str, details: JsonObject, arguments: JsonObject) -> tuple[TextEdit, ...]:
    if tool == "MultiEdit":
        sources = objects_of(details, "edits") or objects_of(arguments, "edits")
        return tuple(edit for source in sources if (edit := _edit(source, NOTHING)))
    if tool != "Edit":
        return ()
    edit = _edit(details, arguments)
    return (edit,) if edit else ()


def _edit(first: JsonObject, second: JsonObject) -> TextEdit | None:
    merged: Mapping[str, object] = {**second, **first}
    old, new = (
        optional_text(merged, "oldString", "old_string"),
        optional_text(merged, "newString", "new_string"),
    )
    if old is None or new is None:
        return None
    return TextEdit(old, new, bool(merged.get("replaceAll", merged.get("replace_all"))))


def _created(tool: str, result: ToolResult) -> bool:
    if "type" in result.details:
        return result.details["type"] == "create"
    return tool == "Write" and result.text.startswith("File created successfully")


def _patch(details: JsonObject) -> tuple[PatchHunk, ...]:
    hunks = []
    for hunk in objects_of(details, "structuredPatch"):
        old, new, lines = number_of(hunk, "oldStart"), number_of(hunk, "newStart"), hunk.get("lines")
        if old is None or new is None or not isinstance(lines, list):
            return ()
        hunks.append(PatchHunk(old, new, tuple(str(line) for line in lines)))
    return tuple(hunks)
