"""The one lock under which files are written: one undo at a time, whichever door it came by."""

from collections.abc import Iterator
from contextlib import contextmanager

from sulcus_panel.core.ledger.locks import holding
from sulcus_panel.core.ledger.store import Ledger


@contextmanager
def undo_lock(ledger: Ledger, seconds: float) -> Iterator[bool]:
    """Hold the lock of this ledger's data folder; False where somebody else does for so many seconds.

    Raises LedgerFull where the lock file cannot be made.
    """
    with holding(ledger.home, "undo", seconds) as held:
        yield held
