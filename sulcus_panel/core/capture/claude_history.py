"""Claude Code's own backups: `<config>/file-history/<session>/<hash>@v<N>`, the exact bytes of a file.

They are the best witness of a state, since a transcript's strings have lost line endings and encodings.
"""

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path

from sulcus_panel.core.capture.claude_snapshots import BLOB_NAME

MAX_BLOB = 64 * 2**20

_SESSION = re.compile(r"[A-Za-z0-9_-]{1,128}")


class FileHistory:
    """The backups below one config folder, each read once; None as folder means that there are none."""

    def __init__(self, config_dir: Path | None) -> None:
        self._root = config_dir / "file-history" if config_dir is not None else None
        self._read: dict[Path, bytes | None] = {}

    def blob(self, sessions: Sequence[str], name: str) -> bytes | None:
        """The bytes of one backup, None where it is gone. Other sessions have the same names: not asked."""
        if self._root is None or not BLOB_NAME.fullmatch(name):
            return None
        for session in sessions:
            path = self._root / session / name
            if path not in self._read:
                self._read[path] = _read_file(path) if _SESSION.fullmatch(session) else None
            if (data := self._read[path]) is not None:
                return data
        return None


def _read_file(path: Path) -> bytes | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode) or info.st_size > MAX_BLOB:
            return None
        return file.read(MAX_BLOB)
