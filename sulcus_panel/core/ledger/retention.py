"""What is let go of: entries beyond a workspace's ring or age, old governance, snapshots that nothing names.

Age counts from the day of recording. Nothing that an open undo names is touched (for a month nothing at all
where its journal cannot be read), and a snapshot that nothing names stays for an hour, because its entry may
still be on its way.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import encode_sha, to_micros
from sulcus_panel.core.ledger.events import trim_events
from sulcus_panel.core.ledger.journal import drop_unreadable, read_open, states_named
from sulcus_panel.core.ledger.packs import release
from sulcus_panel.core.ledger.settings import read_settings
from sulcus_panel.core.ledger.upkeep import PRUNE

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
_NOT_PINNED = "NOT EXISTS (SELECT 1 FROM label WHERE label.seq_id = entry.seq_id AND mark = 'pin')"
_OWN_SNAPSHOTS = """
WITH named AS (
    SELECT before_sha256 AS sha256, workspace_id, seq_id FROM change WHERE before_sha256 IS NOT NULL
    UNION ALL SELECT after_sha256, workspace_id, seq_id FROM change WHERE after_sha256 IS NOT NULL
)
SELECT s.sha256, length(s.data) FROM named n JOIN snapshot s ON s.sha256 = n.sha256
GROUP BY s.sha256 HAVING min(n.workspace_id) = ? AND max(n.workspace_id) = ? ORDER BY max(n.seq_id), s.at
"""


@dataclass(frozen=True, slots=True)
class Pruned:
    """How much was let go of."""

    entries: int = 0
    snapshots: int = 0
    governance: int = 0


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the open undos name; `all` where one of them cannot be read and might name anything."""

    seq_ids: frozenset[int]
    shas: frozenset[bytes]
    all: bool


def trim_ring(db: Database, workspace_id: int, max_entries: int, now: datetime) -> Pruned:
    """Drop the entries beyond the ring and the snapshots that only they named. Only inside `write()`."""
    last = db.number("SELECT last_ordinal FROM workspace WHERE id = ?", (workspace_id,))
    doomed = [
        row[0]
        for row in db.rows(
            "SELECT seq_id FROM entry WHERE workspace_id = ? AND ordinal <= ?"
            f" AND (origin != 'undo' OR ordinal <= ?) AND {_NOT_PINNED}",
            (workspace_id, last - max_entries, last - max(max_entries, UNDO_MOST)),
        )
    ]
    return _drop_entries(db, doomed, _named_by_open_undos(db), now) if doomed else Pruned()


def prune(db: Database, now: datetime) -> Pruned:
    """Everything that retention asks for, in every workspace. Only inside `write()`."""
    kept = _named_by_open_undos(db)
    entries = snapshots = 0
    for (workspace_id,) in db.rows("SELECT id FROM workspace"):
        settings = read_settings(db, workspace_id)
        ring = trim_ring(db, workspace_id, settings.max_entries, now)
        aged = db.rows(
            f"SELECT seq_id FROM entry WHERE workspace_id = ? AND recorded_at < ? AND {_NOT_PINNED}",
            (workspace_id, to_micros(now - timedelta(days=settings.max_age_days))),
        )
        old = _drop_entries(db, [row[0] for row in aged], kept, now)
        entries += ring.entries + old.entries
        snapshots += ring.snapshots + old.snapshots
        if settings.max_store_bytes:
            snapshots += _shrink(db, workspace_id, settings.max_store_bytes, kept)
    snapshots += _drop_unnamed(db, kept, now)
    governance = _drop_governance(db, now)
    _drop_leftovers(db, now)
    drop_unreadable(db, to_micros(now - timedelta(days=PENDING_DAYS)), to_micros(now))
    trim_events(db, now)
    db.run(
        "INSERT INTO upkeep (what, at) VALUES (?, ?) ON CONFLICT (what) DO UPDATE SET at = excluded.at",
        (PRUNE, to_micros(now)),
    )
    return Pruned(entries, snapshots, governance)


def _named_by_open_undos(db: Database) -> _Kept:
    undos = read_open(db)
    seq_ids = {
        entry.reverses
        for journal in undos.journals
        for entry in journal.entries
        if entry.reverses is not None
    }
    shas = {encode_sha(state.sha256) for journal in undos.journals for state in states_named(journal)}
    named = frozenset(sha for sha in shas if sha is not None)
    return _Kept(frozenset(seq_ids), named, bool(undos.unreadable))


def _drop_entries(db: Database, doomed: Iterable[int], kept: _Kept, now: datetime) -> Pruned:
    """Delete entries (changes, sources and marks go with them), then the young ring's own leftovers."""
    if kept.all:
        return Pruned()
    seq_ids = [(seq_id,) for seq_id in doomed if seq_id not in kept.seq_ids]
    shas: set[bytes] = set()
    for seq_id in seq_ids:
        for row in db.rows("SELECT before_sha256, after_sha256 FROM change WHERE seq_id = ?", seq_id):
            shas.update(sha for sha in row if sha is not None)
    db.run_many("DELETE FROM entry WHERE seq_id = ?", seq_ids)
    oldest = to_micros(now - GRACE)
    unnamed = f"SELECT 1 FROM snapshot WHERE sha256 = ? AND at < ? AND NOT ({_NAMED})"
    dropped = release(db, [sha for sha in shas - kept.shas if db.row(unnamed, (sha, oldest))])
    return Pruned(len(seq_ids), dropped)


def _drop_unnamed(db: Database, kept: _Kept, now: datetime) -> int:
    if kept.all:
        return 0
    unnamed = db.rows(
        f"SELECT sha256 FROM snapshot WHERE at < ? AND NOT ({_NAMED})", (to_micros(now - GRACE),)
    )
    return release(db, [row[0] for row in unnamed if row[0] not in kept.shas])


def hold_size(db: Database, workspace_id: int, most_bytes: int) -> int:
    """Let go of this workspace's oldest snapshots until they are no larger than this; how many went."""
    return _shrink(db, workspace_id, most_bytes, _named_by_open_undos(db))


def _shrink(db: Database, workspace_id: int, most_bytes: int, kept: _Kept) -> int:
    """Do as hold_size says, of those that this workspace alone names."""
    if kept.all or _is_within(db, most_bytes):
        return 0
    own = db.rows(_OWN_SNAPSHOTS, (workspace_id, workspace_id))
    over = sum(row[1] for row in own) - most_bytes
    doomed = []
    for sha, size in own:
        if over <= 0:
            break
        if sha not in kept.shas:
            doomed.append(sha)
            over -= size
    return release(db, doomed)


def _is_within(db: Database, most_bytes: int) -> bool:
    """Whether all snapshots take no more than this; asked of the whole file first, for that costs nothing."""
    file_bytes = db.number("PRAGMA page_count") * db.number("PRAGMA page_size")
    return file_bytes <= most_bytes or db.number("SELECT sum(length(data)) FROM snapshot") <= most_bytes


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
