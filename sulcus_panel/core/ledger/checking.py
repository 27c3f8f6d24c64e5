"""Every row and snapshot looked at as its use does: what cannot be read, and what contradicts something else.

Nothing is changed here; mending.py does what can be done.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.events import EventKind
from sulcus_panel.core.holds import HoldState
from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.delta import decode_delta
from sulcus_panel.core.ledger.entries import read_entries
from sulcus_panel.core.ledger.events import EventTable
from sulcus_panel.core.ledger.governance import read_records
from sulcus_panel.core.ledger.holds import HoldTable
from sulcus_panel.core.ledger.journal import UNREADABLE, read_open
from sulcus_panel.core.ledger.packs import inflate, unpacked
from sulcus_panel.core.ledger.rules import RuleTable
from sulcus_panel.core.ledger.settings import read_settings
from sulcus_panel.core.ledger.tokens import TokenTable
from sulcus_panel.core.model import EntryState, SeqId

PAGE = 256
_CANNOT = (*UNREADABLE, SulcusError)
_ENDS = (EventKind.REWIND_COMPLETED, EventKind.REWIND_FAILED)
_LOST_SIDES = " UNION ALL ".join(
    f"SELECT 1 FROM change WHERE {side}_sha256 IS NOT NULL AND {side}_reason = ''"
    f" AND {side}_kind IN ('file', 'symlink')"
    f" AND NOT EXISTS (SELECT 1 FROM snapshot WHERE sha256 = {side}_sha256)"
    for side in ("before", "after")
)
_WRONG_SIZES = " UNION ".join(
    f"SELECT c.seq_id FROM change c JOIN snapshot s ON s.sha256 = c.{side}_sha256 WHERE c.{side}_size != s.size"
    for side in ("before", "after")
)
_STRAYED = (
    "SELECT c.seq_id FROM {table} c JOIN entry e ON e.seq_id = c.seq_id"
    " WHERE c.workspace_id != e.workspace_id OR c.at != e.at"
)


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one table, and those that cannot be read."""

    name: str
    rows: int
    unreadable: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SnapshotRead:
    """One snapshot as it was read; not `sound` where it does not hold what its hash says."""

    sha256: bytes
    size_bytes: int
    is_delta: bool
    sound: bool


def integrity(db: Database) -> tuple[str, ...]:
    """What SQLite itself finds wrong with the file, its indexes and the links between tables."""
    told = [str(row[0]) for row in db.rows("PRAGMA integrity_check") if row[0] != "ok"]
    links = Counter((row[0], row[2]) for row in db.rows("PRAGMA foreign_key_check"))
    return (*told, *(f"{count} rows of {table} name no {parent}" for (table, parent), count in links.items()))


def read_snapshots(db: Database) -> Iterator[SnapshotRead]:
    """Read every snapshot once, each after the one that it is a delta of."""
    rest = {row[0] for row in db.rows("SELECT sha256 FROM snapshot")}
    waiting: list[tuple[bytes, bytes | None]] = [
        (row[0], None) for row in db.rows("SELECT sha256 FROM snapshot WHERE base IS NULL")
    ]
    while waiting:
        sha, below = waiting.pop()
        rest.discard(sha)
        size, stored, is_delta = db.rows(
            "SELECT size, data, base IS NOT NULL FROM snapshot WHERE sha256 = ?", (sha,)
        )[0]
        data = _contents(stored, size, below, is_delta=bool(is_delta))
        sound = data is not None and hashlib.sha256(data).digest() == sha
        yield SnapshotRead(sha, size, bool(is_delta), sound)
        waiting += [(row[0], data) for row in db.rows("SELECT sha256 FROM snapshot WHERE base = ?", (sha,))]
    for sha in sorted(rest):  # what they are told by is not kept, or they are told by each other
        yield SnapshotRead(sha, 0, is_delta=True, sound=False)


def is_sound(db: Database, sha: bytes) -> bool:
    """Whether a snapshot, read as every use of it does, holds what its hash says."""
    try:
        data = unpacked(db, sha)
    except (TypeError, ValueError):  # what is stored is no bytes, or its size no number
        return False
    return data is not None and hashlib.sha256(data).digest() == sha


def _contents(stored: object, size: object, below: bytes | None, *, is_delta: bool) -> bytes | None:
    if not (isinstance(stored, bytes) and isinstance(size, int)):
        return None
    if not is_delta:
        return inflate(stored, size)
    return None if below is None else decode_delta(below, stored, size)


def read_tables(db: Database) -> Iterator[Table]:
    """Read every row, a page at a time, and one by one where a page cannot be read."""
    events, holds, tokens, rules = EventTable(db), HoldTable(db), TokenTable(db), RuleTable(db)

    def entries(ids: Sequence[int]) -> bool:
        return len(read_entries(db, [SeqId(each) for each in ids])) == len(ids)

    def firings(ids: Sequence[int]) -> object:
        return rules.firings(None, before=ids[-1] + 1, limit=len(ids))

    readers: dict[str, tuple[str, Callable[[Sequence[int]], object]]] = {
        "workspace": ("id", lambda ids: [read_settings(db, each) for each in ids]),
        "entry": ("seq_id", entries),
        "event": ("id", lambda ids: events.after(ids[0] - 1, limit=len(ids))),
        "governance": ("id", lambda ids: read_records(db, None, len(ids), "", ids[-1] + 1)),
        "hold": ("id", lambda ids: [holds.by_id(each) for each in ids]),
        "token": ("id", lambda ids: [tokens.by_id(each) for each in ids]),
        "rule": ("id", lambda ids: [rules.by_id(each) for each in ids]),
        "firing": ("id", firings),
    }
    for name, (key, read) in readers.items():
        ids = [row[0] for row in db.rows(f"SELECT {key} FROM {name} ORDER BY {key}")]
        yield Table(name, len(ids), tuple(_unreadable(ids, read)))


def _unreadable(ids: Sequence[int], read: Callable[[Sequence[int]], object]) -> Iterator[int]:
    for start in range(0, len(ids), PAGE):
        page = ids[start : start + PAGE]
        if not _can(read, page):
            yield from (each for each in page if not _can(read, [each]))


def _can(read: Callable[[Sequence[int]], object], ids: Sequence[int]) -> bool:
    try:
        return read(ids) is not False
    except _CANNOT:
        return False


def lost_sides(db: Database) -> int:
    """How many sides of changes were kept once and are no more: retention, or `forget`, let them go."""
    return db.number(f"SELECT count(*) FROM ({_LOST_SIDES})")


def wrong_sizes(db: Database) -> tuple[SeqId, ...]:
    """Entries that tell another size than the snapshot of their hash has."""
    return tuple(SeqId(row[0]) for row in db.rows(f"{_WRONG_SIZES} ORDER BY 1"))


def strayed(db: Database) -> tuple[SeqId, ...]:
    """Entries of which a change or a source stands under another workspace or time than the entry itself."""
    both = " UNION ".join(_STRAYED.format(table=table) for table in ("change", "source"))
    return tuple(SeqId(row[0]) for row in db.rows(f"{both} ORDER BY 1"))


def held_by_nobody(db: Database) -> tuple[SeqId, ...]:
    """Entries that are marked as held, and for which no hold waits."""
    named: set[int] = set()
    for (seq_ids,) in db.rows("SELECT seq_ids FROM hold WHERE state = ?", (HoldState.WAITING.value,)):
        try:
            named.update(json.loads(seq_ids))
        except UNREADABLE:
            return ()  # it may name any
    marked = db.rows("SELECT seq_id FROM mark WHERE state = ? ORDER BY seq_id", (EntryState.HELD.value,))
    return tuple(SeqId(row[0]) for row in marked if row[0] not in named)


def unsettled_undos(db: Database, before: int) -> tuple[str, ...]:
    """Undos that did not end: those that nobody can read, and those begun before this time."""
    old = [row[0] for row in db.rows("SELECT op_id FROM undo_journal WHERE at < ? ORDER BY at", (before,))]
    return tuple(dict.fromkeys((*read_open(db).unreadable, *old)))


def unpaired_rewinds(db: Database) -> tuple[str, ...]:
    """Undos whose start was told, and whose end was not told exactly once; those under way are none."""
    under_way = {row[0] for row in db.rows("SELECT op_id FROM undo_journal")}
    ends: dict[str, int] = {}
    for kind, body in db.rows("SELECT kind, body FROM event WHERE kind LIKE 'rewind.%' ORDER BY id"):
        try:
            op_id = json.loads(body)["op_id"]
        except UNREADABLE:
            continue  # told as a row that cannot be read
        if kind == EventKind.REWIND_STARTED:
            ends.setdefault(op_id, 0)
        elif kind in _ENDS and op_id in ends:
            ends[op_id] += 1
    return tuple(op_id for op_id, times in ends.items() if times != 1 and op_id not in under_way)
