"""What a patch did to each file: the tool's own account of it, or, where there is none, the patch itself.

The account (`changes`) names every file once, in no order; the patch has the order in which parts are numbered.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sulcus_panel.core.capture.adapter import ToolCall, ToolKind, part_id
from sulcus_panel.core.capture.harnesses.codex.shell import PATCH
from sulcus_panel.core.capture.past.patches import read_unified
from sulcus_panel.core.capture.past.path_map import PathMap
from sulcus_panel.core.capture.past.records import FileCall, Stamp
from sulcus_panel.core.capture.patch_text import FilePatch, PatchKind, parse_patch, patch_call
from sulcus_panel.core.capture.payload import JsonObject, optional_text, text_of

_PLACES = PathMap(())


@dataclass(frozen=True, slots=True)
class PatchPart:
    """One file of a patch as a call, and the parts of the patch that speak of it."""

    call: ToolCall
    patches: tuple[FilePatch, ...]


def patch_parts(text: str, call_id: str) -> tuple[PatchPart, ...]:
    """One part a file, in the patch's order; a file that it names again stays one part."""
    found: dict[str, list[FilePatch]] = {}
    for one in parse_patch(text) or ():
        found.setdefault(one.path, []).append(one)
    return tuple(
        PatchPart(_joined(patches, part_id(call_id, number)), tuple(patches))
        for number, patches in enumerate(found.values())
    )


def _joined(patches: Sequence[FilePatch], call_id: str) -> ToolCall:
    """The call of all that a patch does to one file; of several things at once only that it is edited is told."""
    if len(patches) == 1:
        return patch_call(PATCH, call_id, patches[0])
    if all(one.kind is PatchKind.UPDATE and not one.moved_to for one in patches):
        chunks = tuple(chunk for one in patches for chunk in one.chunks)
        return patch_call(PATCH, call_id, replace(patches[0], chunks=chunks))
    if patches[-1].kind is PatchKind.DELETE:
        return ToolCall(PATCH, ToolKind.DELETE, call_id, patches[0].path)
    moved_to = next((one.moved_to for one in reversed(patches) if one.moved_to), "")
    return ToolCall(PATCH, ToolKind.EDIT, call_id, patches[0].path, moved_to=moved_to)


def told_files(changes: JsonObject, patch: str, call_id: str, stamp: Stamp) -> tuple[FileCall, ...]:
    """The files of an account, numbered as the patch names them, those that it does not name behind them."""
    asked = {_located(part.call.path, stamp): part for part in patch_parts(patch, call_id)}
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


def asked_files(patch: str, call_id: str, stamp: Stamp) -> tuple[FileCall, ...]:
    """The files of a patch of which only the patch itself is kept. A deletion does not tell the file."""
    return tuple(_asked_file(part, stamp) for part in patch_parts(patch, call_id))


def _asked_file(part: PatchPart, stamp: Stamp) -> FileCall:
    is_update = all(one.kind is PatchKind.UPDATE for one in part.patches)
    chunks = tuple(chunk for one in part.patches for chunk in one.chunks) if is_update else ()
    adds = part.call.kind is ToolKind.WRITE
    return FileCall(stamp, part.call, None, False, (), is_exact=adds, chunks=chunks, adds=adds)


def _located(path: str, stamp: Stamp) -> str:
    return _PLACES.locate(path, stamp.cwd)
