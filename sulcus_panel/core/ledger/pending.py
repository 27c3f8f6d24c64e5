"""What capture has half of and must not lose between two runs: a Pre that waits for its Post and the like."""

from dataclasses import dataclass
from datetime import datetime

from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import encode_text, from_micros, to_micros


@dataclass(frozen=True, slots=True)
class Pending:
    """One waiting piece; `kind` and `payload` mean what their writer says. `key` is kept as encode_text says."""

    key: str
    kind: str
    at: datetime
    payload: bytes


def store_pending(db: Database, piece: Pending) -> None:
    """Keep it, in place of an older one with its key. Only inside `write()`."""
    db.run(
        "INSERT INTO pending (key, kind, at, payload) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET"
        " kind = excluded.kind, at = excluded.at, payload = excluded.payload",
        (encode_text(piece.key), encode_text(piece.kind), to_micros(piece.at), piece.payload),
    )


def read_pending(db: Database, kind: str | None) -> tuple[Pending, ...]:
    """What waits, oldest first; of every kind where none is named."""
    rows = db.rows(
        "SELECT key, kind, at, payload FROM pending WHERE ?1 IS NULL OR kind = ?1 ORDER BY at, rowid", (kind,)
    )
    return tuple(Pending(row[0], row[1], from_micros(row[2]), bytes(row[3])) for row in rows)
