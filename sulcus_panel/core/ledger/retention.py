"""What is let go of: entries beyond a workspace's ring or age, old governance, snapshots that nothing names.

Age counts from the day of recording. Nothing that an open undo names is touched, and a snapshot younger than
an hour stays, because its entry may still be on its way.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import encode_sha, to_micros
from sulcus_panel.core.ledger.journal import read_open
from sulcus_panel.core.ledger.settings import read_settings

EVERY = 64
"""How many appends to a workspace pass between two trims of its ring."""
GOVERNANCE_MOST = 5_000
GOVERNANCE_DAYS = 90
UNDO_MOST = 5_000
"""Undos stay beyond the ring, as long as the governance that tells of them: a redo survives newer work."""
GRACE = timedelta(hours=1)
PENDING_DAYS = 30
_NAMED = (
    "EXISTS (SELECT 1 FROM change WHERE before_sha256 = snapshot.sha256)"
    " OR EXISTS (SELECT 1 FROM change WHERE after_sha256 = snapshot.sha256)"
)


@dataclass(frozen=True, slots=True)
class Pruned:
    """How much was let go of."""

    entries: int = 0
    snapshots: int = 0
    governance: int = 0


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the open undos name."""

    seq_ids: frozenset[int]
    shas: frozenset[bytes]


def trim_ring(db: Database, workspace_id: int, max_entries: int, now: datetime) -> Pruned:
    """Drop the entries beyond the ring and the snapshots that only they named. Only inside `write()`."""
    last = db.number("SELECT last_ordinal FROM workspace WHERE id = ?", (workspace_id,))
    doomed = [
        row[0]
        for row in db.rows(
            "SELECT seq_id FROM entry WHERE workspace_id = ? AND ordinal <= ?"
            " AND (origin != 'undo' OR ordinal <= ?)",
            (workspace_id, last - max_entries, last - max(max_entries, UNDO_MOST)),
        )
    ]
    return _drop_entries(db, doomed, _named_by_open_undos(db), now) if doomed else Pruned()


def prune(db: Database, now: datetime) -> Pruned:
    """Everything that retention asks for, in every workspace. Only inside `write()`."""
    kept = _named_by_open_undos(db)
    entries = snapshots = 0
    most_bytes = 0
    for (workspace_id,) in db.rows("SELECT id FROM workspace"):
        settings = read_settings(db, workspace_id)
        most_bytes = max(most_bytes, settings.max_store_bytes)
        ring = trim_ring(db, workspace_id, settings.max_entries, now)
        aged = db.rows(
            "SELECT seq_id FROM entry WHERE workspace_id = ? AND recorded_at < ?",
            (workspace_id, to_micros(now - timedelta(days=settings.max_age_days))),
        )
        old = _drop_entries(db, [row[0] for row in aged], kept, now)
        entries += ring.entries + old.entries
        snapshots += ring.snapshots + old.snapshots
    snapshots += _drop_unnamed(db, kept, now)
    if most_bytes:
        snapshots += _shrink(db, most_bytes, kept)
    governance = _drop_governance(db, now)
    _drop_leftovers(db, now)
    return Pruned(entries, snapshots, governance)


def _named_by_open_undos(db: Database) -> _Kept:
    journals = read_open(db)
    seq_ids = {
        entry.reverses for journal in journals for entry in journal.entries if entry.reverses is not None
    }
    states = [
        state for journal in journals for write in journal.writes for state in (write.before, write.after)
    ]
    shas = {encode_sha(state.sha256) for state in states}
    return _Kept(frozenset(seq_ids), frozenset(sha for sha in shas if sha is not None))


def _drop_entries(db: Database, doomed: Iterable[int], kept: _Kept, now: datetime) -> Pruned:
    """Delete entries (changes, sources and marks go with them), then the young ring's own leftovers."""
    seq_ids = [(seq_id,) for seq_id in doomed if seq_id not in kept.seq_ids]
    shas: set[bytes] = set()
    for seq_id in seq_ids:
        for row in db.rows("SELECT before_sha256, after_sha256 FROM change WHERE seq_id = ?", seq_id):
            shas.update(sha for sha in row if sha is not None)
    db.run_many("DELETE FROM entry WHERE seq_id = ?", seq_ids)
    oldest = to_micros(now - GRACE)
    dropped = sum(
        db.run(f"DELETE FROM snapshot WHERE sha256 = ? AND at < ? AND NOT ({_NAMED})", (sha, oldest))
        for sha in shas - kept.shas
    )
    return Pruned(len(seq_ids), dropped)


def _drop_unnamed(db: Database, kept: _Kept, now: datetime) -> int:
    unnamed = db.rows(
        f"SELECT sha256 FROM snapshot WHERE at < ? AND NOT ({_NAMED})", (to_micros(now - GRACE),)
    )
    doomed = [row for row in unnamed if row[0] not in kept.shas]
    db.run_many("DELETE FROM snapshot WHERE sha256 = ?", doomed)
    return len(doomed)


def _shrink(db: Database, most_bytes: int, kept: _Kept) -> int:
    """Let go of the snapshots of the oldest entries until the store is no larger than this."""
    over = db.number("SELECT sum(length(data)) FROM snapshot") - most_bytes
    if over <= 0:
        return 0
    newest_use = (
        "SELECT s.sha256, length(s.data), max("
        " coalesce((SELECT max(seq_id) FROM change WHERE before_sha256 = s.sha256), 0),"
        " coalesce((SELECT max(seq_id) FROM change WHERE after_sha256 = s.sha256), 0)) AS used"
        " FROM snapshot s ORDER BY used, s.at"
    )
    doomed = []
    for sha, size, used in db.rows(newest_use):
        if over <= 0:
            break
        if used and sha not in kept.shas:
            doomed.append((sha,))
            over -= size
    db.run_many("DELETE FROM snapshot WHERE sha256 = ?", doomed)
    return len(doomed)


def _drop_governance(db: Database, now: datetime) -> int:
    newest = db.number("SELECT max(id) FROM governance")
    return db.run(
        "DELETE FROM governance WHERE id <= ? OR at < ?",
        (newest - GOVERNANCE_MOST, to_micros(now - timedelta(days=GOVERNANCE_DAYS))),
    )


def _drop_leftovers(db: Database, now: datetime) -> None:
    """Prompts, drift marks and gaps whose entries are gone, and halves that will never meet."""
    db.run("DELETE FROM intent WHERE NOT EXISTS (SELECT 1 FROM entry WHERE entry.intent_id = intent.id)")
    db.run(
        "DELETE FROM drift WHERE NOT EXISTS (SELECT 1 FROM change"
        " WHERE change.workspace_id = drift.workspace_id AND change.path = drift.path)"
    )
    db.run("DELETE FROM gap WHERE last_at < ?", (to_micros(now - timedelta(days=GOVERNANCE_DAYS)),))
    db.run("DELETE FROM pending WHERE at < ?", (to_micros(now - timedelta(days=PENDING_DAYS)),))
