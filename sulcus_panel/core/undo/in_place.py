"""Change a file's own bytes, for a file with several names: replacing one name would part it from the others.

Both images are safe in the ledger first. The bytes are written from the front, so that a killed write leaves the
beginning of the new image and the rest of the old one: known as ours, and put back from the end, so that being
killed again leaves the same shape. Other programs are kept out meanwhile; where that cannot be they are looked for.
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
    """Have every block before the first byte is changed: a full disk would lose the rest.

    Raises:
        Refused: another program has the file open, or no room can be kept.
        OSError: the disk said no.
    """
    _content_of(task)
    handle = fs.open_in_place(place.folder, place.name)
    try:
        _hold_alone(task, handle, fs)
        if not fs.keep_room(handle, len(task.content or b"")):
            raise Refused(
                f"{plain(task.path, 200)} has a second name (a hard link)",
                "it would be changed in place, but this file system cannot keep the room for that",
            )
    finally:
        fs.close_in_place(handle)


def write_in_place(task: Task, place: Place, fs: FileSystem) -> bool:
    """Write the new image into the file and read it back; False where others could not be kept out meanwhile.

    Raises:
        Overtaken: it is not as planned, or somebody put another file there; nothing of this one is changed.
        Mixed: somebody wrote into it at the same moment.
        Refused: another program has it open; nothing is changed.
        OSError: the disk said no; the file may be half written.
    """
    handle = fs.open_in_place(place.folder, place.name)
    try:
        alone = _hold_alone(task, handle, fs)
        found = _read(handle)
        if found is None or found.content is None or not same_state(found.state, task.before):
            raise overtaken(task.path)
        _write_forward(fs, handle, task, len(found.content))
        _set_mode(fs, handle, found.state, task.after)
        fs.sync(handle)
        own = _read(handle)
        if own is None or not same_state(own.state, task.after):
            raise _mixed(task)
        if _is_at(place, handle) or same_state(look_at(place.folder, place.name).state, task.after):
            return alone
        _write_backward(fs, handle, task.content or b"", found.content)
        _set_mode(fs, handle, own.state, task.before)
        fs.sync(handle)
    finally:
        fs.close_in_place(handle)
    raise overtaken(task.path)


def restore_in_place(back: Task, place: Place, fs: FileSystem) -> None:
    """Bring a file back from any stage of write_in_place(); `back` is the way back.

    Raises:
        Overtaken: it holds bytes that are not ours.
        Refused: another program has it open, and the next start tries again; or its old bytes are not kept.
        OSError: the disk said no; the next start tries again.
    """
    was = _content_of(back)
    handle = fs.open_in_place(place.folder, place.name)
    try:
        _hold_alone(back, handle, fs)
        found = _read(handle)
        if found is None or not (same_state(found.state, back.before) or is_halfway(backwards(back), found)):
            raise overtaken(back.path)
        _write_backward(fs, handle, back.displaced or b"", was)
        _set_mode(fs, handle, found.state, back.after)
        fs.sync(handle)
    finally:
        fs.close_in_place(handle)


def _content_of(task: Task) -> bytes:
    if task.content is None:
        raise Refused(f"{plain(task.path, 200)} cannot be written", "its contents are not kept any more")
    return task.content


def _hold_alone(task: Task, handle: int, fs: FileSystem) -> bool:
    try:
        return fs.hold_alone(handle)
    except BlockingIOError as error:
        raise Refused(
            f"{plain(task.path, 200)} is open in another program",
            "it has a second name (a hard link) and would be changed in place: close it there, and try again",
        ) from error


def _is_at(place: Place, handle: int) -> bool:
    """Say whether the open file is still the one at the path, without opening that again."""
    try:
        status = os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(status, os.fstat(handle))


def _mixed(task: Task) -> Mixed:
    return Mixed(f"{plain(task.path, 200)} was written to at the same moment")


def _read(handle: int) -> DiskFile | None:
    os.lseek(handle, 0, os.SEEK_SET)
    return read_still(handle)


def _write_forward(fs: FileSystem, handle: int, task: Task, size: int) -> None:
    """Write the new image over the old one of `size` bytes; raises where the file is not of the size that we left.

    Before each step, for what somebody appends meanwhile would be written over, or cut off.
    """
    data = task.content or b""
    os.lseek(handle, 0, os.SEEK_SET)
    for start in range(0, len(data), FORWARD_PIECE):
        piece = data[start : start + FORWARD_PIECE]
        if os.fstat(handle).st_size != size:
            raise _mixed(task) if start else overtaken(task.path)
        fs.write(handle, piece)
        size = max(size, start + len(piece))
    if size == len(data):
        return
    if os.fstat(handle).st_size != size:
        raise _mixed(task) if data else overtaken(task.path)
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
