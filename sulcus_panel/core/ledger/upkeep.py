"""When retention is due (retention.py does it): asked at every opening and record, and nearly always not yet."""

from datetime import datetime, timedelta

from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import to_micros

EVERY = 64
"""How many appends to a workspace pass between two trims of its ring."""
PRUNE_EVERY = timedelta(days=1)
PRUNE = "prune"


def is_due(db: Database, now: datetime) -> bool:
    """Whether the last whole prune, by whichever process, was a day ago."""
    last = db.number("SELECT at FROM upkeep WHERE what = ?", (PRUNE,))
    return not to_micros(now - PRUNE_EVERY) < last <= to_micros(now)
