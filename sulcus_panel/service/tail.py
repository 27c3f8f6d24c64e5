"""What other processes appended reaches this one: a thread that drains the spool and follows the ledger.

The ledger is append-only with a rising id, so "everything after id N" is the whole protocol.
"""

import time
from collections.abc import Callable

from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import SeqId
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.follower import Follower
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.spool_worker import SpoolWorker

POLL_SECONDS = 0.15
TELL_SECONDS = 0.5
"""Of many rows that come one after another there is a word so often: each costs the window some work."""
PAGE = 10_000


class LedgerTail(Follower):
    """Publishes Changes on `bus` for rows that others wrote. `start()` once; `stop()` joins.

    `open_operations` is called in the tail's own thread and must give it a bus of its own. What `worker` drains is
    left to it.
    """

    def __init__(
        self, open_operations: Callable[[], Operations], bus: ChangeBus, worker: SpoolWorker | None = None
    ) -> None:
        super().__init__("ledger-tail", open_operations, bus)
        self._bus = bus
        self._worker = worker
        self._told_at = float("-inf")
        self._version = 0
        self._newest: SeqId | None = None
        self._is_behind = False

    def begin(self, operations: Operations) -> None:
        """Begin with the newest row, or go on where an earlier connection ended."""
        operations.bus.subscribe(self._forward_notice)
        self._version, newest = operations.ledger.data_version(), operations.ledger.newest_seq()
        if self._newest is None or self._newest > newest:  # a new ledger was begun
            self._newest = newest
        self._bus.publish(Changes(touched=None))  # whatever came before the tail began

    def run_round(self, operations: Operations) -> None:
        """Drain, and tell what is new; rows of others even when the spool cannot be read."""
        if self.stopping.wait(0 if self._is_behind else POLL_SECONDS):
            return
        self._is_behind = False
        if self._worker is not None:
            self._worker.leave_it(self.stopping, TELL_SECONDS)
        try:
            self._is_behind = self.drain_a_slice(operations)
        finally:
            self._tell(operations)

    def _tell(self, operations: Operations) -> None:
        if time.monotonic() - self._told_at < TELL_SECONDS:
            return
        ledger = operations.ledger
        newest = self._newest or SeqId(0)
        version = ledger.data_version()
        if (version, ledger.newest_seq()) == (self._version, newest):
            return
        query = LedgerQuery(after=newest, descending=False)
        fresh = tuple(SeqId(seq_id) for seq_id in ledger.find_ids(query, limit=PAGE))
        self._version, self._newest = version, fresh[-1] if fresh else newest
        self._told_at = time.monotonic()
        self._bus.publish(Changes(new_entries=fresh, touched=None, drift=True, governance=True))

    def _forward_notice(self, changes: Changes) -> None:
        if changes.notice:
            self._bus.publish(Changes(notice=changes.notice))
