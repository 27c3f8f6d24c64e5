"""What was not recorded and why: a visible gap is better than a silent one."""

from dataclasses import dataclass
from datetime import datetime

from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import encode_text, from_micros

OFF = "recording was off"


@dataclass(frozen=True, slots=True)
class Gap:
    """So many events between two times are missing from the ledger."""

    reason: str
    first: datetime
    last: datetime
    events: int


def count_gap(db: Database, workspace_id: int, at: int, reason: str, events: int) -> None:
    """Widen the newest gap of this reason unless an entry came since; else begin one. In `write()` only."""
    reason = encode_text(reason, 500)
    newest = db.row(
        "SELECT id, reason, last_at FROM gap WHERE workspace_id = ? ORDER BY id DESC LIMIT 1", (workspace_id,)
    )
    if newest is not None and newest[1] == reason and not _recorded_since(db, workspace_id, newest[2]):
        db.run(
            "UPDATE gap SET first_at = min(first_at, ?1), last_at = max(last_at, ?1), events = events + ?2"
            " WHERE id = ?3",
            (at, events, newest[0]),
        )
        return
    db.run(
        "INSERT INTO gap (workspace_id, reason, first_at, last_at, events) VALUES (?, ?, ?, ?, ?)",
        (workspace_id, reason, at, at, events),
    )


def _recorded_since(db: Database, workspace_id: int, at: int) -> bool:
    newest = db.row(
        "SELECT recorded_at FROM entry WHERE workspace_id = ? ORDER BY seq_id DESC LIMIT 1", (workspace_id,)
    )
    return newest is not None and newest[0] > at


def read_gaps(db: Database, workspace_id: int) -> tuple[Gap, ...]:
    """Every gap, oldest first."""
    rows = db.rows(
        "SELECT reason, first_at, last_at, events FROM gap WHERE workspace_id = ? ORDER BY id",
        (workspace_id,),
    )
    return tuple(Gap(row[0], from_micros(row[1]), from_micros(row[2]), row[3]) for row in rows)
