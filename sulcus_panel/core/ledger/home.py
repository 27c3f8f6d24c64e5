"""The data folder: where the ledger, the spool and the locks live, and that nobody else can read them.

Every folder is 0700, owned by us and no link; a folder that is not so is mended or refused before anything
is written into it. `SULCUS_HOME` replaces the per-user default.
"""

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sulcus_panel.core.errors import LedgerFull, UnsafePath

ENVIRONMENT = "SULCUS_HOME"


@dataclass(frozen=True, slots=True)
class DataHome:
    """The one folder of one person's data, and the names inside it."""

    root: Path

    @classmethod
    def default(cls) -> "DataHome":
        """`$SULCUS_HOME`, else the platform's folder for a program's state."""
        chosen = os.environ.get(ENVIRONMENT)
        if chosen:
            return cls(Path(os.path.abspath(os.path.expanduser(chosen))))
        import platformdirs  # here, for only this line needs it

        return cls(platformdirs.user_state_path("sulcus-panel"))

    @property
    def database(self) -> Path:
        """The ledger file; SQLite keeps `-wal` and `-shm` beside it."""
        return self.root / "ledger.db"

    @property
    def spool(self) -> Path:
        """Where hooks leave events, Maildir style."""
        return self.root / "spool"

    @property
    def spool_tmp(self) -> Path:
        """Events being written."""
        return self.spool / "tmp"

    @property
    def spool_new(self) -> Path:
        """Events written and not yet read."""
        return self.spool / "new"

    @property
    def spool_bad(self) -> Path:
        """Events that could not be read, kept for a person."""
        return self.spool / "bad"

    @property
    def lock(self) -> Path:
        """A folder with one lock file a purpose: `lock / "checkpoint"`, `lock / "open"` and so on."""
        return self.root / "lock"

    @property
    def trash(self) -> Path:
        """Where displaced files wait for a day; made when the first one comes."""
        return self.root / "trash"

    @property
    def damaged(self) -> Path:
        """Where a repair puts what is stored of snapshots that cannot be read; made when the first one comes."""
        return self.root / "damaged"

    @property
    def log(self) -> Path:
        """Where our own bugs are written down."""
        return self.root / "log"

    def ensure(self) -> None:
        """Make every folder, private and ours; idempotent.

        Raises:
            UnsafePath: a folder is a link, no folder, or somebody else's.
            LedgerFull: it cannot be made.
        """
        try:
            self.root.parent.mkdir(parents=True, exist_ok=True)
            for folder in (self.root, self.spool, self.spool_tmp, self.spool_new, self.spool_bad, self.lock):
                _ensure_private(folder)
        except OSError as error:
            raise LedgerFull(
                "The data folder cannot be made",
                f"{self.root}: {error.strerror}",
                f"Make room, or name another folder in {ENVIRONMENT}.",
            ) from error

    def tighten(self) -> None:
        """Make the plain files of the home and its locks 0600, whatever wrote them and under which umask."""
        for folder in (self.root, self.lock):
            with suppress(OSError), os.scandir(folder) as found:
                for item in found:
                    if item.is_file(follow_symlinks=False):
                        _tighten(item)


def make_private(path: Path) -> None:
    """Have an 0600 file there, empty where there was none: for what else would follow the umask."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    os.chmod(path, 0o600)


def _tighten(item: "os.DirEntry[str]") -> None:
    with suppress(OSError):  # gone meanwhile, or not ours: the folder lets nobody else in anyway
        if stat.S_IMODE(item.stat(follow_symlinks=False).st_mode) & 0o077:
            os.chmod(item.path, 0o600)


def _ensure_private(folder: Path) -> None:
    with suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    found = os.lstat(folder)
    hint = f"Move it away, or name another folder in {ENVIRONMENT}."
    if not stat.S_ISDIR(found.st_mode):
        raise UnsafePath("The data folder is not a plain folder", str(folder), hint)
    if not hasattr(os, "geteuid"):
        return
    if found.st_uid != os.geteuid():
        raise UnsafePath("The data folder belongs to somebody else", str(folder), hint)
    if stat.S_IMODE(found.st_mode) & 0o077:
        os.chmod(folder, 0o700)
