"""The snapshots: the bytes of file states, kept once by SHA-256 and verified at every use."""

import hashlib
from collections.abc import Callable
from datetime import datetime

from sulcus_panel.core.errors import LedgerCorrupt, NotFound
from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import deflated, encode_sha, to_micros
from sulcus_panel.core.ledger.packs import Packed, pack, unpacked
from sulcus_panel.core.ledger.remembered import Remembered
from sulcus_panel.core.model import Sha256

MOST_REMEMBERED = 8 * 2**20
"""Bytes that stay at hand between two questions about the same files."""
PACK_CHANGES = 64


class BlobStore:
    """Bytes in, bytes out, by hash."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._db = database
        self._clock = clock
        self._remembered: Remembered[Sha256, bytes] = Remembered(database, MOST_REMEMBERED, len)

    def put(self, data: bytes) -> Sha256:
        """Keep these bytes; their hash. Bytes that no entry names within the hour may be pruned.

        Raises:
            LedgerFull, LedgerBusy: nothing was kept.
        """
        sha = Sha256(hashlib.sha256(data).hexdigest())
        now = to_micros(self._clock())
        with self._db.write():
            if not self._db.run("UPDATE snapshot SET at = ? WHERE sha256 = ?", (now, encode_sha(sha))):
                self._insert(sha, data)
        return sha

    def mend(self, sha: Sha256, data: bytes) -> None:
        """Put these bytes in the place of what is kept of them, where that is damaged. Only inside `write()`."""
        digest = encode_sha(sha) or b""
        if unpacked(self._db, digest) != data:
            whole = (deflated(data), len(data), digest)
            self._db.run("UPDATE snapshot SET data = ?, size = ?, base = NULL WHERE sha256 = ?", whole)

    def keep(self, sha: Sha256, data: bytes) -> None:
        """Keep bytes whose hash the caller has just computed. Only inside `write()`."""
        if not self.has(sha):
            self._insert(sha, data)

    def _insert(self, sha: Sha256, data: bytes) -> None:
        self._db.run(
            "INSERT INTO snapshot (sha256, size, at, data) VALUES (?, ?, ?, ?)",
            (encode_sha(sha), len(data), to_micros(self._clock()), deflated(data)),
        )

    def get(self, sha: Sha256) -> bytes:
        """The bytes of this hash, verified.

        Raises:
            NotFound: they are not kept.
            LedgerCorrupt: what is kept has another hash.
        """
        return self._remembered.get(sha, lambda: self._read(sha))

    def _read(self, sha: Sha256) -> bytes:
        data = unpacked(self._db, encode_sha(sha) or b"")
        if data is None or hashlib.sha256(data).hexdigest() != sha:
            if not self.has(sha):
                raise NotFound("The contents are not kept", sha)
            raise LedgerCorrupt(
                "A snapshot does not hold what it says",
                sha,
                "What needs it cannot be undone; everything else can.",
            )
        return data

    def has(self, sha: Sha256) -> bool:
        """Whether the bytes of this hash are kept."""
        return self._db.row("SELECT 1 FROM snapshot WHERE sha256 = ?", (encode_sha(sha),)) is not None

    def pack(self, most: int = PACK_CHANGES) -> Packed:
        """Make older versions deltas of newer ones for the next `most` changes: a part of a second's work."""
        with self._db.write():
            return pack(self._db, most)

    def total_bytes(self) -> int:
        """What all snapshots take in the file."""
        return self._db.number("SELECT sum(length(data)) FROM snapshot")
