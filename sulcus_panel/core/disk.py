"""Looking at one path below a workspace's root without ever following a link, and without being held up.

A file is read between two equal fstats or not at all; what cannot be read is `unknown` with the reason, and
`absent` is said only on a proven ENOENT. FIFOs, sockets and devices are never opened for reading.
"""

import errno
import functools
import hashlib
import os
import stat
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sulcus_panel.core.model import ABSENT, DiskFile, FileKind, FileState, LedgerPath, Sha256

MAX_HASH = 256 * 2**20
"""A larger file is not even hashed: it would hold up every look at its workspace."""
MAX_READ = 64 * 2**20
NOT_REGULAR = "not a regular file"
BUSY = "busy"
TOO_LARGE = "too large to be read"
BELOW_A_LINK = "a folder on the way is a link"
BELOW_A_FILE = "a folder on the way is a file"
_SOMETHING_ELSE = frozenset((NOT_REGULAR, TOO_LARGE, BELOW_A_LINK, BELOW_A_FILE))
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
_OPENAT2 = 437  # the same number on every machine named here
_OPENAT2_MACHINES = {"x86_64", "aarch64"}
_NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 0x02, 0x04, 0x08
_HOW = struct.pack("QQQ", _DIRECTORY, 0, _NO_MAGICLINKS | _NO_SYMLINKS | _BENEATH)
"""The kernel's `struct open_how`: flags, mode, resolve."""

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
        if folders:
            below = _beneath(handle, folders)
            os.close(handle)
            handle = below
        yield handle, name
    finally:
        os.close(handle)


def _beneath(root: int, folders: list[str]) -> int:
    """Open a folder below an open one without following a link, by one call where the kernel has openat2."""
    if ".." in folders:
        raise Unreachable("the path climbs up")
    openat2 = _openat2() if len(folders) > 1 else None
    if openat2 is not None:
        found = openat2(_OPENAT2, root, os.fsencode("/".join(folders)), _HOW, len(_HOW))
        if found >= 0:
            return found
    return _walk(root, folders)  # which also says why it cannot be


def _walk(root: int, folders: list[str]) -> int:
    handle = _enter(root, folders[0], is_root=False)
    for folder in folders[1:]:
        try:
            below = _enter(handle, folder, is_root=False)
        finally:
            os.close(handle)
        handle = below
    return handle


@functools.cache
def _openat2() -> Callable[[int, int, bytes, bytes, int], int] | None:
    """Linux's syscall(), for openat2 has no name in libc; None on other platforms."""
    if sys.platform != "linux" or os.uname().machine not in _OPENAT2_MACHINES or sys.maxsize < 2**32:
        return None
    import ctypes  # here, for it costs more than what most who look at a file do

    prototype = ctypes.CFUNCTYPE(
        ctypes.c_long, ctypes.c_long, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t
    )
    try:
        return prototype(("syscall", ctypes.CDLL(None)))
    except (OSError, AttributeError):
        return None


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
        return Unreachable(BELOW_A_LINK if is_link else BELOW_A_FILE)
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
            raise Unreachable(BELOW_A_LINK if os.path.islink(here) else BELOW_A_FILE)
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
            return _unknown(NOT_REGULAR)
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
            found = read_still(handle, max_bytes)
        finally:
            os.close(handle)
        if found is not None:
            return found
    return _unknown(BUSY)


def read_still(handle: int, max_bytes: int = MAX_READ) -> DiskFile | None:
    """Read an open file from where it stands to its end; None where it changed meanwhile."""
    first = os.fstat(handle)
    if not stat.S_ISREG(first.st_mode):
        return _unknown(NOT_REGULAR)
    if first.st_size > MAX_HASH:
        return _unknown(TOO_LARGE)
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


def look_as_named(root: str, path: LedgerPath) -> DiskFile:
    """Read one path as look() does; absent where only another spelling of its name is there.

    A disk that does not tell capitals apart finds `A.txt` by the name of `a.txt`, which is still free.
    """
    found = look(root, path)
    if found.state.kind is FileKind.ABSENT:
        return found
    try:
        with parent_of(root, path) as (folder, name):
            return found if is_named_so(folder, name) else DiskFile(ABSENT, None)
    except Unreachable:
        return found


def is_named_so(folder: int | None, name: str) -> bool:
    """Say whether what is found by a name bears it in this spelling; what cannot be told is taken to be so."""
    own, other = os.path.basename(name), os.path.basename(name).swapcase()
    if own != other:
        try:
            os.stat(os.path.join(os.path.dirname(name), other), dir_fd=folder, follow_symlinks=False)
        except OSError:
            return True  # capitals count here
    try:
        return own in os.listdir(folder if folder is not None else os.path.dirname(name))
    except OSError:
        return True


def has_other_names(root: str, path: LedgerPath) -> bool:
    """Say whether a file has more than one name (hard links), so that replacing one would part them."""
    try:
        with parent_of(root, path) as (folder, name):
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except (Unreachable, OSError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_nlink > 1


def names_in(root: str, path: LedgerPath) -> tuple[str, ...] | None:
    """List a folder's names in order, None where it cannot be listed; a link is not followed."""
    try:
        with parent_of(root, path) as (folder, name):
            return tuple(sorted(names_at(folder, name)))
    except (Unreachable, OSError):
        return None


def names_at(folder: int | None, name: str) -> list[str]:
    """List one folder in an open one; raises OSError, also for a link."""
    if folder is None:
        return os.listdir(name)
    handle = os.open(name, _DIRECTORY, dir_fd=folder)
    try:
        return os.listdir(handle)
    finally:
        os.close(handle)


def is_out_of_sight(state: FileState) -> bool:
    """Say whether a path could not be seen this time; what is seen to be no file of ours is not that."""
    return state.kind is FileKind.UNKNOWN and state.reason not in _SOMETHING_ELSE


def fingerprint(root: str, path: LedgerPath) -> Fingerprint | None:
    """Return a path's cheap identity by lstat, None where there is nothing to see (absent or unreachable)."""
    try:
        with parent_of(root, path) as (folder, name):
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except (Unreachable, OSError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_mode
