"""The one lock under which files are written: one undo at a time, whichever door it came by."""

from collections.abc import Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from sulcus_panel.core.ledger.store import Ledger


@contextmanager
def undo_lock(ledger: Ledger, seconds: float) -> Iterator[bool]:
    """Hold the lock of this ledger's data folder; False where somebody else does for so many seconds."""
    lock = FileLock(ledger.home.lock / "undo", timeout=seconds)
    try:
        lock.acquire()
    except Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()
