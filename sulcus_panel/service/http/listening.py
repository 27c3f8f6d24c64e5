"""The two places where the server listens: a port of this machine alone, and a socket in the data folder."""

import os
import socket
import stat
from contextlib import suppress
from pathlib import Path

from sulcus_panel.core.errors import SulcusError

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 4203
BACKLOG = 256
LONGEST_SOCKET_PATH = 100


def listen_on_port(port: int) -> tuple[socket.socket, str]:
    """Return a listening socket of the port, or of a free one where it is taken, and then words that say so."""
    try:
        return _bound(port), ""
    except OSError as error:
        if not port:
            raise SulcusError("No port is free", str(error)) from error
        found = _bound(0)
        taken = found.getsockname()[1]
        return found, f"Port {port} cannot be had ({error.strerror}): {taken} is used instead."


def _bound(port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((LOOPBACK, port))
        made.listen(BACKLOG)
    except OSError:
        made.close()
        raise
    made.setblocking(False)
    return made


def listen_on_socket(path: Path) -> tuple[socket.socket | None, str]:
    """Return a listening socket at this path, private, or None and why not. A dead one is replaced."""
    if not hasattr(socket, "AF_UNIX"):
        return None, ""
    if len(os.fsencode(path)) > LONGEST_SOCKET_PATH:
        return None, f"There is no socket: the path {path} is too long for one."
    try:
        if not _clear(path):
            return None, f"There is no socket: another server listens at {path}."
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            made.bind(str(path))
            os.chmod(path, 0o600)
            made.listen(BACKLOG)
        except OSError:
            made.close()
            raise
    except OSError as error:
        return None, f"There is no socket at {path}: {error.strerror or error}."
    made.setblocking(False)
    return made, ""


def _clear(path: Path) -> bool:
    """Take a dead socket away; False where somebody listens. Raises OSError where something else is there."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return True
    if not stat.S_ISSOCK(found.st_mode):
        raise FileExistsError(0, "something else is there")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        caller.settimeout(1)
        try:
            caller.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            with suppress(FileNotFoundError):
                os.unlink(path)
            return True
    return False
