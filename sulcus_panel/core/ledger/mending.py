"""What can be put right in a ledger without losing a byte that can be read. The finding is checking.py's."""

import os
import sqlite3
from collections.abc import Sequence

from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import decode_path
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.packs import release
from sulcus_panel.core.model import LedgerPath

_PLACES = """
SELECT DISTINCT w.root, c.path FROM change c JOIN workspace w ON w.id = c.workspace_id
WHERE w.root IS NOT NULL AND (c.before_sha256 = ?1 OR c.after_sha256 = ?1)
"""


def reindex(db: Database) -> bool:
    """Build every index anew from its table; False where rows contradict each other. Only inside `write()`."""
    try:
        db.connection.execute("REINDEX")
    except sqlite3.Error:
        return False
    return True


def places(db: Database, sha: bytes) -> tuple[tuple[str, LedgerPath], ...]:
    """Root and path of every file that has had these bytes, as far as it is recorded."""
    return tuple((decode_path(row[0]), decode_path(row[1])) for row in db.rows(_PLACES, (sha,)))


def set_aside(db: Database, home: DataHome, shas: Sequence[bytes]) -> None:
    """Move what is stored of damaged snapshots into files, so that rows no longer promise what is not there.

    What can still be read by way of one of them is made whole first. Only inside `write()`. Raises OSError:
    nothing is let go of.
    """
    home.damaged.mkdir(mode=0o700, exist_ok=True)
    for sha in shas:
        for data, base in db.rows("SELECT data, base FROM snapshot WHERE sha256 = ?", (sha,)):
            stored = data if isinstance(data, bytes) else str(data).encode("utf-8", "surrogateescape")
            told_by = f".delta-of-{base.hex()}" if isinstance(base, bytes) else ".zlib"
            _write_new(os.path.join(home.damaged, f"{sha.hex()}{told_by}"), stored)
    release(db, shas)


def _write_new(path: str, data: bytes) -> None:
    """Write a private file that was not there; under a name of its own where another one stands."""
    for number in range(1000):
        try:
            handle = os.open(
                f"{path}.{number}" if number else path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600
            )
        except FileExistsError:
            continue
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
        return
    raise FileExistsError(path)


def return_to_entries(db: Database) -> None:
    """Have every change and source stand under its entry's workspace and time. Only inside `write()`."""
    for table in ("change", "source"):
        db.run(
            f"UPDATE {table} SET (workspace_id, at) ="
            f" (SELECT e.workspace_id, e.at FROM entry e WHERE e.seq_id = {table}.seq_id)"
            f" WHERE EXISTS (SELECT 1 FROM entry e WHERE e.seq_id = {table}.seq_id"
            f" AND (e.workspace_id != {table}.workspace_id OR e.at != {table}.at))"
        )
