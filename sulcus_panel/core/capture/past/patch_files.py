"""What a patch did to each file, where a run tells no more of it than the patch itself."""

from sulcus_panel.core.capture.adapter import ToolKind
from sulcus_panel.core.capture.past.records import FileCall, Stamp
from sulcus_panel.core.capture.patch_calls import PatchPart, patch_parts
from sulcus_panel.core.capture.patch_text import PatchKind


def asked_files(tool: str, patch: str, call_id: str, stamp: Stamp) -> tuple[FileCall, ...]:
    """The files of a patch that was applied. A deletion does not tell the file."""
    return tuple(_asked_file(part, stamp) for part in patch_parts(tool, patch, call_id))


def _asked_file(part: PatchPart, stamp: Stamp) -> FileCall:
    is_update = all(one.kind is PatchKind.UPDATE for one in part.patches)
    chunks = tuple(chunk for one in part.patches for chunk in one.chunks) if is_update else ()
    adds = part.call.kind is ToolKind.WRITE
    return FileCall(stamp, part.call, None, False, (), is_exact=adds, chunks=chunks, adds=adds)
