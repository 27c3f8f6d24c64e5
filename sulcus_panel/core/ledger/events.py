"""The events: each written in the transaction of what it tells, so that neither is there without the other.

Kept for a week and no more than 100,000; a reader who comes later is told of the hole.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sulcus_panel.core.events import Event, EventKind
from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import from_micros, to_micros
from sulcus_panel.core.model import Namespace
from sulcus_panel.core.safety import escaped

MOST = 100_000
DAYS = 7
PATHS_NAMED = 200
_encode = json.JSONEncoder(separators=(",", ":")).encode
_INSERT = "INSERT INTO event (at, workspace_id, kind, body) VALUES (?, ?, ?, ?)"
_SELECT = (
    "SELECT e.id, e.at, w.namespace, e.kind, e.body"
    " FROM event e LEFT JOIN workspace w ON w.id = e.workspace_id"
)


@dataclass(slots=True, eq=False, repr=False)
class EventTable:
    """The events of one ledger, for one thread at a time."""

    db: Database

    def after(self, event_id: int, *, workspace_id: int | None = None, limit: int = 500) -> tuple[Event, ...]:
        """The next events after this id, oldest first; of all workspaces where none is named."""
        if not self.db.has_table("event"):  # an older ledger that is only read
            return ()
        rows = self.db.rows(
            f"{_SELECT} WHERE e.id > ?1 AND (?2 IS NULL OR e.workspace_id = ?2 OR e.workspace_id IS NULL)"
            " ORDER BY e.id LIMIT ?3",
            (event_id, workspace_id, max(limit, 0)),
        )
        return tuple(
            Event(
                id=row[0],
                at=from_micros(row[1]),
                namespace=None if row[2] is None else Namespace(row[2]),
                kind=EventKind(row[3]),
                body=json.loads(row[4]),
            )
            for row in rows
        )

    @property
    def newest(self) -> int:
        """The highest id ever given, 0 for none."""
        return self.db.number("SELECT seq FROM sqlite_sequence WHERE name = 'event'")

    @property
    def oldest(self) -> int:
        """The lowest id still kept, 0 for none."""
        return self.db.number("SELECT min(id) FROM event")


def store_event(
    db: Database, workspace_id: int | None, kind: EventKind, body: Mapping[str, object], now: int
) -> int:
    """Tell one thing; the event's id. Only inside the `write()` of what it tells."""
    db.told += 1
    return db.insert(_INSERT, (now, workspace_id, kind.value, _text(body)))


def store_events(
    db: Database, workspace_id: int | None, told: Sequence[tuple[EventKind, Mapping[str, object]]], now: int
) -> None:
    """Tell several things. Only inside the `write()` of what they tell."""
    db.told += len(told)
    db.run_many(_INSERT, [(now, workspace_id, kind.value, _text(body)) for kind, body in told])


def named(paths: Collection[str]) -> dict[str, object]:
    """The paths of an event; of more than 200 how many there are, too."""
    shown = [escaped(path) for path in list(paths)[:PATHS_NAMED]]
    return {"paths": shown} if len(paths) <= PATHS_NAMED else {"paths": shown, "paths_in_all": len(paths)}


def _text(body: Mapping[str, object]) -> str:
    return _encode(body)


def trim_events(db: Database, now: datetime) -> None:
    """Let go of what is older than a week, or more than 100,000 events back. Only inside `write()`."""
    newest = db.number("SELECT max(id) FROM event")
    db.run(
        "DELETE FROM event WHERE id <= ? OR at < ?",
        (newest - MOST, to_micros(now - timedelta(days=DAYS))),
    )
