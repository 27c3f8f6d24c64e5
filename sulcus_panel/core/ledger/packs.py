"""Older versions of a file told by newer ones, so that a long run of edits takes little room.

The newest version of a file stays whole and an older one becomes a delta of the next newer: what is let go of
first, the oldest, then has nothing standing on it. A version goes whole again before the one that it stands on
is let go of. Which changes were looked at is kept as a number, so that each is looked at once.
"""

import hashlib
import zlib
from collections.abc import Collection
from dataclasses import dataclass

from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.delta import decode_delta, encode_delta

PACKED = "packed"
"""The row of `upkeep` whose number is the last entry looked at."""
HIGHEST = 32
"""So many deltas at most lead to a version: reading it stays a matter of a millisecond or two."""
WORTH = 0.7
"""A delta larger than this part of what it replaces is not worth the dependence."""
WHOLE_LEVEL = 6
MOST_DELTAS = 128
"""A longer chain was not made by this program: it may have no end."""


@dataclass(frozen=True, slots=True)
class Packed:
    """One round: how many versions became deltas, the bytes that this freed, and whether there is more to do."""

    versions: int
    freed: int
    is_done: bool


def pack(db: Database, most: int) -> Packed:
    """Look at the next `most` changes and make deltas where it pays. Only inside `write()`."""
    last = db.number("SELECT at FROM upkeep WHERE what = ?", (PACKED,))
    changes = db.rows(
        "SELECT seq_id, before_sha256, after_sha256 FROM change WHERE seq_id > ? ORDER BY seq_id, idx LIMIT ?",
        (last, most + 1),
    )
    is_done = len(changes) <= most
    if not is_done:  # an entry's changes are looked at together
        cut = changes[-1][0]
        changes = [row for row in changes if row[0] < cut] or _changes_of(db, cut)
    if not changes:
        return Packed(0, 0, is_done=True)
    gains = [_pack_one(db, older, newer) for _, older, newer in changes if older and newer and older != newer]
    db.run(
        "INSERT INTO upkeep (what, at) VALUES (?, ?) ON CONFLICT (what) DO UPDATE SET at = excluded.at",
        (PACKED, changes[-1][0]),
    )
    made = [gain for gain in gains if gain]
    return Packed(len(made), sum(made), is_done)


def _changes_of(db: Database, seq_id: int) -> list[tuple[int, bytes | None, bytes | None]]:
    found = db.rows("SELECT seq_id, before_sha256, after_sha256 FROM change WHERE seq_id = ?", (seq_id,))
    return [(row[0], row[1], row[2]) for row in found]


def _pack_one(db: Database, older: bytes, newer: bytes) -> int:
    """Tell one version by another where that pays; the bytes that it frees."""
    kept = db.row("SELECT length(data), base, height FROM snapshot WHERE sha256 = ?", (older,))
    if kept is None or kept[1] is not None:
        return 0
    below = _below(db, newer)
    if below is None or older in below or len(below) + kept[2] > HIGHEST:
        return 0
    data, base = unpacked(db, older), unpacked(db, newer)
    if data is None or base is None or hashlib.sha256(data).digest() != older:
        return 0
    delta = encode_delta(base, data)
    if len(delta) > kept[0] * WORTH:
        return 0
    db.run("UPDATE snapshot SET data = ?, base = ? WHERE sha256 = ?", (delta, newer, older))
    for above, sha in enumerate(below, start=kept[2] + 1):
        db.run("UPDATE snapshot SET height = max(height, ?) WHERE sha256 = ?", (above, sha))
    return int(kept[0]) - len(delta)


def _below(db: Database, sha: bytes) -> list[bytes] | None:
    """This version and those that it stands on, the whole one last; None where one is not kept."""
    found: list[bytes] = []
    asked: bytes | None = sha
    while asked is not None:
        row = db.row("SELECT base FROM snapshot WHERE sha256 = ?", (asked,))
        if row is None or len(found) > HIGHEST:
            return None
        found.append(asked)
        asked = row[0]
    return found


def release(db: Database, doomed: Collection[bytes]) -> int:
    """Let go of these snapshots, what stands on them made whole before; how many there were."""
    going = set(doomed)
    for sha in _standing_on(db, going):
        data = unpacked(db, sha)
        if data is not None and hashlib.sha256(data).digest() == sha:  # else it was damaged before
            whole = zlib.compress(data, WHOLE_LEVEL)
            db.run("UPDATE snapshot SET data = ?, base = NULL WHERE sha256 = ?", (whole, sha))
    return sum(db.run("DELETE FROM snapshot WHERE sha256 = ?", (sha,)) for sha in going)


def _standing_on(db: Database, going: Collection[bytes]) -> list[bytes]:
    """Those that stay and are told by one that goes."""
    return [
        row[0]
        for sha in going
        for row in db.rows("SELECT sha256 FROM snapshot WHERE base = ?", (sha,))
        if row[0] not in going
    ]


def unpacked(db: Database, digest: bytes) -> bytes | None:
    """The bytes stored under this hash, unverified; None where they, or a version that they rest on, are not.

    A snapshot is a zlib stream, or a delta of another one.
    """
    deltas: list[tuple[int, bytes]] = []
    asked: bytes | None = digest
    while asked is not None:
        found = db.row("SELECT size, data, base FROM snapshot WHERE sha256 = ?", (asked,))
        if found is None or len(deltas) > MOST_DELTAS:
            return None
        size, stored, asked = found
        deltas.append((size, stored))
    size, stored = deltas.pop()
    data = inflate(stored, size)
    while data is not None and deltas:
        size, stored = deltas.pop()
        data = decode_delta(data, stored, size)
    return data


def inflate(stored: bytes, size: int) -> bytes | None:
    """The stored bytes, None where they are no zlib stream of this size."""
    reader = zlib.decompressobj()
    try:
        data = reader.decompress(stored, size + 1)
    except zlib.error:
        return None
    return data if len(data) == size else None
