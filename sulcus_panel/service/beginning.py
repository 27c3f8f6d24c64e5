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
    return (*_recovered(ledger, now), *_purged(ledger, now))


def _recovered(ledger: Ledger, now: datetime) -> tuple[str, ...]:
    interrupted = ledger.open_undos()
    if not interrupted:
        return ()
    from sulcus_panel.core.undo.recover import recover
    from sulcus_panel.service.telling import tell_agents

    told = recover(ledger)
    left = {journal.op_id for journal in ledger.open_undos()}
    uids = [entry.uid for journal in interrupted if journal.op_id not in left for entry in journal.entries]
    found = (ledger.entry_by_uid(uid) for uid in uids)
    tell_agents(ledger, [entry.seq_id for entry in found if entry is not None], now)
    return told


def _purged(ledger: Ledger, now: datetime) -> tuple[str, ...]:
    if not ledger.home.trash.exists():
        return ()
    from sulcus_panel.core.undo.trash import purge_trash

    return purge_trash(ledger, now)
