"""A thread that follows the ledger as long as the window is open, whatever becomes of the ledger meanwhile.

What goes wrong is told once and tried again in a moment; the first round that succeeds ends the matter. A
thread that ends without having been asked says so.
"""

import threading
import time
from collections.abc import Callable

from sulcus_panel.core.errors import LedgerBusy, SulcusError
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import Operations

RETRY_SECONDS = 1.0
REST_SECONDS = 0.005
"""After every few events that are drained: so the window gets at least every second moment of the interpreter."""
SLICE_SECONDS = 0.5
"""After so much draining there is a word of it, and another process may have its turn."""
PATIENCE_MS = 500
"""How long a round waits for another writer: not longer than a closing window may wait for the thread."""


class Follower:
    """Opens the ledger in its own thread and calls `run_round` until `stop()`, which joins.

    `begin` is called with every newly opened Operations. `run_round` waits for what it waits for by itself and
    returns soon after `stopping` is set; it may raise any SulcusError or OSError.
    """

    def __init__(self, name: str, open_operations: Callable[[], Operations], bus: ChangeBus) -> None:
        self.stopping = threading.Event()
        self._open_operations = open_operations
        self._bus = bus
        self._told = ""
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin to follow; once."""
        self._thread.start()

    def stop(self) -> None:
        """End and wait for the thread."""
        self.stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def begin(self, operations: Operations) -> None:
        """Take up an Operations that was just opened."""

    def run_round(self, operations: Operations) -> None:
        """Do what there is to do, and wait for the next time."""
        raise NotImplementedError

    def drain_a_slice(self, operations: Operations) -> bool:
        """Drain for a moment, with rests; whether events are left in the spool."""
        until = time.monotonic() + SLICE_SECONDS

        def rest() -> bool:
            return not self.stopping.wait(REST_SECONDS) and time.monotonic() < until

        return operations.drain(rest=rest).more

    def _run(self) -> None:
        try:
            while not self.stopping.is_set():
                try:
                    self._follow()
                except (SulcusError, OSError) as error:
                    self._trouble(error)
        finally:
            if not self.stopping.is_set():
                self._bus.publish(
                    Changes(notice="Changes no longer show by themselves: open the window again.")
                )

    def _follow(self) -> None:
        with self._open_operations() as operations:
            operations.ledger.wait_for_writers(PATIENCE_MS)
            if operations.notices and not operations.read_only:  # of that, whoever opened it tells
                self._bus.publish(Changes(touched=None, governance=True, notice=" ".join(operations.notices)))
            self.begin(operations)
            while not self.stopping.is_set():
                try:
                    self.run_round(operations)
                    self._told = ""
                except LedgerBusy as error:  # the connection is sound, and what it knows is worth keeping
                    self._trouble(error)

    def _trouble(self, error: SulcusError | OSError) -> None:
        told = str(error) if isinstance(error, SulcusError) else error.strerror or str(error)
        if not self._told:
            self._told = told
            self._bus.publish(Changes(notice=f"{told}. It is tried again until it succeeds."))
        self.stopping.wait(RETRY_SECONDS)
