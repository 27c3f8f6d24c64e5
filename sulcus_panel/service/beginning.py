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
    """Settle undos that did not end, tell agents of those that did, and let go of what was displaced a day ago.

    Returns what the person is to be told.
    """
    told = _recovered(ledger)
    _tell_agents(ledger, now)
    return (*told, *_purged(ledger, now))


def _recovered(ledger: Ledger) -> tuple[str, ...]:
    if not ledger.open_undos():
        return ()
    from sulcus_panel.core.undo.recover import recover

    return recover(ledger)


def _tell_agents(ledger: Ledger, now: datetime) -> None:
    if ledger.is_a_word_owed():
        from sulcus_panel.service.telling import tell_agents

        tell_agents(ledger, now)


def _purged(ledger: Ledger, now: datetime) -> tuple[str, ...]:
    if not ledger.home.trash.exists():
        return ()
    from sulcus_panel.core.undo.trash import purge_trash

    return purge_trash(ledger, now)
