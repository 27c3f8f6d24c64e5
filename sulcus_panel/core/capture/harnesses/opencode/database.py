"""OpenCode's own database, read and never touched: not a byte in its folder changes because we looked.

A reader of a database in WAL mode would make files beside it where no writer has: then it is opened as one that
nobody writes, and one that was left with its log is read from a copy.
"""

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path

from sulcus_panel.core.capture.harnesses.opencode.kept import Message, Session, message_of, moment
from sulcus_panel.core.capture.payload import JsonObject
from sulcus_panel.core.capture.plain_file import open_plain

MAX_ROW = 64 * 2**20
_TABLES = ("session", "message", "part")
_WAIT_SECONDS = 5.0


class NotOurs(Exception):
    """A file that is no database of OpenCode's; the message says what it is instead."""


def session_folders(path: Path) -> Mapping[str, str]:
    """The folder in which each session ran; empty where the database cannot be read."""
    try:
        with ExitStack() as stack:
            rows = _open(path, stack).execute("SELECT id, directory FROM session")
            return {_text(key): _text(folder) for key, folder in rows}
    except (OSError, sqlite3.Error, NotOurs):
        return {}


def read_database(path: Path, wanted: frozenset[str] | None) -> tuple[list[Session], list[str]]:
    """Its sessions, None: all of them, with their messages, and what could not be read."""
    problems: list[str] = []
    try:
        with ExitStack() as stack:
            return list(_sessions(_open(path, stack), str(path), wanted, problems)), problems
    except (OSError, sqlite3.Error, NotOurs) as error:
        return [], [f"{path.name}: {getattr(error, 'strerror', None) or error}"]


def _open(path: Path, stack: ExitStack) -> sqlite3.Connection:
    """A connection that only reads; it ends with the stack."""
    with open_plain(path) as file:
        if not file.read(16).startswith(b"SQLite format 3"):
            raise NotOurs("not a database")
    has_log, has_index, has_journal = (Path(f"{path}{end}").exists() for end in ("-wal", "-shm", "-journal"))
    mode = "mode=ro" if has_index or has_journal else "mode=ro&immutable=1"
    if has_log and not has_index:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        for end in ("-wal", ""):
            shutil.copyfile(f"{path}{end}", folder / f"copy{end}")
        path, mode = folder / "copy", "mode=rw"
    uri = f"{path.resolve().as_uri()}?{mode}"
    connection = stack.enter_context(closing(sqlite3.connect(uri, uri=True, timeout=_WAIT_SECONDS)))
    connection.text_factory = bytes
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA query_only=ON")
    found = {
        _text(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
    }
    if missing := [name for name in _TABLES if name not in found]:
        raise NotOurs(f"not OpenCode's database: it has no table {', '.join(missing)}")
    return connection


def _sessions(
    connection: sqlite3.Connection, source: str, wanted: frozenset[str] | None, problems: list[str]
) -> Iterator[Session]:
    rows = connection.execute(
        "SELECT id, directory, parent_id, time_created FROM session ORDER BY time_created, id"
    )
    for key, directory, parent, created in rows.fetchall():
        if wanted is not None and _text(key) not in wanted:
            continue
        at = moment(created if isinstance(created, int) else None)
        session = Session(_text(key), source, _text(directory), _text(parent) or None, at)
        session.messages = _messages(connection, key, f"{Path(source).name}, session {_text(key)}", problems)
        yield session


def _messages(connection: sqlite3.Connection, key: object, name: str, problems: list[str]) -> list[Message]:
    found: dict[str, Message] = {}
    bad = 0
    for message, data in _rows(connection, "message", "id", key):
        if data is None:
            bad += 1
        found[message] = message_of(message, data or {})
    for message, data in _rows(connection, "part", "message_id", key):
        if data is None or message not in found:
            bad += 1
            continue
        found[message].parts.append(data)
    if bad:
        problems.append(f"{name}: {bad} rows could not be read")
    return list(found.values())


def _rows(
    connection: sqlite3.Connection, table: str, column: str, session: object
) -> Iterator[tuple[str, JsonObject | None]]:
    """The JSON of a session's rows, oldest first; None for one that is damaged or too long to be held."""
    query = (
        f"SELECT {column}, CASE WHEN length(data) <= {MAX_ROW} THEN CAST(data AS BLOB) END "
        f"FROM {table} WHERE session_id = ? ORDER BY time_created, id"
    )
    for name, data in connection.execute(query, (_text(session),)):
        yield _text(name), _object(data)


def _object(data: object) -> JsonObject | None:
    try:
        value = json.loads(data) if isinstance(data, bytes) else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")
