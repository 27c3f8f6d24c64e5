"""What a patch did to each file: OpenCode's account where it tells the texts, else the patch itself."""

import posixpath
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from sulcus_panel.core.capture.adapter import ToolCall, ToolKind
from sulcus_panel.core.capture.past.records import FileCall, Stamp
from sulcus_panel.core.capture.patch_calls import PatchPart, patch_parts
from sulcus_panel.core.capture.patch_text import PatchKind
from sulcus_panel.core.capture.payload import NOTHING, JsonObject, objects_of, optional_text, text_of

_NOWHERE = Stamp(datetime.fromtimestamp(0, UTC), 0, "", "", "", "")
"""The caller's to fill in."""


def patched_files(tool: str, given: JsonObject, metadata: JsonObject, call_id: str) -> Iterator[FileCall]:
    """The files of a patch in its order; their stamps are to be replaced."""
    accounts = objects_of(metadata, "files")
    for part in patch_parts(tool, text_of(given, "patchText", "patch", "input"), call_id):
        account = next((one for one in accounts if _is_of(one, part.call.path)), NOTHING)
        yield _file(part, account)


def _is_of(account: JsonObject, path: str) -> bool:
    """Whether an account's file, told from the root, is the one that the patch spells."""
    told = text_of(account, "filePath", "relativePath").replace("\\", "/")
    wanted = posixpath.normpath(path.replace("\\", "/"))
    return told == wanted or told.endswith("/" + wanted)


def _file(part: PatchPart, account: JsonObject) -> FileCall:
    call = part.call
    before, after = optional_text(account, "before"), optional_text(account, "after")
    if call.kind is ToolKind.DELETE:
        return FileCall(_NOWHERE, call, before, False, ())
    if call.kind is ToolKind.WRITE:
        content = after if after is not None else _added_text(call, text_of(account, "patch", "diff"))
        return FileCall(_NOWHERE, replace(call, content=content), None, False, (), adds=True)
    if after is not None:
        return FileCall(_NOWHERE, replace(call, content=after), before, False, ())
    is_update = all(one.kind is PatchKind.UPDATE for one in part.patches)
    chunks = tuple(chunk for one in part.patches for chunk in one.chunks) if is_update else ()
    return FileCall(_NOWHERE, call, before, False, (), chunks=chunks)


def _added_text(call: ToolCall, diff: str) -> str | None:
    """A new file's text: the tool drops one empty line at its end, so that the diff has to agree."""
    content = call.content or ""
    added = [line for line in diff.split("\n") if line.startswith("+") and not line.startswith("+++ ")]
    ended = "\\ No newline" not in diff
    for text in (content, content.removesuffix("\n")):
        lines = text.split("\n")
        count = len(lines) - 1 if text.endswith("\n") else len(lines)
        if text.endswith("\n") == ended and count == len(added):
            return text
    return None if content.endswith("\n\n") or diff else content
