"""What other processes appended reaches this one: a thread that drains the spool and follows the ledger.

The ledger is append-only with a rising id, so "everything after id N" is the whole protocol.
"""

import threading
from collections.abc import Callable

from sulcus_panel.core.errors import LedgerBusy
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import Operations

POLL_SECONDS = 0.15
PAGE = 10_000


class LedgerTail:
    """Publishes Changes on `bus` for rows that others wrote. `start()` once; `stop()` joins.

    `open_operations` is called in the tail's own thread and must give it a bus of its own.
    """

    def __init__(self, open_operations: Callable[[], Operations], bus: ChangeBus) -> None:
        self._open_operations = open_operations
        self._bus = bus
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ledger-tail", daemon=True)

    def start(self) -> None:
        """Begin to follow."""
        self._thread.start()

    def stop(self) -> None:
        """End and wait for the thread."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        with self._open_operations() as operations:
            operations.bus.subscribe(self._forward_notice)
            self._follow(operations)

    def _forward_notice(self, changes: Changes) -> None:
        if changes.notice:
            self._bus.publish(Changes(notice=changes.notice))

    def _follow(self, operations: Operations) -> None:
        version, newest = operations.ledger.data_version(), operations.ledger.newest_seq()
        self._bus.publish(Changes(touched=None))  # whatever came before the tail began
        while not self._stop.wait(POLL_SECONDS):
            try:
                operations.drain()
                seen = operations.ledger.data_version(), operations.ledger.newest_seq()
                if seen == (version, newest):
                    continue
                fresh = operations.ledger.after(newest, None, PAGE)
            except LedgerBusy:
                continue  # the next round tries again; the spool keeps what it holds
            version, newest = seen[0], fresh[-1].seq_id if fresh else newest
            self._bus.publish(
                Changes(
                    new_entries=tuple(entry.seq_id for entry in fresh),
                    touched=None,
                    drift=True,
                    governance=True,
                )
            )
