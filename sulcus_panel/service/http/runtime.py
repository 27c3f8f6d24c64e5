"""`runtime.json` in the data folder: where the server of this ledger listens. Private, whole at any time, true.

Who reads it checks that the process lives; a file that a killed server left behind says nothing.
"""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from sulcus_panel.core.ledger.home import DataHome

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


def announce(home: DataHome, runtime: Runtime) -> bool:
    """Write the file; False where another server that lives is named there already."""
    others = read(home)
    if others is not None and others.pid != runtime.pid:
        return False
    fresh = home.root / f".runtime-{runtime.pid}.json"
    with suppress(FileNotFoundError):
        os.unlink(fresh)
    with open(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        json.dump(asdict(runtime), file)
    os.replace(fresh, place(home))
    return True


def withdraw(home: DataHome, runtime: Runtime) -> None:
    """Take the file away, where it is of this server."""
    if read(home) == runtime:
        with suppress(FileNotFoundError):
            os.unlink(place(home))
