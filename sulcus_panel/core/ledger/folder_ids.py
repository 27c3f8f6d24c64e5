"""Which directory stands at a workspace's root, so that another one in its place is noticed.

A directory's number lasts as long as it does, through renames and restarts, on any file system that keeps its
numbers on disk; such a one also tells a second number, which a directory made anew under a freed number does not
share. The device's number lasts only until the next mount. Where the numbers cannot tell, nobody is locked out.
"""

import json
import os
import struct
import sys

from sulcus_panel.core.model import FolderId, Workspace
from sulcus_panel.core.safety import plain

_LONG = struct.calcsize("l")
_GETVERSION = 2 << 30 | _LONG << 16 | ord("v") << 8 | 1
"""Linux's FS_IOC_GETVERSION, as its most common machines spell it; others answer that they do not know it."""


def folder_id(root: str) -> FolderId | None:
    """Look at the directory that stands at `root`, None where there is none."""
    try:
        handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY) if sys.platform == "linux" else None
    except OSError:
        return None
    try:
        status = os.stat(root if handle is None else handle)
        serial = int(getattr(status, "st_birthtime", 0)) if handle is None else _generation(handle)
    except OSError:
        return None
    finally:
        if handle is not None:
            os.close(handle)
    return FolderId(status.st_dev, status.st_ino, serial)


def _generation(handle: int) -> int:
    """Ask the file system which use of its number a directory is, 0 where it does not say."""
    import fcntl  # here, for not every platform has it

    try:
        told = fcntl.ioctl(handle, _GETVERSION, bytes(_LONG))
    except OSError:
        return 0
    return int(struct.unpack_from("@I", told)[0])


def is_same(known: FolderId, now: FolderId) -> bool:
    """Say whether it may be the same directory: only a sure difference is one."""
    if known.number == now.number:
        return not (known.serial and now.serial) or known.serial == now.serial
    keeps_numbers = known.device == now.device or bool(known.serial and now.serial)
    return not keeps_numbers


def is_replaced(workspace: Workspace) -> bool:
    """Say whether another directory stands at the root than the one whose changes were recorded."""
    if workspace.root is None or workspace.folder is None:
        return False
    now = folder_id(workspace.root)
    return now is not None and not is_same(workspace.folder, now)


def is_away(workspace: Workspace) -> bool:
    """Say whether the recorded folder is not at its root: nothing stands there, or another one."""
    return workspace.root is None or folder_id(workspace.root) is None or is_replaced(workspace)


def is_moved_to(workspace: Workspace, root: str) -> bool:
    """Say whether the recorded folder is surely the one at another place now: every number of it says so."""
    known = workspace.folder
    return known is not None and bool(known.serial) and folder_id(root) == known


def told_replaced(root: str) -> str:
    """Say it to a person, with the way out."""
    return (
        f"root changed: {plain(root, 200)} is another folder than the one in which this was recorded. If it is"
        f" the same project, moved or fetched again, say so once: sulcus-panel --workspace {plain(root, 200)}"
    )


def encode_folder(folder: FolderId | None) -> str | None:
    """The column's text."""
    return None if folder is None else json.dumps([folder.device, folder.number, folder.serial])


def decode_folder(text: str | None) -> FolderId | None:
    """Read the column back."""
    return None if text is None else FolderId(*json.loads(text))
