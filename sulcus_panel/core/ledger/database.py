"""One connection to the ledger file: its pragmas, its transactions, and sqlite3's errors as ours.

Every write is a BEGIN IMMEDIATE transaction (a deferred one fails at once when another process committed in
between, whatever the timeout). A nested write is a savepoint of the outer one. One thread at a time.
"""

import sqlite3
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from sulcus_panel.core.errors import (
    BadRequest,
    LedgerBusy,
    LedgerCorrupt,
    LedgerFull,
    LedgerTooNew,
    SulcusError,
)

BUSY_MS = 5_000
PRAGMAS = (
    "foreign_keys = ON",
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "mmap_size = 0",
    "secure_delete = ON",
    "wal_autocheckpoint = 0",  # SQLite before 3.51.3 can lose pages when two connections checkpoint at once
    "synchronous = NORMAL",
    "temp_store = MEMORY",
)
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_FULL = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_NOLFS,
}
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

Answer = TypeVar("Answer")
Value = str | bytes | int | None
Row = tuple[Any, ...]
"""One row as SQLite returns it: columns are untyped by nature, and typed where they are decoded."""


class _Translated:
    """Stands around every statement, so that it is an object without state and no generator."""

    __slots__ = ()

    def __enter__(self) -> None:
        """Nothing is to be made ready."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, sqlite3.Error):
            known = _as_sulcus_error(error)
            if known is not None:
                raise known from error
        elif isinstance(error, OverflowError):
            raise BadRequest("A number is too large for the ledger", str(error)) from error


_TRANSLATED = _Translated()


def translated() -> _Translated:
    """Turn sqlite3's expected failures, inside a `with`, into the SulcusError that a person can act on."""
    return _TRANSLATED


def _as_sulcus_error(error: sqlite3.Error) -> SulcusError | None:
    code = getattr(error, "sqlite_errorcode", -1) & 0xFF
    if code in _BUSY:
        return LedgerBusy(
            "The ledger is busy", str(error), "Another process is writing; try again in a moment."
        )
    if code in _FULL:
        return LedgerFull(
            "The ledger cannot be written or read",
            str(error),
            "Make room on the disk, or check its permissions.",
        )
    if code in _CORRUPT:
        return LedgerCorrupt(
            "The ledger is damaged",
            str(error),
            "Move the ledger file aside (it keeps what it holds); a new one is begun.",
        )
    if code == sqlite3.SQLITE_TOOBIG:
        return BadRequest("A value is too large for the ledger", str(error))
    return None


class _Joined:
    """Stands around a write inside a whole one: what is in it goes with the whole, an error spoils that."""

    __slots__ = ("_spoil",)

    def __init__(self, spoil: Callable[[], None]) -> None:
        self._spoil = spoil

    def __enter__(self) -> None:
        """It has begun already."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._spoil()


class Database:
    """The connection and nothing of the tables' meaning."""

    def __init__(self, connection: sqlite3.Connection, *, read_only: bool, too_new: bool = False) -> None:
        self.connection = connection
        self.read_only = read_only
        self.too_new = too_new
        self.commits = 0
        self.told = 0
        """Rows that were only written to be read by people, and that nothing else rests on."""
        self._depth = 0
        self._tables: dict[str, bool] = {}
        self._is_whole = False
        self._is_spoilt = False
        self._seen: tuple[int, int] | None = None
        self._joined = _Joined(self._spoil)
        self._known: dict[Hashable, Any] = {}
        self._known_at = -1

    def version(self) -> tuple[int, int]:
        """Return what is another value once this or another connection has written anything but what is `told`."""
        return self._seen or self._version()

    def _version(self) -> tuple[int, int]:
        return self.number("PRAGMA data_version"), self.connection.total_changes - self.told

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Every row of the answer."""
        with translated():
            return self.connection.execute(sql, values).fetchall()

    def row(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        """The first row of the answer, None where there is none."""
        with translated():
            found: Row | None = self.connection.execute(sql, values).fetchone()
            return found

    def number(self, sql: str, values: Sequence[Value] = ()) -> int:
        """The first column of the first row as a whole number; 0 where there is none."""
        found = self.row(sql, values)
        return int(found[0] or 0) if found else 0

    def known(self, key: Hashable, ask: Callable[[], Answer]) -> Answer:
        """Give what `ask` finds, inside `write()` what it found in an earlier one if no connection wrote since.

        Whoever changes the answer through this connection calls `forget_known`.
        """
        if not self._depth:
            return ask()
        if key not in self._known:
            self._known[key] = ask()
        found: Answer = self._known[key]
        return found

    def forget_known(self) -> None:
        """Ask again for everything that `known` was asked for."""
        self._known.clear()

    def has_table(self, name: str) -> bool:
        """Whether this ledger has the table: an older one that is only read may lack it."""
        if name not in self._tables:
            asked = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
            self._tables[name] = self.row(asked, (name,)) is not None
        return self._tables[name]

    def run(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Run one statement that writes; how many rows it touched. Only inside `write()`."""
        with translated():
            return self.connection.execute(sql, values).rowcount

    def insert(self, sql: str, values: Sequence[Value]) -> int:
        """Insert one row; its rowid. Only inside `write()`."""
        with translated():
            return self.connection.execute(sql, values).lastrowid or 0

    def run_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run one statement for many rows. Only inside `write()`."""
        with translated():
            self.connection.executemany(sql, rows)

    def write(self, *, durable: bool = False, whole: bool = False) -> AbstractContextManager[None]:
        """One transaction, joined when already inside one; an error takes back exactly what was done inside.

        Args:
            durable: survive a power loss, not only a killed process (the outermost call decides).
            whole: keep no points inside to go back to, which many small writes would pay for: whoever asks for it
                lets every error out, so that all is taken back (the outermost call decides).

        Raises:
            LedgerBusy, LedgerFull, LedgerTooNew: nothing was written.
        """
        if self.read_only:
            raise self._refusal()
        if self._seen is not None:
            raise RuntimeError("what is remembered of this moment would not know of the write")
        return self._joined if self._depth and self._is_whole else self._write(durable=durable, whole=whole)

    @contextmanager
    def _write(self, *, durable: bool, whole: bool) -> Iterator[None]:
        if self._depth:
            begin, keep, drop = (
                f"SAVEPOINT s{self._depth}",
                f"RELEASE s{self._depth}",
                f"ROLLBACK TO s{self._depth}",
            )
        else:
            begin, keep, drop = "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"
            self._is_whole, self._is_spoilt = whole, False
            if durable:
                self._execute("PRAGMA synchronous = FULL")
        try:
            with self._inside(begin, keep, drop):
                yield
        finally:
            if durable and not self._depth:
                self._execute("PRAGMA synchronous = NORMAL")

    @contextmanager
    def one_look(self) -> Iterator[None]:
        """All questions inside are about one moment, so that `version` is asked once. Nothing is written inside."""
        before = self._seen
        self._seen = self.version()
        try:
            yield
        finally:
            self._seen = before

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One view of the whole file for all reads inside, whatever others write. Not around `write()`."""
        self._execute("BEGIN")
        try:
            yield
        finally:
            self._execute("ROLLBACK")

    @contextmanager
    def _inside(self, begin: str, keep: str, drop: str) -> Iterator[None]:
        self._execute(begin)
        self._depth += 1
        try:
            if self._depth == 1:
                self._forget_what_others_changed()
            yield
            self._see_that_it_is_sound()
            self._execute(keep)
        except BaseException:
            self.forget_known()
            if self.connection.in_transaction:  # SQLite may have rolled back by itself (a full disk)
                self._execute(drop)
            raise
        finally:
            self._depth -= 1
        if not self._depth:
            self.commits += 1

    def _forget_what_others_changed(self) -> None:
        version = self.number("PRAGMA data_version")
        if version != self._known_at:
            self._known_at = version
            self.forget_known()

    def _spoil(self) -> None:
        self._is_spoilt = True

    def _see_that_it_is_sound(self) -> None:
        if self._is_spoilt:
            raise RuntimeError("an error inside a whole write was not let out: nothing of it is kept")

    def _execute(self, sql: str) -> None:
        with translated():
            self.connection.execute(sql)

    def _refusal(self) -> SulcusError:
        if self.too_new:
            return LedgerTooNew(
                "The ledger was made by a newer version",
                "It is open for reading only.",
                "Update Sulcus Panel.",
            )
        return LedgerFull("The ledger is open for reading only", "Nothing was written.")

    def checkpoint(self, busy_ms: int) -> bool:
        """Move the write-ahead log into the file and empty it; False where readers did not let it.

        TRUNCATE holds the write lock throughout, so that no writer restarts the log meanwhile.
        """
        if self._depth:
            return False
        with self.waiting(busy_ms):
            return not self.number("PRAGMA wal_checkpoint(TRUNCATE)")

    def wait_for_writers(self, milliseconds: int) -> None:
        """How long another writer is waited for."""
        self._execute(f"PRAGMA busy_timeout = {milliseconds:d}")

    @contextmanager
    def waiting(self, milliseconds: int) -> Iterator[None]:
        """Inside, another writer is waited for this long, afterwards as long as before."""
        before = self.number("PRAGMA busy_timeout")
        self.wait_for_writers(milliseconds)
        try:
            yield
        finally:
            self.wait_for_writers(before)

    @property
    def writing(self) -> bool:
        """True inside `write()`."""
        return self._depth > 0

    def close(self) -> None:
        """Let go of the file."""
        with translated():
            self.connection.close()


def connect(path: Path, mode: str, busy_ms: int) -> sqlite3.Connection:
    """A connection with our pragmas. `mode`: SQLite's `rw` or `ro`, or `immutable` where locks are denied."""
    how = "mode=ro&immutable=1" if mode == "immutable" else f"mode={mode}"
    connection = sqlite3.connect(
        f"{path.as_uri()}?{how}",
        uri=True,
        timeout=busy_ms / 1000,
        isolation_level=None,
        cached_statements=256,
        check_same_thread=False,  # one thread at a time, but not always the same: the panel's jobs hand it on
    )
    try:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection
