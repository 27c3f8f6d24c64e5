"""The spool: the folder where hooks leave events, read once, in order; nothing in it is ever dropped silently.

`new` holds whole events, `tmp` those being written, `bad` what is left of those that cannot be used (no file's
contents, for KEPT_BAD at most), `late` which files a turn named (hook_late.py's, for KEPT_LATE at most), and the
size of the file `dropped` counts the events that found no room at all. What is in a file: spool.py.
"""

import os
import shutil
import stat
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.capture.set_aside import reduced
from sulcus_panel.core.capture.spool import bad_event, parse_spool, salvaged
from sulcus_panel.core.errors import BadPayload, UnsafePath

TORN = "the hook was stopped before it had written it"
TORN_AFTER_SECONDS = 120
"""A file that a hook began longer ago than this will not be finished: the hook was killed."""
MAX_TEMP_LISTED = 100_000
KEPT_BAD = timedelta(days=90)
KEPT_LATE = timedelta(days=7)


class Spool:
    """The spool folder of one data home."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> tuple[str, ...]:
        """The events waiting, in the order in which they began."""
        return _listed(self._folder / "new")

    def read(self, name: str) -> bytes:
        """One event's bytes; OSError where it is gone or not a plain file."""
        return _read_plain(self._folder / "new" / name)

    def remove(self, name: str) -> None:
        """Forget an event whose record is committed."""
        (self._folder / "new" / name).unlink(missing_ok=True)

    def set_aside(self, name: str, why: str) -> None:
        """Keep what may be kept of an event that cannot be used, where it hinders nobody."""
        self._reduce("new", name, why)

    def rescue_torn(self, now: datetime) -> tuple[str, ...]:
        """Set aside what hooks began and, being killed, never finished; returns the names."""
        torn = []
        for name in _listed(self._folder / "tmp")[:MAX_TEMP_LISTED]:
            try:
                age = now.timestamp() - (self._folder / "tmp" / name).lstat().st_mtime
            except FileNotFoundError:
                continue
            if age > TORN_AFTER_SECONDS:
                self._reduce("tmp", name, TORN)
                torn.append(name)
        return tuple(torn)

    def expire(self, now: datetime) -> int:
        """Let go of what was set aside longer than KEPT_BAD ago; how many there were.

        A turn that nobody ended (hook_late.py) is forgotten with it, and not counted: its events are recorded.
        """
        for name in _listed(self._folder / "late"):
            memory = self._folder / "late" / name
            with suppress(OSError):
                if now.timestamp() - memory.lstat().st_mtime > KEPT_LATE.total_seconds():
                    memory.unlink()
        gone = 0
        for name in _listed(self._folder / "bad"):
            path = self._folder / "bad" / name
            try:
                found = path.lstat()
                if now.timestamp() - found.st_mtime <= KEPT_BAD.total_seconds():
                    continue
                if stat.S_ISDIR(found.st_mode):
                    shutil.rmtree(path)
                else:
                    path.unlink()
            except OSError:
                continue  # it is tried again at the next drain
            gone += 1
        return gone

    def bad(self) -> tuple[BadPayload, ...]:
        """Why each event that was set aside could not be read."""
        return tuple(self._complaint(name) for name in _listed(self._folder / "bad"))

    def dropped(self) -> int:
        """How many events found no room, ever since the spool was made."""
        try:
            return (self._folder / "dropped").lstat().st_size
        except OSError:
            return 0

    def _reduce(self, where: str, name: str, why: str) -> None:
        """Write what may be kept into `bad` and remove the event; what is no file is moved as it is."""
        bad, source = self._folder / "bad", self._folder / where / name
        bad.mkdir(mode=0o700, exist_ok=True)
        target = _free_name(bad, name)
        try:
            data = _read_plain(source)
        except FileNotFoundError:
            return  # somebody took it away: there is nothing to keep
        except OSError:
            source.rename(target)
            os.utime(target, follow_symlinks=os.utime not in os.supports_follow_symlinks)
            return
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with open(handle, "wb") as file:
            file.write(reduced(*salvaged(name, data), why))
        source.unlink(missing_ok=True)

    def _complaint(self, name: str) -> BadPayload:
        try:
            parse_spool(name, _read_plain(self._folder / "bad" / name))
        except BadPayload as error:
            return error
        except OSError as error:
            return bad_event(name, error.strerror or "unreadable")
        return bad_event(name, "it says nothing that we know")


def _listed(folder: Path) -> tuple[str, ...]:
    try:
        return tuple(sorted(os.listdir(folder)))
    except FileNotFoundError:
        return ()
    except OSError as error:
        hint = "Move it away: the panel and the hooks make a new folder."
        raise UnsafePath(
            "The spool is not a folder that can be read", f"{folder}: {error.strerror}", hint
        ) from error


def _free_name(folder: Path, name: str) -> Path:
    """`name` in `folder`, or with a number behind it where that is taken: nothing is written over."""
    if not os.path.lexists(folder / name):
        return folder / name
    return next(path for number in count(2) if not os.path.lexists(path := folder / f"{name}-{number}"))


def _read_plain(path: Path) -> bytes:
    with open_plain(path, follow=False) as file:
        return file.read()
