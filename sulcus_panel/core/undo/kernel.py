"""What an undo asks of the kernel: a rename that swaps or refuses, room kept ahead, a file to itself for a moment.

Each says by False that platform or file system cannot, and then nothing was done.
"""

import ctypes
import errno
import functools
import os
import sys
from collections.abc import Callable
from contextlib import suppress

RENAME_NOREPLACE = 1
RENAME_EXCHANGE = 2
_KEEP_SIZE = 1
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.ENOTTY}


def rename_with(folder: int | None, source: str, target: str, flags: int) -> bool:
    """Linux's renameat2 inside one folder; raises OSError where it was tried and failed."""
    function = _renameat2()
    if function is None or folder is None:
        return False
    if function(folder, os.fsencode(source), folder, os.fsencode(target), flags) == 0:
        return True
    return _unsupported(target)


def keep_room(handle: int, size: int) -> bool:
    """Have blocks for the first `size` bytes of an open file, whose length stays; raises OSError for no room."""
    function = _fallocate()
    if function is None:
        return False
    if function(handle, _KEEP_SIZE, 0, size) == 0:
        return True
    return _unsupported(None)


def hold_alone(handle: int) -> bool:
    """Keep everybody else from opening a file until let_in(): a lease, which makes them wait.

    Raises BlockingIOError where somebody has it open already, or has it in his memory.
    """
    if sys.platform != "linux":
        return False
    import fcntl  # here, for not every platform has it
    import signal

    try:
        # Who opens the file makes the kernel send us a signal, which by default would end us; this one does not.
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    except BlockingIOError:
        raise
    except OSError:
        return False  # not our own file, or a file system that gives no leases
    return True


def has_writers(handle: int) -> bool:
    """Say whether somebody has a file open to write to it, False where unsure; `handle` itself only reads."""
    if sys.platform != "linux":
        return False
    import fcntl  # here, for not every platform has it
    import signal

    try:
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return isinstance(error, BlockingIOError)
    let_in(handle)
    return False


def let_in(handle: int) -> None:
    """End what hold_alone() began; a process forked meanwhile has the file open, so closing it is not enough."""
    if sys.platform == "linux":
        import fcntl  # here, for not every platform has it

        with suppress(OSError):
            fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)


def _unsupported(name: str | None) -> bool:
    code = ctypes.get_errno()
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), name)


@functools.cache
def _renameat2() -> Callable[[int, bytes, int, bytes, int], int] | None:
    prototype = ctypes.CFUNCTYPE(
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_uint,
        use_errno=True,
    )
    try:
        return prototype(("renameat2", ctypes.CDLL(None)))
    except (OSError, AttributeError, TypeError):
        return None


@functools.cache
def _fallocate() -> Callable[[int, int, int, int], int] | None:
    prototype = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64, use_errno=True
    )
    for name in ("fallocate64", "fallocate"):  # the first where numbers of 64 bits are not the rule
        try:
            return prototype((name, ctypes.CDLL(None)))
        except (OSError, AttributeError, TypeError):
            continue
    return None
