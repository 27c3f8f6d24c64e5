"""Change a file's own bytes, for a file with several names: replacing one name would part it from the others.

Both images are safe in the ledger first. The bytes are written from the front, so that a killed write leaves the
beginning of the new image and the rest of the old one: known as ours, and put back from the end, so that being
killed again leaves the same shape. A foreign writer at the same moment is seen, not fended off.
"""

import os

from sulcus_panel.core.diff.shared_ends import shared_head
from sulcus_panel.core.disk import look_at, read_still
from sulcus_panel.core.model import DiskFile, FileKind, FileState
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import mode_differs, same_state
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.spare import Place
from sulcus_panel.core.undo.task import Mixed, Refused, Task, backwards, overtaken

FORWARD_PIECE = 1 << 16
BACKWARD_PIECE = 1 << 12
"""No more than a page: the kernel is never stopped within one."""


def is_mixture(found: bytes, before: bytes, after: bytes) -> bool:
    """Say whether bytes are what our own unfinished write from `before` to `after`, or back, leaves."""
    if found.startswith(after):
        return (after + before[len(after) :]).startswith(found)
    same = shared_head(found, after)
    return found[same:] == before[same:]


def is_halfway(task: Task, found: DiskFile) -> bool:
    """Say whether a path holds what only our own unfinished write of it leaves."""
    if not task.rewrites or found.state.kind is not FileKind.FILE:
        return False
    if found.content is None or task.content is None or task.displaced is None:
        return False
    modes = {task.before.mode, task.after.mode, None}
    return found.state.mode in modes and is_mixture(found.content, task.displaced, task.content)


def keep_room(task: Task, place: Place, fs: FileSystem) -> None:
    """Have every block before the first byte is changed: a full disk would lose the rest (or raises OSError)."""
    handle = fs.open_in_place(place.folder, place.name)
    try:
        if not fs.keep_room(handle, len(task.content or b"")):
            raise Refused(
                f"{plain(task.path, 200)} has a second name (a hard link)",
                "it would be changed in place, but this file system cannot keep the room for that",
            )
    finally:
        os.close(handle)


def write_in_place(task: Task, place: Place, fs: FileSystem) -> None:
    """Write the new image into the file and read it back.

    Raises:
        Overtaken: it is not as planned, or somebody put another file there; nothing of this one is changed.
        Mixed: somebody wrote into it at the same moment.
        OSError: the disk said no; the file may be half written.
    """
    handle = fs.open_in_place(place.folder, place.name)
    try:
        found = _read(handle)
        if found is None or found.content is None or not same_state(found.state, task.before):
            raise overtaken(task.path)
        _write_forward(fs, handle, task.content or b"")
        _set_mode(fs, handle, found.state, task.after)
        fs.sync(handle)
        if same_state(look_at(place.folder, place.name).state, task.after):
            return
        own = _read(handle)
        if own is None or not same_state(own.state, task.after):
            raise Mixed(f"{plain(task.path, 200)} was written to at the same moment")
        _write_backward(fs, handle, task.content or b"", found.content)
        _set_mode(fs, handle, own.state, task.before)
        fs.sync(handle)
    finally:
        os.close(handle)
    raise overtaken(task.path)


def restore_in_place(back: Task, place: Place, fs: FileSystem) -> None:
    """Bring a file back from any stage of write_in_place(); `back` is the way back.

    Raises:
        Overtaken: it holds bytes that are not ours.
        OSError: the disk said no; the next start tries again.
    """
    handle = fs.open_in_place(place.folder, place.name)
    try:
        found = _read(handle)
        if found is None or not (same_state(found.state, back.before) or is_halfway(backwards(back), found)):
            raise overtaken(back.path)
        _write_backward(fs, handle, back.displaced or b"", back.content or b"")
        _set_mode(fs, handle, found.state, back.after)
        fs.sync(handle)
    finally:
        os.close(handle)


def _read(handle: int) -> DiskFile | None:
    os.lseek(handle, 0, os.SEEK_SET)
    return read_still(handle)


def _write_forward(fs: FileSystem, handle: int, data: bytes) -> None:
    os.lseek(handle, 0, os.SEEK_SET)
    for start in range(0, len(data), FORWARD_PIECE):
        fs.write(handle, data[start : start + FORWARD_PIECE])
    if os.fstat(handle).st_size > len(data):
        fs.truncate(handle, len(data))


def _write_backward(fs: FileSystem, handle: int, was: bytes, data: bytes) -> None:
    """Turn the beginning of `was` back into `data`, from its end to its start."""
    if os.fstat(handle).st_size > len(data):
        fs.truncate(handle, len(data))
    size = os.fstat(handle).st_size
    if size < len(data):
        os.lseek(handle, size, os.SEEK_SET)
        fs.write(handle, data[size:])
    shared = min(len(was), len(data))
    for start in reversed(range(0, shared, BACKWARD_PIECE)):
        piece = data[start : min(start + BACKWARD_PIECE, shared)]
        os.lseek(handle, start, os.SEEK_SET)
        fs.write(handle, piece)


def _set_mode(fs: FileSystem, handle: int, now: FileState, wanted: FileState) -> None:
    if mode_differs(now, wanted):
        fs.set_mode(handle, wanted.mode)
