"""Claude Code's own backups: `<config>/file-history/<session>/<hash>@v<N>`, the exact bytes of a file.

They are the best witness of a state, since a transcript's strings have lost line endings and encodings.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from sulcus_panel.core.capture.harnesses.claude.snapshots import BLOB_NAME
from sulcus_panel.core.capture.plain_file import open_plain

MAX_BLOB = 64 * 2**20

_SESSION = re.compile(r"[A-Za-z0-9_-]{1,128}")


class FileHistory:
    """The backups below one config folder, each read once; None as folder means that there are none."""

    def __init__(self, config_dir: Path | None) -> None:
        self._root = config_dir / "file-history" if config_dir is not None else None
        self._read: dict[Path, bytes | None] = {}
        self.problems: list[str] = []
        """Of each backup that is there and cannot be read, why."""

    def blob(self, sessions: Sequence[str], name: str) -> bytes | None:
        """The bytes of one backup, None where it is gone. Other sessions have the same names: not asked."""
        if self._root is None or not BLOB_NAME.fullmatch(name):
            return None
        for session in sessions:
            path = self._root / session / name
            if path not in self._read:
                self._read[path] = self._read_file(path) if _SESSION.fullmatch(session) else None
            if (data := self._read[path]) is not None:
                return data
        return None

    def _read_file(self, path: Path) -> bytes | None:
        try:
            with open_plain(path, follow=False) as file:
                data = file.read(MAX_BLOB + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            self.problems.append(f"backup {path.name}: {error.strerror}")
            return None
        if len(data) > MAX_BLOB:
            self.problems.append(f"backup {path.name}: larger than {MAX_BLOB:,} bytes")
            return None
        return data
