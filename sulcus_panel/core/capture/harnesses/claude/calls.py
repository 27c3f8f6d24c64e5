"""One tool call of a transcript and its result -> a FileCall, a CommandCall, a ReadCall, or None.

None is what did nothing: denied, failed and staged calls, and tools that change nothing that we record. What a
call and an answer say is toolset.py's matter.
"""

import re
from dataclasses import dataclass

from sulcus_panel.core.capture.adapter import ToolCall, ToolKind
from sulcus_panel.core.capture.harnesses.claude.toolset import (
    KINDS,
    READ,
    exit_code,
    named_path,
    original_text,
    tool_call,
    was_created,
    was_staged,
)
from sulcus_panel.core.capture.past.records import (
    Call,
    CommandCall,
    FileCall,
    PatchHunk,
    ReadCall,
    Stamp,
)
from sulcus_panel.core.capture.payload import (
    JsonObject,
    number_of,
    object_of,
    objects_of,
    optional_text,
    text_of,
)

KNOWN_TOOLS = frozenset((*KINDS, READ))

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
    if not named_path(kept):
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
    call = tool_call(use.name, use.arguments, result.details, result.call_id)
    if call is not None and call.kind is ToolKind.COMMAND:
        return _command(call, result)
    if result.failed or was_staged(result.details) or text_of(result.details, "error"):
        return None
    return _file(call, result) if call is not None else _read(use, result)


def _command(call: ToolCall, result: ToolResult) -> CommandCall | None:
    code = exit_code(result.details, result.text, failed=result.failed)
    if result.failed and code is None and _NEVER_RAN.match(result.text):
        return None
    return CommandCall(result.stamp, call, code)


def _read(use: ToolUse, result: ToolResult) -> ReadCall | None:
    file = object_of(result.details, "file")
    path = named_path(file) or named_path(use.arguments)
    if use.name != READ or not path:
        return None
    return ReadCall(result.stamp, path, _whole(use, file))


def _whole(use: ToolUse, file: JsonObject) -> str | None:
    """The file's text if all of it was read. Without a final line end it may be trimmed: not trusted."""
    content, total = optional_text(file, "content"), number_of(file, "totalLines")
    if content is None or total is None or use.arguments.get("offset") or use.arguments.get("limit"):
        return None
    if number_of(file, "startLine") not in (0, 1) or file.get("truncated") or file.get("isPartial"):
        return None
    lines = content.count("\n")
    return content if content.endswith("\n") and total in (lines, lines + 1) else None


def _file(call: ToolCall, result: ToolResult) -> FileCall | None:
    if call.kind is ToolKind.WRITE and call.content is None:
        return None
    created = was_created(call.tool, result.details, result.text)
    return FileCall(result.stamp, call, original_text(result.details), created, _patch(result.details))


def _patch(details: JsonObject) -> tuple[PatchHunk, ...]:
    hunks = []
    for hunk in objects_of(details, "structuredPatch"):
        old, new, lines = number_of(hunk, "oldStart"), number_of(hunk, "newStart"), hunk.get("lines")
        if old is None or new is None or not isinstance(lines, list):
            return ()
        hunks.append(PatchHunk(old, new, tuple(str(line) for line in lines)))
    return tuple(hunks)
