"""The drift now known: which paths on disk are not what the ledger last saw there."""

from collections.abc import Mapping

from sulcus_panel.core.events import EventKind
from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import decode_path, encode_path
from sulcus_panel.core.ledger.events import store_events
from sulcus_panel.core.model import DriftKind, LedgerPath
from sulcus_panel.core.safety import escaped


def store_drift(
    db: Database, workspace_id: int, marks: Mapping[LedgerPath, DriftKind | None], now: int
) -> None:
    """Set or (None) clear the mark of each path, and tell what is news. Only inside `write()`."""
    told: list[tuple[EventKind, dict[str, object]]] = []
    for path, kind in marks.items():
        if kind is None:
            gone = db.run(
                "DELETE FROM drift WHERE workspace_id = ? AND path = ?", (workspace_id, encode_path(path))
            )
            if gone:
                told.append((EventKind.DRIFT_CLEARED, {"path": escaped(path)}))
        else:
            news = db.run(
                "INSERT INTO drift (workspace_id, path, kind, at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (workspace_id, path) DO UPDATE SET kind = excluded.kind, at = excluded.at"
                " WHERE kind != excluded.kind",
                (workspace_id, encode_path(path), kind.value, now),
            )
            if news:
                told.append((EventKind.DRIFT_DETECTED, {"path": escaped(path), "drift": kind}))
    store_events(db, workspace_id, told, now)


def read_drift(db: Database, workspace_id: int) -> Mapping[LedgerPath, DriftKind]:
    """Every path with known drift."""
    rows = db.rows("SELECT path, kind FROM drift WHERE workspace_id = ? ORDER BY path", (workspace_id,))
    return {decode_path(path): DriftKind(kind) for path, kind in rows}
