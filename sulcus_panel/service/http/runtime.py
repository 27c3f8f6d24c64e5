"""`runtime.json` in the data folder: where the server of this ledger listens. Private, whole at any time, true.

Who reads it checks that the process lives; a file that a killed server left behind says nothing.
"""

import json
import os
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.locks import holding

API_VERSION = 1


@dataclass(frozen=True, slots=True)
class Runtime:
    """A server: its process, when it began (UTC), its port and its socket (None for none)."""

    pid: int
    started: str
    port: int
    socket: str | None
    api: int = API_VERSION


def place(home: DataHome) -> Path:
    """Return where the file is."""
    return home.root / "runtime.json"


def read(home: DataHome) -> Runtime | None:
    """Return the server that listens now; None where there is none, or where the file is not ours alone."""
    try:
        with place(home).open(encoding="utf-8") as file:
            found = os.fstat(file.fileno())
            if found.st_mode & 0o077 or (hasattr(os, "geteuid") and found.st_uid != os.geteuid()):
                return None
            runtime = Runtime(**json.load(file))
        os.kill(runtime.pid, 0)
    except (OSError, ValueError, TypeError):
        return None
    return runtime


class Announcement:
    """A server's claim to the file: whoever holds the lock is named in it, and a killed one holds none."""

    def __init__(self, home: DataHome, runtime: Runtime) -> None:
        self._home = home
        self._runtime = runtime
        self._held = ExitStack()
        self.is_made = False

    def make(self) -> bool:
        """Write the file; False where another server of this ledger stands in it."""
        if not self.is_made and self._held.enter_context(holding(self._home, "serve", 0)):
            self.is_made = True
            self._write()
        return self.is_made

    def _write(self) -> None:
        fresh = self._home.root / f".runtime-{self._runtime.pid}.json"
        with suppress(FileNotFoundError):
            os.unlink(fresh)
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
        with open(os.open(fresh, flags, 0o600), "w", encoding="utf-8") as file:
            json.dump(asdict(self._runtime), file)
        os.replace(fresh, place(self._home))

    def withdraw(self) -> None:
        """Take the file away, where it is of this server."""
        if self.is_made:
            with suppress(FileNotFoundError):
                os.unlink(place(self._home))
            self.is_made = False
        self._held.close()
