"""One file's contents let go of for good: every kept version, every recorded line. Hashes and sizes stay.

Bytes are kept once, whoever names them: what the file shares with another is gone there too, and told before.
An empty file holds nothing that could be forgotten. The tables are the ledger's; what else of the file lies in
the data folder is service/forgetting.py's.
"""

from collections.abc import Collection
from dataclasses import dataclass

from sulcus_panel.core.errors import LedgerBusy
from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import (
    decode_hunks,
    decode_path,
    decode_sha,
    encode_hunks,
    encode_path,
)
from sulcus_panel.core.ledger.journal import read_open, states_named
from sulcus_panel.core.ledger.packs import release
from sulcus_panel.core.model import Hunk, LedgerPath, Sha256

FORGOTTEN = "forgotten"
"""The reason that then stands at every state whose bytes were let go of."""

_OF_PATH = "workspace_id = ? AND path = ?"
_EMPTY = bytes.fromhex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What is let go of. `shared`: other paths, of any workspace, that had some of these very bytes."""

    entries: int
    versions: int
    size_bytes: int
    shared: tuple[LedgerPath, ...]
    hashes: frozenset[Sha256]


def what_goes(db: Database, workspace_id: int, path: LedgerPath) -> Forgetting:
    """What `forget` would let go of."""
    stored = encode_path(path)
    rows = db.rows(
        f"SELECT seq_id, before_sha256, after_sha256 FROM change WHERE {_OF_PATH}", (workspace_id, stored)
    )
    named = {sha for row in rows for sha in row[1:] if sha is not None and sha != _EMPTY}
    sizes = [
        row[0]
        for sha in named
        for row in db.rows("SELECT length(data) FROM snapshot WHERE sha256 = ?", (sha,))
    ]
    shared = {
        decode_path(row[0])
        for sha in named
        for row in db.rows(
            f"SELECT path FROM change WHERE (before_sha256 = ? OR after_sha256 = ?) AND NOT ({_OF_PATH})",
            (sha, sha, workspace_id, stored),
        )
    }
    hashes = frozenset(sha for sha in map(decode_sha, named) if sha is not None)
    seq_ids = {row[0] for row in rows}
    return Forgetting(len(seq_ids), len(sizes), sum(sizes), tuple(sorted(shared)), hashes)


def forget(db: Database, workspace_id: int, path: LedgerPath) -> Forgetting:
    """Let go of it all. Only inside `write()`.

    Raises:
        LedgerBusy: an undo that has not ended may still need the bytes; nothing was let go of.
    """
    going = what_goes(db, workspace_id, path)
    _refuse_needed(db, going.hashes)
    digests = [bytes.fromhex(sha) for sha in going.hashes]
    _drop_lines(db, workspace_id, encode_path(path), digests)
    for side in ("before", "after"):
        for digest in digests:
            db.run(f"UPDATE change SET {side}_reason = ? WHERE {side}_sha256 = ?", (FORGOTTEN, digest))
    release(db, digests)
    return going


def _refuse_needed(db: Database, hashes: Collection[Sha256]) -> None:
    undos = read_open(db)
    needed = any(state.sha256 in hashes for journal in undos.journals for state in states_named(journal))
    if needed or undos.unreadable:
        raise LedgerBusy(
            "An undo that was broken off may still need these contents",
            "Nothing was forgotten.",
            "Open the panel once, so that it is finished, and try again.",
        )


def _drop_lines(db: Database, workspace_id: int, stored: str | bytes, digests: Collection[bytes]) -> None:
    """Take the text out of the hunks of this path, and of every change from or to one of these contents."""
    rows = db.rows(f"SELECT seq_id, idx, hunks FROM change WHERE {_OF_PATH}", (workspace_id, stored))
    for digest in digests:
        rows += db.rows(
            "SELECT seq_id, idx, hunks FROM change WHERE before_sha256 = ? OR after_sha256 = ?",
            (digest, digest),
        )
    for seq_id, idx, hunks in rows:
        bare = [
            Hunk(one.before_start, one.before_lines, one.after_start, one.after_lines, exact=one.exact)
            for one in decode_hunks(hunks)
        ]
        db.run("UPDATE change SET hunks = ? WHERE seq_id = ? AND idx = ?", (encode_hunks(bare), seq_id, idx))
