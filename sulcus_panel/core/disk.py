"""Looking at one path below a workspace's root without ever following a link, and without being held up.

A file is read between two equal fstats or not at all; what cannot be read is `unknown` with the reason, and
`absent` is said only on a proven ENOENT. FIFOs, sockets and devices are never opened for reading.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from sulcus_panel.core.model import ABSENT, DiskFile, FileKind, FileState, LedgerPath, Sha256

MAX_HASH = 256 * 2**20
"""A larger file is not even hashed: it would hold up every look at its workspace."""
MAX_READ = 64 * 2**20
TRIES = 3
CHUNK = 1 << 20

_DIRECTORY = (
    os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
)
_FILE = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
HAS_DIR_FD = os.open in os.supports_dir_fd

Fingerprint = tuple[int, int, int, int]
"""(mtime_ns, size, ino, mode) by lstat."""


class Unreachable(Exception):
    """The folders above a path cannot be walked: `reason` says why, `absent` on a proven ENOENT."""

    def __init__(self, reason: str, *, absent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.absent = absent


@contextmanager
def parent_of(root: str, path: str) -> Iterator[tuple[int | None, str]]:
    """Open the folder that holds `path` by a walk that follows no link; give it with the name to use in it.

    Where the platform has no dir_fd, None and the full path are given, after the same walk by lstat.

    Raises:
        Unreachable: a folder on the way is missing, a link, a file, or may not be entered.
    """
    if not HAS_DIR_FD:
        yield None, _walk_by_name(root, path)
        return
    *folders, name = path.split("/")
    handle = _enter(None, root, is_root=True)
    try:
        for folder in folders:
            below = _enter(handle, folder, is_root=False)
            os.close(handle)
            handle = below
        yield handle, name
    finally:
        os.close(handle)


def _enter(above: int | None, name: str, *, is_root: bool) -> int:
    try:
        return os.open(name, _DIRECTORY, dir_fd=above)
    except OSError as error:
        raise _unreachable(error, above, name, is_root=is_root) from error


def _unreachable(error: OSError, above: int | None, name: str, *, is_root: bool) -> Unreachable:
    if is_root:
        return Unreachable(f"the workspace folder cannot be opened: {error.strerror}")
    if error.errno == errno.ENOENT:
        return Unreachable("a folder on the way is missing", absent=True)
    if error.errno in {errno.ENOTDIR, errno.ELOOP, errno.EMLINK}:
        try:
            is_link = stat.S_ISLNK(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode)
        except OSError:
            is_link = True
        return Unreachable("a folder on the way is a link" if is_link else "a folder on the way is a file")
    return Unreachable(f"a folder on the way cannot be opened: {error.strerror}")


def _walk_by_name(root: str, path: str) -> str:
    """Check each folder by lstat, for platforms without dir_fd: a race remains there."""
    here = root
    if not os.path.isdir(root):
        raise Unreachable("the workspace folder cannot be opened: it is not there")
    *folders, name = path.split("/")
    for folder in folders:
        here = os.path.join(here, folder)
        try:
            mode = os.lstat(here).st_mode
        except FileNotFoundError as error:
            raise Unreachable("a folder on the way is missing", absent=True) from error
        if not stat.S_ISDIR(mode) or os.path.realpath(here) != os.path.normpath(here):
            raise Unreachable(
                "a folder on the way is a link" if os.path.islink(here) else "a folder on the way is a file"
            )
    return os.path.join(here, name)


def look(root: str, path: LedgerPath, *, max_bytes: int = MAX_READ) -> DiskFile:
    """Read one path as it is now: its state, and its bytes unless there are more than `max_bytes` of them."""
    try:
        with parent_of(root, path) as (folder, name):
            return look_at(folder, name, max_bytes=max_bytes)
    except Unreachable as error:
        return DiskFile(ABSENT, None) if error.absent else _unknown(error.reason)


def look_at(folder: int | None, name: str, *, max_bytes: int = MAX_READ) -> DiskFile:
    """Read one name in an open folder; see look()."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            return _link(os.fsencode(os.readlink(name, dir_fd=folder)))
        if stat.S_ISDIR(status.st_mode):
            return DiskFile(FileState(FileKind.DIRECTORY, mode=stat.S_IMODE(status.st_mode)), None)
        if not stat.S_ISREG(status.st_mode):
            return _unknown("not a regular file")
        return _file(folder, name, max_bytes)
    except FileNotFoundError:
        return DiskFile(ABSENT, None)
    except OSError as error:
        return _unknown((error.strerror or "cannot be read").lower())


def _link(text: bytes) -> DiskFile:
    digest = Sha256(hashlib.sha256(text).hexdigest())
    return DiskFile(FileState(FileKind.SYMLINK, digest, len(text)), text)


def _unknown(reason: str) -> DiskFile:
    return DiskFile(FileState(FileKind.UNKNOWN, reason=reason), None)


def _file(folder: int | None, name: str, max_bytes: int) -> DiskFile:
    for _ in range(TRIES):
        handle = os.open(name, _FILE, dir_fd=folder)
        try:
            found = _read_still(handle, max_bytes)
        finally:
            os.close(handle)
        if found is not None:
            return found
    return _unknown("busy")


def _read_still(handle: int, max_bytes: int) -> DiskFile | None:
    """Read an open file whole; None where it changed meanwhile."""
    first = os.fstat(handle)
    if not stat.S_ISREG(first.st_mode):
        return _unknown("not a regular file")
    if first.st_size > MAX_HASH:
        return _unknown("too large to be read")
    digest = hashlib.sha256()
    keep = first.st_size <= max_bytes
    parts: list[bytes] = []
    size = 0
    while chunk := os.read(handle, CHUNK):
        digest.update(chunk)
        size += len(chunk)
        if size > first.st_size:
            return None
        if keep:
            parts.append(chunk)
    last = os.fstat(handle)
    if (first.st_size, first.st_mtime_ns, first.st_ino) != (
        last.st_size,
        last.st_mtime_ns,
        last.st_ino,
    ) or size != first.st_size:
        return None
    state = FileState(FileKind.FILE, Sha256(digest.hexdigest()), size, stat.S_IMODE(last.st_mode))
    return DiskFile(state, b"".join(parts) if keep else None)


def has_other_names(root: str, path: LedgerPath) -> bool:
    """Say whether a file has more than one name (hard links), so that replacing one would part them."""
    try:
        with parent_of(root, path) as (folder, name):
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except (Unreachable, OSError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_nlink > 1


def fingerprint(root: str, path: LedgerPath) -> Fingerprint | None:
    """Return a path's cheap identity by lstat, None where there is nothing to see (absent or unreachable)."""
    try:
        with parent_of(root, path) as (folder, name):
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except (Unreachable, OSError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_mode
