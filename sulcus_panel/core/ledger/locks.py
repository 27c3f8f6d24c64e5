"""Lock files in the data folder: one purpose, one file, one holder among all processes.

The system's flock is used directly where there is one. The `filelock` package does the same there, so that both
keep each other out, but its import takes longer than a whole undo; it serves the systems that have no flock.
"""

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sulcus_panel.core.errors import LedgerFull
from sulcus_panel.core.ledger.home import DataHome

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:
    HAS_FLOCK = False
else:
    HAS_FLOCK = True

ASK_AGAIN = 0.01
"""Seconds between two tries."""
_TAKEN = frozenset((errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK))
_NO_FLOCK = frozenset((errno.ENOSYS, errno.EOPNOTSUPP))
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)

Release = Callable[[], None]


@contextmanager
def holding(home: DataHome, purpose: str, seconds: float) -> Iterator[bool]:
    """Hold the file lock `purpose`; yields False where another process has it for longer than `seconds`.

    Raises:
        LedgerFull: the lock file cannot be made.
    """
    path = os.path.join(home.lock, purpose)
    try:
        release = _take(path, seconds)
    except OSError as error:
        raise LedgerFull("A lock file cannot be made", f"{path}: {error.strerror}") from error
    if release is None:
        yield False
        return
    try:
        yield True
    finally:
        release()


def _take(path: str, seconds: float) -> Release | None:
    if HAS_FLOCK:
        try:
            return _by_flock(path, seconds)
        except OSError as error:
            if error.errno not in _NO_FLOCK:
                raise
    return _by_package(path, seconds)


def _by_flock(path: str, seconds: float) -> Release | None:
    handle = os.open(path, _FLAGS, 0o600)
    until = time.monotonic() + seconds
    try:
        while not _flocked(handle):
            if time.monotonic() >= until:
                os.close(handle)
                return None
            time.sleep(ASK_AGAIN)
    except BaseException:
        os.close(handle)
        raise
    return lambda: os.close(handle)  # and with it goes the lock


def _flocked(handle: int) -> bool:
    try:
        flock(handle, LOCK_EX | LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            return False
        raise
    return True


def _by_package(path: str, seconds: float) -> Release | None:
    import filelock  # here, for it costs more than opening a ledger, and only few systems need it

    lock = filelock.FileLock(path, timeout=seconds, mode=0o600)
    try:
        lock.acquire()
    except filelock.Timeout:
        return None
    return lock.release
