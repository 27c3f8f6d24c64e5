"""What a patch did to each file by the tool's own account of it.

The account (`changes`) names every file once, in no order; the patch has the order in which parts are numbered.
"""

from dataclasses import replace

from sulcus_panel.core.capture.adapter import ToolCall, ToolKind, part_id
from sulcus_panel.core.capture.harnesses.codex.shell import PATCH
from sulcus_panel.core.capture.past.patches import read_unified
from sulcus_panel.core.capture.past.path_map import PathMap
from sulcus_panel.core.capture.past.records import FileCall, Stamp
from sulcus_panel.core.capture.patch_calls import patch_parts
from sulcus_panel.core.capture.payload import JsonObject, optional_text, text_of

_PLACES = PathMap(())


def told_files(changes: JsonObject, patch: str, call_id: str, stamp: Stamp) -> tuple[FileCall, ...]:
    """The files of an account, numbered as the patch names them, those that it does not name behind them."""
    asked = {_located(part.call.path, stamp): part for part in patch_parts(PATCH, patch, call_id)}
    told = {_located(path, stamp): (path, one) for path, one in changes.items() if isinstance(one, dict)}
    order = [path for path in asked if path in told] + sorted(path for path in told if path not in asked)
    used = {asked[path].call.call_id for path in order if path in asked}
    free = (
        name for number in range(len(order) + len(asked)) if (name := part_id(call_id, number)) not in used
    )
    found = []
    for located in order:
        path, one = told[located]
        call = asked[located].call if located in asked else ToolCall(PATCH, ToolKind.EDIT, next(free), path)
        file = _told_file(replace(call, path=path), one, stamp)
        if file is not None:
            found.append(file)
    return tuple(found)


def _told_file(call: ToolCall, change: JsonObject, stamp: Stamp) -> FileCall | None:
    kind = text_of(change, "type")
    if kind == "add":
        content = optional_text(change, "content")
        applied = replace(call, kind=ToolKind.WRITE, content=content, edits=(), moved_to="")
        return FileCall(stamp, applied, None, False, (), is_exact=True, adds=True)
    if kind == "delete":
        applied = replace(call, kind=ToolKind.DELETE, content=None, edits=(), moved_to="")
        return FileCall(stamp, applied, optional_text(change, "content"), False, (), is_exact=True)
    moved_to, diff = text_of(change, "move_path"), text_of(change, "unified_diff")
    if kind != "update" or not (moved_to or diff.strip()):
        return None
    edits = call.edits if call.kind is ToolKind.EDIT else ()
    applied = replace(call, kind=ToolKind.EDIT, content=None, edits=edits, moved_to=moved_to)
    return FileCall(stamp, applied, None, False, read_unified(diff), is_exact=True)


def _located(path: str, stamp: Stamp) -> str:
    return _PLACES.locate(path, stamp.cwd)
