"""What every process does once it has opened a ledger: finish what was cut off, and know which file it has open.

The undo is imported only where one was interrupted: few starts need it.
"""

from datetime import datetime
from pathlib import Path

from sulcus_panel.core.ledger.store import Ledger


def place_of(database: Path) -> tuple[int, int] | None:
    """Return which file this is, by device and inode; None where there is none."""
    try:
        status = database.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def put_in_order(ledger: Ledger, now: datetime) -> tuple[str, ...]:
    """Settle undos that did not end, and let go of what they displaced a day ago; return what is to be told."""
    return (*_recovered(ledger), *_purged(ledger, now))


def _recovered(ledger: Ledger) -> tuple[str, ...]:
    if not ledger.open_undos():
        return ()
    from sulcus_panel.core.undo.recover import recover

    return recover(ledger)


def _purged(ledger: Ledger, now: datetime) -> tuple[str, ...]:
    if not ledger.home.trash.exists():
        return ()
    from sulcus_panel.core.undo.trash import purge_trash

    return purge_trash(ledger, now)
