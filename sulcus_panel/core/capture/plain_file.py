"""Opening a file that somebody else has named: only a regular one, and never waiting for it.

A FIFO would hold us for ever, a device or a folder gives nothing that we could read.
"""

import os
import stat
from pathlib import Path
from typing import BinaryIO

NOT_PLAIN = "not a regular file"

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)


def open_plain(path: Path, *, follow: bool = True) -> BinaryIO:
    """Open a regular file for reading; a symlink at the end of `path` only where `follow` says so.

    Raises:
        OSError: it is not there, may not be read, or is no regular file (its strerror says so).
    """
    handle = os.open(path, _FLAGS if follow else _FLAGS | getattr(os, "O_NOFOLLOW", 0))
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    raise OSError(0, NOT_PLAIN, str(path))
