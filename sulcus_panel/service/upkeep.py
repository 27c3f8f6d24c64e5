"""A thread that keeps the store small while the window is open: older versions become deltas, a part at a time."""

from collections.abc import Callable

from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.follower import Follower
from sulcus_panel.service.operations import Operations

REST_SECONDS = 0.2
"""Between two parts of the work: others who write come first."""
IDLE_SECONDS = 20.0


class Upkeep(Follower):
    """`start()` once; `stop()` joins."""

    def __init__(self, open_operations: Callable[[], Operations], bus: ChangeBus) -> None:
        super().__init__("upkeep", open_operations, bus)

    def run_round(self, operations: Operations) -> None:
        """One part of the work, then a rest."""
        packed = operations.ledger.blobs.pack()
        self.stopping.wait(IDLE_SECONDS if packed.is_done else REST_SECONDS)
