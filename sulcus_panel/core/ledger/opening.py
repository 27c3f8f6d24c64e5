"""Finding, making, checking and setting aside the ledger file.

A current ledger is opened without any lock. Making, migrating and setting aside happen under the `open` lock;
a new file is made complete beside its place and renamed into it, so that a kill leaves none or a whole one.
"""

import os
import sqlite3
import stat
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from sulcus_panel.core.errors import LedgerBusy, LedgerCorrupt, LedgerTooNew, NotFound, UnsafePath
from sulcus_panel.core.ledger.database import Database, connect, translated
from sulcus_panel.core.ledger.home import DataHome, make_private
from sulcus_panel.core.ledger.locks import holding
from sulcus_panel.core.ledger.schema import APPLICATION_ID, VERSION

LOCK_SECONDS = 10.0
_NEEDS_TABLES = "SELECT max(seq_id) FROM entry"


def open_for_reading(home: DataHome, busy_ms: int) -> tuple[Database, str]:
    """The ledger as it stands, even a newer one, even in a folder that we may not write; and a notice.

    Raises:
        NotFound: there is none yet.
        LedgerCorrupt: it cannot be read.
    """
    if not _present(home.database):
        raise NotFound("There is no ledger yet", str(home.database))
    with translated():
        try:
            connection = _probed(home.database, "ro", busy_ms)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_ERROR:
                raise LedgerTooNew(
                    "This version cannot read the ledger", str(error), "Update the program."
                ) from error
            if error.sqlite_errorcode & 0xFF not in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}:
                raise
            connection = _probed(home.database, "immutable", busy_ms)
    version = _version(connection)
    if version == 0:
        connection.close()
        raise LedgerCorrupt("This is not a ledger", str(home.database))
    notice = ""
    if version > VERSION:
        notice = "The ledger was made by a newer version; it is open for reading only."
    return Database(connection, read_only=True, too_new=version > VERSION), notice


def open_for_writing(home: DataHome, now: Callable[[], datetime], busy_ms: int) -> tuple[Database, str]:
    """The ledger, made, migrated or replaced where need be; and what the person must be told.

    Raises:
        LedgerTooNew: made by a newer version; open it for reading.
        LedgerBusy, LedgerFull, UnsafePath.
    """
    home.ensure()
    home.tighten()
    connection = _current(home, busy_ms)
    if connection is not None:
        return Database(connection, read_only=False), ""
    with holding(home, "open", LOCK_SECONDS) as held:
        if not held:
            raise LedgerBusy(
                "The ledger is busy", "Another process is preparing it.", "Try again in a moment."
            )
        notice = _prepare(home, now, busy_ms)
        with translated():
            return Database(_probed(home.database, "rw", busy_ms), read_only=False), notice


def _current(home: DataHome, busy_ms: int) -> sqlite3.Connection | None:
    """A connection where the file is whole and of our version, None where it needs the lock.

    Raises:
        LedgerTooNew: the file is of a newer version.
    """
    if not _present(home.database) or not home.database.stat().st_size:
        return None
    try:
        connection = _probed(home.database, "rw", busy_ms)
    except sqlite3.DatabaseError as error:
        if _is_damage(error):
            return None
        with translated():
            raise
    version = _version(connection)
    if version == VERSION:
        return connection
    connection.close()
    refuse_newer(version)
    return None


def refuse_newer(version: int) -> None:
    """Raise LedgerTooNew for a format that this program does not write."""
    if version > VERSION:
        raise LedgerTooNew(
            "The ledger was made by a newer version",
            f"Its format is {version}, this program writes {VERSION}.",
            "Update Sulcus Panel; until then the ledger can be read.",
        )


def _prepare(home: DataHome, now: Callable[[], datetime], busy_ms: int) -> str:
    """Under the lock: leave a ledger of our version at its place."""
    connection = _current(home, busy_ms)
    if connection is not None:
        connection.close()
        return ""
    if not _present(home.database):
        _create(home, busy_ms)
        return ""
    if _migrated(home, busy_ms):
        return ""
    kept = _set_aside(home.database, now())
    _create(home, busy_ms)
    return f"The ledger was damaged. It is kept as {kept}; a new one was started."


def _migrated(home: DataHome, busy_ms: int) -> bool:
    """Migrate an older ledger of ours; False where the file is none."""
    try:
        connection = connect(home.database, "rw", busy_ms)
    except sqlite3.DatabaseError as error:
        if _is_damage(error):
            return False
        with translated():
            raise
    try:
        with translated():
            if not home.database.stat().st_size or _version(connection) == 0:
                return False
            _migrate(connection)
    except LedgerCorrupt:
        return False
    finally:
        connection.close()
    return True


def _create(home: DataHome, busy_ms: int) -> None:
    beside = home.database.with_suffix(".new")
    for leftover in (beside, *_companions(beside)):
        leftover.unlink(missing_ok=True)
    with translated():
        _make_empty(beside)
        connection = connect(beside, "rw", busy_ms)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            _migrate(connection)
        finally:
            connection.close()
    os.rename(beside, home.database)


def _make_empty(path: Path) -> None:
    """An empty 0600 file; SQLite gives its companions the same mode, and would else follow the umask."""
    try:
        make_private(path)
    except OSError as error:
        cannot = sqlite3.OperationalError(f"{path}: {error.strerror}")
        cannot.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise cannot from error


def _migrate(connection: sqlite3.Connection) -> None:
    from sulcus_panel.core.ledger.migrations import migrate  # here, for it imports sqlite-utils

    migrate(connection)


def _set_aside(database: Path, now: datetime) -> Path:
    """Rename the damaged file and its companions; nothing of it is lost."""
    stamp = now.strftime("%Y%m%dT%H%M%S")
    kept, count = database.with_name(f"ledger.corrupt-{stamp}"), 1
    while os.path.lexists(kept):
        count += 1
        kept = database.with_name(f"ledger.corrupt-{stamp}-{count}")
    for companion in _companions(database):
        if os.path.lexists(companion):
            os.rename(companion, kept.with_name(kept.name + companion.name.removeprefix(database.name)))
    os.rename(database, kept)
    return kept


def log_bytes(home: DataHome) -> int:
    """How large the write-ahead log has grown."""
    try:
        return _companions(home.database)[0].stat().st_size
    except FileNotFoundError:
        return 0


def _companions(database: Path) -> tuple[Path, Path]:
    return database.with_name(database.name + "-wal"), database.with_name(database.name + "-shm")


def _present(database: Path) -> bool:
    """Whether there is a file; a link in its place is refused, because SQLite would follow it."""
    try:
        found = os.lstat(database)
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(found.st_mode):
        raise UnsafePath("The ledger is not a plain file", str(database), "Move it away.")
    return True


def _probed(database: Path, mode: str, busy_ms: int) -> sqlite3.Connection:
    """A connection that has read the schema, and the entry table where the file is ours."""
    connection = connect(database, mode, busy_ms)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if _version(connection):
            connection.execute(_NEEDS_TABLES).fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _version(connection: sqlite3.Connection) -> int:
    """The format of our ledger, 0 for a file that is none."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version) if application == APPLICATION_ID else 0


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", -1)
    missing_table = code == sqlite3.SQLITE_ERROR
    return missing_table or code & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
