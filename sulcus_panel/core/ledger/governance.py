"""The second timeline: rare, high-impact events and every undo decision, kept apart from the entries."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from sulcus_panel.core.events import EventKind
from sulcus_panel.core.ledger.database import Database, Row
from sulcus_panel.core.ledger.encoding import encode_text, from_micros, to_micros
from sulcus_panel.core.ledger.events import store_events
from sulcus_panel.core.model import Actor, ActorKind, GovernanceRecord, Namespace, SeqId

TEXT_LIMIT = 2_000
CONFIG_SET, UNDO_FAILED = "config.set", "undo.failed"
"""Kinds of which an event of its own is told, too."""
PANEL = Actor("Sulcus Panel", ActorKind.MODULE)
"""Who acts where no person and no agent does."""
_SELECT = (
    "SELECT g.id, g.at, w.namespace, g.actor, g.actor_kind, g.kind, g.summary, g.seq_ids, g.detail"
    " FROM governance g LEFT JOIN workspace w ON w.id = g.workspace_id"
)


def draft(
    at: datetime,
    actor: Actor,
    kind: str,
    summary: str,
    seq_ids: Sequence[SeqId],
    detail: Mapping[str, str] | None,
) -> GovernanceRecord:
    """A record that has no id and no namespace yet."""
    return GovernanceRecord(0, at, None, actor, kind, summary, tuple(seq_ids), detail or {})


def store_record(db: Database, workspace_id: int | None, record: GovernanceRecord) -> GovernanceRecord:
    """Write one record; as it then stands. Only inside `write()`."""
    record_id = db.insert(
        "INSERT INTO governance (at, workspace_id, actor, actor_kind, kind, summary, seq_ids, detail)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            to_micros(record.at),
            workspace_id,
            encode_text(record.actor.name, 500),
            record.actor.kind.value,
            encode_text(record.kind, 100),
            encode_text(record.summary, TEXT_LIMIT),
            json.dumps(list(record.seq_ids)),
            json.dumps(dict(record.detail)),
        ),
    )
    db.told += 1
    store_events(db, workspace_id, list(_told(record_id, record)), to_micros(record.at))
    return _record(_row(db, record_id))


def _told(record_id: int, record: GovernanceRecord) -> Iterator[tuple[EventKind, dict[str, object]]]:
    """Each row is news; a setting and an undo that came to nothing are so by names of their own, too."""
    row: dict[str, object] = {"id": record_id, "kind": encode_text(record.kind, 100)}
    told = row | {"summary": encode_text(record.summary, TEXT_LIMIT), "seq_ids": list(record.seq_ids)}
    yield EventKind.GOVERNANCE_RECORDED, told
    if record.kind == CONFIG_SET:
        yield EventKind.CONFIG_CHANGED, {"summary": told["summary"]}
    if record.kind == UNDO_FAILED:
        for seq_id in record.seq_ids:
            yield EventKind.UNDO_FAILED, {"id": seq_id}


def _row(db: Database, record_id: int) -> Row:
    return db.rows(f"{_SELECT} WHERE g.id = ?", (record_id,))[0]


def read_records(
    db: Database, workspace_id: int | None, limit: int, kind_prefix: str, before: int | None
) -> tuple[GovernanceRecord, ...]:
    """Newest first; of all workspaces where none is named."""
    rows = db.rows(
        f"{_SELECT} WHERE (?1 IS NULL OR g.workspace_id = ?1) AND substr(g.kind, 1, length(?2)) = ?2"
        " AND (?3 IS NULL OR g.id < ?3) ORDER BY g.id DESC LIMIT ?4",
        (workspace_id, kind_prefix, before, max(limit, 0)),
    )
    return tuple(_record(row) for row in rows)


def _record(row: Row) -> GovernanceRecord:
    return GovernanceRecord(
        id=row[0],
        at=from_micros(row[1]),
        namespace=None if row[2] is None else Namespace(row[2]),
        actor=Actor(row[3], ActorKind(row[4])),
        kind=row[5],
        summary=row[6],
        seq_ids=tuple(json.loads(row[7])),
        detail=json.loads(row[8]),
    )
