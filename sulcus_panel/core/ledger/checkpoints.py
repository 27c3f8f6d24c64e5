"""When the write-ahead log is moved into the ledger file, and by whom: one process at a time.

SQLite before 3.51.3 can lose pages when two connections checkpoint at once, so only the holder of the
`checkpoint` lock does it.
"""

from sulcus_panel.core.errors import LedgerBusy, LedgerFull
from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.locks import holding
from sulcus_panel.core.ledger.opening import log_bytes

COMMITS = 256
LARGE_LOG_COMMITS, LARGE_LOG_BYTES = 16, 8 * 2**20
BUSY_MS = 50


def is_due(db: Database, home: DataHome) -> bool:
    """True after so many commits of this connection, or fewer where the log has grown large."""
    is_large = db.commits >= LARGE_LOG_COMMITS and log_bytes(home) > LARGE_LOG_BYTES
    return is_large or db.commits >= COMMITS


def checkpoint(db: Database, home: DataHome) -> bool:
    """Move the log into the file; False where another process is at it or readers hold it."""
    db.commits = 0
    try:
        with holding(home, "checkpoint", 0) as held:
            return held and db.checkpoint(BUSY_MS)
    except (LedgerBusy, LedgerFull):
        return False  # nothing is lost: the log holds it, and the next one tries again
