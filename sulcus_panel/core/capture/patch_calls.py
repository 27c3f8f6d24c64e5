"""A `*** Begin Patch` text as calls, one a file, numbered as live events and past runs number them alike. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sulcus_panel.core.capture.adapter import ToolCall, ToolKind, part_id
from sulcus_panel.core.capture.patch_text import FilePatch, PatchKind, parse_patch, patch_call


@dataclass(frozen=True, slots=True)
class PatchPart:
    """One file of a patch as a call, and the parts of the patch that speak of it."""

    call: ToolCall
    patches: tuple[FilePatch, ...]


def patch_parts(tool: str, text: str, call_id: str) -> tuple[PatchPart, ...]:
    """One part a file, in the patch's order; a file that it names again stays one part."""
    found: dict[str, list[FilePatch]] = {}
    for one in parse_patch(text) or ():
        found.setdefault(one.path, []).append(one)
    return tuple(
        PatchPart(_joined(tool, patches, part_id(call_id, number)), tuple(patches))
        for number, patches in enumerate(found.values())
    )


def _joined(tool: str, patches: Sequence[FilePatch], call_id: str) -> ToolCall:
    """The call of all that a patch does to one file; of several things at once only that it is edited is told."""
    if len(patches) == 1:
        return patch_call(tool, call_id, patches[0])
    if all(one.kind is PatchKind.UPDATE and not one.moved_to for one in patches):
        chunks = tuple(chunk for one in patches for chunk in one.chunks)
        return patch_call(tool, call_id, replace(patches[0], chunks=chunks))
    if patches[-1].kind is PatchKind.DELETE:
        return ToolCall(tool, ToolKind.DELETE, call_id, patches[0].path)
    moved_to = next((one.moved_to for one in reversed(patches) if one.moved_to), "")
    return ToolCall(tool, ToolKind.EDIT, call_id, patches[0].path, moved_to=moved_to)
